// SPDX-License-Identifier: MIT

/// A motion of your own making, to be used through ``Animation/init(_:)``.
///
/// The requirements are SwiftUI's. An animation works on the difference between the new and the old value: it starts at
/// zero and ends at `value`. The context's state holds whatever changes on the way; the animation itself is immutable.
public protocol CustomAnimation: Hashable, Sendable {
  /// The part of `value` that has been covered after `time` seconds, or nil when the animation has finished.
  ///
  /// Set `context.isLogicallyComplete` as soon as the rest of the motion no longer matters to the user.
  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V?

  /// The rate of change of what `animate` returns, in units per second, or nil if it is not known.
  ///
  /// The default is nil: a spring that takes over then starts at rest.
  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V?

  /// Whether this animation replaces `previous` and continues its motion, with its start and its context. The default is
  /// false: the effects of both add up.
  ///
  /// `value` is the target of `previous`, and `time` its time at the moment of the change. Save what you need in the
  /// context's state.
  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool
}

extension CustomAnimation {
  /// Nil: the velocity is not known.
  public func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? { nil }

  /// False: the effects of this animation and the previous one add up.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool { false }
}
