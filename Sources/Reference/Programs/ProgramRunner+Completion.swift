// SPDX-License-Identifier: MIT
import Murmuration

// Rest and completion: never early, never late, and each motion once.
extension ProgramRunner {
  /// Logical completion may come a millionth of the duration early, and the roundings of a Float.
  private static let logicalSlack = 1.5e-6

  /// Completion times of a motion are Floats, counted from its start.
  private func slack(_ track: ModelTrack) -> Double { 2e-7 * (batch.time - track.start) + 4 * batch.time.ulp }

  // MARK: - Reports

  /// Takes in what the last advance reported.
  mutating func checkReports(hasMoved: Bool) throws {
    let (logical, settled) = (batch.logicallyComplete, batch.settled)
    try findings.expect(
      .completion, hasMoved || (logical.isEmpty && settled.isEmpty), "an advance by no time reports completions")
    try checkOrder(logical)
    try checkOrder(settled)
    for handle in logical {
      let place = try reported(handle)
      let track = model[place]
      try expect(.completion, !track.isReportedLogical, place, "reported as logically complete twice")
      let due = track.start + track.spring.duration * (1 - Self.logicalSlack)
      let isDue = batch.time >= due ? true : try batch.isAtRest(handle)
      try expect(.completion, isDue, place, "logically complete too early")
      model[place].isReportedLogical = true
    }
    for handle in settled {
      let place = try reported(handle)
      try expect(.completion, !model[place].isReportedSettled, place, "reported as settled twice")
      try expect(.completion, model[place].isReportedLogical, place, "settled before it was logically complete")
      let isAtRest = try batch.isAtRest(handle)
      try expect(.completion, isAtRest, place, "settled, but not at rest")
      model[place].isReportedSettled = true
    }
  }

  private func reported(_ handle: TrackHandle) throws -> Int {
    guard let place = model.place(of: handle) else {
      throw Difference(aspect: .completion, text: "index \(handle.index) is reported, whose track is gone")
    }
    return place
  }

  /// Tracks of cohorts come first; those that move alone after them, each kind by row.
  private mutating func checkOrder(_ handles: [TrackHandle]) throws {
    var lastRow = (oscillating: -1, overdamped: -1)
    for handle in handles {
      let place = try reported(handle)
      let isOrdered: Bool
      if try batch.isInCohort(handle) {
        isOrdered = lastRow == (-1, -1)
      } else {
        let row = try batch.rowIndex(of: handle)
        if model[place].spring.angularFrequency < 0 {
          isOrdered = row > lastRow.overdamped
          lastRow.overdamped = row
        } else {
          isOrdered = row > lastRow.oscillating
          lastRow.oscillating = row
        }
      }
      try expect(.completion, isOrdered, place, "reported out of order")
    }
  }

  // MARK: - Rest

  /// Whether a track rests and was reported when it should, after an advance that moved the clock.
  mutating func checkPunctuality(_ place: Int) throws {
    let track = model[place]
    let time = batch.time
    if track.isAtRest {
      let share = track.motion.rest(at: time, model.tolerance).share
      try record(.rest, share, place, "the exact motion takes up \(share) of the tolerance")
      try expect(.completion, track.isReportedLogical && track.isReportedSettled, place, "not reported")
    } else {
      let isDue = time >= track.start + track.spring.duration + slack(track)
      try expect(.completion, track.isReportedLogical || !isDue, place, "not reported as logically complete")
      // A jump is over as soon as it has begun.
      try expect(.rest, track.spring.duration > 0 || time <= track.start, place, "not at rest, though it jumped")
    }
    if let restTime = track.restTime {
      let isLate = !track.isAtRest && time >= restTime + slack(track)
      let isEarly = track.isAtRest && time <= restTime - slack(track)
      try expect(
        .rest, !isLate && !isEarly, place, "was said to be at rest from \(restTime) s on, and it is \(time) s")
    }
  }

  /// Asks when a track is at rest.
  mutating func askRestTime(_ place: Int, hasMoved: Bool) throws {
    let restTime = try batch.restTime(of: model[place].handle)
    model[place].restTime = restTime
    let track = model[place]
    if hasMoved {
      try checkPunctuality(place)
    }
    // The exact moment is costly to find.
    if (place + batch.indexCount) % 8 == 0 {
      let earliest = track.motion.earliestRest(model.tolerance)
      try expect(
        .rest, restTime >= earliest - slack(track), place,
        "is at rest at \(restTime) s, and may not before \(earliest) s")
    }
  }
}
