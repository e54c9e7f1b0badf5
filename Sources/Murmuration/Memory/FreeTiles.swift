// SPDX-License-Identifier: MIT

/// The tiles that are nobody's; the first is taken first.
struct FreeTiles {
  /// A bit for each tile.
  private var bits: [UInt64] = []
  private(set) var count = 0
  /// No word before this has a free tile.
  private var firstWord = 0

  /// Adds tiles, of which so many are there already.
  mutating func grow(from old: Int, to tiles: Int) {
    bits.append(contentsOf: repeatElement(0, count: (tiles + 63) / 64 - bits.count))
    for tile in old..<tiles {
      bits[tile >> 6] |= 1 << UInt64(tile & 63)
    }
    count += tiles - old
  }

  /// Takes the first tile, of which there must be one.
  mutating func takeFirst() -> Int {
    while bits[firstWord] == 0 {
      firstWord += 1
    }
    let tile = firstWord << 6 + bits[firstWord].trailingZeroBitCount
    take(tile)
    return tile
  }

  /// Takes a free tile.
  mutating func take(_ tile: Int) {
    bits[tile >> 6] &= ~(1 << UInt64(tile & 63))
    count -= 1
  }

  /// Gives a tile back.
  mutating func giveBack(_ tile: Int) {
    bits[tile >> 6] |= 1 << UInt64(tile & 63)
    firstWord = min(firstWord, tile >> 6)
    count += 1
  }
}
