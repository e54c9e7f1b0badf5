// SPDX-License-Identifier: MIT

/// The motion with which a value goes to a new target. It holds no progress.
///
/// Names, labels and defaults are SwiftUI's. Two animations are equal when they were made by the same calls.
public struct Animation: Hashable, Sendable {
  /// The kinds of motion. A case that holds another animation, a list of animations, or a value of any type is boxed: so
  /// the compiler knows the layout of the other cases, and reads them without a copy.
  enum Form: Hashable, Sendable {
    case curve(CurveAnimation)
    case spring(SpringAnimation)
    case interpolatingSpring(InterpolatingSpringAnimation)
    case deceleration(DecelerationAnimation)
    indirect case delay(DelayAnimation)
    indirect case speed(SpeedAnimation)
    indirect case `repeat`(RepeatAnimation)
    indirect case logicallyComplete(LogicallyCompleteAnimation)
    case combined(CombinedAnimation)
    indirect case custom(CustomMotion)
  }

  let form: Form

  init(form: Form) { self.form = form }

  /// The part of `value` that has been covered after `time` seconds, or nil when the animation has finished.
  public func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    switch form {
    case .curve(let base): base.animate(value: value, time: time, context: &context)
    case .spring(let base): base.animate(value: value, time: time, context: &context)
    case .interpolatingSpring(let base): base.animate(value: value, time: time, context: &context)
    case .deceleration(let base): base.animate(value: value, time: time, context: &context)
    case .delay(let base): base.animate(value: value, time: time, context: &context)
    case .speed(let base): base.animate(value: value, time: time, context: &context)
    case .repeat(let base): base.animate(value: value, time: time, context: &context)
    case .logicallyComplete(let base): base.animate(value: value, time: time, context: &context)
    case .combined(let base): base.animate(value: value, time: time, context: &context)
    case .custom(let base): base.animate(value: value, time: time, context: &context)
    }
  }

  /// The rate of change of what `animate` returns, in units per second, or nil if it is not known.
  public func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    switch form {
    case .curve(let base): base.velocity(value: value, time: time, context: context)
    case .spring(let base): base.velocity(value: value, time: time, context: context)
    case .interpolatingSpring(let base): base.velocity(value: value, time: time, context: context)
    case .deceleration(let base): base.velocity(value: value, time: time, context: context)
    case .delay(let base): base.velocity(value: value, time: time, context: context)
    case .speed(let base): base.velocity(value: value, time: time, context: context)
    case .repeat(let base): base.velocity(value: value, time: time, context: context)
    case .logicallyComplete(let base): base.velocity(value: value, time: time, context: context)
    case .combined(let base): base.velocity(value: value, time: time, context: context)
    case .custom(let base): base.velocity(value: value, time: time, context: context)
    }
  }

  /// Whether this animation replaces `previous`, which has run for `time` seconds towards `value`, and continues its
  /// motion.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    switch form {
    case .spring(let base): base.shouldMerge(previous: previous, value: value, time: time, context: &context)
    case .delay(let base): base.shouldMerge(previous: previous, value: value, time: time, context: &context)
    case .speed(let base): base.shouldMerge(previous: previous, value: value, time: time, context: &context)
    case .logicallyComplete(let base):
      base.shouldMerge(previous: previous, value: value, time: time, context: &context)
    case .custom(let base): base.shouldMerge(previous: previous, value: value, time: time, context: &context)
    case .curve, .interpolatingSpring, .deceleration, .repeat, .combined: false
    }
  }

  /// Whether the motions are of one kind, whatever their parameters: only then does a modified animation pass a merge on.
  func hasSameKind(as other: Animation) -> Bool {
    switch (form, other.form) {
    case (.curve, .curve), (.spring, .spring), (.interpolatingSpring, .interpolatingSpring),
      (.deceleration, .deceleration), (.delay, .delay), (.speed, .speed), (.repeat, .repeat),
      (.logicallyComplete, .logicallyComplete), (.combined, .combined):
      true
    case (.custom(let base), .custom): base.hasSameKind(as: other)
    default: false
    }
  }
}
