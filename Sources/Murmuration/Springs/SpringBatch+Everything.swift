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
    for tile in 0..<tiles.end where tiles.live[tile] != 0 {
      let kind = tiles.kinds[tile]
      if kind >= TileKind.firstCohort {
        restart(tile, ofCohort: Int(kind - TileKind.firstCohort), targets)
      } else {
        restartLanes(of: tile, targets)
        // Tiles that rest are not in the plan.
        planIsStale = planIsStale || kind == TileKind.shared
      }
    }
  }

  private mutating func becomeOneCohort(_ coefficients: SpringCoefficients) {
    if let sole = cohorts.soleCohort(trackCount: count), !cohorts[sole].isShared {
      cohorts[sole].restart(coefficients, start: time)
      return
    }
    cohorts.removeAll()
    let place = cohorts.open(coefficients, start: time, isShared: false)
    cohorts.join(place, trackCount: count)
    tiles.relabelAll(TileKind.firstCohort + Int32(place))
    planIsStale = true
  }

  private mutating func restart(_ tile: Int, ofCohort place: Int, _ targets: Span<Float>) {
    let rule = AmplitudeRule(cohorts[place].coefficients)
    var extent = Extent()
    if tiles.live[tile] == .max, let first = firstOfConsecutiveSlots(tile) {
      for dimension in 0..<dimensions {
        unsafe targets.withUnsafeBufferPointer { targets in
          unsafe extent.include(
            startTile(
              tile, dimension, targets: targets.baseAddress.unsafelyUnwrapped + (dimension * indexCount + first), rule))
        }
      }
    } else {
      forEachTrack(of: tile) { batch, row, slot in
        for dimension in 0..<batch.dimensions {
          extent.include(batch.start(row, dimension, target: targets[dimension * batch.indexCount + slot], rule))
        }
      }
    }
    cohorts[place].include(extent)
  }

  private mutating func restartLanes(of tile: Int, _ targets: Span<Float>) {
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
    typealias Slots = SIMD16<UInt32>
    let slots = unsafe UnsafeRawPointer(storage.track + tile * laneCountOfTile).load(as: Slots.self)
    let lanes = Slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let differences = slots ^ (lanes &+ Slots(repeating: slots[0]))
    let eight = differences.lowHalf | differences.highHalf
    let four = eight.lowHalf | eight.highHalf
    return four.x | four.y | four.z | four.w == 0 ? Int(slots[0]) : nil
  }
}
