// SPDX-License-Identifier: MIT
import Kernels

// Calls about every track, in place: all tracks may follow a pointer, frame after frame.
extension Engine {
  /// Sends every track to a goal, by index: as one cohort if a spring is given, else each with its own spring.
  mutating func animateAll(_ goals: InputValues, _ coefficients: SpringCoefficients?) throws(BatchError) -> UInt32 {
    try BatchError.check(goals.count, of: "goals", expected: tracks.slots.count)
    try goals.check("goal")
    frames.tileRuns.find(tracks)
    // In these cases not all tracks start anew in place: tracks that head for their goals already are left alone, and
    // tracks that follow no spring get one.
    if !pauses.isEmpty || frames.tileRuns.hasOtherMotions || coefficients == nil && frames.tileRuns.hasStillTracks
      || someHeadFor(goals)
    {
      try pick(0..<goals.count)
      return animatePicked(goals, coefficients: coefficients)
    }
    guard tracks.count > 0 else { return nextChange() }
    try reserveTiles(0, for: .springs)
    computeAllVelocities()
    waiting.removeAll()
    phases.endAll()
    let change = nextChange()
    var cohort: MotionKind?
    if let coefficients {
      cohort = .cohort(springs.gatherAll(coefficients, at: time, change: change, &tracks))
    } else {
      springs.restartAllCohorts(at: time, change: change)
    }
    for run in frames.tileRuns.runs { restart(run, cohort ?? run.kind, goals, change) }
    table.fence()
    return change
  }

  private func someHeadFor(_ goals: InputValues) -> Bool {
    frames.tileRuns.runs.contains { run in
      run.tiles.contains { tile in
        if let slot = run.firstSlot {
          return lanesHeading(for: goals, from: slot + (tile - run.tiles.lowerBound) * laneCountOfTile, tile) != 0
        }
        var found = false
        tracks.tiles.live[tile].forEachLane { lane in
          let row = tile * laneCountOfTile + lane
          let slot = tracks.slot(ofRow: row)
          if !found, headsFor(row, { goals[slot, $0] }) { found = true }
        }
        return found
      }
    }
  }

  /// Starts the tracks of a run anew. The kind of its tiles may have changed since the run was found.
  private mutating func restart(_ run: TileRun, _ kind: MotionKind, _ goals: InputValues, _ change: UInt32) {
    if let slot = run.firstSlot { return restart(run.tiles, kind, goals, from: slot, change) }
    for tile in run.tiles { restartLanes(of: tile, goals, change) }
  }

  /// Starts full neighbouring tiles of a kind anew, whose tracks have consecutive goals.
  mutating func restart(
    _ tiles: Range<Int>, _ kind: MotionKind, _ goals: InputValues, from first: Int, _ change: UInt32
  ) {
    let lanes = tiles.count * laneCountOfTile
    let firstLane = tiles.lowerBound * laneCountOfTile
    if kind == .overdamped {
      for row in firstLane..<firstLane + lanes { springs.leadToAnyTarget(row, tracks) }
    }
    // Three columns are read and three written.
    let run = LaneRun(firstLane: firstLane, laneCount: lanes, stores: .init(touching: 24 * lanes * dimensions))
    goals.withColumns(of: first..<first + lanes) { goals, stride in
      if let cohort = kind.cohort {
        let rule = AmplitudeRule(springs.cohorts[cohort].coefficients)
        springs.include(table.restartCohort(springs.columns, run, rule, goals, stride), inCohort: cohort)
      } else if kind == .overdamped {
        table.restartOverdamped(springs.columns, run, time, goals, stride)
      } else {
        table.restartOscillating(springs.columns, run, time, goals, stride)
      }
    }
    guard kind.isMixed else { return }
    springs.noteStart(at: time)
    springs.expect(tiles, change: change)
  }

  private mutating func restartLanes(of tile: Int, _ goals: InputValues, _ change: UInt32) {
    tracks.tiles.live[tile].forEachLane { lane in
      let row = tile * laneCountOfTile + lane
      let slot = tracks.slot(ofRow: row)
      if let cohort = springs.cohort(ofRow: row, tracks) {
        startInCohort(row, slot, cohort, AmplitudeRule(springs.cohorts[cohort].coefficients), goals)
      } else {
        restartAlone(row, slot, goals, change)
      }
    }
    // Shared tiles that rest are not in the plan.
    if tracks.tiles.kinds[tile] == .shared { springs.planIsStale = true }
  }
}
