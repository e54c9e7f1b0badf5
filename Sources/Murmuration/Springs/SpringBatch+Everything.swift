// SPDX-License-Identifier: MIT
import Kernels

// Retargets of every track, in place: what a pointer does that all follow, frame after frame.
extension SpringBatch {
  /// Starts every track anew.
  ///
  /// - Parameters:
  ///   - targets: Component-major, by index.
  ///   - coefficients: Those of one spring for all, which then are one cohort; nil to keep each track's.
  mutating func restartEverything(_ targets: Span<Float>, _ coefficients: SpringCoefficients?) {
    latestStart = time
    if let coefficients {
      becomeOneCohort(coefficients)
    } else {
      cohorts.restartAll(at: time)
    }
    var tile = 0
    while tile < tiles.end {
      tile = tiles.live[tile] == 0 ? tile + 1 : restart(from: tile, targets)
    }
  }

  private mutating func becomeOneCohort(_ coefficients: SpringCoefficients) {
    if let sole = cohorts.soleCohort(trackCount: count), !cohorts[sole].isShared {
      cohorts.restart(sole, coefficients, start: time)
      return
    }
    cohorts.removeAll()
    let place = cohorts.open(coefficients, start: time, isShared: false)
    cohorts.join(place, trackCount: count)
    tiles.relabelAll(TileKind.firstCohort + Int32(place))
    planIsStale = true
  }

  /// Restarts a tile, and those behind it that can be restarted with the same call of a kernel.
  ///
  /// - Returns: The tile behind them.
  private mutating func restart(from tile: Int, _ targets: Span<Float>) -> Int {
    let kind = tiles.kinds[tile]
    guard kind != TileKind.shared, let slot = firstOfConsecutiveSlots(tile) else {
      restartLanes(of: tile, targets)
      return tile + 1
    }
    var end = tile + 1
    while end < tiles.end, tiles.kinds[end] == kind,
      firstOfConsecutiveSlots(end) == slot + (end - tile) * laneCountOfTile
    {
      end += 1
    }
    for tile in tile..<end {
      leadToAnyTarget(tile: tile)
    }
    let lanes = (end - tile) * laneCountOfTile
    // Four columns are read and three written.
    let run = LaneRun(
      firstLane: tile * laneCountOfTile, laneCount: lanes, stores: .init(touching: 28 * lanes * dimensions))
    unsafe targets.withUnsafeBufferPointer { targets in
      let targets = unsafe targets.baseAddress.unsafelyUnwrapped + slot
      switch kind {
      case TileKind.oscillating: unsafe table.restartOscillating(storage.columns, run, time, targets, indexCount)
      case TileKind.overdamped: unsafe table.restartOverdamped(storage.columns, run, time, targets, indexCount)
      default:
        let place = Int(kind - TileKind.firstCohort)
        let rule = AmplitudeRule(cohorts[place].coefficients)
        unsafe cohorts[place].include(table.restartCohort(storage.columns, run, rule, targets, indexCount))
      }
    }
    if TileKind.isMixed(kind) {
      for tile in tile..<end {
        tiles.reported[tile] = TileTable.Reported()
        expectChange(tile)
      }
    }
    return end
  }

  private mutating func restartLanes(of tile: Int, _ targets: Span<Float>) {
    leadToAnyTarget(tile: tile)
    forEachTrack(of: tile) { batch, row, slot in
      let rule = AmplitudeRule(batch.coefficients(ofRow: row))
      let place = batch.cohort(ofRow: row)
      if place == nil {
        batch.restartAlone(row, start: batch.time)
      }
      var extent = Extent()
      for dimension in 0..<batch.dimensions {
        extent.include(batch.start(row, dimension, target: targets[dimension * batch.indexCount + slot], rule))
      }
      if let place {
        batch.cohorts[place].include(extent)
      }
    }
    // Shared tiles that rest are not in the plan.
    planIsStale = planIsStale || tiles.kinds[tile] == TileKind.shared
  }

  /// Gives tracks of a tile that slide a spring.
  private func leadToAnyTarget(tile: Int) {
    if tiles.kinds[tile] == TileKind.overdamped {
      for row in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile {
        leadToAnyTarget(row)
      }
    }
  }

  private mutating func forEachTrack(of tile: Int, _ body: (inout SpringBatch, Int, Int) -> Void) {
    var lanes = tiles.live[tile]
    while lanes != 0 {
      let row = tile * laneCountOfTile + lanes.trailingZeroBitCount
      lanes &= lanes - 1
      body(&self, row, unsafe Int(storage.track[row]))
    }
  }

  /// The first slot of a full tile whose tracks have neighbouring slots in order.
  private func firstOfConsecutiveSlots(_ tile: Int) -> Int? {
    guard tiles.live[tile] == .max else {
      return nil
    }
    typealias Slots = SIMD16<UInt32>
    let slots = unsafe UnsafeRawPointer(storage.track + tile * laneCountOfTile).load(as: Slots.self)
    let lanes = Slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let differences = slots ^ (lanes &+ Slots(repeating: slots[0]))
    let eight = differences.lowHalf | differences.highHalf
    let four = eight.lowHalf | eight.highHalf
    return four.x | four.y | four.z | four.w == 0 ? Int(slots[0]) : nil
  }
}
