// SPDX-License-Identifier: MIT
import Murmuration

// Rest and reports: never early, never late, and each motion once.
extension ProgramRunner where Subject: ~Copyable {
  /// Reads the reports of the last advance, and compares them with the events that had to come.
  mutating func checkReports(hasMoved: Bool) throws {
    let reports = try batch.reports()
    if Subject.staysSilent, !hasMoved {
      return try findings.expect(.completion, reports.isEmpty, "an advance by no time reports \(reports)")
    }
    var reported: [TrackHandle: [Report]] = [:]
    for report in reports {
      guard list.position(of: report.handle) != nil else {
        throw Difference(aspect: .completion, text: "index \(report.handle.index) is reported, whose track is gone")
      }
      reported[report.handle, default: []].append(report)
    }
    for position in list.tracks.indices {
      let change = list[position].track.change
      let due = list[position].track.advance(to: batch.time, startsWaiting: hasMoved)
      if list[position].track.change != change {
        list[position].note(list[position].waitingCall)
        list[position].isAtRest = false
        list[position].announcedRest = nil
        list[position].changedAt = batch.time
      }
      try match(reported[list[position].handle] ?? [], due, position)
    }
  }

  /// Finds the event of each report of a track, and checks that no due event is missing.
  private mutating func match(_ reports: [Report], _ due: [ReferenceEvent], _ position: Int) throws {
    var due = Subject.reported(due)
    for report in reports {
      let time = batch.time
      func tells(_ event: ReferenceEvent) -> Bool {
        event.kind == report.kind && report.moment.map(event.moment.contains) ?? (event.moment.lowerBound <= time)
          && (report.call == nil || list[position].calls[report.call ?? 0] == event.change)
      }
      // Events that had to come are matched before events that could come.
      let isCertain = due.contains { tells($0) && $0.moment.upperBound <= time }
      let found = due.firstIndex { tells($0) && (!isCertain || $0.moment.upperBound <= time) }
      let isAmbiguous = !isCertain && due.count(where: tells) > 1
      guard let found else {
        throw Difference(
          aspect: .completion,
          text: "\(list[position].track.summary(at: batch.time)): \(report.kind) is reported; due is \(due)")
      }
      // Without numbers of changes, a report may belong to either of two changes.
      if due[found].change == list[position].track.change, !isAmbiguous { list[position].track.note(report.kind) }
      due.remove(at: found)
    }
    let missing = due.first { $0.moment.upperBound <= batch.time }
    try expect(.completion, missing == nil, position, "not reported: \(missing.map { "\($0)" } ?? "")")
  }

  // MARK: - Rest

  /// Times of rest are Floats, counted from the start of the motion.
  private func slack(_ track: ListedTrack) -> Double { 2e-7 * (batch.time - track.changedAt) + 4 * batch.time.ulp }

  /// Checks that a track rests when it should, after an advance that moved the clock.
  mutating func checkPunctuality(_ position: Int) throws {
    let track = list[position]
    let time = batch.time
    if track.isAtRest, case .spring(let spring) = track.track.motion {
      let share = spring.rest(at: time, track.track.rules.restTolerance).share
      try record(.rest, share, position, "the exact motion takes up \(share) of the tolerance")
    }
    if let announced = track.announcedRest {
      let isLate = !track.isAtRest && time >= announced + slack(track)
      let isEarly = track.isAtRest && time <= announced - slack(track)
      try expect(
        .rest, !isLate && !isEarly, position, "was said to be at rest from \(announced) s on, and it is \(time) s")
    }
  }

  /// Compares the time at which the batch announces rest.
  mutating func askRest(_ position: Int, hasMoved: Bool) throws {
    guard let announced = try batch.announcedRest(of: list[position].handle) else { return }
    list[position].announcedRest = announced
    if hasMoved {
      try checkPunctuality(position)
    }
    // The exact moment is costly to find.
    if (position + batch.indexCount) % 8 == 0, case .spring(let spring) = list[position].track.motion {
      let earliest = spring.earliestRest(list[position].track.rules.restTolerance)
      try expect(
        .rest, announced >= earliest - slack(list[position]), position,
        "is at rest at \(announced) s, and may not before \(earliest) s")
    }
  }
}
