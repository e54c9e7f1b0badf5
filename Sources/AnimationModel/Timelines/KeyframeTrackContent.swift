// SPDX-License-Identifier: MIT

/// Keyframes in sequence: what stands between the braces of a ``KeyframeTrack``.
///
/// The keyframe types conform to it, and your own groups of keyframes can: give them a `body`.
public protocol KeyframeTrackContent<Value> {
  /// The type of value that the keyframes animate.
  associatedtype Value: Animatable = Body.Value

  /// The type of the content that this content is made of.
  associatedtype Body: KeyframeTrackContent

  /// The keyframes that this content is made of.
  @KeyframeTrackContentBuilder<Value> var body: Body { get }

  /// Adds the keyframes of this content to `sequence`, in order.
  ///
  /// The default adds the keyframes of `body`; you need not write this method.
  func append(to sequence: inout KeyframeSequence<Value>)
}

extension KeyframeTrackContent where Body.Value == Value {
  /// Adds the keyframes of `body` to `sequence`, in order.
  public func append(to sequence: inout KeyframeSequence<Value>) {
    body.append(to: &sequence)
  }
}

extension KeyframeTrackContent where Body == Self {
  /// The content itself: it is not made of other content.
  public var body: Self { self }

  /// Adds nothing: content that is its own body adds its keyframes itself.
  public func append(to sequence: inout KeyframeSequence<Value>) {}
}

/// Keyframes in sequence as data.
///
/// - Complexity: Adding a keyframe takes amortised constant time.
public struct KeyframeSequence<Value: Animatable>: KeyframeTrackContent, Sendable {
  /// A sequence is its own body.
  public typealias Body = KeyframeSequence<Value>

  package var keyframes: [Keyframe<Value.AnimatableData>]

  /// A sequence without keyframes: a track of it keeps the initial value.
  public init() { keyframes = [] }

  /// The keyframes of `content`, in order.
  public init(@KeyframeTrackContentBuilder<Value> content: () -> some KeyframeTrackContent<Value>) {
    self.init()
    content().append(to: &self)
  }

  /// Adds the keyframes of this sequence to another.
  public func append(to sequence: inout KeyframeSequence<Value>) {
    sequence.keyframes += keyframes
  }
}
