// SPDX-License-Identifier: MIT

/// A keyframe that moves to its value along a timing curve, in a straight line through the value's space.
public struct LinearKeyframe<Value: Animatable>: KeyframeTrackContent, Sendable {
  /// A keyframe is its own body.
  public typealias Body = LinearKeyframe<Value>

  private let keyframe: Keyframe<Value.AnimatableData>

  /// A keyframe that reaches `to` after `duration` seconds.
  ///
  /// A duration of zero (or negative, or not a number) makes it a ``MoveKeyframe``.
  public init(_ to: Value, duration: Double, timingCurve: UnitCurve = .linear) {
    keyframe = .linear(to: to.animatableData, duration: duration, timingCurve: timingCurve)
  }

  /// Adds this keyframe to `sequence`.
  public func append(to sequence: inout KeyframeSequence<Value>) { sequence.keyframes.append(keyframe) }
}
