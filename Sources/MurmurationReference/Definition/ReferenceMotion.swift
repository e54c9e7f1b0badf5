// SPDX-License-Identifier: MIT
package import Murmuration

/// A motion whose state is known at any time; a batch that plays it is compared with it.
///
/// A track stands (``StillMotion``), follows a spring (``SpringMotion``), slows down (``SlideMotion``), adds effects up
/// (``SumMotion``), plays a clip (``ClipMotion``), or follows its goal (``FollowMotion``).
package protocol ReferenceMotion: Sendable {
  /// The number of values at each time.
  var dimensions: Int { get }
  /// The spring that the track follows when it is sent elsewhere without one; nil for `Spring()`.
  var successor: Spring? { get }

  /// The state of a dimension at a time; a time before the start counts as the start.
  func sample(_ dimension: Int, at time: Double) -> MotionSample

  /// The state of all dimensions at a time.
  func samples(at time: Double) -> [MotionSample]

  /// The state of all dimensions, with the bound of a batch that has the motion at rest as soon as it may.
  func samples(at time: Double, _ tolerance: RestTolerances) -> [MotionSample]

  /// Whether the motion moves the track at a time.
  func standing(at time: Double, _ tolerance: RestTolerances) -> Standing

  /// Lets time pass, for a motion that steps from one call to the next.
  mutating func advance(to time: Double)
}

/// Whether a track is known to stand at its target, or to move.
package enum Standing { case stands, moves, unknown }

extension ReferenceMotion {
  package var successor: Spring? { nil }

  package func samples(at time: Double) -> [MotionSample] { (0..<dimensions).map { sample($0, at: time) } }

  package func samples(at time: Double, _ tolerance: RestTolerances) -> [MotionSample] { samples(at: time) }

  package mutating func advance(to time: Double) {}
}

/// A motion that comes to rest by itself: a spring, or a slide. Effects of animations can be added to it.
package protocol RestingMotion: ReferenceMotion {
  /// The time at which the track set out.
  var start: Double { get }
  /// The end of each dimension.
  var ends: [MotionSample] { get }
  /// The motion as a value of the model.
  var model: AnimatedValue<Components> { get }
  /// The first time at which the model may have the motion at its end.
  var earliestModelRest: Double { get }

  /// Whether a batch may have the motion at rest at a time.
  func mayRest(at time: Double, _ tolerance: RestTolerances) -> Bool
}

extension RestingMotion {
  /// Whether the track is exactly at its end, and does not move.
  package func stands(at time: Double) -> Bool {
    zip(samples(at: time), ends).allSatisfy { $0.value == $1.value && $0.velocity == 0 }
  }

  package func samples(at time: Double, _ tolerance: RestTolerances) -> [MotionSample] {
    mayRest(at: time, tolerance) ? samples(at: time).allowing(ends) : samples(at: time)
  }

  package func standing(at time: Double, _ tolerance: RestTolerances) -> Standing {
    guard mayRest(at: time, tolerance) else { return .moves }
    return stands(at: time) && start < time ? .stands : .unknown
  }
}

/// A track that stands where it is. With a velocity, it is held there by a hand that moves.
struct StillMotion: ReferenceMotion {
  let states: [MotionSample]

  var dimensions: Int { states.count }

  func sample(_ dimension: Int, at time: Double) -> MotionSample { states[dimension] }

  func standing(at time: Double, _ tolerance: RestTolerances) -> Standing { .stands }
}
