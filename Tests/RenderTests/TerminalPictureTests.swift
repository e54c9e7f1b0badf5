// SPDX-License-Identifier: MIT
import Testing

@testable import Render

struct TerminalPictureTests {
  private func picture(_ lit: [(x: Int, y: Int, colour: SIMD3<UInt8>)]) -> Picture {
    var picture = Picture(width: 8, height: 8)
    for (x, y, colour) in lit {
      var dot = Picture(width: 1, height: 1)
      dot.bytes = [colour.x, colour.y, colour.z]
      picture.paste(dot, x: x, y: y)
    }
    return picture
  }

  private func lines(_ picture: Picture, _ colours: TerminalColours) -> [String] {
    TerminalPicture(picture, colours: colours).lines { _ in .zero }
  }

  @Test func eachPixelIsADotOfItsCharacter() {
    let dots = [
      (0, 0, 0x01), (0, 1, 0x02), (0, 2, 0x04), (1, 0, 0x08), (1, 1, 0x10), (1, 2, 0x20), (0, 3, 0x40), (1, 3, 0x80),
    ]
    for (x, y, bit) in dots {
      let lines = lines(picture([(x + 2, y + 4, [255, 255, 255])]), .none)
      #expect(lines == ["", " " + String(Character(Unicode.Scalar(0x2800 + UInt32(bit))!))])
    }
  }

  @Test func pixelsLikeTheBackgroundAreNoDots() {
    let grey = Picture(width: 4, height: 4, [100, 100, 100])
    #expect(TerminalPicture(grey, colours: .none).lines { _ in [100, 100, 100] } == [""])
    #expect(TerminalPicture(grey, colours: .none).lines { _ in [90, 95, 105] } == [""])
    #expect(TerminalPicture(grey, colours: .none).lines { _ in [10, 10, 10] } == ["⣿⣿"])
  }

  @Test func aColourIsNamedOnceForAllThatHaveIt() {
    let two = picture([(0, 0, [248, 0, 0]), (2, 0, [248, 0, 0]), (4, 0, [0, 248, 0])])
    #expect(
      lines(two, .trueColour)[0] == "\u{1B}[38;2;248;0;0m⠁⠁\u{1B}[38;2;0;248;0m⠁\u{1B}[0m")
    #expect(lines(two, .palette)[0] == "\u{1B}[38;5;196m⠁⠁\u{1B}[38;5;46m⠁\u{1B}[0m")
    #expect(lines(two, .none)[0] == "⠁⠁⠁")
  }

  @Test func theColourOfACharacterIsTheMeanOfItsDots() {
    let mixed = picture([(0, 0, [200, 0, 0]), (1, 0, [0, 0, 200])])
    #expect(lines(mixed, .trueColour)[0] == "\u{1B}[38;2;96;0;96m⠉\u{1B}[0m")
  }
}
