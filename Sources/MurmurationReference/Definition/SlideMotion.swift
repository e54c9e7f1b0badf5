// SPDX-License-Identifier: MIT
package import Murmuration

/// A track that slows down from the velocity it was flung with, in Double, with the error that a batch may show beside
/// it.
///
/// A batch evaluates it within 8 u · |v₀|/k in value and 8 u · |v₀| in velocity, where k is the decay constant, plus
/// half a unit in the last place of the value or of the end, which is added last.
package struct SlideMotion: RestingMotion {
  package let deceleration: Deceleration
  package let start: Double
  /// The state at the start, by dimension. The bound of a value is the error that the batch started with, in value and
  /// in velocity · 1/k.
  private let components: [MotionSample]
  /// The end of each dimension, with the error of the batch's start and its rounding.
  package let ends: [MotionSample]

  package var dimensions: Int { components.count }

  /// A track that slides from another motion's state at a time.
  package init(_ deceleration: Deceleration, from samples: [MotionSample], at time: Double) {
    (self.deceleration, start) = (deceleration, time)
    components = samples.map {
      let error = $0.bound.value + $0.bound.velocity / deceleration.decayConstant
      return MotionSample(value: $0.value, velocity: $0.velocity, bound: ErrorBound(value: error))
    }
    ends = components.map {
      let end = deceleration.projectedEnd(from: $0.value, initialVelocity: $0.velocity)
      return MotionSample(value: end, bound: ErrorBound(value: $0.bound.value + 2 * ErrorBound.rounding(of: end)))
    }
  }

  package var model: AnimatedValue<Components> {
    var model = AnimatedValue(Components(components.map(\.value)))
    let slowing = Animation.deceleration(decayConstant: deceleration.decayConstant)
    model.retarget(to: Components(ends.map(\.value)), with: slowing, at: start)
    return model
  }

  package func sample(_ dimension: Int, at time: Double) -> MotionSample {
    let motion = components[dimension]
    let age = max(0, time - start)
    let value = deceleration.value(from: motion.value, initialVelocity: motion.velocity, time: age)
    let error = motion.bound.value + ErrorBound.perMotion * abs(motion.velocity) / deceleration.decayConstant
    let rounding = ErrorBound.rounding(of: max(abs(value), abs(ends[dimension].value)))
    return MotionSample(
      value: value, velocity: deceleration.velocity(initialVelocity: motion.velocity, time: age),
      bound: ErrorBound(value: error + rounding, velocity: error * deceleration.decayConstant))
  }

  /// The model lets a slide go on for ever.
  package var earliestModelRest: Double { .infinity }

  /// The first time at which a batch may have the motion at rest. It is logically complete at rest, and not before.
  package func earliestRest(_ tolerance: RestTolerances) -> Double {
    let inherited = components.reduce(0) { $0 + $1.bound.value }
    // The way of a batch leads to the end as it is rounded, and may be shorter.
    let velocities = zip(components, ends).map { component, end in
      let rounding = ErrorBound.rounding(of: end.value) * deceleration.decayConstant
      return component.velocity.sign == .minus
        ? min(0, component.velocity + rounding) : max(0, component.velocity - rounding)
    }
    return start
      + deceleration.restTime(
        initialVelocity: Components(velocities), tolerance: Double(tolerance.value) + inherited,
        velocityTolerance: tolerance.velocity.map { Double($0) + inherited * deceleration.decayConstant })
  }

  package func mayRest(at time: Double, _ tolerance: RestTolerances) -> Bool { time >= earliestRest(tolerance) }

  /// A spring that is critically damped, and as fast.
  package var successor: Spring? {
    let k = deceleration.decayConstant
    return Spring(mass: 1, stiffness: k * k, damping: 2 * k)
  }
}
