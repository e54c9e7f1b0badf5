// SPDX-License-Identifier: MIT

extension String {
  /// This text, from a file or a command line, made fit for a message: without control characters, and with only the
  /// first and the last 38 of more than 80 characters.
  package var printable: String {
    // The ends are taken first: a key in a file may be as long as the file.
    guard unicodeScalars.count > 80 else { return Self.withoutControls(unicodeScalars) }
    return Self.withoutControls(unicodeScalars.prefix(38)) + "…" + Self.withoutControls(unicodeScalars.suffix(38))
  }

  /// This text with U+FFFD in place of each control character.
  package var withoutControls: String { Self.withoutControls(unicodeScalars) }

  private static func withoutControls(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    for scalar in scalars {
      text.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return text
  }
}

extension String {
  /// This text with spaces behind it, so that it has a number of characters or more.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// This text with spaces before it, so that it has a number of characters or more.
  package func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
