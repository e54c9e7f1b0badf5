// SPDX-License-Identifier: MIT

/// The clock of a batch, which sums with compensation, so that many small steps lose nothing.
package struct BatchClock {
  /// The time in seconds.
  package var time = 0.0
  /// The part of the sum of steps that was lost to rounding.
  private var lost = 0.0

  package init(time: Double = 0) { self.time = time }

  /// The clock after a number of seconds.
  ///
  /// - Throws: ``BatchError/invalidTime(_:)`` if they are not finite. The caller checks the new time.
  package func after(_ seconds: Double) throws(BatchError) -> BatchClock {
    guard seconds.isFinite else { throw .invalidTime(seconds) }
    let step = seconds - lost
    let sum = time + step
    // This difference is exact even if the step is longer than the time so far. Otherwise an advance by 0 might go back
    // by a rounding.
    let added = sum - time
    var next = BatchClock(time: sum)
    next.lost = (sum - added - time) + (added - step)
    return next
  }

  /// Begins another sum at the current time.
  mutating func forgetLoss() { lost = 0 }
}
