// SPDX-License-Identifier: MIT

extension Spring {
  /// The value `time` seconds after a start at `fromValue` with the given velocity, on the way to `toValue`.
  ///
  /// Parts of the value that are not animated are taken from `toValue`.
  @inlinable
  public func value<V: Animatable>(fromValue: V, toValue: V, initialVelocity: V, time: Double) -> V {
    var result = toValue
    var moving = fromValue.animatableData
    var velocity = initialVelocity.animatableData
    update(value: &moving, velocity: &velocity, target: toValue.animatableData, deltaTime: time)
    result.animatableData = moving
    return result
  }

  /// The velocity `time` seconds after a start at `fromValue` with the given velocity, on the way to `toValue`.
  ///
  /// The animatable data of the result is in units per second; the other parts are taken from `toValue`.
  @inlinable
  public func velocity<V: Animatable>(fromValue: V, toValue: V, initialVelocity: V, time: Double) -> V {
    var result = toValue
    var moving = fromValue.animatableData
    var velocity = initialVelocity.animatableData
    update(value: &moving, velocity: &velocity, target: toValue.animatableData, deltaTime: time)
    result.animatableData = velocity
    return result
  }

  /// The force on an object at `position` that moves with `velocity`, when the spring pulls from `fromValue` to `toValue`.
  ///
  /// `position` and `velocity` are taken as they stand, not relative to `fromValue`, which has no part in the force.
  @inlinable
  public func force<V: Animatable>(fromValue: V, toValue: V, position: V, velocity: V) -> V {
    var result = toValue
    result.animatableData = force(
      target: toValue.animatableData, position: position.animatableData, velocity: velocity.animatableData)
    return result
  }
}
