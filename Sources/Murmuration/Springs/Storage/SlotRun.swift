// SPDX-License-Identifier: MIT
import Kernels

/// Neighbouring tiles of one kind whose tracks, if they have slots that follow each other, can be served by one call of a
/// kernel with data that goes by slots.
struct SlotRun {
  private(set) var tiles: Range<Int>
  let kind: Int32
  /// The slot of the first row, where all tiles are full and the slots are in the order of the rows; otherwise nil.
  let firstSlot: Int?

  init(tile: Int, kind: Int32, firstSlot: Int?) {
    tiles = tile..<tile + 1
    self.kind = kind
    self.firstSlot = firstSlot
  }

  /// Takes in the tile behind, if it goes on in the same way; returns whether it did.
  mutating func extend(to tile: Int, _ kind: Int32, _ slot: Int?) -> Bool {
    guard tile == tiles.upperBound, kind == self.kind, slot == firstSlot.map({ $0 + tiles.count * laneCountOfTile })
    else {
      return false
    }
    tiles = tiles.lowerBound..<tile + 1
    return true
  }
}
