// SPDX-License-Identifier: MIT

/// How a value changes over time, described by keyframes: a function of time that can be sampled anywhere.
///
/// ```swift
/// let hop = KeyframeTimeline(initialValue: 0.0) {
///   CubicKeyframe(100, duration: 0.3)
///   SpringKeyframe(0, spring: .bouncy)
/// }
/// print(hop.value(time: 0.15))
/// ```
///
/// All tracks start at time zero and run side by side; a shorter track holds its last value, and properties without
/// a track keep the initial value. Time is in seconds: before zero the initial value holds, after the end the last.
/// A boundary instant belongs to the earlier keyframe. A time that is not a number reads as the start.
public struct KeyframeTimeline<Value> {
  package let initialValue: Value
  package let tracks: [any ResolvedTrack<Value>]

  /// Seconds from the start to the end of the longest track; zero without keyframes, infinite if one never ends.
  public let duration: Double

  /// The timeline that `content` describes, from an initial value at rest.
  ///
  /// - Complexity: O(n) in the number of keyframes.
  public init(initialValue: Value, @KeyframesBuilder<Value> content: () -> some Keyframes<Value>) {
    self.init(initialValue: initialValue, carrying: .none, content: content())
  }

  /// The timeline that `content` describes, from an initial value in motion; SwiftUI has no such initialiser.
  ///
  /// Each tracked property of `initialVelocity` is that property's velocity in units per second. It is taken over by
  /// a first keyframe that is cubic or a spring and gives no velocity of its own.
  public init(
    initialValue: Value, initialVelocity: Value, @KeyframesBuilder<Value> content: () -> some Keyframes<Value>
  ) {
    self.init(initialValue: initialValue, carrying: .velocity(initialVelocity), content: content())
  }

  init(initialValue: Value, carrying carried: CarriedMotion<Value>, content: some Keyframes<Value>) {
    var plans = KeyframeTracks<Value>()
    content.append(to: &plans)
    let tracks = plans.plans.map { $0.track(from: initialValue, carrying: carried) }
    self.initialValue = initialValue
    self.tracks = tracks
    duration = tracks.reduce(0) { max($0, $1.duration) }
  }

  /// The value at `time` seconds from the start.
  ///
  /// - Complexity: O(log n) in the number of keyframes of a track.
  public func value(time: Double) -> Value {
    var value = initialValue
    update(value: &value, time: time)
    return value
  }

  /// The value at a share of the duration: 0 is the start and 1 the end.
  public func value(progress: Double) -> Value { value(time: progress * duration) }

  /// Writes the tracked properties at `time` seconds into `value`, and leaves its others alone.
  public func update(value: inout Value, time: Double) {
    for track in tracks { track.update(value: &value, time: time) }
  }

  /// Writes the tracked properties at a share of the duration into `value`, and leaves its others alone.
  public func update(value: inout Value, progress: Double) { update(value: &value, time: progress * duration) }

  /// The rate of change at `time` seconds: each tracked property is its own velocity, in units per second.
  ///
  /// Properties without a track keep the initial value; pass a value with zeros to `update(velocity:time:)` where that
  /// matters. Outside of a track's time its velocity is zero, and at a boundary it is that of the earlier keyframe. It
  /// is the exact derivative of `value(time:)`, which SwiftUI does not offer.
  public func velocity(time: Double) -> Value {
    var velocity = initialValue
    update(velocity: &velocity, time: time)
    return velocity
  }

  /// Writes the rates of change at `time` seconds, per second, into the tracked properties of `velocity`.
  public func update(velocity: inout Value, time: Double) {
    for track in tracks { track.update(velocity: &velocity, time: time) }
  }
}

extension KeyframeTimeline: Sendable where Value: Sendable {}
