// SPDX-License-Identifier: MIT

extension Spring {
  /// The position `time` seconds after a start at zero with the given velocity, on the way to `target`.
  ///
  /// - Parameters:
  ///   - target: Where the spring pulls to, as seen from the start.
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - time: Seconds since the start. Negative times are evaluated as the formulas stand.
  @inlinable
  public func value<V: VectorArithmetic>(target: V, initialVelocity: V = .zero, time: Double) -> V {
    let basis = basis(at: time)
    return target
      + (initialVelocity.scaled(by: basis.valueFromVelocity) - target.scaled(by: basis.valueFromDisplacement))
  }

  /// The velocity `time` seconds after a start at zero with the given velocity, on the way to `target`.
  ///
  /// It is the derivative of the position in every regime; SwiftUI adds `target` to it when the spring is overdamped.
  ///
  /// - Parameters:
  ///   - target: Where the spring pulls to, as seen from the start.
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - time: Seconds since the start. Negative times are evaluated as the formulas stand.
  @inlinable
  public func velocity<V: VectorArithmetic>(target: V, initialVelocity: V = .zero, time: Double) -> V {
    let basis = basis(at: time)
    return initialVelocity.scaled(by: basis.velocityFromVelocity)
      - target.scaled(by: basis.velocityFromDisplacement)
  }

  /// Moves a value and its velocity on by `deltaTime` seconds.
  ///
  /// The step is exact however long it is: two half steps equal a whole one, up to rounding.
  @inlinable
  public func update<V: VectorArithmetic>(value: inout V, velocity: inout V, target: V, deltaTime: Double) {
    let basis = basis(at: deltaTime)
    if basis.isIdentity { return }
    let displacement = value - target
    let start = velocity
    value =
      target
      + (displacement.scaled(by: basis.valueFromDisplacement) + start.scaled(by: basis.valueFromVelocity))
    velocity =
      displacement.scaled(by: basis.velocityFromDisplacement) + start.scaled(by: basis.velocityFromVelocity)
  }

  /// The force on an object at `position` that moves with `velocity`: k·(target − position) − c·velocity.
  ///
  /// SwiftUI takes another stiffness when the spring is overdamped; see ``stiffness``.
  @inlinable
  public func force<V: VectorArithmetic>(target: V, position: V, velocity: V) -> V {
    (target - position).scaled(by: stiffness) - velocity.scaled(by: damping)
  }
}
