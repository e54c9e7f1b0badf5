// SPDX-License-Identifier: MIT

/// A spring that goes its own way from zero to one; a later one adds its effect.
///
/// The closed form is SwiftUI's and Core Animation's: an overdamped spring counts as critical, and the motion ends when
/// the envelope has shrunk to a thousandth (a critical one at a multiple of 0.1 s).
struct InterpolatingSpringAnimation: TimedAnimation {
  /// Underdamped or critical.
  let spring: Spring
  /// In fractions of the distance per second.
  let initialVelocity: Double

  init(mass: Double, stiffness: Double, damping: Double, initialVelocity: Double) {
    spring = Spring(mass: mass, stiffness: stiffness, damping: damping)
    self.initialVelocity = initialVelocity
  }

  init(spring: Spring, initialVelocity: Double) {
    self.spring =
      spring.angularFrequency < 0
      ? Spring(
        naturalFrequency: spring.naturalFrequency, decayConstant: spring.naturalFrequency, angularFrequency: 0,
        mass: spring.mass)
      : spring
    self.initialVelocity = initialVelocity
  }

  var end: Double { spring.coreAnimationSettlingDuration(initialVelocity: initialVelocity) }

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    if time.fromStart >= spring.duration { context.isLogicallyComplete = true }
    guard time.fromStart < end else { return nil }
    return value.scaled(by: spring.value(target: 1.0, initialVelocity: initialVelocity, time: time.fromStart))
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    // On a clock that runs backwards it stands at its start.
    guard time >= 0, time < end else { return .zero }
    return value.scaled(by: spring.velocity(target: 1.0, initialVelocity: initialVelocity, time: time))
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { end }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    min(spring.duration, end)
  }
}
