// SPDX-License-Identifier: MIT

extension Spring {
  /// The time in seconds after which a motion over a distance of 1 from rest stays within a tolerance.
  ///
  /// See ``restTime(target:initialVelocity:tolerance:velocityTolerance:)``.
  public func restTime(tolerance: Double = 0.001, velocityTolerance: Double? = nil) -> Double {
    restTime(target: 1.0, tolerance: tolerance, velocityTolerance: velocityTolerance)
  }

  /// The last moment at which the distance to `target`, or the speed, exceeds its tolerance.
  ///
  /// From then on both stay within their tolerances, whatever the spring. The answer is never early, and at most a
  /// rounding (10⁻¹² of the tolerance) late. Vectors are measured by their Euclidean length, as their own arithmetic
  /// rounds it.
  ///
  /// - Parameters:
  ///   - target: Where the spring pulls to, as seen from the start.
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - tolerance: The distance from the target that counts as at rest, in value units.
  ///   - velocityTolerance: The speed that counts as at rest, in value units per second; `tolerance`·ω₀ if nil, which is the
  ///     speed of an undamped oscillation of that size.
  /// - Returns: The time in seconds. 0 if the tolerances are never exceeded; infinite if the motion never ends (undamped)
  ///   or a tolerance is not positive; NaN if the spring, the motion or a tolerance is not a number.
  public func restTime<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, tolerance: Double = 0.001, velocityTolerance: Double? = nil
  ) -> Double {
    let displacement = V.zero - target
    let size = displacement.magnitude + initialVelocity.magnitude
    guard !size.isNaN, !tolerance.isNaN, velocityTolerance?.isNaN != true else { return .nan }
    if size == 0 || jumps { return 0 }
    if standsStill { return displacement.magnitude > tolerance ? .infinity : 0 }
    guard size.isFinite, !naturalFrequency.isNaN, !decayConstant.isNaN, !angularFrequency.isNaN else { return .nan }
    let position = FreeMotion(.displacement, of: self, displacement: displacement, initialVelocity: initialVelocity)
    let speed = FreeMotion(.velocity, of: self, displacement: displacement, initialVelocity: initialVelocity)
    return max(
      position.lastTime(above: tolerance), speed.lastTime(above: velocityTolerance ?? tolerance * naturalFrequency))
  }

  /// The exact rest time of the motion between two values; distances are measured in animatable data.
  ///
  /// See ``restTime(target:initialVelocity:tolerance:velocityTolerance:)``.
  public func restTime<V: Animatable>(
    fromValue: V, toValue: V, initialVelocity: V, tolerance: Double = 0.001, velocityTolerance: Double? = nil
  ) -> Double {
    restTime(
      target: toValue.animatableData - fromValue.animatableData, initialVelocity: initialVelocity.animatableData,
      tolerance: tolerance, velocityTolerance: velocityTolerance)
  }
}
