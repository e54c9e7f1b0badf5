// SPDX-License-Identifier: MIT

/// The errors of kernels against golden numbers, as shares of the bounds, and the bits that they show.
struct GoldenTally {
  private var hash = Hash()
  private var worstValue = 0.0
  private var worstVelocity = 0.0

  /// Adds the results of a kernel for numbers that were computed with 50 digits.
  mutating func add(
    value: Float, velocity: Float, expected: (value: Double, velocity: Double), bound: (value: Double, velocity: Double)
  ) {
    hash.add(value)
    hash.add(velocity)
    worstValue = Self.worse(worstValue, (Double(value) - expected.value).magnitude, bound.value)
    worstVelocity = Self.worse(worstVelocity, (Double(velocity) - expected.velocity).magnitude, bound.velocity)
  }

  /// Adds whether two kernels agree.
  mutating func add(_ isSame: Bool) { hash.add(isSame) }

  /// The hash; the largest shares go to two places.
  func report(to worst: UnsafeMutablePointer<Double>) -> UInt64 {
    (worst[0], worst[1]) = (worstValue, worstVelocity)
    return hash.state
  }

  private static func worse(_ worst: Double, _ error: Double, _ bound: Double) -> Double {
    if error == 0 { return worst }
    let share = error / bound
    return share.isNaN ? .infinity : max(worst, share)
  }
}
