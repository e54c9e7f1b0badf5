// SPDX-License-Identifier: MIT
import Kernels

// Completion is data: each advance lists the tracks that completed. Cohorts know their own times; mixed tiles have a
// deadline each, and are looked at when it has passed.
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

  /// When a track is at rest, on the batch's clock: never before the motion stays within the tolerance, and after that by
  /// some percent of its age at most. Infinite if it never is, as with an undamped spring.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public mutating func restTime(of handle: TrackHandle) throws(BatchError) -> Double {
    let row = try row(of: handle)
    if let place = cohort(ofRow: row) {
      return cohorts[place].computeRest(tolerance.kernel, dimensions: dimensions)
    }
    computeRest(tile: row / laneCountOfTile)
    let (start, age) = unsafe (storage.columns.start[row], storage.columns.restAge[row])
    let time = start + Double(age)
    guard time <= 2 * BatchLimits.maximumTime else {
      return .infinity
    }
    // Far from 0 the clock may not have the very moment; then the next that it has.
    return Float(time - start) < age ? time.nextUp : time
  }

  /// Whether a track is at rest at the current time, and shows exactly its target and no velocity.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func isAtRest(_ handle: TrackHandle) throws(BatchError) -> Bool {
    let row = try row(of: handle)
    if let place = cohort(ofRow: row) {
      return cohorts[place].isAsleep
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
  /// - Returns: Whether one fell asleep.
  mutating func updateCohorts() -> Bool {
    let tolerance = tolerance.kernel
    var fellAsleep = false
    var sharedAreDue = false
    for place in cohorts.indices where cohorts[place].trackCount > 0 && !cohorts[place].isAsleep {
      let restTime = cohorts[place].computeRest(tolerance, dimensions: dimensions)
      let rests = time >= restTime
      if rests {
        fellAsleep = true
        cohorts.setBasis(place, .rest)
      } else {
        cohorts.setBasis(place, cohorts[place].coefficients.basis(age: time - cohorts[place].start))
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
    if fellAsleep {
      planIsStale = planIsStale || plan.hasSharedTiles
    }
    return fellAsleep
  }

  private enum Completion { case logicallyComplete, settled }

  private mutating func report(cohort place: Int, _ completion: Completion) {
    var tile = cohorts[place].firstTile
    while tile >= 0 {
      report(Int(tile), lanes: tiles.live[Int(tile)], completion)
      tile = tiles.next[Int(tile)]
    }
  }

  private mutating func report(_ tile: Int, lanes: UInt16, _ completion: Completion) {
    var lanes = lanes
    while lanes != 0 {
      let handle = handle(ofRow: tile * laneCountOfTile + lanes.trailingZeroBitCount)
      switch completion {
      case .logicallyComplete: logicallyComplete.append(handle)
      case .settled: settled.append(handle)
      }
      lanes &= lanes - 1
    }
  }

  private mutating func reportSharedCohorts() {
    for tile in 0..<tiles.end where tiles.kinds[tile] == TileKind.shared {
      var lanes = tiles.live[tile]
      while lanes != 0 {
        let row = tile * laneCountOfTile + lanes.trailingZeroBitCount
        lanes &= lanes - 1
        let cohort = unsafe cohorts[Int(storage.columns.member[row])]
        guard !cohort.isAsleep, let restTime = cohort.restTime else {
          continue
        }
        if !cohort.reportedLogical, time >= cohort.logicalTime(restTime: restTime) {
          logicallyComplete.append(handle(ofRow: row))
        }
        if !cohort.reportedSettled, time >= restTime {
          settled.append(handle(ofRow: row))
        }
      }
    }
    for place in cohorts.indices where cohorts[place].isShared && cohorts[place].trackCount > 0 {
      let restTime = cohorts[place].restTime ?? .infinity
      cohorts[place].reportedLogical =
        cohorts[place].reportedLogical || time >= cohorts[place].logicalTime(restTime: restTime)
      cohorts[place].reportedSettled = cohorts[place].reportedSettled || time >= restTime
    }
  }

  // MARK: - Mixed tracks

  /// Looks at the mixed tiles whose deadline has passed: marks lanes that rest, and reports what completed.
  ///
  /// - Returns: Whether a tile fell asleep.
  mutating func updateMixedTiles() -> Bool {
    var fellAsleep = false
    for index in plan.steps.indices.reversed() where TileKind.isMixed(plan.steps[index].kind) {
      let run = plan.steps[index].run
      var tile = run.firstLane / laneCountOfTile
      let end = tile + run.laneCount / laneCountOfTile
      while tile < end {
        guard tiles.deadlines[tile] <= time else {
          tile += 1
          continue
        }
        if tiles.deadlines[tile] == -.infinity {
          computeRest(tile: tile)
        }
        fellAsleep = update(tile) || fellAsleep
        tile += 1
      }
    }
    planIsStale = planIsStale || fellAsleep
    return fellAsleep
  }

  private func computeRest(tile: Int) {
    let run = LaneRun(firstLane: tile * laneCountOfTile, laneCount: laneCountOfTile)
    if tiles.kinds[tile] == TileKind.overdamped {
      table.restOverdamped(storage.columns, run, tolerance.kernel)
    } else {
      table.restOscillating(storage.columns, run, tolerance.kernel)
    }
  }

  private mutating func update(_ tile: Int) -> Bool {
    let run = LaneRun(firstLane: tile * laneCountOfTile, laneCount: laneCountOfTile)
    var answer = TileDue()
    unsafe table.findDue(storage.columns, run, time, &answer)
    // What is left is a Float: the look after the next may be a little early, and never late.
    tiles.deadlines[tile] = time + Double(answer.remaining) * 0.999999
    let live = tiles.live[tile]
    let logical = live & answer.logical & ~tiles.reported[tile].logical
    let resting = live & answer.resting & ~tiles.reported[tile].settled
    if logical | resting != 0 {
      tiles.reported[tile].logical |= logical
      tiles.reported[tile].settled |= resting
      report(tile, lanes: logical, .logicallyComplete)
      report(tile, lanes: resting, .settled)
    }
    tiles.isAsleep[tile] = live & ~answer.resting == 0
    return tiles.isAsleep[tile]
  }
}
