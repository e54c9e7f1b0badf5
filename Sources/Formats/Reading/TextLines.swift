// SPDX-License-Identifier: MIT

/// The lines of a text file, each with its number, as slices of the bytes: no copy, no locale.
///
/// A line ends in LF or CRLF. The last one must end too: otherwise a file cut off inside its last number would read as
/// a whole file with another number in it.
struct TextLines {
  private let bytes: [UInt8]
  private var next = 0
  /// The number of the line that `nextLine` returned last, from 1.
  private(set) var number = 0

  /// Lines of `bytes`, which must be plain text in ASCII or UTF-8 without a byte-order mark.
  init(_ bytes: [UInt8]) throws(FileError) {
    try TextLines.checkText(bytes)
    self.bytes = bytes
  }

  /// Refuses anything but plain UTF-8 text: an empty file, a byte-order mark, UTF-16, zero bytes, broken UTF-8.
  static func checkText(_ bytes: [UInt8]) throws(FileError) {
    guard !bytes.isEmpty else { throw FileError(place: "byte 0", "the file is empty") }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw FileError(place: "byte 0", "starts with a byte-order mark; save it as plain UTF-8")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw FileError(place: "byte 0", "is UTF-16; save it as UTF-8")
    }
    if let zero = bytes.firstIndex(of: 0) { throw FileError(place: "byte \(zero)", "holds a zero byte: not text") }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw FileError("is not UTF-8 text") }
  }

  /// The place of the current line, for an error.
  var place: String { "line \(max(number, 1))" }

  /// The next line without its end, or nil after the last.
  mutating func nextLine() throws(FileError) -> ArraySlice<UInt8>? {
    guard next < bytes.count else { return nil }
    number += 1
    guard let end = bytes[next...].firstIndex(of: 0x0A) else {
      throw FileError(
        place: "\(place), byte \(bytes.count)",
        "the last line has no line end: the file may be cut short (end the line if it is whole)")
    }
    defer { next = end + 1 }
    let stop = end > next && bytes[end - 1] == 0x0D ? end - 1 : end
    return bytes[next..<stop]
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
