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
    guard speed != 0 else { return start(value, context).isOver ? 0 : .infinity }
    return outer { $0.endTime(value: value, context: context) }
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    guard speed != 0 else { return start(value, context).isComplete ? 0 : .infinity }
    return outer { $0.logicalEndTime(value: value, context: context) }
  }

  /// Whether the base is over at its start, where a clock that stands still leaves it, or logically complete there.
  private func start<V: VectorArithmetic>(
    _ value: V, _ context: AnimationContext<V>
  ) -> (isOver: Bool, isComplete: Bool) {
    var context = context
    context.isLogicallyComplete = false
    let isOver = base.animate(value: value, time: 0, context: &context) == nil
    return (isOver, isOver || context.isLogicallyComplete)
  }

  /// The outer time at which an animation within has come to a time of its own; infinite when its clock runs backwards. An
  /// animation of no length is over at once, whatever its clock shows.
  private func outer(_ time: (Animation) -> Double) -> Double {
    if base.isInstant { return 0 }
    if speed > 0 { return time(base) / speed }
    let (animation, speed) = unmodified
    return speed > 0 ? time(animation) / speed : .infinity
  }

  /// The animation within all speeds that follow each other, and their product: two that are negative lead forwards.
  private var unmodified: (animation: Animation, speed: Double) {
    guard case .speed(let inner) = base.form else { return (base, speed) }
    let (animation, product) = inner.unmodified
    return (animation, product * speed)
  }
}
