// SPDX-License-Identifier: MIT

/// Numbers as text, the same in every locale.
package enum NumberText {
  /// The shortest text that reads back as the same Double; whole numbers without a fraction: `3`, `0.1`, `1e-05`.
  package static func short(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The shortest text that reads back as the same Double, as a JSON value.
  ///
  /// JSON has no infinity: those become the strings `"inf"`, `"-inf"` and `"nan"`, which C's `strtod` and Python's `float` read.
  package static func json(_ number: Double) -> String {
    number.isFinite ? "\(number)" : "\"\(plain(number))\""
  }

  /// The shortest text that reads back as the same Double, for CSV: `inf`, `-inf` and `nan` stand without quotes.
  package static func plain(_ number: Double) -> String {
    number.isNaN ? "nan" : "\(number)"
  }
}

extension NumberText {
  /// Text as a JSON string, in quotes, with the characters escaped that JSON requires.
  package static func jsonString(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
