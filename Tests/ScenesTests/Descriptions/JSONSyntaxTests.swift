// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Foundation
import Scenes
import Testing

/// The grammar of JSON, and the places of errors.
struct JSONSyntaxTests {
  private func error(_ text: String) -> JSONSyntaxError? {
    do {
      try JSONSyntax.check(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "{}", "[]", "0", "-0", "1.5e-3", "1E+9", "\"\"", "true", "false", "null",
    " [1, {\"a\": [\"\\u00e9\\n\\\"\", null]}]\r\n",
    "\"\\ud83d\\ude00\"", "\"é😀\"", "{\"a\": 1, \"A\": 2}",
  ])
  func jsonIsAccepted(text: String) { #expect(error(text) == nil) }

  @Test(arguments: [
    ("", 0), ("  ", 2), ("nul", 0), ("NaN", 0), ("Infinity", 0), ("-", 1), ("01", 1), ("1.", 2), (".5", 0), ("+1", 0),
    ("1e", 2), ("[1,]", 3), ("[1 2]", 3), ("[1", 2), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{\"a\" 1}", 5), ("{\"a\":}", 5),
    ("{'a':1}", 1), ("\"abc", 0), ("\"\\x\"", 2), ("\"\\u12g4\"", 5), ("\"\\ud800\"", 7), ("\"\\udc00\"", 7),
    ("\"a\nb\"", 2), ("1 2", 2), ("[] []", 3), ("// x", 0), ("\u{FEFF}{}", 0), ("{\"a\":1,\"a\":2}", 7),
    ("{\"a\":1,\"\\u0061\":2}", 7), ("0x10", 1), ("[[]", 3),
  ])
  func whatIsNoJSONIsRefusedAtItsPlace(text: String, offset: Int) {
    #expect(error(text)?.offset == offset, "\(text)")
  }

  /// Habits of other formats are named, with what to do about them.
  @Test(arguments: [
    ("[1, 2, ]", "a comma may not stand before the end of the array; take it out"),
    ("{\"a\": 1,\n}", "a comma may not stand before the end of the object; take it out"),
    ("// a\n{}", "JSON has no comments; take it out"), ("{ // a\n}", "JSON has no comments; take it out"),
    ("{\"a\": 1 // a\n}", "JSON has no comments; take it out"), ("[1 /* a */]", "JSON has no comments; take it out"),
    ("{} # a", "JSON has no comments; take it out"), ("[1, # a\n2]", "JSON has no comments; take it out"),
    ("[,]", "a value cannot start here"), ("[1,,2]", "a value cannot start here"),
    ("{,}", "a key in double quotes is missing"),
  ])
  func commasAndCommentsAreNamed(_ text: String, _ reason: String) {
    #expect(error(text)?.reason == reason)
  }

  @Test func placesAreLinesAndColumns() throws {
    let error = try #require(self.error("{\n  \"é\": 1,\n  \"b\": tru\n}"))
    #expect(error.line == 3 && error.column == 8)
    #expect(error.description == "line 3, column 8 (byte \(error.offset)): a value cannot start here")
  }

  @Test func bytesThatAreNoTextAreRefused() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0xFE, 0xFF, 0x00, 0x7B], [0x22, 0xC3, 0x22], [0x00]] {
      #expect(throws: JSONSyntaxError.self) { try JSONSyntax.check(bytes) }
    }
    let error = #expect(throws: JSONSyntaxError.self) { try JSONSyntax.check([0x22, 0x61, 0xFF, 0x22]) }
    #expect(error?.offset == 2)
  }

  @Test func nestingIsLimitedToSixtyFourLevels() {
    for (opening, closing) in [("[", "]"), ("{\"a\":", "}")] {
      let inside = opening == "[" ? "" : "1"
      let deep = { (count: Int) in
        String(repeating: opening, count: count) + inside + String(repeating: closing, count: count)
      }
      #expect(error(deep(64)) == nil && error(deep(65))?.reason == "nested deeper than 64 levels")
      #expect(error(String(repeating: opening, count: 1_000_000))?.reason == "nested deeper than 64 levels")
    }
  }

  @Test(arguments: [1 as UInt64, 2, 3]) func junkIsRefusedOrReadTheSameByTheToolchain(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("{}[]\",:0123456789.-+eEtrufalsn\\ \n".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      // An exponent of three digits may be too large for the toolchain; that is not an error of syntax.
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains(/[eE]\+?\d{3}/) { continue }
      if (try? JSONSyntax.check(bytes)) != nil {
        // Text that passes here must be JSON for the toolchain too.
        let parsed = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        #expect(parsed != nil, "seed \(seed): \(text)")
      }
    }
  }
}
