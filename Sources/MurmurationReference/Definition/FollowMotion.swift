// SPDX-License-Identifier: MIT
package import AnimationModel
package import Murmuration

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A track that follows its goal: from frame to frame the exact step of its spring, in Double, with the error that a batch
/// may show beside it.
///
/// A batch takes the same steps in Float. It is within u · (8 + 1/(1 − ρ)) of the largest |goal| + |distance| + |velocity|/ω₀,
/// where ρ is the part of a deviation that is left after a step: each step rounds once, and what was rounded before dies
/// away. Near its goal a batch may have put it there.
package struct FollowMotion: Sendable {
  package private(set) var spring: Spring
  /// The time of the last step.
  package private(set) var time: Double
  private var components: [Component]
  /// The number of roundings that add up, at most.
  private var roundings = 0.0
  private var steps = 0.0
  /// Whether a batch may have put the track on its goal with the last step.
  package private(set) var mayRest = false

  private struct Component {
    var value, velocity: Double
    /// The error that the batch came with, or may have taken on at rest, as a distance.
    var inherited: Double
    /// The largest magnitude so far, which errors of rounding are proportional to.
    var largest: Double
    /// The largest error of a goal.
    var goalError = 0.0
  }

  /// A track that follows from a state on.
  package init(_ spring: Spring, from samples: [MotionSample], at time: Double) {
    (self.spring, self.time, components) = (spring, time, [])
    set(samples, at: time)
  }

  /// Goes on with another spring, which turns an error of the velocity into another distance.
  package mutating func change(to spring: Spring) {
    let (samples, mayRest) = (samples, mayRest)
    self.spring = spring
    set(samples, at: time)
    self.mayRest = mayRest
  }

  /// Puts the track into a state.
  package mutating func set(_ samples: [MotionSample], at time: Double) {
    let frequency = frequency
    components = samples.map {
      Component(
        value: $0.value, velocity: $0.velocity, inherited: $0.bound.value + $0.bound.velocity / frequency,
        largest: abs($0.value) + abs($0.velocity) / frequency)
    }
    (roundings, steps, mayRest) = (0, 0, false)
  }

  /// Of a spring of duration 0 any number will do: it has no velocity.
  private var frequency: Double { spring.duration > 0 ? spring.naturalFrequency : 1 }

  /// The rate at which a deviation dies away in the end.
  private var rate: Double { spring.decayConstant + min(0, spring.angularFrequency) }

  /// Takes a step to a time.
  package mutating func step(to goals: [MotionSample], at end: Double, _ tolerance: RestTolerances) {
    let seconds = end - time
    time = end
    let frequency = frequency
    let lost = spring.duration > 0 ? -expm1(-rate * seconds) : 1
    // Increments below half a unit in the last place are lost.
    let stuck = lost > 0 ? min(ErrorBound.unit / lost, 0x1p-10) : 0
    steps += min(1, frequency * seconds)
    roundings = max(roundings, min(lost > 0 ? 1 / lost : .infinity, roundings + 1))
    var isNear = true
    for (dimension, goal) in goals.enumerated() {
      guard abs(goal.value) <= Double(BatchLimits.maximumMagnitude) else {
        (components[dimension].velocity, isNear) = (0, false)
        continue
      }
      var component = components[dimension]
      let (distance, speed) = (goal.value - component.value, component.velocity)
      if spring.duration > 0 {
        component.value += spring.value(target: distance, initialVelocity: speed, time: seconds)
        component.velocity = spring.velocity(target: distance, initialVelocity: speed, time: seconds)
      } else {
        (component.value, component.velocity, component.inherited) = (goal.value, 0, goal.bound.value)
      }
      component.largest = max(component.largest, abs(goal.value) + abs(distance) + abs(speed) / frequency)
      component.goalError = max(component.goalError, goal.bound.value)
      components[dimension] = component
      let slack = error(dimension) + stuck * abs(goal.value)
      let slow = tolerance.velocity.map { Double($0) } ?? Double(tolerance.value) * frequency
      isNear =
        isNear && abs(component.value - goal.value) <= Double(tolerance.value) + slack
        && abs(component.velocity) <= slow + frequency * slack
    }
    mayRest = isNear
    guard isNear else { return }
    for (dimension, goal) in goals.enumerated() {
      let (value, velocity) = (components[dimension].value, components[dimension].velocity)
      components[dimension].inherited = max(
        components[dimension].inherited, abs(value - goal.value) + abs(velocity) / frequency)
    }
  }

  /// The largest distance of a batch.
  private func error(_ dimension: Int) -> Double {
    let component = components[dimension]
    let reach = 2 + min(steps, rate > 0 ? frequency / rate : .infinity)
    return component.inherited + ErrorBound.unit * (8 + roundings) * component.largest + reach * component.goalError
  }

  /// The state after the last step.
  package var samples: [MotionSample] {
    components.indices.map { dimension in
      let error = error(dimension)
      return MotionSample(
        value: components[dimension].value, velocity: components[dimension].velocity,
        bound: ErrorBound(value: error, velocity: error * frequency))
    }
  }
}
