// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Evaluates every track at a time, and reports what was completed on the way.
  ///
  /// The clock may be set to any time from the latest start (of an add, a retarget or a set of a track that still
  /// lives) on, forwards or back, each at the cost of one frame. Going back, tracks that were at rest move again;
  /// what was reported is not reported again.
  ///
  /// - Parameter seconds: Absolute time, within ±``BatchLimits/maximumTime``.
  /// - Throws: ``BatchError/invalidTime(_:)`` or ``BatchError/timeBeforeStart(time:start:)``.
  /// - Complexity: O(moving tracks), and O(tiles) if any track came, went, or changed its kind since the last call. No
  ///   allocation once as many tracks completed in one call before.
  public mutating func advance(to seconds: Double) throws(BatchError) {
    try advance(to: seconds, evenIfShown: false)
  }

  /// Likewise; a frame of the time that is shown already is evaluated again if motions began before it since.
  mutating func advance(to seconds: Double, evenIfShown: Bool) throws(BatchError) {
    try evaluate(at: seconds, evenIfShown: evenIfShown)
    clock.forgetLoss()
  }

  /// Moves the clock by a number of seconds. The clock sums with compensation, so that many small steps lose nothing.
  ///
  /// - Throws: As ``advance(to:)``.
  public mutating func advance(by seconds: Double) throws(BatchError) {
    try advance(by: seconds, evenIfShown: false)
  }

  /// Likewise, as ``advance(to:evenIfShown:)``.
  mutating func advance(by seconds: Double, evenIfShown: Bool) throws(BatchError) {
    let next = try clock.after(seconds)
    try evaluate(at: next.time, evenIfShown: evenIfShown)
    clock = next
  }

  /// Checks that the clock can be moved by a number of seconds.
  mutating func check(step seconds: Double) throws(BatchError) {
    try check(time: try clock.after(seconds).time)
  }

  /// Checks that the clock can be set to a time.
  mutating func check(time seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else {
      throw .invalidTime(seconds)
    }
    if seconds < latestStart {
      latestStart = latestLiveStart()
      guard seconds >= latestStart else {
        throw .timeBeforeStart(time: seconds, start: latestStart)
      }
    }
  }

  private mutating func evaluate(at seconds: Double, evenIfShown: Bool) throws(BatchError) {
    try check(time: seconds)
    logicallyComplete.removeAll(keepingCapacity: true)
    settled.removeAll(keepingCapacity: true)
    guard seconds != time || evenIfShown else {
      return
    }
    if seconds < time {
      wakeAll()
    }
    try setOutWaiting(until: seconds)
    clock.time = seconds
    replanIfStale()
    let fellAsleep = updateCohorts()
    runAndLook(sharedFellAsleep: fellAsleep.shared)
    velocitiesAreStale = !computesVelocities
    reportMixedTiles()
    completeReports()
    if fellAsleep.any {
      for place in cohorts.indices where cohorts[place].trackCount > 0 && cohorts[place].restTime ?? .infinity <= time {
        if cohorts[place].isShared, !cohorts[place].isAsleep {
          restingLanes += cohorts[place].trackCount
        }
        cohorts[place].isAsleep = true
      }
    }
    // Evaluated again, a tile that rests shows the same; so such tiles are left out when they have become many.
    if restingLanes * 8 > plan.looseTiles * laneCountOfTile {
      planIsStale = true
    }
  }

  /// Computes the velocities of the current time, where ``computesVelocities`` left them out.
  public mutating func refreshVelocities() {
    if velocitiesAreStale {
      replanIfStale()
      run(velocities: true)
      velocitiesAreStale = false
    }
  }

  mutating func replanIfStale() {
    guard planIsStale else {
      return
    }
    unsafe plan.rebuild(&tiles, &cohorts, members: storage.columns.member)
    if plan.hasSparseCohorts {
      packSparseCohorts()
      unsafe plan.rebuild(&tiles, &cohorts, members: storage.columns.member)
    }
    planIsStale = false
    restingLanes = 0
  }

  /// The bytes that the kernels read and write for a frame.
  package func bytesPerFrame(velocities: Bool) -> Int {
    var bytes = 0
    for step in plan.steps {
      let lanes = step.run.laneCount
      switch step.kind {
      case TileKind.oscillating, TileKind.overdamped:
        bytes += lanes * Traffic.mixed(dimensions: dimensions, velocities: velocities)
      case TileKind.shared:
        bytes += lanes * Traffic.shared(dimensions: dimensions, velocities: velocities)
      default:
        if !cohorts[Int(step.kind - TileKind.firstCohort)].isAsleep {
          bytes += lanes * Traffic.cohort(dimensions: dimensions, velocities: velocities)
        }
      }
    }
    return bytes
  }

  /// The bytes that the kernels read and wrote for the last frame.
  package var bytesPerFrame: Int { bytesPerFrame(velocities: computesVelocities) }

  /// The latest start of the tracks that live.
  private func latestLiveStart() -> Double {
    var latest = -BatchLimits.maximumTime
    for place in cohorts.indices where cohorts[place].trackCount > 0 {
      latest = max(latest, cohorts[place].start)
    }
    for tile in 0..<tiles.end where TileKind.isMixed(tiles.kinds[tile]) {
      var lanes = tiles.live[tile]
      while lanes != 0 {
        latest = unsafe max(latest, storage.columns.start[tile * laneCountOfTile + lanes.trailingZeroBitCount])
        lanes &= lanes - 1
      }
    }
    return latest
  }
}
