// SPDX-License-Identifier: MIT
import Kernels

/// The tolerances within which a motion counts as at rest.
public struct RestTolerances: Hashable, Sendable {
  /// The largest distance from the target, in value units, summed over all dimensions.
  public let value: Float
  /// The largest speed, in value units per second, summed over all dimensions; nil for `value` · ω₀, the speed of an
  /// undamped oscillation of that size.
  public let velocity: Float?

  /// The tolerances as kernels take them.
  var kernel: RestTolerance {
    RestTolerance(perValue: 1 / value, perVelocity: 1 / (velocity ?? value), isRelative: velocity == nil)
  }

  /// Tolerances that a batch accepts.
  ///
  /// - Parameters:
  ///   - value: In 10⁻³⁰…10¹⁵.
  ///   - velocity: In 10⁻³⁰…10³⁰, or nil.
  /// - Throws: ``BatchError/invalidTolerance(_:)``.
  public init(value: Float, velocity: Float? = nil) throws(BatchError) {
    guard 1e-30...1e15 ~= value else { throw .invalidTolerance(value) }
    if let velocity, !(1e-30...1e30 ~= velocity) { throw .invalidTolerance(velocity) }
    (self.value, self.velocity) = (value, velocity)
  }

  /// 0.001 in value, as in the model.
  package init() { (value, velocity) = (0.001, nil) }
}
