// SPDX-License-Identifier: MIT
import Text

/// A `.npz` file that is written in pieces: named arrays of float32 or float64 whose shapes are known, and whose numbers come
/// in any turns.
///
/// The file appears at its path when it is finished, and not before. `numpy.load` reads it.
struct NPZWriter: ~Copyable {
  private var file: OutputFile
  private let path: String
  private var entries: [ZipEntry]
  private var checksums: [CRC32]
  /// The bytes of each entry that are on the disk, and those that wait.
  private var written: [Int]
  private var waiting: [[UInt8]]
  /// Entries that are deflated, whose sizes are not known before the end; empty if they are stored as they are.
  private var deflaters: [Deflater]

  private static let bufferSize = 1 << 20

  /// Opens the file for arrays in this order. Deflated arrays stay in memory, deflated, until the end.
  /// - Throws: ``FileError`` if the file cannot be written, a name is not one, or two are equal.
  init(
    _ path: String, entries arrays: [(name: String, shape: [Int], type: NumPyType)], isCompressed: Bool = false
  ) throws(FileError) {
    var entries: [ZipEntry] = []
    var headers: [[UInt8]] = []
    var end = 0
    for (name, shape, type) in arrays {
      let isName =
        !name.isEmpty && name.utf8.count <= 200
        && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
      guard isName else {
        throw FileError(file: path, "“\(name.printable)” is no name of an array: it must be ASCII letters")
      }
      guard !entries.contains(where: { $0.name == "\(name).npy" }) else {
        throw FileError(file: path, "two arrays are called “\(name)”")
      }
      let header = NPYHeader.bytes(shape: shape, type: type)
      // Beside an extent of 0 the product of the others may be beyond all integers.
      let size = shape.contains(0) ? 0 : shape.reduce(type.size, *)
      let entry = ZipEntry(name: "\(name).npy", size: header.count + size, offset: end)
      entries.append(entry)
      headers.append(header)
      end = entry.dataStart + entry.size
    }
    var file = try OutputFile(path)
    if !isCompressed { try file.reserve(end) }
    self.file = file
    self.path = path
    self.entries = entries
    checksums = entries.map { _ in CRC32() }
    written = entries.map { _ in 0 }
    waiting = headers
    deflaters = isCompressed ? entries.map { _ in Deflater() } : []
  }

  /// Appends numbers to an array of float32.
  mutating func append(_ numbers: [Float], to array: Int) throws(FileError) {
    #if _endian(little)
      numbers.withUnsafeBytes { waiting[array].append(contentsOf: $0) }
    #else
      for number in numbers { waiting[array].append(word: UInt64(number.bitPattern), size: 4) }
    #endif
    if waiting[array].count >= Self.bufferSize { try flush(array) }
  }

  /// Appends numbers to an array of float64.
  mutating func append(_ numbers: [Double], to array: Int) throws(FileError) {
    #if _endian(little)
      numbers.withUnsafeBytes { waiting[array].append(contentsOf: $0) }
    #else
      for number in numbers { waiting[array].append(word: number.bitPattern, size: 8) }
    #endif
    if waiting[array].count >= Self.bufferSize { try flush(array) }
  }

  private mutating func flush(_ array: Int) throws(FileError) {
    guard written[array] + waiting[array].count <= entries[array].size else {
      throw FileError(file: path, "\(entries[array].name) gets more numbers than its shape has room for")
    }
    if deflaters.isEmpty {
      try file.write(waiting[array], at: entries[array].dataStart + written[array])
    } else {
      deflaters[array].add(waiting[array])
    }
    checksums[array].add(waiting[array])
    written[array] += waiting[array].count
    waiting[array].removeAll(keepingCapacity: true)
  }

  /// Writes the directory, and moves the file to its path; all numbers must have been written.
  consuming func finish() throws(FileError) {
    var end = 0
    for index in entries.indices {
      try flush(index)
      guard written[index] == entries[index].size else {
        throw FileError(file: path, "\(entries[index].name) gets fewer numbers than its shape has room for")
      }
      entries[index].checksum = checksums[index].value
      if !deflaters.isEmpty {
        let bytes = deflaters[index].finish()
        deflaters[index] = Deflater()
        (entries[index].offset, entries[index].deflatedSize) = (end, bytes.count)
        try file.write(bytes, at: entries[index].dataStart)
      }
      try file.write(entries[index].localHeader, at: entries[index].offset)
      end = entries[index].dataStart + entries[index].storedSize
    }
    try file.write(ZipEntry.directory(of: entries, at: end), at: end)
    try file.finish()
  }
}
