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
    return Self.vector(TrackVector(of: bounded.components, .way, at: max(0, time)))
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    let age = max(0, time)
    guard let bounded else { return value.scaled(by: decayConstant * exp(-decayConstant * age)) }
    return Self.vector(TrackVector(of: bounded.components, .velocity, at: age))
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { bounded?.end ?? .infinity }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    bounded?.end ?? .infinity
  }

  /// The vector as one of another type; nil unless that is the type of tracks.
  private static func vector<V: VectorArithmetic>(_ vector: TrackVector) -> V? {
    #if hasFeature(Embedded)
      // Embedded builds cannot cast. No other vectors have slides within bounds.
      return MemoryLayout<V>.size == MemoryLayout<TrackVector>.size ? unsafe unsafeBitCast(vector, to: V.self) : nil
    #else
      return vector as? V
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
  /// - Parameter end: When all are at rest, in seconds from the start.
  package init(_ slides: [BoundedSlide], at time: Double, end: Double) {
    let bounded = DecelerationAnimation.Bounded(components: slides, end: end)
    self.init(
      TrackVector(of: slides, .start), target: TrackVector(of: slides, .target), at: time,
      with: Animation(form: .deceleration(.init(decayConstant: 0, bounded: bounded))))
  }
}

extension TrackVector {
  /// A number of a slide. A target is the end as batches show it, in Float.
  fileprivate enum SlideNumber { case start, target, way, velocity }

  // Functions of their own, so that the code for any animation stays short.

  /// A number of each slide.
  @inline(never)
  fileprivate init(of slides: [BoundedSlide], _ number: SlideNumber, at age: Double = 0) {
    self.init(count: slides.count) { slides[$0].number(number, at: age) }
  }
}

extension BoundedSlide {
  @inline(never)
  fileprivate func number(_ number: TrackVector.SlideNumber, at age: Double) -> Double {
    switch number {
    case .start: start
    case .target: Double(Float(end) + 0)
    case .way: value(at: age) - start
    case .velocity: velocity(at: age)
    }
  }
}
