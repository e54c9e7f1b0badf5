// SPDX-License-Identifier: MIT
package import Murmuration

/// A track that follows its goal: from frame to frame the exact step of its spring, in Double, with the error that a
/// batch may show beside it.
///
/// A batch takes the same steps in Float. It is within u · (8 + 1/(1 − ρ)) of the largest |goal| + |distance| +
/// |velocity|/ω₀, where ρ is the part of a deviation that is left after a step: each step rounds once, and what was
/// rounded before dies away. Near its goal a batch may have put it there.
package struct FollowMotion: ReferenceMotion {
  private let spring: Spring
  /// ω₀; of a spring of duration 0, which leaves no velocity, any number will do.
  private let frequency: Double
  /// The rate at which a deviation dies away in the end.
  private let rate: Double
  /// The time of the last step.
  package private(set) var time: Double
  private var components: [Component]
  /// The number of roundings that add up, at most.
  private var roundings = 0.0
  private var steps = 0.0
  /// Whether a batch may have put the track on its goal with the last step.
  package private(set) var mayRest: Bool

  private struct Component {
    var value, velocity: Double
    /// The error that the batch came with, or may have taken on at rest, as a distance.
    var inherited: Double
    /// The largest magnitude so far, which errors of rounding are proportional to.
    var largest: Double
    /// The largest error of a goal.
    var goalError = 0.0
  }

  /// A track that follows from a state on, in which a batch may have put it on its goal.
  package init(_ spring: Spring, from samples: [MotionSample], at time: Double, mayRest: Bool = false) {
    let frequency = spring.duration > 0 ? spring.naturalFrequency : 1
    (self.spring, self.frequency, self.time, self.mayRest) = (spring, frequency, time, mayRest)
    rate = spring.duration > 0 ? max(0, spring.decayConstant + min(0, spring.angularFrequency)) : .infinity
    components = samples.map {
      Component(
        value: $0.value, velocity: $0.velocity, inherited: $0.bound.value + $0.bound.velocity / frequency,
        largest: abs($0.value) + abs($0.velocity) / frequency)
    }
  }

  /// Takes a step to a time.
  package mutating func step(to goals: [MotionSample], at end: Double, _ tolerance: RestTolerances) {
    let seconds = end - time
    time = end
    // What is rounded lasts for 1/(1 − ρ) steps. With ρ = e⁻ˣ that is at most 1 + 1/x.
    let lasting = 1 + 1 / (rate * seconds)
    // Increments below half a unit in the last place are lost.
    let stuck = rate > 0 ? min(ErrorBound.unit * lasting, 0x1p-10) : 0
    steps += min(1, frequency * seconds)
    roundings = max(roundings, min(lasting, roundings + 1))
    let limit = tolerance.limit(frequency)
    mayRest = true
    for (dimension, goal) in goals.enumerated() {
      guard goal.isNumber else {
        (components[dimension].velocity, mayRest) = (0, false)
        continue
      }
      var component = components[dimension]
      let (distance, speed) = (goal.value - component.value, component.velocity)
      spring.update(value: &component.value, velocity: &component.velocity, target: goal.value, deltaTime: seconds)
      if spring.duration == 0 { component.inherited = goal.bound.value }
      component.largest = max(component.largest, abs(goal.value) + abs(distance) + abs(speed) / frequency)
      component.goalError = max(component.goalError, goal.bound.value)
      components[dimension] = component
      let slack = error(component) + stuck * abs(goal.value)
      let isNear = abs(component.value - goal.value) <= limit.value + slack
      if !isNear || abs(component.velocity) > limit.velocity + frequency * slack { mayRest = false }
    }
    for (dimension, goal) in goals.enumerated() where mayRest {
      let component = components[dimension]
      components[dimension].inherited = max(
        component.inherited, abs(component.value - goal.value) + abs(component.velocity) / frequency)
    }
  }

  /// The largest distance of a batch.
  private func error(_ component: Component) -> Double {
    let reach = 2 + min(steps, frequency / rate)
    return component.inherited + ErrorBound.unit * (8 + roundings) * component.largest + reach * component.goalError
  }

  package var successor: Spring? { spring }

  package func paced(by ratio: Double, at time: Double) -> FollowMotion {
    FollowMotion(
      spring.paced(by: ratio), from: samples(at: time).map { $0.paced(by: ratio) }, at: self.time, mayRest: mayRest)
  }

  /// The state after the last step, whatever the time.
  package func samples(at time: Double) -> [MotionSample] {
    components.map {
      let bound = ErrorBound(value: error($0), velocity: error($0) * frequency)
      return MotionSample(value: $0.value, velocity: $0.velocity, bound: bound)
    }
  }

  package func standing(at time: Double, _ tolerance: RestTolerances) -> Standing { mayRest ? .unknown : .moves }
}
