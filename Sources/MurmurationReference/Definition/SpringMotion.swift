// SPDX-License-Identifier: MIT
package import Murmuration

/// A track on a spring, in Double, with the error that a batch may show beside it.
///
/// Its scale is max(|value − target|, |velocity|/ω₀).
///
/// A batch continues from values that it rounded, so each retarget passes its error on. The error, x in value and v in
/// velocity, is kept as the size of a motion: √(x² + (v/ω₀)²). Its square changes by −4 ζ v²/ω₀ per second, so no
/// spring lets it grow. An undamped spring turns all of it into value, and back. With a softer spring an error in
/// velocity counts more, by the ratio of the frequencies.
///
/// A batch that has the motion at rest shows exactly the target, and continues from there without an error.
package struct SpringMotion: RestingMotion {
  /// The spring that the track follows.
  package let spring: Spring
  /// The time at which it set out.
  package let start: Double
  package let components: [RestingComponent]

  package var successor: Spring? { spring }

  // MARK: - Setting out

  /// A track that sets out from exactly these numbers. Without targets it is at rest at its values.
  package init(_ spring: Spring, values: [Float], velocities: [Float] = [], targets: [Float]? = nil, at time: Double) {
    let samples = MotionSample.exact(values, velocities: velocities)
    self.init(spring, from: samples, to: (targets ?? values).map(Double.init), at: time)
  }

  /// A track that takes over another motion's state at a time.
  ///
  /// - Parameter last: That motion, if it is one on a spring, and no batch has it at rest.
  package init(
    _ spring: Spring, from samples: [MotionSample], to targets: [Double], at time: Double,
    after last: SpringMotion? = nil
  ) {
    self.spring = spring
    start = time
    let frequency = spring.naturalFrequency
    // The errors of a spring are those of one motion: what is in the value is not in the velocity.
    let growth = last.flatMap { $0.spring.jumps ? nil : max(1, $0.spring.naturalFrequency / frequency) }
    components = zip(samples, targets).map { sample, target in
      let (x, v) = (sample.bound.value, sample.bound.velocity / frequency)
      let inherited = growth.map { x * $0 } ?? (x * x + v * v).squareRoot()
      let scale = max(abs(sample.value - target), abs(sample.velocity) * (1 / frequency))
      let end = MotionSample(value: target, bound: ErrorBound(value: spring.jumps ? 0 : inherited))
      return RestingComponent(start: sample, end: end, inherited: inherited, scale: scale)
    }
  }

  /// Sends the track to new targets, with a new spring or its own.
  package mutating func retarget(to targets: [Double], _ next: Spring?, at time: Double) {
    self = SpringMotion(next ?? spring, from: samples(at: time), to: targets, at: time, after: self)
  }

  private init(_ spring: Spring, _ components: [RestingComponent], at time: Double) {
    (self.spring, self.components, start) = (spring, components, time)
  }

  package func paced(by ratio: Double, at time: Double) -> SpringMotion {
    SpringMotion(spring.paced(by: ratio), components.map { $0.paced(by: ratio) }, at: time.paced(start, by: ratio))
  }

  // MARK: - Reading

  package var frequency: Double { spring.jumps ? 0 : spring.naturalFrequency }

  /// The target of a dimension.
  package func target(_ dimension: Int) -> Float { Float(components[dimension].end.value) }

  package var model: AnimatedValue<Components> {
    AnimatedValue(
      Components(components.map(\.start.value)), velocity: Components(components.map(\.start.velocity)),
      target: Components(components.map(\.end.value)), with: spring, at: start)
  }

  package func state(of component: RestingComponent, at time: Double) -> MotionSample {
    let target = component.end.value
    var state = component.start
    if time > start {
      spring.update(value: &state.value, velocity: &state.velocity, target: target, deltaTime: time - start)
    }
    return state
  }

  // MARK: - Rest

  /// The distance of a motion from rest, summed over all dimensions, and the limits with which a batch may have it at
  /// rest.
  package typealias Rest = (distance: ErrorBound, limit: ErrorBound)

  /// The distance of the track from rest at a time; a jump is at rest at once.
  ///
  /// A batch judges by its own motion, which may have started with an error. It works in Float: below 2⁻¹²⁰ of its
  /// scale a motion is over, whatever the tolerance.
  package func rest(at time: Double, _ tolerance: RestTolerances) -> Rest {
    let least = 0x1p-120 * components.reduce(0) { $0 + $1.scale }
    var (distance, limit) = (ErrorBound(), tolerance.limit(frequency))
    limit = ErrorBound(value: max(limit.value, least), velocity: max(limit.velocity, least * frequency))
    for component in components where !spring.jumps {
      let shown = state(of: component, at: time)
      distance.add(ErrorBound(value: abs(shown.value - component.end.value), velocity: abs(shown.velocity)))
      limit.add(ErrorBound(value: component.inherited, velocity: component.inherited * frequency))
    }
    return (distance, limit)
  }

  package func mayRest(at time: Double, _ tolerance: RestTolerances) -> Bool {
    let (distance, limit) = rest(at: time, tolerance)
    return distance.value <= limit.value && distance.velocity <= limit.velocity
  }

  /// The first time at which the model may have the motion at its end, once other effects add to it: when value and
  /// velocity stay within 10⁻⁴ of their scales. A batch that starts with an error has other scales, by a millionth or
  /// so, which is a hundredth of that tolerance.
  package var earliestModelRest: Double {
    let way = Components(components.map { $0.end.value - $0.start.value })
    let velocity = Components(components.map(\.start.velocity))
    let scale = max(way.magnitude, velocity.magnitude * (1 / frequency))
    let tolerance = 1.01e-4 * scale + components.reduce(0) { $0 + $1.inherited }
    return start
      + spring.restTime(
        target: way, initialVelocity: velocity, tolerance: tolerance, velocityTolerance: tolerance * frequency)
  }
}

extension RestTolerances {
  /// The largest distance and the largest speed at rest; unless given, that of a spring at that distance.
  func limit(_ frequency: Double) -> ErrorBound {
    ErrorBound(value: Double(value), velocity: velocity.map(Double.init) ?? Double(value) * frequency)
  }
}
