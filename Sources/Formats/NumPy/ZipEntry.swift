// SPDX-License-Identifier: MIT

/// An entry of a zip archive and its headers.
///
/// Sizes and offsets from 4 GiB on stand in the 64-bit fields, as NumPy and Python write them. Source: PKWARE, APPNOTE.TXT.
struct ZipEntry: Equatable {
  /// The name, in ASCII.
  var name: String
  /// The number of bytes.
  var size: Int
  /// The number of bytes when they are deflated; nil if they are stored as they are.
  var deflatedSize: Int?
  /// The offset of the local header in the archive.
  var offset: Int
  /// The checksum of the bytes.
  var checksum: UInt32 = 0

  private static let limit = 0xFFFF_FFFF
  private static let fieldKind: UInt64 = 1

  /// The length of the local header, which does not depend on the checksum.
  var headerLength: Int { 30 + name.utf8.count + (isLarge ? 20 : 0) }

  /// The offset of the bytes in the archive.
  var dataStart: Int { offset + headerLength }

  /// The number of bytes in the archive.
  var storedSize: Int { deflatedSize ?? size }

  private var isLarge: Bool { max(size, storedSize) >= Self.limit }

  /// The header before the bytes.
  var localHeader: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(word: 0x0403_4B50, size: 4)
    appendCommon(to: &bytes, needs64: isLarge)
    bytes.append(word: UInt64(name.utf8.count), size: 2)
    bytes.append(word: isLarge ? 20 : 0, size: 2)
    bytes += Array(name.utf8)
    if isLarge { appendField([size, storedSize], to: &bytes) }
    return bytes
  }

  /// The entry in the directory at the end of the archive.
  var directoryEntry: [UInt8] {
    let needs64 = isLarge || offset >= Self.limit
    let field = (isLarge ? [size, storedSize] : []) + (offset >= Self.limit ? [offset] : [])
    var bytes: [UInt8] = []
    bytes.append(word: 0x0201_4B50, size: 4)
    // Made by a version that knows 64-bit fields, on Unix: then the attributes below are a file's mode.
    bytes.append(word: 3 << 8 | 45, size: 2)
    appendCommon(to: &bytes, needs64: needs64)
    bytes.append(word: UInt64(name.utf8.count), size: 2)
    bytes.append(word: field.isEmpty ? 0 : UInt64(4 + 8 * field.count), size: 2)
    // No comment, the first disk, no internal attributes; rw-r--r--.
    bytes.append(word: 0, size: 6)
    bytes.append(word: 0o100644 << 16, size: 4)
    bytes.append(word: UInt64(min(offset, Self.limit)), size: 4)
    bytes += Array(name.utf8)
    if !field.isEmpty { appendField(field, to: &bytes) }
    return bytes
  }

  /// The fields that both headers share, from the version to the size.
  private func appendCommon(to bytes: inout [UInt8], needs64: Bool) {
    bytes.append(word: needs64 ? 45 : 20, size: 2)
    // No flags, stored or deflated, at 0:00 on the first of January 1980.
    bytes.append(word: 0, size: 2)
    bytes.append(word: deflatedSize == nil ? 0 : 8, size: 4)
    bytes.append(word: 0x21, size: 2)
    bytes.append(word: UInt64(checksum), size: 4)
    for size in [storedSize, size] { bytes.append(word: UInt64(isLarge ? Self.limit : size), size: 4) }
  }

  private func appendField(_ numbers: [Int], to bytes: inout [UInt8]) {
    bytes.append(word: Self.fieldKind, size: 2)
    bytes.append(word: UInt64(8 * numbers.count), size: 2)
    for number in numbers { bytes.append(word: UInt64(number), size: 8) }
  }

  /// The directory of an archive, and the records after it.
  static func directory(of entries: [ZipEntry], at start: Int) -> [UInt8] {
    var bytes = entries.flatMap(\.directoryEntry)
    let size = bytes.count
    if start >= limit || size >= limit || entries.count >= 0xFFFF {
      let end = start + size
      bytes.append(word: 0x0606_4B50, size: 4)
      bytes.append(word: 44, size: 8)
      bytes.append(word: 3 << 8 | 45, size: 2)
      bytes.append(word: 45, size: 2)
      bytes.append(word: 0, size: 8)
      for number in [entries.count, entries.count, size, start] { bytes.append(word: UInt64(number), size: 8) }
      bytes.append(word: 0x0706_4B50, size: 4)
      bytes.append(word: 0, size: 4)
      bytes.append(word: UInt64(end), size: 8)
      bytes.append(word: 1, size: 4)
    }
    bytes.append(word: 0x0605_4B50, size: 4)
    bytes.append(word: 0, size: 4)
    for _ in 0..<2 { bytes.append(word: UInt64(min(entries.count, 0xFFFF)), size: 2) }
    for number in [size, start] { bytes.append(word: UInt64(min(number, limit)), size: 4) }
    bytes.append(word: 0, size: 2)
    return bytes
  }
}
