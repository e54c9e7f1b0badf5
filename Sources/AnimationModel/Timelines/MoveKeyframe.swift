// SPDX-License-Identifier: MIT

/// A keyframe that takes no time: the value jumps.
///
/// The new value is seen strictly after the moment of the jump; at that moment the keyframe before still holds.
public struct MoveKeyframe<Value: Animatable>: KeyframeTrackContent, Sendable {
  /// A keyframe is its own body.
  public typealias Body = MoveKeyframe<Value>

  private let keyframe: Keyframe<Value.AnimatableData>

  /// A keyframe that jumps to `to`.
  public init(_ to: Value) { keyframe = .move(to: to.animatableData) }

  /// Adds this keyframe to `sequence`.
  public func append(to sequence: inout KeyframeSequence<Value>) { sequence.keyframes.append(keyframe) }
}
