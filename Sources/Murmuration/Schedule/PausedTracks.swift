// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The paused tracks, and the motion with which each goes on. A clip keeps its own pause, so a track that plays a clip is
/// here only if its phases or its waiting call are paused too.
struct PausedTracks: Sendable {
  /// The state of a track when it was paused.
  struct Pause: Sendable {
    let since: Double
    /// The motion of the track; nil if the track stood, or plays a clip.
    let motion: PausedMotion?
    /// The velocity of the track, by dimension; empty if it had no motion.
    let velocities: [Float]

    /// The time of a moment if the track goes on now. A moment that lay ahead at the pause is not in the past then, however
    /// sums are rounded.
    func moment(_ moment: Double, resumedAt now: Double) -> Double { now + (moment - since) }
  }

  private(set) var pauses: [Int: Pause] = [:]
  /// No pause began after this moment.
  var latest = -BatchLimits.maximumTime

  var count: Int { pauses.count }
  var isEmpty: Bool { pauses.isEmpty }
  func contains(_ slot: Int) -> Bool { !isEmpty && pauses[slot] != nil }
  subscript(slot: Int) -> Pause? { pauses[slot] }

  /// Whether the track of a slot goes on to follow.
  func isOfFollower(_ slot: Int) -> Bool {
    if !isEmpty, case .following? = pauses[slot]?.motion { true } else { false }
  }

  /// Notes that the track of a slot is paused.
  mutating func begin(_ slot: Int, _ pause: Pause) {
    pauses[slot] = pause
    latest = max(latest, pause.since)
  }

  /// Forgets the pause of a slot, and returns it.
  mutating func end(_ slot: Int) -> Pause? { isEmpty ? nil : pauses.removeValue(forKey: slot) }

  mutating func removeAll() { pauses.removeAll() }
}

/// The motion of a track that is paused, and what was reported of it.
enum PausedMotion: Sendable {
  case spring(HeldMotion, SpringWatch.Reported)
  case curve(HeldCurve)
  /// Goals and leaders stay where they are.
  case following(SpringCoefficients)
  case called(CalledMotions.Motion)
}

/// A curve that a track goes on with.
struct HeldCurve: Sendable {
  /// The curve, or the modified animation.
  let motion: MotionRequest
  let start: Double
  /// The value where it began, by dimension.
  let origin: [Float]
  let reported: SpringWatch.Reported
}
