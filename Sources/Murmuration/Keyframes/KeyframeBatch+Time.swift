// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Evaluates every instance at a time, and reports what was completed and repeated on the way.
  ///
  /// The clock may be set to any time from the last change (an add, a trigger, a pause, …) of an instance that still lives
  /// on, forwards or back, by any distance. What was reported is not reported again.
  ///
  /// - Parameter seconds: Absolute time, within ±``BatchLimits/maximumTime``.
  /// - Throws: ``BatchError/invalidTime(_:)`` or ``BatchError/timeBeforeStart(time:start:)``.
  /// - Complexity: O(moving instances), and O(tiles) if any came, went, or began or ceased to move. No allocation once as
  ///   many were due or completed in one call before.
  public mutating func advance(to seconds: Double) throws(BatchError) {
    try evaluate(at: seconds)
    clock.forgetLoss()
  }

  /// Moves the clock by a number of seconds. The clock sums with compensation, so that many small steps lose nothing.
  ///
  /// - Throws: As ``advance(to:)``.
  public mutating func advance(by seconds: Double) throws(BatchError) {
    let next = try clock.after(seconds)
    try evaluate(at: next.time)
    clock = next
  }

  private mutating func evaluate(at seconds: Double) throws(BatchError) {
    try check(time: seconds)
    completed.removeAll(keepingCapacity: true)
    repeated.removeAll(keepingCapacity: true)
    guard seconds != time || hasChanges else { return }
    clock.time = seconds
    hasChanges = false
    placeDue()
    replanIfStale()
    run(velocities: computesVelocities)
    velocitiesAreStale = !computesVelocities
    tiles.forgetTouches()
    // Evaluated again, what stands still shows the same; so it is left out when there is much of it.
    if stillTiles * 8 > plan.tileCount {
      planIsStale = true
    }
  }

  /// Checks that the clock can be set to a time.
  private mutating func check(time seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else {
      throw .invalidTime(seconds)
    }
    if seconds < latestChange {
      latestChange = -BatchLimits.maximumTime
      for row in 0..<rowEnd where tiles.isLive(row) {
        latestChange = unsafe max(latestChange, storage.states[row].changed)
      }
      guard seconds >= latestChange else {
        throw .timeBeforeStart(time: seconds, start: latestChange)
      }
    }
  }

  mutating func replanIfStale() {
    guard planIsStale else { return }
    planIsStale = false
    let columns = storage.columns
    let dimensions = dimensions
    stillTiles = plan.rebuild(&tiles) { tile in
      // Nothing writes the velocities of what stands still, so they are written now.
      for dimension in 0..<dimensions {
        let first = dimension * columns.dimensionStride + tile * laneCountOfTile
        unsafe (columns.velocity + first).update(repeating: 0, count: laneCountOfTile)
      }
    }
  }
}
