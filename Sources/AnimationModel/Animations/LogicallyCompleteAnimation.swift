// SPDX-License-Identifier: MIT

/// An animation that is logically complete after a given time at the latest.
struct LogicallyCompleteAnimation: TimedAnimation {
  let base: Animation
  let seconds: Double

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    let covered = base.animate(value: value, time: time, context: &context)
    // After the base, which may set the flag to false.
    if time >= seconds { context.isLogicallyComplete = true }
    return covered
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    base.velocity(value: value, time: time, context: context)
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    guard case .logicallyComplete(let previous) = previous.form, previous.seconds == seconds,
      base.hasSameKind(as: previous.base)
    else { return false }
    return base.shouldMerge(previous: previous.base, value: value, time: time, context: &context)
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    base.endTime(value: value, context: context)
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    min(base.logicalEndTime(value: value, context: context), max(0, seconds))
  }
}
