// SPDX-License-Identifier: MIT
package import Murmuration

/// A track that slows down from the velocity it was flung with, in Double, with the error that a batch may show beside
/// it.
///
/// Its scale is |v₀|/k, where k is the decay constant.
package struct SlideMotion: RestingMotion {
  package let deceleration: Deceleration
  package let start: Double
  package let components: [RestingComponent]

  /// A track that slides from another motion's state at a time.
  package init(_ deceleration: Deceleration, from samples: [MotionSample], at time: Double) {
    (self.deceleration, start) = (deceleration, time)
    components = samples.map {
      let error = $0.bound.value + $0.bound.velocity / deceleration.decayConstant
      let value = deceleration.projectedEnd(from: $0.value, initialVelocity: $0.velocity)
      let end = MotionSample(
        value: value, bound: ErrorBound(value: error + 2 * ErrorBound.rounding(of: abs(value) + error)))
      let scale = abs($0.velocity) / deceleration.decayConstant
      return RestingComponent(start: $0, end: end, inherited: error, scale: scale)
    }
  }

  private init(_ deceleration: Deceleration, _ components: [RestingComponent], at time: Double) {
    (self.deceleration, self.components, start) = (deceleration, components, time)
  }

  package func paced(by ratio: Double, at time: Double) -> SlideMotion {
    SlideMotion(
      Deceleration(decayConstant: deceleration.decayConstant * ratio), components.map { $0.paced(by: ratio) },
      at: time.paced(start, by: ratio))
  }

  package var model: AnimatedValue<Components> {
    var model = AnimatedValue(Components(components.map(\.start.value)))
    let slowing = Animation.deceleration(decayConstant: deceleration.decayConstant)
    model.retarget(to: Components(ends.map(\.value)), with: slowing, at: start)
    return model
  }

  package var frequency: Double { deceleration.decayConstant }

  package func state(of component: RestingComponent, at time: Double) -> MotionSample {
    let (start, age) = (component.start, max(0, time - start))
    return MotionSample(
      value: deceleration.value(from: start.value, initialVelocity: start.velocity, time: age),
      velocity: deceleration.velocity(initialVelocity: start.velocity, time: age))
  }

  /// The model lets a slide go on for ever.
  package var earliestModelRest: Double { .infinity }

  /// The first time at which a batch may have the motion at rest. It is logically complete at rest, and not before.
  package func earliestRest(_ tolerance: RestTolerances) -> Double {
    let inherited = components.reduce(0) { $0 + $1.inherited }
    // The way of a batch leads to the end as it is rounded, and may be shorter.
    let speeds = components.map { max(0, abs($0.start.velocity) - ErrorBound.rounding(of: $0.end.value) * frequency) }
    return start
      + deceleration.restTime(
        initialVelocity: Components(speeds), tolerance: Double(tolerance.value) + inherited,
        velocityTolerance: tolerance.velocity.map { Double($0) + inherited * frequency })
  }

  package func mayRest(at time: Double, _ tolerance: RestTolerances) -> Bool { time >= earliestRest(tolerance) }

  /// A spring that is critically damped, and as fast.
  package var successor: Spring? { Spring(mass: 1, stiffness: frequency * frequency, damping: 2 * frequency) }
}
