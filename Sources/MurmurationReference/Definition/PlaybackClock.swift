// SPDX-License-Identifier: MIT
package import Murmuration

/// The time of a clip that a playback shows at each time, one at a time and straight from the definition.
package struct PlaybackClock: Sendable {
  package enum Phase: Sendable { case waiting, playing, over }

  /// The position of a playback: its iteration, from 0, and the seconds of the iteration that are over.
  package typealias Position = (phase: Phase, iteration: Double, seconds: Double)

  let playback: Playback
  /// The duration of the clip in seconds.
  package let duration: Double
  /// Seconds of the clip per second.
  package private(set) var speed: Double
  /// The direction; a playback at speed 0 keeps its direction.
  private var isBackwards: Bool
  /// The time at which `played` seconds are over; nothing moves before it.
  private var origin: Double
  private var played: Double
  /// The first iteration that is played.
  private var firstIteration = 0.0
  /// The share of the clip to which it was moved last; 0 if that was a time, or if it was not.
  private var share = 0.0
  /// The last iteration that was reported, or the first iteration.
  var reportedIteration = 0.0
  var isEndReported = false

  /// A playback that starts with a call at a time.
  package init(_ playback: Playback, duration: Double, at now: Double) {
    (self.playback, self.duration) = (playback, duration)
    (speed, isBackwards) = (playback.speed, playback.speed < 0)
    (origin, played) = ((playback.start ?? now) + playback.delay, playback.timeOffset)
    reportedIteration = position(at: max(now, origin)).iteration
  }

  // MARK: - Reading

  /// The number of iterations.
  var iterations: Double { if case .count(let count) = playback.repetition { Double(count) } else { .infinity } }

  /// The seconds played at a time, all iterations together.
  private func total(at time: Double) -> Double { played + (time - origin) * abs(speed) }

  /// The position at a time, or the position after some more seconds of playing. At the moment of its end it is over,
  /// and shows the end.
  package func position(at time: Double, nudge: Double = 0) -> Position {
    let total = total(at: time) + (speed == 0 ? 0 : nudge)
    if time < origin || total < 0 { return (.waiting, firstIteration, 0) }
    if duration == 0 { return speed == 0 && total == 0 ? (.playing, firstIteration, 0) : (.over, lastIteration, 0) }
    let end = iterations * duration
    if total > end || total == end && speed != 0 { return (.over, lastIteration, duration) }
    let iteration = max(firstIteration, (total / duration).rounded(.up) - 1)
    return (.playing, iteration, min(max(total - iteration * duration, 0), duration))
  }

  /// The distance in seconds of playing between a time and the one instant of a clip of no length; nil for other clips.
  package func distanceFromInstant(at time: Double) -> Double? { duration == 0 ? abs(total(at: time)) : nil }

  /// Whether an iteration goes from the end of the clip to its start.
  package func isReversed(_ iteration: Double) -> Bool {
    (playback.autoreverses && iteration.truncatingRemainder(dividingBy: 2) == 1) != isBackwards
  }

  /// The seconds of the clip by which a batch may be off, since it counts in 2⁻³² of a clip: two of these, and the
  /// rounding of the clock.
  package func margin(at time: Double) -> Double {
    duration * 0x1p-31 + (max(abs(time), abs(origin)) * abs(speed) + abs(played)) * 0x1p-49
  }

  /// By how much the position within an iteration changes, at most, if the clip is longer by a second.
  package func durations(in iteration: Double) -> Double { iteration + (isReversed(iteration) ? 1 : 0) + share }

  /// The iteration that begins within the margin of a time, or the end of the last one; nil without them.
  package func boundary(at time: Double) -> Double? {
    guard duration > 0 else { return nil }
    let number = min(max((total(at: time) / duration).rounded(), 0), iterations)
    return abs(total(at: time) - number * duration) <= margin(at: time) ? number : nil
  }

  /// The number of the last iteration; 0 without one.
  package var lastIteration: Double { iterations < .infinity ? iterations - 1 : 0 }

  /// Whether the playback has an iteration of this number.
  package func plays(_ iteration: Double) -> Bool { iteration >= firstIteration && iteration < iterations }

  /// The first time at which an iteration is played; never before the start.
  package func start(ofIteration iteration: Double) -> Double {
    speed == 0 ? .infinity : max(origin, origin + (iteration * duration - played) / abs(speed))
  }

  /// When the last iteration ends; infinite if it never does.
  package var end: Double {
    if speed == 0 { return position(at: origin).phase == .over ? origin : .infinity }
    return start(ofIteration: duration == 0 ? 0 : iterations)
  }

  /// The seconds of playing between the end of the last iteration and a time; nil if it has no end.
  package func secondsAfterEnd(at time: Double) -> Double? {
    iterations < .infinity && duration > 0 ? total(at: time) - iterations * duration : nil
  }

  // MARK: - Changes

  /// Counts from a time on, so that a change leaves earlier times alone. The one instant of a clip of no length is over
  /// then.
  package mutating func anchor(at now: Double) {
    let position = position(at: now)
    switch position.phase {
    case .waiting where now < origin: return
    case .waiting: played = total(at: now)
    case .playing: (played, firstIteration) = (position.iteration * duration + position.seconds, position.iteration)
    case .over where duration == 0: played = 1
    // The moment of the end shows the end until time passes.
    case .over where boundary(at: now) == iterations: played = iterations * duration
    case .over: (played, firstIteration) = ((iterations + 1) * duration, iterations)
    }
    origin = now
  }

  /// Continues at another speed from where it is. A playback that is over and turns round goes back.
  package mutating func setSpeed(_ newSpeed: Double, at now: Double) {
    anchor(at: now)
    let turns = newSpeed != 0 && (newSpeed < 0) != isBackwards
    let position = position(at: now)
    if turns, duration > 0, position.phase != .waiting {
      (played, firstIteration) = (position.iteration * duration + (duration - position.seconds), position.iteration)
      if position.phase == .over { isEndReported = false }
    }
    (speed, isBackwards) = (newSpeed, isBackwards != turns)
  }

  /// Stands where it is from a time on, also at the one instant of a clip of no length.
  package mutating func stand(at now: Double) {
    guard distanceFromInstant(at: now) == 0 else { return setSpeed(0, at: now) }
    (speed, origin, played) = (0, now, 0)
  }

  /// Continues from a share of the clip, within its current iteration.
  package mutating func seek(toShare share: Double, at now: Double) {
    seek(to: share * duration, at: now)
    self.share = min(max(share, 0), 1)
  }

  /// Continues from a time of the clip, within its current iteration.
  package mutating func seek(to time: Double, at now: Double) {
    anchor(at: now)
    share = 0
    let position = position(at: max(now, origin))
    if position.phase == .over, duration > 0 { isEndReported = false }
    (origin, firstIteration) = (now, position.iteration)
    reportedIteration = max(reportedIteration, firstIteration)
    let local = min(max(time, 0), duration)
    let passed = isReversed(firstIteration) ? duration - local : local
    played = firstIteration * duration + passed
    // The very end belongs to the iteration, and is the end of all iterations after the last, whatever the sum is
    // rounded to.
    let end = (firstIteration + 1) * duration
    if duration > 0, passed == duration { played = firstIteration + 1 < iterations ? end.nextDown : end }
  }
}
