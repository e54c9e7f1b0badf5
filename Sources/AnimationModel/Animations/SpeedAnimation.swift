// SPDX-License-Identifier: MIT

/// An animation on a clock of its own: its time is the outer time multiplied by the speed.
struct SpeedAnimation: TimedAnimation {
  let base: Animation
  let speed: Double

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    base.animate(value: value, time: time * speed, context: &context)
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    base.velocity(value: value, time: time * speed, context: context)?.scaled(by: speed)
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    guard case .speed(let previous) = previous.form, previous.speed == speed,
      base.hasSameKind(as: previous.base)
    else { return false }
    return base.shouldMerge(previous: previous.base, value: value, time: time * speed, context: &context)
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    outer(base.endTime(value: value, context: context))
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    outer(base.logicalEndTime(value: value, context: context))
  }

  /// The outer time at which the base's clock shows `time`; infinite when that clock stands still or runs backwards. An
  /// animation of no length is over at once, whatever its clock shows.
  private func outer(_ time: Double) -> Double {
    base.isInstant ? 0 : speed > 0 ? time / speed : .infinity
  }
}
