// SPDX-License-Identifier: MIT

/// A motion that knows its end without being played.
///
/// Our own animations conform to it. The end of any other animation is searched for; see `Animation.endTime`.
package protocol TimedAnimation: CustomAnimation {
  /// The last moment, in seconds from the start, before the animation has finished; infinite if it never does.
  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double

  /// When the motion is over as far as the user can tell, in seconds from the start; infinite if never.
  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double
}

extension Double {
  /// The time from the start on: 0 for an earlier one. NaN stays, which is after every end.
  var fromStart: Double { self < 0 ? 0 : self }
}

extension Animation {
  /// When the animation finishes, in seconds from its start; infinite if it never does.
  package func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    switch form {
    case .curve(let base): base.endTime(value: value, context: context)
    case .spring(let base): base.endTime(value: value, context: context)
    case .interpolatingSpring(let base): base.endTime(value: value, context: context)
    case .deceleration(let base): base.endTime(value: value, context: context)
    case .delay(let base): base.endTime(value: value, context: context)
    case .speed(let base): base.endTime(value: value, context: context)
    case .repeat(let base): base.endTime(value: value, context: context)
    case .logicallyComplete(let base): base.endTime(value: value, context: context)
    case .combined(let base): base.endTime(value: value, context: context)
    case .custom:
      Self.firstTime { time in
        var context = context
        return animate(value: value, time: time, context: &context) == nil
      }
    }
  }

  /// Whether the animation has no length: at any time it has finished, except while it waits for a delay to pass.
  var isInstant: Bool {
    switch form {
    case .curve(let base): !(base.duration > 0)
    case .spring(let base): base.spring.jumps
    case .interpolatingSpring(let base): !(base.end > 0)
    case .delay(let base): base.delay <= 0 && base.base.isInstant
    case .speed(let base): base.base.isInstant
    case .repeat(let base): base.count != nil && base.base.isInstant
    case .logicallyComplete(let base): base.base.isInstant
    case .deceleration, .combined, .custom: false
    }
  }

  /// When the animation is logically complete, in seconds from its start; infinite if never.
  package func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    switch form {
    case .curve(let base): base.logicalEndTime(value: value, context: context)
    case .spring(let base): base.logicalEndTime(value: value, context: context)
    case .interpolatingSpring(let base): base.logicalEndTime(value: value, context: context)
    case .deceleration(let base): base.logicalEndTime(value: value, context: context)
    case .delay(let base): base.logicalEndTime(value: value, context: context)
    case .speed(let base): base.logicalEndTime(value: value, context: context)
    case .repeat(let base): base.logicalEndTime(value: value, context: context)
    case .logicallyComplete(let base): base.logicalEndTime(value: value, context: context)
    case .combined(let base): base.logicalEndTime(value: value, context: context)
    case .custom:
      Self.firstTime { time in
        var context = context
        // What an earlier frame was told says nothing about this time.
        context.isLogicallyComplete = false
        return animate(value: value, time: time, context: &context) == nil || context.isLogicallyComplete
      }
    }
  }

  /// Whether the end is known by a formula, and not by asking a custom animation again and again.
  var knowsItsEnd: Bool {
    switch form {
    case .curve, .spring, .interpolatingSpring, .deceleration: true
    case .delay(let base): base.base.knowsItsEnd
    case .speed(let base): base.base.knowsItsEnd
    case .repeat(let base): base.base.knowsItsEnd
    case .logicallyComplete(let base): base.base.knowsItsEnd
    case .combined(let base): base.entries.last?.animation.knowsItsEnd ?? true
    case .custom: false
    }
  }

  /// The time at which a condition turns true for good: bracketed by doubling, then by halving down to neighbouring
  /// numbers. Infinite when the condition fails for longer than eleven days.
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
