// SPDX-License-Identifier: MIT
import Text

/// A short text of CSS, read from its start to its end: words, numbers, and functions with arguments between commas.
///
/// Letters are ASCII and count in either case. Source: CSS Syntax Level 3; comments and escapes are refused.
struct CSSText {
  private let bytes: [UInt8]
  private var position = 0

  /// The longest text that is read, in bytes.
  private static let limit = 1 << 20

  init(_ text: String) throws(FileError) {
    bytes = Array(text.utf8.prefix(Self.limit + 1))
    guard bytes.count <= Self.limit else { throw FileError("is longer than \(Self.limit >> 20) MiB") }
    skipSpace()
  }

  /// Whether everything is read.
  var isAtEnd: Bool { position == bytes.count }

  /// An error at the next byte, counted from 0.
  func error(_ reason: String) -> FileError { FileError(place: "byte \(position)", reason) }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[position]) { position += 1 }
  }

  /// Reads a sign such as `,` if it is the next, and the space after it.
  mutating func accept(_ sign: Character) -> Bool {
    guard position < bytes.count, bytes[position] == sign.asciiValue else { return false }
    position += 1
    skipSpace()
    return true
  }

  /// Reads a sign, which must be the next.
  mutating func expect(_ sign: Character) throws(FileError) {
    guard accept(sign) else { throw error("expected “\(sign)”") }
  }

  /// Reads a word of letters and hyphens in small letters, or nil if none is next; whether `(` follows at once.
  mutating func word() -> (name: String, isFunction: Bool)? {
    let start = position
    var end = position
    while end < bytes.count, Self.isLetter(bytes[end]) || end > start && bytes[end] == 0x2D { end += 1 }
    guard end > start else { return nil }
    let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
    position = end
    let isFunction = position < bytes.count && bytes[position] == 0x28
    if isFunction { position += 1 }
    skipSpace()
    return (name, isFunction)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// Reads a number and the unit that follows at once (`%`, `s`, empty without one), or nil if no number is next. A number
  /// of percent is returned as a share: 12.5% is 0.125.
  mutating func number() throws(FileError) -> (value: Double, unit: String)? {
    var end = position
    func isDigit(_ place: Int) -> Bool { place < bytes.count && bytes[place].isDigit }
    if end < bytes.count, bytes[end] == 0x2B || bytes[end] == 0x2D { end += 1 }
    let start = end
    while isDigit(end) { end += 1 }
    if end < bytes.count, bytes[end] == 0x2E, isDigit(end + 1) {
      end += 1
      while isDigit(end) { end += 1 }
    }
    guard end > start else { return nil }
    let digits = String(decoding: bytes[position..<end], as: UTF8.self)
    var power = 0
    if end < bytes.count, bytes[end] | 0x20 == 0x65 {
      var exponent = end + 1
      if exponent < bytes.count, bytes[exponent] == 0x2B || bytes[exponent] == 0x2D { exponent += 1 }
      if isDigit(exponent) {
        while isDigit(exponent) { exponent += 1 }
        let text = String(decoding: bytes[(end + 1)..<exponent], as: UTF8.self)
        // An exponent that no Int holds is beyond all numbers too.
        power = Int(text) ?? (text.hasPrefix("-") ? -1_000_000 : 1_000_000)
        end = exponent
      }
    }
    // The share that is nearest to the decimal number: a division by 100 would round a second time.
    let isPercent = end < bytes.count && bytes[end] == 0x25
    power = min(max(power, -1_000_000), 1_000_000) - (isPercent ? 2 : 0)
    guard let value = Double("\(digits)e\(power)"), abs(value) <= 1e15 else {
      throw error("a number must be finite and within ±1e15")
    }
    position = end
    var unit = ""
    if isPercent {
      unit = "%"
      position += 1
    } else {
      while position < bytes.count, Self.isLetter(bytes[position]) {
        unit.append(Character(Unicode.Scalar(bytes[position] | 0x20)))
        position += 1
      }
    }
    skipSpace()
    return (value, unit)
  }

  /// Reads a number without a unit, which must be next.
  mutating func plainNumber() throws(FileError) -> Double {
    let before = self
    guard let (value, unit) = try number(), unit.isEmpty else { throw before.error("expected a number") }
    return value
  }

  /// The next words, for a message.
  var rest: String { String(decoding: bytes[position...].prefix(100), as: UTF8.self).printable }
}
