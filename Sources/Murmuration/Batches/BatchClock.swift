// SPDX-License-Identifier: MIT

/// The clock of a batch, which sums with compensation, so that many small steps lose nothing.
struct BatchClock {
  /// Seconds.
  var time = 0.0
  /// What the sum of steps lost to rounding.
  private var lost = 0.0

  /// The clock after a number of seconds.
  ///
  /// - Throws: ``BatchError/invalidTime(_:)`` if they are not finite; the time that it shows is checked by nobody.
  func after(_ seconds: Double) throws(BatchError) -> BatchClock {
    guard seconds.isFinite else {
      throw .invalidTime(seconds)
    }
    let step = seconds - lost
    let sum = time + step
    // Exact also where the step is longer than the time so far: else an advance by nothing might go back by a rounding.
    let added = sum - time
    var next = BatchClock()
    (next.time, next.lost) = (sum, (sum - added - time) + (added - step))
    return next
  }

  /// Begins another sum at the time that is shown.
  mutating func forgetLoss() { lost = 0 }
}
