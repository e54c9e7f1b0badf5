// SPDX-License-Identifier: MIT
import Kernels

/// Neighbouring tiles. If their slots are consecutive, one kernel call serves all their tracks with numbers
/// that a caller lends by index.
struct TileRun {
  private(set) var tiles: Range<Int>
  /// The slot of the first row, if all tiles are full and their slots are consecutive; otherwise nil.
  let firstSlot: Int?

  init(tile: Int, firstSlot: Int?) {
    tiles = tile..<tile + 1
    self.firstSlot = firstSlot
  }

  /// Adds the next tile if it continues the run; returns whether it does.
  mutating func extend(to tile: Int, _ slot: Int?) -> Bool {
    guard tile == tiles.upperBound, slot == firstSlot.map({ $0 + tiles.count * laneCountOfTile })
    else { return false }
    tiles = tiles.lowerBound..<tile + 1
    return true
  }
}

/// All tiles with tracks, as runs, for calls about every track. The runs hold until a track is added or removed.
struct TileRuns {
  private(set) var runs: [TileRun] = []
  private var layout: UInt64?

  /// Finds the runs of a store, unless they are known.
  mutating func find(_ tracks: borrowing TrackStore) {
    guard layout != tracks.layout else { return }
    runs.clear()
    for tile in 0..<tracks.tiles.end where tracks.tiles.live[tile] != 0 {
      let slot = tracks.firstOfConsecutiveSlots(tile)
      let last = runs.count - 1
      if last < 0 || !runs[last].extend(to: tile, slot) {
        runs.append(TileRun(tile: tile, firstSlot: slot))
      }
    }
    layout = tracks.layout
  }
}

extension TrackStore {
  /// The first slot of a full tile with consecutive slots; nil for other tiles.
  func firstOfConsecutiveSlots(_ tile: Int) -> Int? {
    guard tiles.live[tile] == .max else { return nil }
    typealias Slots = SIMD16<UInt32>
    let slots = columns.slot.lanes(at: tile * laneCountOfTile, as: Slots.self)
    let lanes = Slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let differences = slots ^ (lanes &+ Slots(repeating: slots[0]))
    let eight = differences.lowHalf | differences.highHalf
    let four = eight.lowHalf | eight.highHalf
    return four.x | four.y | four.z | four.w == 0 ? Int(slots[0]) : nil
  }
}
