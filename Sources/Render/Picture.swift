// SPDX-License-Identifier: MIT

/// A picture as screens show it: red, green and blue, a byte each, row after row from the top left.
package struct Picture: Equatable, Sendable {
  /// The number of pixels across and down.
  package let width: Int
  package let height: Int
  /// The levels of all pixels.
  package internal(set) var bytes: [UInt8]

  /// A black picture; both sizes are at least 1.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (max(1, width), max(1, height))
    bytes = Array(repeating: 0, count: self.width * self.height * 3)
  }

  /// A picture of one colour.
  package init(width: Int, height: Int, _ colour: SIMD3<UInt8>) {
    self.init(width: width, height: height)
    for pixel in 0..<self.width * self.height {
      for channel in 0..<3 { bytes[pixel * 3 + channel] = colour[channel] }
    }
  }

  /// The levels of a pixel within the picture.
  package subscript(x: Int, y: Int) -> SIMD3<UInt8> {
    let place = (y * width + x) * 3
    return SIMD3(bytes[place], bytes[place + 1], bytes[place + 2])
  }

  /// Copies another picture here, with its top left at (x, y); the part that does not fit is left out.
  package mutating func paste(_ other: Picture, x: Int, y: Int) {
    let columns = min(other.width, width - x)
    guard x >= 0, y >= 0, columns > 0 else { return }
    for row in 0..<max(0, min(other.height, height - y)) {
      let (from, to) = (row * other.width * 3, ((y + row) * width + x) * 3)
      bytes.replaceSubrange(to..<to + columns * 3, with: other.bytes[from..<from + columns * 3])
    }
  }
}

/// Several pictures of one size on a sheet, row after row.
package struct ContactSheet: Equatable, Sendable {
  /// The pixels between two pictures, and around all of them.
  package static let gap = 4

  /// The number of pictures.
  package let count: Int
  /// The number of pictures across and down.
  package let columns: Int
  package let rows: Int
  /// The size of each picture.
  package let width: Int
  package let height: Int

  /// A sheet as wide as a picture of the given size would be alone; each of its pictures has the same proportions.
  /// - Parameter count: At least 1.
  package init(count: Int, width: Int, height: Int) {
    self.count = max(1, count)
    columns = Int(Double(self.count).squareRoot().rounded(.up))
    rows = (self.count + columns - 1) / columns
    self.width = max(1, (width - Self.gap * (columns + 1)) / columns)
    self.height = max(1, self.width * height / max(1, width))
  }

  /// The pictures, laid on a ground of one colour.
  package func lay(_ pictures: [Picture], on ground: SIMD3<UInt8>) -> Picture {
    var sheet = Picture(
      width: columns * (width + Self.gap) + Self.gap, height: rows * (height + Self.gap) + Self.gap, ground)
    for (index, picture) in pictures.prefix(count).enumerated() {
      sheet.paste(
        picture, x: Self.gap + index % columns * (width + Self.gap),
        y: Self.gap + index / columns * (height + Self.gap))
    }
    return sheet
  }
}
