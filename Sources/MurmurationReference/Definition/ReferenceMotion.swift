// SPDX-License-Identifier: MIT
package import Murmuration

/// A motion whose state is known at any time; a batch that plays it is compared with it.
///
/// A track stands (``StillMotion``), follows a spring (``SpringMotion``), slows down (``SlideMotion``), adds effects up
/// (``SumMotion``), plays a clip (``ClipMotion``), or follows its goal (``FollowMotion``).
package protocol ReferenceMotion: Sendable {
  /// The spring that the track follows when it is sent elsewhere without one; nil for `Spring()`.
  var successor: Spring? { get }

  /// The state of all dimensions at a time; a time before the start counts as the start.
  func samples(at time: Double) -> [MotionSample]

  /// Whether the motion moves the track at a time.
  func standing(at time: Double, _ tolerance: RestTolerances) -> Standing

  /// Lets time pass, for a motion that steps from one call to the next.
  mutating func advance(to time: Double)

  /// The motion at another pace from a time on: its moments lie closer to that time, or farther from it.
  ///
  /// - Parameter ratio: The new pace divided by the present one.
  func paced(by ratio: Double, at time: Double) -> Self
}

/// Whether a track is known to stand at its target, or to move.
package enum Standing { case stands, moves, unknown }

extension ReferenceMotion {
  package var successor: Spring? { nil }

  /// The state of a dimension at a time.
  package func sample(_ dimension: Int, at time: Double) -> MotionSample { samples(at: time)[dimension] }

  package mutating func advance(to time: Double) {}

  package func paced(by ratio: Double, at time: Double) -> Self { self }
}

extension MotionSample {
  /// The state of a motion at another pace.
  func paced(by ratio: Double) -> MotionSample {
    let rounding = ratio == 1 ? 0 : ErrorBound.rounding(of: velocity * ratio)
    return MotionSample(
      value: value, velocity: velocity * ratio,
      bound: ErrorBound(value: bound.value, velocity: ErrorBound.passed(bound.velocity, by: ratio) + rounding))
  }
}

extension RestingComponent {
  func paced(by ratio: Double) -> RestingComponent {
    RestingComponent(start: start.paced(by: ratio), end: end, inherited: inherited, scale: scale)
  }
}

/// A motion that comes to rest by itself: a spring, or a slide. Effects of animations can be added to it.
///
/// A batch evaluates it within 8 u · S, where S is the scale of the motion at its start. The end is added last, which
/// adds half a unit in the last place: of the end, or of the value where that has passed the next power of two.
package protocol RestingMotion: ReferenceMotion {
  /// The time at which the track set out.
  var start: Double { get }
  /// The dimensions.
  var components: [RestingComponent] { get }
  /// The ratio of velocities to distances: ω₀ of a spring, k of a slide; 0 for a jump, which has no error.
  var frequency: Double { get }
  /// The motion as a value of the model.
  var model: AnimatedValue<Components> { get }
  /// The first time at which the model may have the motion at its end. The motion must not be at rest yet.
  var earliestModelRest: Double { get }

  /// The exact state of a component at a time; its bound is not used.
  func state(of component: RestingComponent, at time: Double) -> MotionSample

  /// Whether a batch may have the motion at rest at a time.
  func mayRest(at time: Double, _ tolerance: RestTolerances) -> Bool
}

/// One dimension of a motion that comes to rest by itself.
package struct RestingComponent: Sendable {
  /// The state at the start, with the errors that the batch started with.
  let start: MotionSample
  /// The end, with the error of the state that it was computed from.
  let end: MotionSample
  /// The errors of the start as the size of a motion.
  let inherited: Double
  /// S.
  let scale: Double
}

extension RestingMotion {
  package var ends: [MotionSample] { components.map(\.end) }

  package func samples(at time: Double) -> [MotionSample] {
    components.map { component in
      // Whether a jump has begun at its very moment is not said.
      if frequency == 0 { return (time > start ? component.end : component.start).allowing(component.end) }
      var sample = state(of: component, at: time)
      let error = component.inherited + ErrorBound.perMotion * component.scale
      let rounding = ErrorBound.rounding(of: max(abs(sample.value), abs(component.end.value)))
      sample.bound = ErrorBound(value: error + rounding, velocity: error * frequency)
      return sample
    }
  }

  /// Whether a batch, which started with an error, may move where the motion does not.
  package var mayDrift: Bool { components.contains { $0.start.bound.velocity > 0 } }

  /// Whether the track is exactly at its end, and does not move.
  package func stands(at time: Double) -> Bool {
    zip(samples(at: time), ends).allSatisfy { $0.value == $1.value && $0.velocity == 0 }
  }

  /// The state of all dimensions, with the bound of a batch that has the motion at rest as soon as it may.
  package func samples(at time: Double, _ tolerance: RestTolerances) -> [MotionSample] {
    mayRest(at: time, tolerance) ? samples(at: time).allowing(ends) : samples(at: time)
  }

  package func standing(at time: Double, _ tolerance: RestTolerances) -> Standing {
    guard mayRest(at: time, tolerance) else { return .moves }
    // A batch has none at rest sooner after its start, even if it leads nowhere.
    let least = frequency == 0 ? 0 : min(1 / 30, .pi / (4 * frequency))
    return stands(at: time) && time > start + least ? .stands : .unknown
  }
}

/// A track that stands where it is. With a velocity, it is held there by a hand that moves.
struct StillMotion: ReferenceMotion {
  let states: [MotionSample]

  func samples(at time: Double) -> [MotionSample] { states }

  func standing(at time: Double, _ tolerance: RestTolerances) -> Standing { .stands }
}
