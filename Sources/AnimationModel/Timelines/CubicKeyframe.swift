// SPDX-License-Identifier: MIT

/// A keyframe that moves to its value along a cubic curve; neighbouring cubic keyframes join smoothly.
public struct CubicKeyframe<Value: Animatable>: KeyframeTrackContent, Sendable {
  /// A keyframe is its own body.
  public typealias Body = CubicKeyframe<Value>

  private let keyframe: Keyframe<Value.AnimatableData>

  /// A keyframe that reaches `to` after `duration` seconds.
  ///
  /// Velocities are in units of the value per second. A velocity of `nil` follows from the neighbour. Between two cubic
  /// keyframes it is the velocity of a Catmull-Rom spline with their durations. Next to another kind of keyframe it is
  /// that keyframe's velocity. At the ends of the track, and next to a move, it is zero. A duration of zero (or
  /// negative, or not a number) makes it a ``MoveKeyframe``.
  public init(_ to: Value, duration: Double, startVelocity: Value? = nil, endVelocity: Value? = nil) {
    keyframe = .cubic(
      to: to.animatableData, duration: duration, startVelocity: startVelocity?.animatableData,
      endVelocity: endVelocity?.animatableData)
  }

  /// Adds this keyframe to `sequence`.
  public func append(to sequence: inout KeyframeSequence<Value>) { sequence.keyframes.append(keyframe) }
}
