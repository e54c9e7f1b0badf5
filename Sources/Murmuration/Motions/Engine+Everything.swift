// SPDX-License-Identifier: MIT
import Kernels

// Calls about every track, in place: all tracks may follow a pointer, frame after frame.
extension Engine {
  /// Sends every track to a goal, by index: as one cohort if a spring is given, else each with its own spring.
  mutating func animateAll(_ goals: InputValues, _ coefficients: SpringCoefficients?) throws(BatchError) -> UInt32 {
    try BatchError.check(goals.count, of: "goals", expected: tracks.slots.count)
    try goals.check("goal")
    // Not all tracks set out in place here: those that head for their goals already are left alone, and those that
    // follow no spring get one.
    if !pauses.isEmpty || hasOtherMotions || coefficients == nil && hasStillTracks
      || coefficients != nil && someHeadFor(goals)
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
    if let coefficients {
      _ = springs.gatherAll(coefficients, at: time, change: change, &tracks)
    } else {
      springs.restartAllCohorts(at: time, change: change)
    }
    frames.tileRuns.find(tracks)
    for run in frames.tileRuns.runs { restart(run, goals, change) }
    table.fence()
    return change
  }

  private var hasStillTracks: Bool { hasTracks { $0 == .still } }

  private var hasOtherMotions: Bool { hasTracks { $0 != .still && !$0.isSpring } }

  private func hasTracks(_ isWanted: (MotionKind) -> Bool) -> Bool {
    (0..<tracks.tiles.end).contains { isWanted(tracks.tiles.kinds[$0]) && tracks.tiles.live[$0] != 0 }
  }

  private func someHeadFor(_ goals: InputValues) -> Bool {
    for tile in 0..<tracks.tiles.end where tracks.tiles.live[tile] != 0 {
      if let slot = tracks.firstOfConsecutiveSlots(tile) {
        if lanesHeading(for: goals, from: slot, tile) != 0 { return true }
        continue
      }
      var found = false
      tracks.tiles.live[tile].forEachLane { lane in
        let row = tile * laneCountOfTile + lane
        if !found, headsFor(row, goals, tracks.slot(ofRow: row)) { found = true }
      }
      if found { return true }
    }
    return false
  }

  private mutating func restart(_ tileRun: TileRun, _ goals: InputValues, _ change: UInt32) {
    let tiles = tileRun.tiles
    guard let slot = tileRun.firstSlot else {
      for tile in tiles { restartLanes(of: tile, goals, change) }
      return
    }
    let lanes = tiles.count * laneCountOfTile
    let firstLane = tiles.lowerBound * laneCountOfTile
    if tileRun.kind == .overdamped {
      for row in firstLane..<firstLane + lanes { springs.leadToAnyTarget(row, tracks) }
    }
    // Three columns are read and three written.
    let run = LaneRun(firstLane: firstLane, laneCount: lanes, stores: .init(touching: 24 * lanes * dimensions))
    unsafe goals.withColumns(of: slot..<slot + lanes) { goals, stride in
      if let cohort = tileRun.kind.cohort {
        let rule = AmplitudeRule(springs.cohorts[cohort].coefficients)
        springs.include(unsafe table.restartCohort(springs.columns, run, rule, goals, stride), inCohort: cohort)
      } else if tileRun.kind == .overdamped {
        unsafe table.restartOverdamped(springs.columns, run, time, goals, stride)
      } else {
        unsafe table.restartOscillating(springs.columns, run, time, goals, stride)
      }
    }
    guard tileRun.kind.isMixed else { return }
    springs.noteStart(at: time)
    unsafe (tracks.columns.change + firstLane).update(repeating: change, count: lanes)
    for tile in tiles { springs.expect(tile) }
  }

  private mutating func restartLanes(of tile: Int, _ goals: InputValues, _ change: UInt32) {
    tracks.tiles.live[tile].forEachLane { lane in
      let row = tile * laneCountOfTile + lane
      let cohort = springs.cohort(ofRow: row, tracks)
      if cohort == nil {
        springs.leadToAnyTarget(row, tracks)
        springs.restart(row, at: time)
        unsafe tracks.columns.change[row] = change
      }
      let rule = AmplitudeRule(springs.coefficients(ofRow: row, tracks))
      var extent = Extent()
      for dimension in 0..<dimensions {
        extent.include(springs.start(row, dimension, target: goals[tracks.slot(ofRow: row), dimension], rule))
      }
      if let cohort { springs.include(extent, inCohort: cohort) }
    }
    // Shared tiles that rest are not in the plan.
    if tracks.tiles.kinds[tile] == .shared { springs.planIsStale = true }
  }
}
