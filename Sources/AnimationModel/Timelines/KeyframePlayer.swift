// SPDX-License-Identifier: MIT

/// A keyframe animation that triggers start, or that repeats without end. It keeps the running timeline and its start.
///
/// ```swift
/// var hop = KeyframePlayer(initialValue: 0.0) { start in
///   CubicKeyframe(start + 20, duration: 0.2)
/// }
/// hop.trigger(at: 3)
/// print(hop.value(at: 3.1))
/// ```
///
/// The behaviour is that of SwiftUI's `KeyframeAnimator`. A trigger during a run starts the keyframes anew from the value
/// and the velocity reached; a trigger after the end starts them from the initial value, or from the last one if asked to.
/// After the end the last value holds. Time is an argument, in seconds on any clock of yours.
public struct KeyframePlayer<Value> {
  /// Where the keyframes start when they are triggered while nothing runs.
  public enum IdleStart: Hashable, Sendable {
    /// At the initial value, as recorded from SwiftUI.
    case initialValue
    /// At the value that the last run ended with, as SwiftUI's documentation says.
    case currentValue
  }

  /// The value before the first trigger.
  public let initialValue: Value

  /// Where the keyframes start when they are triggered while nothing runs.
  public let idleStart: IdleStart

  /// The timeline that runs or has run last; nil before the first trigger.
  public private(set) var timeline: KeyframeTimeline<Value>?

  private let makeTimeline: @Sendable (Value, CarriedMotion<Value>) -> KeyframeTimeline<Value>
  private var clock = Clock.waiting

  /// How the timeline's time follows from the outer time.
  private enum Clock: Sendable {
    case waiting
    case playing(start: Double)
    case repeating(start: Double)
    case paused(elapsed: Double)
  }

  /// An animation that waits for its first trigger; `keyframes` is called with the value that a run starts from.
  public init<Content: Keyframes<Value> & SendableMetatype>(
    initialValue: Value, idleStart: IdleStart = .initialValue,
    @KeyframesBuilder<Value> keyframes: @escaping @Sendable (Value) -> Content
  ) {
    self.initialValue = initialValue
    self.idleStart = idleStart
    makeTimeline = { value, carried in
      KeyframeTimeline(initialValue: value, carrying: carried, content: keyframes(value))
    }
  }

  /// An animation that repeats without end from `start` on; `keyframes` is called once, with the initial value.
  ///
  /// The moment between two iterations belongs to the later one, and shows the initial value. Triggers have no effect.
  public init<Content: Keyframes<Value> & SendableMetatype>(
    initialValue: Value, repeatingFrom start: Double,
    @KeyframesBuilder<Value> keyframes: @escaping @Sendable (Value) -> Content
  ) {
    self.init(initialValue: initialValue, keyframes: keyframes)
    timeline = makeTimeline(initialValue, .none)
    clock = .repeating(start: start)
  }
}

extension KeyframePlayer: Sendable where Value: Sendable {}

// MARK: - Control

extension KeyframePlayer {
  /// Starts the keyframes at a time.
  public mutating func trigger(at time: Double) {
    switch clock {
    case .repeating, .paused:
      return
    case .playing(let start):
      if let timeline, time < start + timeline.duration {
        // Before its own start a run has not moved yet.
        let elapsed = max(0, time - start)
        let current = timeline.value(time: elapsed)
        self.timeline = makeTimeline(current, .timeline(timeline, time: elapsed))
      } else {
        self.timeline = makeTimeline(idleStart == .initialValue ? initialValue : value(at: time), .none)
      }
    case .waiting:
      timeline = makeTimeline(initialValue, .none)
    }
    clock = .playing(start: time)
  }

  /// Stops a repeating animation where it is; any other is left alone.
  public mutating func pause(at time: Double) {
    guard case .repeating = clock else { return }
    clock = .paused(elapsed: elapsed(at: time))
  }

  /// Lets a paused animation go on from where it was.
  public mutating func resume(at time: Double) {
    guard case .paused(let elapsed) = clock else { return }
    clock = .repeating(start: time - elapsed)
  }
}

// MARK: - Reading

extension KeyframePlayer {
  /// The value at a time.
  public func value(at time: Double) -> Value {
    timeline?.value(time: elapsed(at: time)) ?? initialValue
  }

  /// Writes the rate of change at a time, per second, into the tracked properties of `velocity`.
  public func update(velocity: inout Value, at time: Double) {
    timeline?.update(velocity: &velocity, time: elapsed(at: time))
  }

  /// Whether keyframes are running at a time.
  public func isPlaying(at time: Double) -> Bool {
    switch clock {
    case .waiting, .paused: false
    case .playing(let start): time >= start && time < start + (timeline?.duration ?? 0)
    case .repeating(let start): time >= start
    }
  }

  /// The timeline's time at an outer time.
  private func elapsed(at time: Double) -> Double {
    switch clock {
    case .waiting:
      return 0
    case .playing(let start):
      // From its end on a run is over, however the difference is rounded.
      let duration = timeline?.duration ?? 0
      return time < start + duration ? time - start : max(time - start, duration)
    case .repeating(let start):
      guard let duration = timeline?.duration, duration > 0, duration < .infinity, time > start else {
        return time - start
      }
      return (time - start).truncatingRemainder(dividingBy: duration)
    case .paused(let elapsed):
      return elapsed
    }
  }
}
