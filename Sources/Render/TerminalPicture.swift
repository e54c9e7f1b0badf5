// SPDX-License-Identifier: MIT
import Charts

/// The colours that a terminal has.
package enum TerminalColours: Equatable, Sendable {
  /// 24 bits, by SGR 38;2.
  case trueColour
  /// The 256 of xterm, by SGR 38;5.
  case palette
  /// The terminal's own.
  case none
}

/// A picture as lines of braille: each character shows 2 × 4 pixels as dots, in one colour.
package struct TerminalPicture {
  private let picture: Picture
  private let colours: TerminalColours

  /// A picture whose width is twice the number of columns and whose height is four times that of rows.
  package init(_ picture: Picture, colours: TerminalColours) {
    self.picture = picture
    self.colours = colours
  }

  /// The distance from the background, in levels of all channels together, at which a dot is set.
  private static let threshold = 60

  /// The lines from top to bottom, without line breaks. `background` is the colour of an empty pixel of each row.
  package func lines(background: (_ row: Int) -> SIMD3<UInt8>) -> [String] {
    (0..<picture.height / 4).map { row in line(row, (0..<4).map { background(row * 4 + $0) }) }
  }

  private func line(_ row: Int, _ background: [SIMD3<UInt8>]) -> String {
    var (text, blank, colour) = ("", 0, "")
    for column in 0..<picture.width / 2 {
      var (sum, count) = (SIMD3<Int>.zero, 0)
      let character = BrailleCanvas.character { dotRow, dotColumn in
        let pixel = SIMD3<Int>(truncatingIfNeeded: picture[column * 2 + dotColumn, row * 4 + dotRow])
        let difference = pixel &- SIMD3<Int>(truncatingIfNeeded: background[dotRow])
        guard abs(difference.x) + abs(difference.y) + abs(difference.z) >= Self.threshold else { return false }
        (sum, count) = (sum &+ pixel, count + 1)
        return true
      }
      guard count > 0 else {
        blank += 1
        continue
      }
      text += String(repeating: " ", count: blank)
      blank = 0
      let next = code(SIMD3(UInt8(sum.x / count), UInt8(sum.y / count), UInt8(sum.z / count)))
      if next != colour { text += next }
      colour = next
      text.append(character)
    }
    return colour.isEmpty ? text : text + "\u{1B}[0m"
  }

  /// The sequence that chooses a colour; equal colours have equal sequences.
  private func code(_ colour: SIMD3<UInt8>) -> String {
    switch colours {
    case .none: return ""
    case .trueColour:
      // Fewer colours are fewer bytes: a terminal far away has a slow line.
      let levels = colour & 0xF8
      return "\u{1B}[38;2;\(levels.x);\(levels.y);\(levels.z)m"
    case .palette:
      func step(_ level: UInt8) -> Int { level < 48 ? 0 : level < 115 ? 1 : (Int(level) - 35) / 40 }
      return "\u{1B}[38;5;\(16 + 36 * step(colour.x) + 6 * step(colour.y) + step(colour.z))m"
    }
  }
}
