// SPDX-License-Identifier: MIT

/// How an instance plays a clip: when, how fast, how often, and what it shows before and after.
///
/// The clip is played in *iterations*, each of which runs once from one end of the clip to the other. The iteration
/// that a time belongs to, and the time in it, follow from the time alone; nothing drifts. With s the ``speed`` and d
/// the clip's duration, the instance has played (now − ``start`` − ``delay``) · |s| + ``timeOffset`` seconds, and
/// iteration k lasts from k·d to (k + 1)·d of them.
///
/// The moment between two iterations belongs to the earlier one, and shows its end, as with
/// `Animation.repeatCount(_:)`; the moment of the end shows the end. (A `KeyframePlayer` that repeats gives the moment
/// in between to the later iteration.)
public struct Playback: Sendable, Equatable {
  /// The number of iterations.
  public enum Repetition: Sendable, Equatable {
    /// A number of iterations, 1…2⁵³.
    case count(Int)
    /// Iterations without end. A clip of no length is played once: it shows its start for an instant, and then what
    /// follows its end.
    case forever
  }

  /// When it starts, in seconds on the batch's clock, within ±``BatchLimits/maximumTime``; nil for now.
  public var start: Double?
  /// Seconds from the start during which it waits. A negative delay skips the beginning.
  public var delay: Double
  /// Seconds of the clip per second of the clock; any finite number. At a negative speed an iteration goes from the end
  /// to the start. At 0 the instance stands still at ``timeOffset``, and never ends.
  public var speed: Double
  /// The number of iterations.
  public var repetition: Repetition
  /// Whether every second iteration goes the other way.
  public var autoreverses: Bool
  /// Seconds that count as played when the delay is over, within ±``BatchLimits/maximumTime``. With a negative offset the
  /// instance waits for that time; with an offset beyond the first iteration it starts in a later one, or at the end.
  public var timeOffset: Double
  /// Whether it shows the first value while it waits, instead of the track's target.
  public var holdsBefore: Bool
  /// Whether it shows the last value when it is over, instead of the track's target.
  public var holdsAfter: Bool

  /// A playback of the given parameters: once, now, at the clip's own speed, holding before and after, unless given
  /// otherwise.
  public init(
    start: Double? = nil, delay: Double = 0, speed: Double = 1, repetition: Repetition = .count(1),
    autoreverses: Bool = false, timeOffset: Double = 0, holdsBefore: Bool = true, holdsAfter: Bool = true
  ) {
    self.start = start
    self.delay = delay
    self.speed = speed
    self.repetition = repetition
    self.autoreverses = autoreverses
    self.timeOffset = timeOffset
    self.holdsBefore = holdsBefore
    self.holdsAfter = holdsAfter
  }
}

extension Playback {
  /// The largest number of iterations that are counted.
  @inlinable package static var maximumLegs: Double { 0x1p53 }

  /// The reason why the playback is refused, or nil.
  package var defect: String? {
    if let start, !(start.magnitude <= BatchLimits.maximumTime) {
      return "the start must be within ±1e10 s, is \(start)"
    }
    guard delay.magnitude <= BatchLimits.maximumTime else { return "the delay must be within ±1e10 s, is \(delay)" }
    guard speed.isFinite else { return "the speed must be finite, is \(speed)" }
    guard timeOffset.magnitude <= BatchLimits.maximumTime else {
      return "the time offset must be within ±1e10 s, is \(timeOffset)"
    }
    if case .count(let count) = repetition, count < 1 || Double(count) > Self.maximumLegs {
      return "the number of iterations must be in 1…2⁵³, is \(count)"
    }
    return nil
  }
}
