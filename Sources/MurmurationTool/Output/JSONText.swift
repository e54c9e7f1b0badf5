// SPDX-License-Identifier: MIT
import Foundation

/// Results as JSON for other programs.
enum JSONText {
  /// An object of one result, with its keys in alphabetical order and a line break at its end. JSON has no infinity:
  /// those become the strings `"inf"`, `"-inf"` and `"nan"`.
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
