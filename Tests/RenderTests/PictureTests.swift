// SPDX-License-Identifier: MIT
import CPNG
import Testing

@testable import Render

struct PictureTests {
  @Test(arguments: [(1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (9, 3, 3), (10, 4, 3), (400, 20, 20)])
  func aContactSheetHasRoomForItsPictures(_ count: Int, _ columns: Int, _ rows: Int) {
    let sheet = ContactSheet(count: count, width: 640, height: 360)
    #expect(sheet.columns == columns && sheet.rows == rows)
    let pictures = (0..<count).map { Picture(width: sheet.width, height: sheet.height, SIMD3(UInt8($0 % 200), 250, 7)) }
    let laid = sheet.lay(pictures, on: [1, 2, 3])
    #expect(laid.width <= 640)
    for index in 0..<count {
      let (x, y) = (4 + index % columns * (sheet.width + 4), 4 + index / columns * (sheet.height + 4))
      #expect(laid[x, y] == SIMD3(UInt8(index % 200), 250, 7))
      #expect(laid[x + sheet.width - 1, y + sheet.height - 1] == SIMD3(UInt8(index % 200), 250, 7))
      #expect(laid[x - 1, y] == [1, 2, 3])
    }
    #expect(laid[laid.width - 1, laid.height - 1] == [1, 2, 3])
  }

  @Test func aSheetTooSmallForItsPicturesStillIsOne() {
    let sheet = ContactSheet(count: 400, width: 16, height: 16)
    #expect(sheet.width == 1 && sheet.height == 1)
  }

  @Test func whatDoesNotFitIsLeftOut() {
    var picture = Picture(width: 4, height: 3)
    picture.paste(Picture(width: 3, height: 5, [9, 9, 9]), x: 2, y: 1)
    #expect(picture[1, 1] == .zero && picture[2, 0] == .zero)
    #expect(picture[2, 1] == [9, 9, 9] && picture[3, 2] == [9, 9, 9])
    picture.paste(Picture(width: 1, height: 1, [5, 5, 5]), x: 4, y: 0)
    picture.paste(Picture(width: 1, height: 1, [5, 5, 5]), x: -1, y: 0)
    #expect(!picture.bytes.contains(5))
  }
}

struct PNGTests {
  /// A picture in which no two pixels are alike.
  static func pattern(width: Int, height: Int) -> Picture {
    var picture = Picture(width: width, height: height)
    for index in picture.bytes.indices { picture.bytes[index] = UInt8(truncatingIfNeeded: index &* 37 + index >> 6) }
    return picture
  }

  @Test(arguments: [(1, 1), (3, 2), (17, 31), (64, 40)])
  func aReaderGetsEveryPixelBack(_ width: Int, _ height: Int) throws {
    let picture = Self.pattern(width: width, height: height)
    let file = try picture.png()
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    try #require(png_image_begin_read_from_memory(&image, file, file.count) != 0)
    #expect(image.width == width && image.height == height)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    try #require(png_image_finish_read(&image, nil, &bytes, 0, nil) != 0)
    #expect(bytes == picture.bytes)
  }
}

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
    #expect(lines(two, .palette)[0] == "\u{1B}[38;5;196m⠁⠁\u{1B}[38;5;46m⠁\u{1B}[0m" && lines(two, .none)[0] == "⠁⠁⠁")
  }

  @Test func theColourOfACharacterIsTheMeanOfItsDots() {
    let mixed = picture([(0, 0, [200, 0, 0]), (1, 0, [0, 0, 200])])
    #expect(lines(mixed, .trueColour)[0] == "\u{1B}[38;2;96;0;96m⠉\u{1B}[0m")
  }
}
