// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A slide whose end is its target. It never finishes, unless its components have bounds.
struct DecelerationAnimation: TimedAnimation {
  /// The share of the velocity that is lost, per second.
  let decayConstant: Double
  /// The components of a slide within bounds, and when all are at rest; nil without bounds.
  var bounded: Bounded?

  struct Bounded: Hashable, Sendable {
    let components: [BoundedSlide]
    let end: Double
  }

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    guard let bounded else { return value.scaled(by: -expm1(-decayConstant * max(0, time))) }
    guard time <= bounded.end else { return nil }
    let age = max(0, time)
    return Self.vector(bounded.components) { $0.value(at: age) - $0.start }
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    let age = max(0, time)
    guard let bounded else { return value.scaled(by: decayConstant * exp(-decayConstant * age)) }
    return Self.vector(bounded.components) { $0.velocity(at: age) }
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { bounded?.end ?? .infinity }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    bounded?.end ?? .infinity
  }

  /// A number of each component; nil for vectors other than those of tracks.
  private static func vector<V: VectorArithmetic>(_ slides: [BoundedSlide], _ number: (BoundedSlide) -> Double) -> V? {
    #if hasFeature(Embedded)
      nil
    #else
      TrackVector(count: slides.count) { number(slides[$0]) } as? V
    #endif
  }
}

extension Animation {
  /// A motion whose velocity decays at the rate `decayConstant`, in 1/s.
  package static func deceleration(decayConstant: Double) -> Animation {
    Animation(form: .deceleration(DecelerationAnimation(decayConstant: decayConstant)))
  }
}

extension AnimatedValue<TrackVector> {
  /// A value that slides within bounds from a time on, a slide for each component.
  ///
  /// - Parameters:
  ///   - target: Their ends.
  ///   - end: When all are at rest, in seconds from the start.
  package init(_ slides: [BoundedSlide], target: TrackVector, at time: Double, end: Double) {
    let start = TrackVector(count: slides.count) { slides[$0].start }
    let bounded = DecelerationAnimation.Bounded(components: slides, end: end)
    self.init(
      start, target: target, at: time, with: Animation(form: .deceleration(.init(decayConstant: 0, bounded: bounded))))
  }
}
