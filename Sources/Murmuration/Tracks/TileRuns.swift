// SPDX-License-Identifier: MIT
import Kernels

/// Neighbouring tiles of one kind whose tracks, if they have slots that follow each other, can be served by one call of a
/// kernel with numbers that go by slots.
struct TileRun {
  private(set) var tiles: Range<Int>
  let kind: MotionKind
  /// The slot of the first row, where all tiles are full and the slots are in the order of the rows; otherwise nil.
  let firstSlot: Int?

  init(tile: Int, kind: MotionKind, firstSlot: Int?) {
    tiles = tile..<tile + 1
    self.kind = kind
    self.firstSlot = firstSlot
  }

  /// Takes in the tile behind, if it goes on in the same way; returns whether it did.
  mutating func extend(to tile: Int, _ kind: MotionKind, _ slot: Int?) -> Bool {
    guard tile == tiles.upperBound, kind == self.kind, slot == firstSlot.map({ $0 + tiles.count * laneCountOfTile })
    else { return false }
    tiles = tiles.lowerBound..<tile + 1
    return true
  }
}

/// All tiles with tracks, as runs: what a call about every track goes through. Found once, and good until a track comes,
/// goes or changes its row.
struct TileRuns {
  private(set) var runs: [TileRun] = []
  private var layout: UInt64?

  /// Finds the runs of a store, unless they are known.
  mutating func find(_ tracks: borrowing TrackStore) {
    guard layout != tracks.layout else { return }
    runs.removeAll(keepingCapacity: true)
    for tile in 0..<tracks.tiles.end where tracks.tiles.live[tile] != 0 {
      let kind = tracks.tiles.kinds[tile]
      // The lanes of a shared tile follow cohorts of their own.
      let slot = kind == .shared ? nil : tracks.firstOfConsecutiveSlots(tile)
      let last = runs.count - 1
      if last < 0 || !runs[last].extend(to: tile, kind, slot) {
        runs.append(TileRun(tile: tile, kind: kind, firstSlot: slot))
      }
    }
    layout = tracks.layout
  }
}

extension TrackStore {
  /// The first slot of a full tile whose tracks have neighbouring slots in order.
  func firstOfConsecutiveSlots(_ tile: Int) -> Int? {
    guard tiles.live[tile] == .max else { return nil }
    typealias Slots = SIMD16<UInt32>
    let slots = unsafe UnsafeRawPointer(columns.slot + tile * laneCountOfTile).load(as: Slots.self)
    let lanes = Slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let differences = slots ^ (lanes &+ Slots(repeating: slots[0]))
    let eight = differences.lowHalf | differences.highHalf
    let four = eight.lowHalf | eight.highHalf
    return four.x | four.y | four.z | four.w == 0 ? Int(slots[0]) : nil
  }
}
