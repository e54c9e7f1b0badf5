// SPDX-License-Identifier: MIT

/// A keyframe that moves towards its value on a spring.
public struct SpringKeyframe<Value: Animatable>: KeyframeTrackContent, Sendable {
  /// A keyframe is its own body.
  public typealias Body = SpringKeyframe<Value>

  private let keyframe: Keyframe<Value.AnimatableData>

  /// A keyframe that heads for `to` during `duration` seconds.
  ///
  /// Without a duration it lasts for the settling duration of the spring, with an epsilon of 0.0001 units of the value.
  /// When the duration ends before the spring has settled, the next keyframe starts from the value and velocity reached. A
  /// start velocity of `nil` means the velocity at the end of the keyframe before, or zero at the start of the track. A
  /// duration of zero (or negative, or not a number) makes it a ``MoveKeyframe``.
  public init(_ to: Value, duration: Double? = nil, spring: Spring = Spring(), startVelocity: Value? = nil) {
    keyframe = .spring(
      to: to.animatableData, duration: duration, spring: spring, startVelocity: startVelocity?.animatableData)
  }

  /// Adds this keyframe to `sequence`.
  public func append(to sequence: inout KeyframeSequence<Value>) { sequence.keyframes.append(keyframe) }
}
