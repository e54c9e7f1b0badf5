// SPDX-License-Identifier: MIT
package import Murmuration

/// A track that slows down from the velocity it was flung with, in Double, with the error that a batch may show beside
/// it.
///
/// A batch evaluates it within 8 u · |v₀|/k in value and 8 u · |v₀| in velocity, where k is the decay constant, plus
/// half a unit in the last place of the value or of the end, which is added last.
package struct SlideMotion: AddableMotion {
  package let deceleration: Deceleration
  package let start: Double
  /// The state at the start, by dimension. The bound of a value is the error that the batch started with, in value and
  /// in velocity · 1/k.
  private let components: [MotionSample]

  package var dimensions: Int { components.count }

  /// A track that slides from another motion's state at a time, or with given velocities.
  package init(_ deceleration: Deceleration, from samples: [MotionSample], velocities: [Float] = [], at time: Double) {
    self.deceleration = deceleration
    start = time
    components = samples.enumerated().map { index, sample in
      let handed = velocities.isEmpty ? sample.bound.velocity / deceleration.decayConstant : 0
      return MotionSample(
        value: sample.value, velocity: velocities.isEmpty ? sample.velocity : Double(velocities[index]),
        bound: ErrorBound(value: sample.bound.value + handed))
    }
  }

  /// Whether it has no way to go.
  package var stands: Bool { components.allSatisfy { $0.velocity == 0 } }

  /// The end of each dimension, with the error of the batch's start and its rounding.
  package var ends: [MotionSample] {
    zip(components, components.map(end)).map { start, end in
      MotionSample(value: end, bound: ErrorBound(value: start.bound.value + 2 * ErrorBound.rounding(of: end)))
    }
  }

  private func end(_ start: MotionSample) -> Double {
    deceleration.projectedEnd(from: start.value, initialVelocity: start.velocity)
  }

  package var model: AnimatedValue<Components> {
    var model = AnimatedValue(Components(components.map(\.value)))
    let slowing = Animation.deceleration(decayConstant: deceleration.decayConstant)
    model.retarget(to: Components(components.map(end)), with: slowing, at: start)
    return model
  }

  package func sample(_ dimension: Int, at time: Double) -> MotionSample {
    let motion = components[dimension]
    let age = max(0, time - start)
    let value = deceleration.value(from: motion.value, initialVelocity: motion.velocity, time: age)
    let error = motion.bound.value + ErrorBound.perMotion * abs(motion.velocity) / deceleration.decayConstant
    let rounding = ErrorBound.rounding(of: max(abs(value), abs(end(motion))))
    return MotionSample(
      value: value, velocity: deceleration.velocity(initialVelocity: motion.velocity, time: age),
      bound: ErrorBound(value: error + rounding, velocity: error * deceleration.decayConstant))
  }

  /// The state of a batch that has the motion at rest as soon as it may, by dimension.
  package func samples(at time: Double, _ tolerance: RestTolerances) -> [MotionSample] {
    time >= earliestRest(tolerance) ? samples(at: time).allowing(ends) : samples(at: time)
  }

  /// The first time at which a batch may have the motion at rest. It is logically complete at rest, and not before.
  package func earliestRest(_ tolerance: RestTolerances) -> Double {
    let inherited = components.reduce(0) { $0 + $1.bound.value }
    return start
      + deceleration.restTime(
        initialVelocity: Components(components.map(\.velocity)), tolerance: Double(tolerance.value) + inherited,
        velocityTolerance: tolerance.velocity.map { Double($0) + inherited * deceleration.decayConstant })
  }

  /// The spring that the track follows when it is sent elsewhere without one: critically damped, and as fast.
  package var successor: Spring {
    let k = deceleration.decayConstant
    return Spring(mass: 1, stiffness: k * k, damping: 2 * k)
  }
}
