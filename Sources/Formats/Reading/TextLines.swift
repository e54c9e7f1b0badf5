// SPDX-License-Identifier: MIT

/// The lines of a text file, each with its number, as slices of the bytes: no copy, no locale.
///
/// A line ends in LF, CRLF or CR; the last one may lack its end. A byte-order mark before the first is skipped.
struct TextLines {
  private let bytes: [UInt8]
  private var next = 0
  /// The number of the line that `nextLine` returned last, from 1.
  private(set) var number = 0

  /// Lines of `bytes`, which must be plain text in ASCII or UTF-8.
  init(_ bytes: [UInt8]) throws(FileError) {
    try TextLines.checkText(bytes)
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
  }

  /// Refuses anything but UTF-8 text: an empty file, UTF-16, zero bytes, broken UTF-8.
  private static func checkText(_ bytes: [UInt8]) throws(FileError) {
    guard !bytes.isEmpty else { throw FileError(place: "byte 0", "the file is empty") }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw FileError(place: "byte 0", "is UTF-16; save it as UTF-8")
    }
    if let zero = bytes.firstIndex(of: 0) { throw FileError(place: "byte \(zero)", "holds a zero byte: not text") }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw FileError("is not UTF-8 text") }
  }

  /// The place of the current line, for an error.
  var place: String { "line \(max(number, 1))" }

  /// The next line without its end, or nil after the last.
  mutating func nextLine() -> ArraySlice<UInt8>? {
    guard next < bytes.count else { return nil }
    number += 1
    let end = bytes[next...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    defer { next = end + (bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1) }
    return bytes[next..<end]
  }
}

extension ArraySlice<UInt8> {
  /// The text of these bytes, for messages and names.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The words between spaces and tabs.
  var words: [ArraySlice<UInt8>] { split { $0 == 0x20 || $0 == 0x09 } }

  /// These bytes without spaces and tabs at their ends.
  var trimmed: ArraySlice<UInt8> {
    var slice = self
    while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
    while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
    return slice
  }

  /// The decimal number that these bytes spell in full, or nil: words, hexadecimal and spaces are refused, in any
  /// locale.
  ///
  /// `1e999` spells infinity and is returned as such; the caller states the range.
  var number: Double? {
    var rest = self
    if rest.first == 0x2D || rest.first == 0x2B { rest.removeFirst() }
    let whole = rest.prefix(while: \.isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest[rest.startIndex..<rest.startIndex]
    if rest.first == 0x2E {
      rest.removeFirst()
      fraction = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    if rest.first == 0x65 || rest.first == 0x45 {
      rest.removeFirst()
      if rest.first == 0x2D || rest.first == 0x2B { rest.removeFirst() }
      let exponent = rest.prefix(while: \.isDigit)
      guard !exponent.isEmpty else { return nil }
      rest = rest.dropFirst(exponent.count)
    }
    guard rest.isEmpty else { return nil }
    return Double(text)
  }
}

extension UInt8 {
  /// Whether this is an ASCII digit.
  var isDigit: Bool { (0x30...0x39).contains(self) }
}
