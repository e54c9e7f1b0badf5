// SPDX-License-Identifier: MIT

/// An animation that waits before it starts; a negative delay skips its beginning.
///
/// While it waits, nothing of the base shows: neither a velocity at its start, nor that it has no length and is over. A
/// delayed spring that takes over from a waiting one finds no motion, and starts as if it were the first.
struct DelayAnimation: TimedAnimation {
  let base: Animation
  let delay: Double

  private func local(_ time: Double) -> Double { (time - delay).fromStart }

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    time < delay ? .zero : base.animate(value: value, time: local(time), context: &context)
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    time < delay ? .zero : base.velocity(value: value, time: local(time), context: context)
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    guard case .delay(let previous) = previous.form, previous.delay == delay,
      base.hasSameKind(as: previous.base)
    else { return false }
    let start = context.state.springStart
    guard base.shouldMerge(previous: previous.base, value: value, time: local(time), context: &context) else {
      return false
    }
    // The base's clock may be past its start all the same, if a negative delay skips that.
    if time < delay { context.state.springStart = start }
    return true
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    max(0, base.endTime(value: value, context: context) + delay)
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    max(0, base.logicalEndTime(value: value, context: context) + delay)
  }
}
