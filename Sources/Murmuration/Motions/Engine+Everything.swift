// SPDX-License-Identifier: MIT
import Kernels

// Calls about every track, in place: all tracks may follow a pointer, frame after frame.
extension Engine {
  /// Sends every track to a goal, by index: with one spring, or, if none is given, each with the spring that it follows.
  mutating func animateAll(_ goals: InputValues, _ coefficients: SpringCoefficients?) throws(BatchError) -> UInt32 {
    try BatchError.check(goals.count, of: "goals", expected: tracks.slots.count)
    try goals.check("goal")
    frames.tileRuns.find(tracks)
    // Tracks that head for their goals already are left alone, and some motions have to be left.
    if !pauses.isEmpty || frames.tileRuns.hasOtherMotions || someHeadFor(goals) {
      try pick(0..<goals.count)
      return animatePicked(goals, coefficients: coefficients)
    }
    guard tracks.count > 0 else { return nextChange() }
    try reserveTiles(2 * frames.tileRuns.looseCount + 2, for: .springs)
    computeAllVelocities()
    waiting.removeAll()
    phases.endAll()
    let change = nextChange()
    for run in frames.tileRuns.runs {
      if let slot = run.firstSlot {
        restart(run.tiles, coefficients, goals, from: slot, change)
      } else {
        for tile in run.tiles {
          tracks.tiles.live[tile].forEachLane { lane in
            let row = tile * laneCountOfTile + lane
            let slot = tracks.slot(ofRow: row)
            setOutTogether(row, coefficients, change) { goals[slot, $0] }
          }
        }
      }
    }
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
}
