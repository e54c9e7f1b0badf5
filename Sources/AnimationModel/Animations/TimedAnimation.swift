// SPDX-License-Identifier: MIT

/// A motion that can tell when it ends, without being played.
///
/// Our own animations conform to it. The end of any other is searched for, see `Animation.endTime`.
package protocol TimedAnimation: CustomAnimation {
  /// The last moment, in seconds from the start, before the animation has finished; infinite if it never does.
  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double

  /// When the motion is over as far as the user can tell, in seconds from the start; infinite if never.
  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double
}

extension Animation {
  /// When the animation finishes, in seconds from its start; infinite if it never does.
  package func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    if let timed = base as? any TimedAnimation { return timed.endTime(value: value, context: context) }
    return Self.firstTime { time in
      var context = context
      return animate(value: value, time: time, context: &context) == nil
    }
  }

  /// When the animation is logically complete, in seconds from its start; infinite if never.
  package func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    if let timed = base as? any TimedAnimation { return timed.logicalEndTime(value: value, context: context) }
    return Self.firstTime { time in
      var context = context
      return animate(value: value, time: time, context: &context) == nil || context.isLogicallyComplete
    }
  }

  /// The time from which on a condition holds that, once true, stays true: bracketed by doubling and then halved down
  /// to neighbouring numbers. Infinite when the condition fails for longer than eleven days.
  private static func firstTime(where condition: (Double) -> Bool) -> Double {
    guard !condition(0) else { return 0 }
    var (low, high) = (0.0, 1.0 / 1024)
    while !condition(high) {
      guard high < 1e6 else { return .infinity }
      (low, high) = (high, high * 2)
    }
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return low }
      if condition(middle) { high = middle } else { low = middle }
    }
  }
}
