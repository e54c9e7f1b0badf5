// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// The part of a frame that springs need besides kernels: the bases of cohorts at its time, and reports of the tracks
// that completed or came to rest.
extension SpringMotions {
  /// The cohorts that fell asleep with a frame.
  struct FallenAsleep {
    /// Whether any cohort fell asleep.
    var any = false
    /// Whether a cohort that shares its tiles fell asleep.
    var shared = false
  }

  /// Whether a tile of a family of springs need not be evaluated.
  func rests(_ tile: Int, _ tracks: borrowing TrackStore) -> Bool {
    let lanes = tracks.tiles.live[tile]
    guard lanes != 0, tracks.tiles.kinds[tile] == .shared else { return lanes == 0 || watch.isAsleep(tile) }
    var rests = true
    lanes.forEachLane { lane in
      if !cohorts[Int(columns.member[tile * laneCountOfTile + lane])].isAsleep { rests = false }
    }
    return rests
  }

  // MARK: - Cohorts

  /// Brings the bases of all cohorts to a time, and reports those that completed.
  mutating func updateCohorts(
    at time: Double, _ plan: FramePlan, _ tracks: borrowing TrackStore, _ events: inout EventList
  ) -> FallenAsleep {
    cohorts.evaluateBases(table, at: time)
    var fellAsleep = FallenAsleep()
    var sharedAreDue = false
    var next = cohorts.firstDue(from: 0, at: time)
    while let cohort = next {
      next = cohorts.firstDue(from: cohort + 1, at: time)
      guard cohorts[cohort].trackCount > 0 else {
        cohorts.setDeadline(cohort, .infinity)
        continue
      }
      guard !cohorts[cohort].isAsleep else {
        cohorts.setBasis(cohort, .rest)
        continue
      }
      let restTime = cohorts[cohort].computeRest(tolerance.kernel, dimensions: dimensions)
      let logicalTime = cohorts[cohort].logicalTime(restTime: restTime)
      let rests = time >= restTime
      cohorts[cohort].showsRest = rests
      if rests {
        fellAsleep.any = true
        fellAsleep.shared = fellAsleep.shared || cohorts[cohort].isShared
        cohorts.setBasis(cohort, .rest)
      }
      if cohorts[cohort].isShared {
        // A shared cohort is marked as reported together with all others.
        let reported = cohorts[cohort].reported
        sharedAreDue = sharedAreDue || !reported.logical && time >= logicalTime || !reported.settled && rests
      } else {
        report(cohort, at: time, logicalTime: logicalTime, restTime: restTime, plan, tracks, &events)
      }
      if !rests { cohorts.setDeadline(cohort, time < logicalTime ? logicalTime : restTime) }
    }
    if sharedAreDue { reportSharedCohorts(at: time, plan, tracks, &events) }
    return fellAsleep
  }

  /// Notes that cohorts whose rest has come are asleep.
  ///
  /// - Returns: The number of tracks in shared tiles that fell asleep.
  mutating func putCohortsToSleep(at time: Double) -> Int {
    var lanes = 0
    for cohort in cohorts.indices where cohorts[cohort].trackCount > 0 && cohorts[cohort].restTime ?? .infinity <= time
    {
      if cohorts[cohort].isShared, !cohorts[cohort].isAsleep { lanes += cohorts[cohort].trackCount }
      cohorts[cohort].isAsleep = true
    }
    return lanes
  }

  private mutating func report(
    _ cohort: Int, at time: Double, logicalTime: Double, restTime: Double, _ plan: FramePlan,
    _ tracks: borrowing TrackStore, _ events: inout EventList
  ) {
    let (first, change) = (cohorts[cohort].firstRun, cohorts[cohort].change)
    if !cohorts[cohort].reported.logical, time >= logicalTime {
      cohorts[cohort].reported.logical = true
      plan.forEachRun(from: first) { events.append(.logicallyComplete, $0, tracks, change, at: logicalTime) }
    }
    if !cohorts[cohort].reported.settled, time >= restTime {
      cohorts[cohort].reported.settled = true
      plan.forEachRun(from: first) { events.append(.settled, $0, tracks, change, at: restTime) }
    }
  }

  private mutating func reportSharedCohorts(
    at time: Double, _ plan: FramePlan, _ tracks: borrowing TrackStore, _ events: inout EventList
  ) {
    plan.forEachRun(ofFamily: .shared) { tiles in
      for tile in tiles { reportSharedCohorts(in: tile, at: time, tracks, &events) }
    }
    for cohort in cohorts.indices where cohorts[cohort].isShared && cohorts[cohort].trackCount > 0 {
      let restTime = cohorts[cohort].restTime ?? .infinity
      // A cohort is looked at again after a change, so only those that are due are changed.
      if !cohorts[cohort].reported.logical, time >= cohorts[cohort].logicalTime(restTime: restTime) {
        cohorts[cohort].reported.logical = true
      }
      if !cohorts[cohort].reported.settled, time >= restTime { cohorts[cohort].reported.settled = true }
    }
  }

  private func reportSharedCohorts(
    in tile: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList
  ) {
    tracks.tiles.live[tile].forEachLane { lane in
      let row = tile * laneCountOfTile + lane
      let cohort = Int(columns.member[row])
      guard !cohorts[cohort].isAsleep, let restTime = cohorts[cohort].restTime else { return }
      var reported = cohorts[cohort].reported
      events.complete(
        &reported, slot: tracks.slot(ofRow: row), cohorts[cohort].change, isOver: time >= restTime,
        logicalEnd: cohorts[cohort].logicalTime(restTime: restTime), end: restTime, until: time)
    }
  }

  // MARK: - Mixed tiles

  /// Reports the completions that a frame found in mixed tiles, and returns the number of lanes that fell asleep.
  mutating func reportMixedTiles(
    _ plan: FramePlan, _ tracks: borrowing TrackStore, _ marked: inout [(tile: Int32, mark: SpringWatch.Mark)],
    _ events: inout EventList
  ) -> Int {
    marked.removeAll(keepingCapacity: true)
    plan.forEachRun(ofFamily: .oscillating) { watch.takeMarks(in: $0, &marked) }
    plan.forEachRun(ofFamily: .overdamped) { watch.takeMarks(in: $0, &marked) }
    // The marked tiles lie scattered, and their slots were not read for many frames.
    for (tile, _) in marked {
      tracks.columns.slot.prefetch(Int(tile) * laneCountOfTile)
      tracks.columns.change.prefetch(Int(tile) * laneCountOfTile)
    }
    var fallenAsleep = 0
    for (tile, mark) in marked {
      if mark.contains(.completed) { reportMixed(Int(tile), tracks, &events) }
      if mark.contains(.fellAsleep) { fallenAsleep += laneCountOfTile }
    }
    return fallenAsleep
  }

  private func reportMixed(_ tile: Int, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    let found = watch.found[tile]
    found.logical.forEachLane { lane in
      let row = tile * laneCountOfTile + lane
      let age = min(columns.logicalAge[row], columns.restAge[row])
      events.append(
        .logicallyComplete, slot: tracks.slot(ofRow: row), change(ofRow: row, tracks),
        at: columns.start[row] + Double(age))
    }
    found.settled.forEachLane { lane in
      let row = tile * laneCountOfTile + lane
      events.append(
        .settled, slot: tracks.slot(ofRow: row), change(ofRow: row, tracks),
        at: columns.start[row] + Double(columns.restAge[row]))
    }
  }
}
