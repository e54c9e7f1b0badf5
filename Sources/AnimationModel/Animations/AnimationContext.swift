// SPDX-License-Identifier: MIT

/// The state of a run of an animation, besides the value and the time.
public struct AnimationContext<Value: VectorArithmetic>: Sendable {
  /// The state that animations keep from one call to the next.
  public var state: AnimationState<Value>

  /// Whether the motion is over as far as the user can tell, although it may still settle.
  public var isLogicallyComplete: Bool

  /// A context at the start of a run.
  public init(state: AnimationState<Value> = AnimationState()) {
    self.state = state
    isLogicallyComplete = false
  }

  /// This context with another state, also for another type of value.
  public func withState<T>(_ state: AnimationState<T>) -> AnimationContext<T> {
    var context = AnimationContext<T>(state: state)
    context.isLogicallyComplete = isLogicallyComplete
    return context
  }
}

/// A key for one piece of state that an animation keeps.
public protocol AnimationStateKey {
  /// The type of the state.
  associatedtype Value: Sendable

  /// The state before anything has been stored.
  static var defaultValue: Value { get }
}

/// The state of a run, one piece per key.
public struct AnimationState<Value: VectorArithmetic>: Sendable {
  /// The start of the current spring; nil if that is the start of the run.
  package var springStart: SpringStart<Value>?
  /// The runs of animations whose effects add up.
  package var parts: [CombinedPart<Value>] = []
  var custom = CustomState()

  /// A state in which each key has its default value.
  public init() {}
}
