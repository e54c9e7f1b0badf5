// SPDX-License-Identifier: MIT
import CPNG
import Testing

@testable import Render

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

  /// The file as the format's specification has it, read without libpng.
  @Test func theFileHasItsSignatureItsChunksAndTheirSums() throws {
    let file = try Self.pattern(width: 33, height: 9).png()
    #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var names: [String] = []
    var place = 8
    while place < file.count {
      let length = Self.number(file[place..<place + 4])
      let body = file[(place + 4)..<(place + 8 + length)]
      names.append(String(decoding: body.prefix(4), as: UTF8.self))
      #expect(Self.checksum(body) == Self.number(file[(place + 8 + length)..<(place + 12 + length)]))
      if names.last == "IHDR" {
        #expect(Self.number(body.dropFirst(4).prefix(4)) == 33)
        #expect(Self.number(body.dropFirst(8).prefix(4)) == 9)
        // 8 bits a channel, RGB.
        #expect(Array(body.dropFirst(12).prefix(2)) == [8, 2])
      }
      place += 12 + length
    }
    #expect(names.first == "IHDR" && names.last == "IEND" && names.contains("IDAT"))
    // Nothing about the time or the program that wrote it.
    #expect(Set(names).isSubset(of: ["IHDR", "sRGB", "gAMA", "cHRM", "IDAT", "IEND"]))
  }

  @Test func theSamePictureGivesTheSameBytes() throws {
    #expect(try Self.pattern(width: 50, height: 20).png() == Self.pattern(width: 50, height: 20).png())
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// The cyclic redundancy check of a chunk.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return Int(~sum)
  }
}
