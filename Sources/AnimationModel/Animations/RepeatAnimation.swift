// SPDX-License-Identifier: MIT

/// An animation that plays again and again, forward, or forward and back in turn.
///
/// Each leg is one iteration and lasts exactly as long as the animation: the leg and the time in it follow from the
/// time alone. The moment between two legs belongs to the earlier one, and shows its end.
struct RepeatAnimation: TimedAnimation {
  let base: Animation
  /// The number of legs, at least one; nil without end.
  let count: Int?
  let autoreverses: Bool

  init(base: Animation, count: Int?, autoreverses: Bool) {
    self.base = base
    self.count = count.map { max(1, $0) }
    self.autoreverses = autoreverses
  }

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    let length = base.endTime(value: value, context: AnimationContext())
    if time >= logicalEnd(value: value, length: length) { context.isLogicallyComplete = true }
    // Iterations of no length are over before they start.
    guard time <= end(length: length), length > 0 || count == nil else { return nil }
    let leg = leg(at: time, length: length)
    var local = AnimationContext<V>()
    // A leg that is over is at its end, even if rounding leaves its clock just short of it.
    let covered =
      leg.isOver
      ? base.covered(atEndOf: value) : base.animate(value: value, time: leg.time, context: &local) ?? value
    return leg.isReversed ? value - covered : covered
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    let length = base.endTime(value: value, context: AnimationContext())
    guard time <= end(length: length), length > 0 else { return .zero }
    let leg = leg(at: time, length: length)
    let velocity = base.velocity(value: value, time: leg.time, context: AnimationContext())
    return leg.isReversed ? velocity?.scaled(by: -1) : velocity
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    end(length: base.endTime(value: value, context: AnimationContext()))
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    logicalEnd(value: value, length: base.endTime(value: value, context: AnimationContext()))
  }

  private func end(length: Double) -> Double {
    guard let count else { return .infinity }
    return Double(count) * length
  }

  /// The animation is logically complete when its last leg is.
  private func logicalEnd<V: VectorArithmetic>(value: V, length: Double) -> Double {
    guard let count else { return .infinity }
    let last = base.logicalEndTime(value: value, context: AnimationContext())
    return count == 1 ? last : Double(count - 1) * length + last
  }

  /// The part of a value that is covered when the last leg ends. A way back takes away what its animation covers.
  fileprivate func covered<V: VectorArithmetic>(atEndOf value: V) -> V {
    guard let count, base.endTime(value: value, context: AnimationContext()) > 0 else { return value }
    let covered = base.covered(atEndOf: value)
    return autoreverses && count.isMultiple(of: 2) ? value - covered : covered
  }

  /// The leg that a time belongs to, and the time in it.
  private func leg(at time: Double, length: Double) -> (time: Double, isReversed: Bool, isOver: Bool) {
    guard length > 0 else { return (0, false, true) }
    guard time > length, length < .infinity else { return (time, false, time >= length) }
    var index = (time / length).rounded(.up) - 1
    // The quotient is rounded. The boundaries are products, as callers form them.
    if index * length >= time {
      index -= 1
    } else if (index + 1) * length < time {
      index += 1
    }
    let isReversed = autoreverses && index.truncatingRemainder(dividingBy: 2) != 0
    return (min(time - index * length, length), isReversed, time >= (index + 1) * length)
  }
}

extension Animation {
  /// The part of a value that is covered at the end: all of it, unless a repeat ends with a way back.
  fileprivate func covered<V: VectorArithmetic>(atEndOf value: V) -> V {
    switch form {
    case .delay(let modified): modified.base.covered(atEndOf: value)
    case .speed(let modified): modified.base.covered(atEndOf: value)
    case .repeat(let repeated): repeated.covered(atEndOf: value)
    case .logicallyComplete(let modified): modified.base.covered(atEndOf: value)
    case .curve, .spring, .interpolatingSpring, .deceleration, .combined, .custom: value
    }
  }
}
