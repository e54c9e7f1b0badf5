// SPDX-License-Identifier: MIT

/// A grid of character cells of 2 × 4 dots each, drawn with the braille patterns of Unicode.
package struct BrailleCanvas {
  let columns: Int
  let rows: Int
  private var dots: [UInt8]
  private var owners: [Int]

  /// The number of dots across and down.
  var width: Int { columns * 2 }
  var height: Int { rows * 4 }

  /// The bit of each dot in a cell, by row and column: U+2800 plus these.
  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  /// The character of a cell whose dots `isSet` names by row and column.
  package static func character(_ isSet: (_ row: Int, _ column: Int) -> Bool) -> Character {
    var dots: UInt8 = 0
    for row in 0..<4 {
      for column in 0..<2 where isSet(row, column) { dots |= bits[row][column] }
    }
    return character(of: dots)
  }

  private static func character(of dots: UInt8) -> Character {
    Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ")
  }

  /// An empty canvas; both sizes are at least 1.
  init(columns: Int, rows: Int) {
    self.columns = max(columns, 1)
    self.rows = max(rows, 1)
    dots = Array(repeating: 0, count: self.columns * self.rows)
    owners = Array(repeating: -1, count: self.columns * self.rows)
  }

  /// Sets a dot, counted from the top left; does nothing outside the canvas.
  mutating func set(x: Int, y: Int, owner: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let cell = (y / 4) * columns + x / 2
    dots[cell] |= Self.bits[y % 4][x % 2]
    owners[cell] = owner
  }

  /// Draws a straight line between two points given as fractions, with (0, 0) at the bottom left.
  mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), owner: Int) {
    let (x0, y0) = place(start)
    let (x1, y1) = place(end)
    let steps = max(abs(x1 - x0), abs(y1 - y0))
    guard steps > 0 else { return set(x: x0, y: y0, owner: owner) }
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      set(
        x: x0 + Int((part * Double(x1 - x0)).rounded()), y: y0 + Int((part * Double(y1 - y0)).rounded()), owner: owner)
    }
  }

  /// The character of a cell and the curve it belongs to, or nil if the cell is empty.
  func cell(column: Int, row: Int) -> (character: Character, owner: Int)? {
    let index = row * columns + column
    return dots[index] == 0 ? nil : (Self.character(of: dots[index]), owners[index])
  }

  private func place(_ point: (x: Double, y: Double)) -> (Int, Int) {
    // Outside the panel a line is cut one panel away, so that a pole costs no time.
    let x = min(max(point.x, -1), 2)
    let y = min(max(point.y, -1), 2)
    return (Int((x * Double(width - 1)).rounded()), Int(((1 - y) * Double(height - 1)).rounded()))
  }
}
