// SPDX-License-Identifier: MIT
import Text

/// The directory of a zip archive in memory, read and checked against the bytes.
struct ZipDirectory {
  /// An entry: its name, and where its bytes are.
  struct Entry {
    var name: String
    fileprivate var bytes: Range<Int>
    fileprivate var isDeflated: Bool
    /// The number of the bytes when they are inflated.
    fileprivate var size: Int
    fileprivate var checksum: UInt32
  }

  /// The entries in the directory's order.
  private(set) var entries: [Entry] = []

  private let archive: [UInt8]
  /// Entries that share their bytes must not take more memory and time together than the archive's size.
  private var spare: Int
  /// The bytes that inflated entries may still take together.
  private var inflatedSpare = FileBytes.recordingLimit

  /// Reads the directory at the end of an archive.
  /// - Throws: ``FileError`` with the byte: for archives in parts, entries that are encrypted or neither stored nor
  ///   deflated, bytes outside the archive, and more than 512 MiB of inflated bytes.
  init(_ archive: [UInt8]) throws(FileError) {
    self.archive = archive
    spare = archive.count
    let end = try endRecord()
    var count = number(end + 10, 2)
    var (size, start) = (number(end + 12, 4), number(end + 16, 4))
    if count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF, let wide = try wideRecord(before: end) {
      (count, size, start) = (try long(wide + 32), try long(wide + 40), try long(wide + 48))
    }
    guard size <= end, start <= end - size else {
      throw FileError(place: "byte \(end)", "states a directory of \(size) bytes at byte \(start), which ends too late")
    }
    guard count <= size / 46 else { throw FileError(place: "byte \(end)", "states \(count) entries in \(size) bytes") }
    var position = start
    for _ in 0..<count { try readEntry(at: &position, before: start + size) }
  }

  /// The place of the last record, which a comment of up to 64 KiB may follow.
  private func endRecord() throws(FileError) -> Int {
    var place = archive.count - 22
    let first = max(0, place - 0xFFFF)
    while place >= first {
      if number(place, 4) == 0x0605_4B50, number(place + 20, 2) == archive.count - place - 22 {
        guard number(place + 4, 4) == 0 else {
          throw FileError(place: "byte \(place)", "is an archive in several parts")
        }
        return place
      }
      place -= 1
    }
    throw FileError(
      place: "byte \(archive.count)", "the directory of a zip archive is missing: the file may be cut short")
  }

  /// The place of the record with 64-bit numbers, if there is one.
  private func wideRecord(before end: Int) throws(FileError) -> Int? {
    guard end >= 20, number(end - 20, 4) == 0x0706_4B50 else { return nil }
    let place = try long(end - 12)
    guard place <= end - 76, number(place, 4) == 0x0606_4B50 else {
      throw FileError(place: "byte \(end - 12)", "no 64-bit record of the directory stands at byte \(place)")
    }
    return place
  }

  private mutating func readEntry(at position: inout Int, before end: Int) throws(FileError) {
    let place = "byte \(position)"
    guard position <= end - 46, number(position, 4) == 0x0201_4B50 else {
      throw FileError(place: place, "no entry of the directory stands here")
    }
    let (flags, method) = (number(position + 8, 2), number(position + 10, 2))
    let (nameLength, extraLength) = (number(position + 28, 2), number(position + 30, 2))
    let next = position + 46 + nameLength + extraLength + number(position + 32, 2)
    guard next <= end else { throw FileError(place: place, "the entry is cut short") }
    let nameStart = position + 46
    guard let name = String(validating: archive[nameStart..<(nameStart + nameLength)], as: UTF8.self) else {
      throw FileError(place: place, "the name of the entry is not UTF-8")
    }
    var sizes = [number(position + 24, 4), number(position + 20, 4), number(position + 42, 4)]
    try widen(&sizes, in: (nameStart + nameLength)..<(nameStart + nameLength + extraLength))
    let (size, stored, header) = (sizes[0], sizes[1], sizes[2])
    let shown = "the entry “\(name.printable)”"
    guard flags & 1 == 0 else { throw FileError(place: place, "\(shown) is encrypted") }
    guard method == 0 || method == 8 else {
      throw FileError(
        place: place, "\(shown) is compressed by method \(method); save it with numpy.savez or savez_compressed")
    }
    guard stored == size || method == 8 else {
      throw FileError(place: place, "\(shown) states two sizes, \(stored) and \(size)")
    }
    guard header <= end - 30, number(header, 4) == 0x0403_4B50 else {
      throw FileError(place: "byte \(header)", "\(shown) has no header here")
    }
    let start = header + 30 + number(header + 26, 2) + number(header + 28, 2)
    guard start <= end, stored <= end - start else {
      throw FileError(place: "byte \(header)", "\(shown) states \(stored) bytes; \(max(0, end - start)) are left")
    }
    spare -= stored
    guard spare >= 0 else { throw FileError(place: "byte \(header)", "\(shown) overlaps others") }
    if method == 8 {
      guard size <= inflatedSpare else {
        throw FileError(
          place: place, "\(shown) makes more than \(FileBytes.recordingLimit >> 20) MiB of inflated bytes")
      }
      inflatedSpare -= size
    }
    entries.append(
      Entry(
        name: name, bytes: start..<(start + stored), isDeflated: method == 8, size: size,
        checksum: UInt32(number(position + 16, 4))))
    position = next
  }

  /// The bytes of an entry, inflated if they are deflated.
  /// - Throws: ``FileError`` with the byte, if they are damaged or do not match their checksum.
  func contents(of entry: Entry) throws(FileError) -> [UInt8] {
    let bytes = archive[entry.bytes]
    let contents: [UInt8]
    do {
      contents = entry.isDeflated ? try Inflater.inflate(bytes, size: entry.size) : Array(bytes)
    } catch { throw FileError(place: error.place, "the entry “\(entry.name.printable)” \(error.reason)") }
    guard CRC32.of(contents) == entry.checksum else {
      throw FileError(
        place: "byte \(bytes.startIndex)", "the entry “\(entry.name.printable)” does not match its checksum")
    }
    return contents
  }

  /// Replaces numbers that do not fit 32 bits by those of the 64-bit field.
  private func widen(_ numbers: inout [Int], in extra: Range<Int>) throws(FileError) {
    var position = extra.lowerBound
    while position <= extra.upperBound - 4 {
      let (kind, length) = (number(position, 2), number(position + 2, 2))
      var place = position + 4
      position = place + length
      guard kind == 1, position <= extra.upperBound else { continue }
      for index in numbers.indices where numbers[index] == 0xFFFF_FFFF && place <= position - 8 {
        numbers[index] = try long(place)
        place += 8
      }
    }
  }

  /// The unsigned number in `size` bytes, lowest first; all must be there.
  private func number(_ place: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(archive[place + $1]) << (8 * $1) }
  }

  /// A number of eight bytes that may be a size.
  private func long(_ place: Int) throws(FileError) -> Int {
    guard archive[place + 7] < 0x40 else { throw FileError(place: "byte \(place)", "is no size: it is beyond 2⁶²") }
    return number(place, 8)
  }
}
