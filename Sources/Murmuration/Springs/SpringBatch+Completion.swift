// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Completion is data: each advance lists the tracks that completed. Cohorts know their own times; mixed tiles have a
// deadline each, and are looked at when it has passed (`Frame`).
extension SpringBatch {
  /// What counts as at rest, for the motions under way too.
  public var restTolerance: RestTolerances {
    get { tolerance }
    set {
      tolerance = newValue
      for place in cohorts.indices {
        cohorts[place].forgetRest()
      }
      wakeAll()
    }
  }

  /// When a track is at rest, on the batch's clock: never before the motion stays within the tolerance (or 2⁻¹²⁷ of it is
  /// left). It comes from bounds, and so is late: in the middle by at most 7 % of the age, by 12 % where the spring is
  /// clearly overdamped, and by more where an overdamped motion nearly cancels. Infinite if the track never rests, as with
  /// an undamped spring.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public mutating func restTime(of handle: TrackHandle) throws(BatchError) -> Double {
    let row = try row(of: handle)
    if let place = cohort(ofRow: row) {
      return cohorts[place].computeRest(tolerance.kernel, dimensions: dimensions)
    }
    computeRest(row / laneCountOfTile..<row / laneCountOfTile + 1)
    let (start, age) = unsafe (storage.columns.start[row], storage.columns.restAge[row])
    let time = start + Double(age)
    guard time <= 2 * BatchLimits.maximumTime else {
      return .infinity
    }
    // Far from 0 the clock may not have the very moment; then the next that it has.
    return Float(time - start) < age ? time.nextUp : time
  }

  /// Whether a track was at rest in the last frame, and shows exactly its target and no velocity.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func isAtRest(_ handle: TrackHandle) throws(BatchError) -> Bool {
    let row = try row(of: handle)
    if let place = cohort(ofRow: row) {
      return cohorts[place].showsRest
    }
    return unsafe storage.columns.decay[row].sign == .minus
  }

  /// Has everything evaluated and looked at with the next advance.
  mutating func wakeAll() {
    for place in cohorts.indices {
      cohorts[place].isAsleep = false
    }
    for tile in 0..<tiles.end where TileKind.isMixed(tiles.kinds[tile]) {
      tiles.deadlines[tile] = -.infinity
      tiles.isAsleep[tile] = false
    }
    planIsStale = true
  }

  // MARK: - Cohorts

  /// Brings the bases of all cohorts to the current time, and reports those that completed.
  ///
  /// - Returns: Whether one fell asleep, and whether one of those that share tiles did.
  mutating func updateCohorts() -> (any: Bool, shared: Bool) {
    let tolerance = tolerance.kernel
    cohorts.evaluateBases(table, at: time)
    var fellAsleep = (any: false, shared: false)
    var sharedAreDue = false
    for place in cohorts.indices where cohorts[place].trackCount > 0 {
      guard !cohorts[place].isAsleep else {
        cohorts.setBasis(place, .rest)
        continue
      }
      let restTime = cohorts[place].computeRest(tolerance, dimensions: dimensions)
      let rests = time >= restTime
      cohorts[place].showsRest = rests
      if rests {
        fellAsleep.any = true
        fellAsleep.shared = fellAsleep.shared || cohorts[place].isShared
        cohorts.setBasis(place, .rest)
      }
      let isLogical = !cohorts[place].reportedLogical && time >= cohorts[place].logicalTime(restTime: restTime)
      let isSettled = !cohorts[place].reportedSettled && rests
      guard isLogical || isSettled else {
        continue
      }
      if cohorts[place].isShared {
        sharedAreDue = true
      } else {
        if isLogical {
          report(cohort: place, .logicallyComplete)
        }
        if isSettled {
          report(cohort: place, .settled)
        }
        cohorts[place].reportedLogical = cohorts[place].reportedLogical || isLogical
        cohorts[place].reportedSettled = cohorts[place].reportedSettled || isSettled
      }
    }
    if sharedAreDue {
      reportSharedCohorts()
    }
    return fellAsleep
  }

  private enum Completion { case logicallyComplete, settled }

  private mutating func report(cohort place: Int, _ completion: Completion) {
    var step = cohorts[place].firstStep
    while step >= 0 {
      for tile in plan.steps[Int(step)].tiles {
        report(tile, lanes: tiles.live[tile], completion)
      }
      step = plan.steps[Int(step)].next
    }
  }

  private mutating func report(_ tile: Int, lanes: UInt16, _ completion: Completion) {
    var lanes = lanes
    while lanes != 0 {
      // Without the generation, which `completeReports` looks up for all together.
      let slot = unsafe storage.track[tile * laneCountOfTile + lanes.trailingZeroBitCount]
      let handle = TrackHandle(slot: slot, generation: 0, store: store)
      switch completion {
      case .logicallyComplete: logicallyComplete.append(handle)
      case .settled: settled.append(handle)
      }
      lanes &= lanes - 1
    }
  }

  /// Gives the handles in the reports their generations: lookups at random, which wait for each other less in one loop.
  mutating func completeReports() {
    for index in logicallyComplete.indices {
      logicallyComplete[index] = handle(ofSlot: logicallyComplete[index].index)
    }
    for index in settled.indices {
      settled[index] = handle(ofSlot: settled[index].index)
    }
  }

  private mutating func reportSharedCohorts() {
    var step = plan.first[Int(TileKind.shared)]
    while step >= 0 {
      for tile in plan.steps[Int(step)].tiles {
        reportSharedCohorts(in: tile)
      }
      step = plan.steps[Int(step)].next
    }
    for place in cohorts.indices where cohorts[place].isShared && cohorts[place].trackCount > 0 {
      let restTime = cohorts[place].restTime ?? .infinity
      cohorts[place].reportedLogical =
        cohorts[place].reportedLogical || time >= cohorts[place].logicalTime(restTime: restTime)
      cohorts[place].reportedSettled = cohorts[place].reportedSettled || time >= restTime
    }
  }

  private mutating func reportSharedCohorts(in tile: Int) {
    var lanes = tiles.live[tile]
    while lanes != 0 {
      let row = tile * laneCountOfTile + lanes.trailingZeroBitCount
      lanes &= lanes - 1
      let place = unsafe Int(storage.columns.member[row])
      guard !cohorts[place].isAsleep, let restTime = cohorts[place].restTime else {
        continue
      }
      if !cohorts[place].reportedLogical, time >= cohorts[place].logicalTime(restTime: restTime) {
        logicallyComplete.append(handle(ofRow: row))
      }
      if !cohorts[place].reportedSettled, time >= restTime {
        settled.append(handle(ofRow: row))
      }
    }
  }

  // MARK: - Mixed tracks

  /// Reports what the looks of this frame found.
  mutating func reportMixedTiles() {
    completedTiles.removeAll(keepingCapacity: true)
    for kind in [TileKind.oscillating, TileKind.overdamped] {
      var step = plan.first[Int(kind)]
      while step >= 0 {
        var range = plan.steps[Int(step)].tiles
        while let (tile, mark) = tiles.takeMark(in: range) {
          if mark.contains(.completed) {
            completedTiles.append(Int32(tile))
          }
          if mark.contains(.fellAsleep) {
            restingLanes += laneCountOfTile
          }
          range = tile + 1..<range.upperBound
        }
        step = plan.steps[Int(step)].next
      }
    }
    for index in completedTiles.indices {
      // They lie scattered, and their indices were not read for many frames.
      let ahead = index + 12
      if ahead < completedTiles.count {
        unsafe lanes_prefetch(storage.track + Int(completedTiles[ahead]) * laneCountOfTile)
      }
      let tile = Int(completedTiles[index])
      report(tile, lanes: tiles.found[tile].logical, .logicallyComplete)
      report(tile, lanes: tiles.found[tile].settled, .settled)
    }
  }

  func computeRest(_ range: Range<Int>) {
    table.computeRest(storage.columns, range, tiles.kinds[range.lowerBound], tolerance.kernel)
  }
}
