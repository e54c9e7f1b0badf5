// SPDX-License-Identifier: MIT
import Text

/// The first place where a text breaks the rules of JSON.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of bytes before the place.
  package let offset: Int
  /// The line of the place, counted from 1.
  package let line: Int
  /// The column of the place in its line, in Unicode scalars, counted from 1.
  package let column: Int
  /// The reason.
  package let reason: String

  /// The place as people write it.
  package var place: String { "line \(line), column \(column) (byte \(offset))" }

  /// The place and the reason in one line.
  package var description: String { "\(place): \(reason)" }

  init(offset: Int, in bytes: [UInt8], reason: String) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.offset = offset
    line = 1 + before.count { $0 == 0x0A }
    // Continuation bytes of UTF-8 start no scalar.
    column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
    self.reason = reason
  }
}

/// A strict reader of JSON's grammar (RFC 8259) that keeps no values: it checks that a text is JSON, and finds the first
/// fault.
///
/// The decoder of the toolchain gives no place for a syntax error, takes trailing commas and leading zeros, and lets the
/// first of two equal keys win in silence. Here all of these are errors, and so is nesting deeper than `depthLimit`.
package struct JSONSyntax {
  /// The deepest nesting of arrays and objects that is read.
  package static let depthLimit = 64

  private let bytes: [UInt8]
  private var position = 0

  /// Throws unless `bytes` are one JSON value in UTF-8. Complexity: linear in the count of bytes.
  package static func check(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    guard !bytes.isEmpty else { throw JSONSyntaxError(offset: 0, in: bytes, reason: "the text is empty") }
    try checkEncoding(bytes)
    var syntax = JSONSyntax(bytes: bytes)
    syntax.skipSpace()
    try syntax.value(depth: 0)
    syntax.skipSpace()
    if syntax.position < bytes.count { throw syntax.unexpected("nothing may follow the value") }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func checkEncoding(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONSyntaxError(
        offset: 0, in: bytes, reason: "a byte order mark may not stand before JSON; save it as plain UTF-8")
    }
    if String(validating: bytes, as: UTF8.self) == nil {
      let repaired = String(decoding: bytes, as: UTF8.self).utf8
      let offset = zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count
      throw JSONSyntaxError(offset: offset, in: bytes, reason: "the text is not UTF-8")
    }
  }

  // MARK: - Grammar

  private mutating func value(depth: Int) throws(JSONSyntaxError) {
    guard let byte = peek else { throw error("a value is missing") }
    switch byte {
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default: throw unexpected("a value cannot start here")
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) {
    guard depth <= Self.depthLimit else { throw error("nested deeper than \(Self.depthLimit) levels") }
    position += 1
    skipSpace()
    if take("}") { return }
    var keys = Set<String>()
    repeat {
      skipSpace()
      if peek == UInt8(ascii: "}") { throw error("a comma may not stand before the end of the object; take it out") }
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes is missing") }
      let start = position
      let key = try string()
      guard keys.insert(key).inserted else {
        position = start
        throw error("the key \"\(key.printable)\" stands twice in one object")
      }
      skipSpace()
      guard take(":") else { throw error("a colon is missing after the key") }
      skipSpace()
      try value(depth: depth)
      skipSpace()
    } while take(",")
    guard take("}") else { throw unexpected("a comma or the end of the object is missing") }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) {
    guard depth <= Self.depthLimit else { throw error("nested deeper than \(Self.depthLimit) levels") }
    position += 1
    skipSpace()
    if take("]") { return }
    repeat {
      skipSpace()
      if peek == UInt8(ascii: "]") { throw error("a comma may not stand before the end of the array; take it out") }
      try value(depth: depth)
      skipSpace()
    } while take(",")
    guard take("]") else { throw unexpected("a comma or the end of the array is missing") }
  }

  private mutating func number() throws(JSONSyntaxError) {
    _ = take("-")
    if take("0") {
      if let byte = peek, isDigit(byte) { throw error("a number may not start with 0 and another digit") }
    } else {
      try digits()
    }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while let byte = peek, isDigit(byte) { position += 1 }
    if position == start { throw error("a digit is missing") }
  }

  /// Reads a string and returns its text, with escapes resolved.
  private mutating func string() throws(JSONSyntaxError) -> String {
    let opening = position
    position += 1
    var units: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        units += try escape()
      case 0..<0x20:
        throw error("a control character may not stand in a string")
      default:
        units.append(byte)
        position += 1
      }
    }
    position = opening
    throw error("the string that starts here does not end")
  }

  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    position += 1
    guard let letter = peek else { throw error("the escape is cut off") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try hexadecimal()]
      if UTF16.isLeadSurrogate(units[0]), take("\\") {
        guard take("u") else { throw error("the second half of a surrogate pair is missing") }
        units.append(try hexadecimal())
      }
      guard let text = String(validating: units, as: UTF16.self) else { throw error("a surrogate without its pair") }
      return Array(text.utf8)
    default:
      position -= 1
      throw error("an escape that JSON does not have")
    }
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits must follow \\u")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  private mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
    let expected = Array("\(word)".utf8)
    guard bytes[position...].starts(with: expected) else { throw error("a value cannot start here") }
    position += expected.count
  }

  // MARK: - Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// An error where something else must stand, which may be a comment.
  private func unexpected(_ reason: String) -> JSONSyntaxError {
    error(peek == UInt8(ascii: "/") || peek == UInt8(ascii: "#") ? "JSON has no comments; take it out" : reason)
  }

  private func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: position, in: bytes, reason: reason)
  }
}
