// SPDX-License-Identifier: MIT

/// The free tiles, lowest first.
struct FreeTiles {
  /// A bit for each tile, set if the tile is free.
  private var bits: [UInt64] = []
  private(set) var count = 0
  /// No word before this one has a bit that is set.
  private var firstWord = 0

  /// Adds the tiles from `old` to `tiles`, all of them free.
  mutating func grow(from old: Int, to tiles: Int) {
    bits.grow(to: (tiles + 63) / 64, with: 0)
    for tile in old..<tiles { bits[tile >> 6] |= 1 << UInt64(tile & 63) }
    count += tiles - old
  }

  /// Takes the first free tile; there must be one.
  mutating func takeFirst() -> Int {
    while bits[firstWord] == 0 {
      firstWord += 1
    }
    let tile = firstWord << 6 + bits[firstWord].trailingZeroBitCount
    take(tile)
    return tile
  }

  /// Takes the tile after another one, so that the two are neighbours. If that tile is not free or begins a group, the
  /// first tile of a wholly free group is taken instead, so that more neighbours can follow. Without such a group the
  /// first free tile is taken; there must be one.
  ///
  /// - Parameter groupSize: The tiles of a group; a divisor of 64.
  mutating func takeNeighbour(of tile: Int?, groupSize: Int) -> Int {
    if let tile, (tile + 1) % groupSize != 0, isFree(tile + 1) {
      take(tile + 1)
      return tile + 1
    }
    let group = UInt64.max >> UInt64(64 - groupSize)
    for word in firstWord..<bits.count where bits[word] != 0 {
      for shift in stride(from: 0, to: 64, by: groupSize) where bits[word] >> UInt64(shift) & group == group {
        take(word << 6 + shift)
        return word << 6 + shift
      }
    }
    return takeFirst()
  }

  func isFree(_ tile: Int) -> Bool { tile >> 6 < bits.count && bits[tile >> 6] >> UInt64(tile & 63) & 1 != 0 }

  /// Takes a free tile.
  mutating func take(_ tile: Int) {
    bits[tile >> 6] &= ~(1 << UInt64(tile & 63))
    count -= 1
  }

  /// Frees a tile.
  mutating func giveBack(_ tile: Int) {
    bits[tile >> 6] |= 1 << UInt64(tile & 63)
    firstWord = min(firstWord, tile >> 6)
    count += 1
  }
}
