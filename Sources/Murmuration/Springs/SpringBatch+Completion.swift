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
    let row = try slots.row(of: handle)
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
    let row = try slots.row(of: handle)
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
    var next = cohorts.firstDue(from: 0, at: time)
    while let place = next {
      next = cohorts.firstDue(from: place + 1, at: time)
      guard cohorts[place].trackCount > 0 else {
        cohorts.setDeadline(place, .infinity)
        continue
      }
      guard !cohorts[place].isAsleep else {
        cohorts.setBasis(place, .rest)
        continue
      }
      let restTime = cohorts[place].computeRest(tolerance, dimensions: dimensions)
      let logicalTime = cohorts[place].logicalTime(restTime: restTime)
      let rests = time >= restTime
      cohorts[place].showsRest = rests
      if rests {
        fellAsleep.any = true
        fellAsleep.shared = fellAsleep.shared || cohorts[place].isShared
        cohorts.setBasis(place, .rest)
      }
      let isLogical = !cohorts[place].reportedLogical && time >= logicalTime
      let isSettled = !cohorts[place].reportedSettled && rests
      if cohorts[place].isShared {
        // These are noted as reported with all others that share tiles.
        sharedAreDue = sharedAreDue || isLogical || isSettled
      } else {
        if isLogical {
          report(cohort: place, .logicallyComplete)
          cohorts[place].reportedLogical = true
        }
        if isSettled {
          report(cohort: place, .settled)
          cohorts[place].reportedSettled = true
        }
      }
      if !rests {
        cohorts.setDeadline(place, time < logicalTime ? logicalTime : restTime)
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
      report(plan.steps[Int(step)].tiles, lanes: .max, completion)
      step = plan.steps[Int(step)].next
    }
  }

  /// Reports the live tracks of tiles, where they stand in some lanes.
  private mutating func report(_ range: Range<Int>, lanes: UInt16, _ completion: Completion) {
    guard lanes != 0 else {
      return
    }
    let slots = unsafe UnsafePointer(storage.track)
    switch completion {
    case .logicallyComplete: unsafe tiles.append(range, lanes: lanes, slots, self.slots.store, to: &logicallyComplete)
    case .settled: unsafe tiles.append(range, lanes: lanes, slots, self.slots.store, to: &settled)
    }
  }

  /// Gives the handles in the reports their generations: lookups at random, which wait for each other less in one loop.
  mutating func completeReports() {
    slots.complete(&logicallyComplete)
    slots.complete(&settled)
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
      // A cohort that is changed is looked at again, so only those that are due are.
      if !cohorts[place].reportedLogical, time >= cohorts[place].logicalTime(restTime: restTime) {
        cohorts[place].reportedLogical = true
      }
      if !cohorts[place].reportedSettled, time >= restTime {
        cohorts[place].reportedSettled = true
      }
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
    markedTiles.removeAll(keepingCapacity: true)
    for kind in [TileKind.oscillating, TileKind.overdamped] {
      var step = plan.first[Int(kind)]
      while step >= 0 {
        tiles.takeMarks(in: plan.steps[Int(step)].tiles, &markedTiles)
        step = plan.steps[Int(step)].next
      }
    }
    // They lie scattered, and their indices were not read for many frames.
    for marked in markedTiles {
      unsafe lanes_prefetch(storage.track + Int(marked.tile) * laneCountOfTile)
    }
    for marked in markedTiles {
      let tile = Int(marked.tile)
      if marked.mark.contains(.completed) {
        report(tile..<tile + 1, lanes: tiles.found[tile].logical, .logicallyComplete)
        report(tile..<tile + 1, lanes: tiles.found[tile].settled, .settled)
      }
      if marked.mark.contains(.fellAsleep) {
        restingLanes += laneCountOfTile
      }
    }
  }

  func computeRest(_ range: Range<Int>) {
    table.computeRest(storage.columns, range, tiles.kinds[range.lowerBound], tolerance.kernel)
  }
}
