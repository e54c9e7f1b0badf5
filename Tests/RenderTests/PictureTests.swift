// SPDX-License-Identifier: MIT
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
