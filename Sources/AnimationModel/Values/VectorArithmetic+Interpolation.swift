// SPDX-License-Identifier: MIT

extension VectorArithmetic {
  /// Moves this value towards another by a share of the way: 0 stays, 1 arrives.
  @inlinable
  public mutating func interpolate(towards other: Self, amount: Double) {
    self += (other - self).scaled(by: amount)
  }

  /// This value moved towards another by a share of the way: 0 stays, 1 arrives.
  @inlinable
  public func interpolated(towards other: Self, amount: Double) -> Self {
    var result = self
    result.interpolate(towards: other, amount: amount)
    return result
  }
}
