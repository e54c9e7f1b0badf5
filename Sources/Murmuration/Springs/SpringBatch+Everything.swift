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
    findSlotRuns()
    for index in slotRuns.indices {
      restart(slotRuns[index], targets)
    }
    table.fence()
  }

  /// Brings ``slotRuns`` up to date: they hold until a track comes, goes or changes its row.
  private mutating func findSlotRuns() {
    guard slotRunsAreStale else {
      return
    }
    slotRuns.removeAll(keepingCapacity: true)
    for tile in 0..<tiles.end where tiles.live[tile] != 0 {
      let kind = tiles.kinds[tile]
      let slot = kind == TileKind.shared ? nil : firstOfConsecutiveSlots(tile)
      let last = slotRuns.count - 1
      if last < 0 || !slotRuns[last].extend(to: tile, kind, slot) {
        slotRuns.append(SlotRun(tile: tile, kind: kind, firstSlot: slot))
      }
    }
    slotRunsAreStale = false
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

  private mutating func restart(_ slotRun: SlotRun, _ targets: Span<Float>) {
    let range = slotRun.tiles
    guard let slot = slotRun.firstSlot else {
      for tile in range {
        restartLanes(of: tile, targets)
      }
      return
    }
    let kind = slotRun.kind
    if kind == TileKind.overdamped {
      for tile in range {
        leadToAnyTarget(tile: tile)
      }
    }
    let lanes = range.count * laneCountOfTile
    // Three columns are read and three written.
    let run = LaneRun(
      firstLane: range.lowerBound * laneCountOfTile, laneCount: lanes,
      stores: .init(touching: 24 * lanes * dimensions))
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
      for tile in range {
        tiles.reported[tile] = TileTable.Reported()
        expectChange(tile)
      }
    }
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
