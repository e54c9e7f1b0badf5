// SPDX-License-Identifier: MIT
import Murmuration

/// One track of a scene as the model moves it, in Double, with the error that a batch may show beside it.
///
/// A batch continues from values that it rounded to float32, so each retarget passes its error on. The allowance grows
/// by 8·2⁻²⁴·S at each, where S = max(|value − target|, |velocity|/ω₀) is the scale of the motion that it starts; half
/// a unit in the last place comes on top, since the target is added last: of the target, or of the value where that has
/// passed the next power of two. An error of the velocity counts in units of velocity/ω₀: a softer spring makes more of
/// it, by the ratio of the frequencies.
///
/// A batch that takes the motion for being at rest shows exactly the target and continues from there, without an error.
struct ReferenceTrack {
  /// A motion of one component.
  struct Component {
    var value: Double
    var velocity: Double
    var target: Double
    /// The error that the batch's value may have, in units of the value.
    var allowance: Double
  }

  /// What a component shows at a moment, and how far a batch may be from it.
  struct Sample {
    var value: Double
    var velocity: Double
    var valueBound: Double
    var velocityBound: Double
  }

  /// How far a motion is from rest, and how far it may be where a batch takes it for being at rest: the sums over all
  /// components.
  struct Rest {
    var distance = 0.0
    var speed = 0.0
    var distanceBound: Double
    var speedBound: Double
  }

  private var spring: Spring
  private var start: Double
  private var components: [Component]

  /// One part in 2²⁴, the rounding unit of float32, eight times.
  private static let bar = 8 * 0x1p-24

  /// A track that starts at `time`, at rest at its target unless there is another.
  init(spring: Spring, values: [Float], velocities: [Float], targets: [Float]? = nil, at time: Double = 0) {
    self.spring = spring
    start = time
    components = values.indices.map { index in
      Component(
        value: Double(values[index]), velocity: Double(velocities[index]), target: Double((targets ?? values)[index]),
        allowance: 0)
    }
    for index in components.indices { charge(index) }
  }

  /// A track that starts at `time` from what is known of it, on its way to targets that are off by as much as the values.
  init(spring: Spring, start samples: [Sample], targets: [Double], at time: Double) {
    self.spring = spring
    start = time
    components = zip(samples, targets).map { sample, target in
      let halfUnit = Double(Float(min(abs(target), Double(Float.greatestFiniteMagnitude))).ulp) / 2
      return Component(
        value: sample.value, velocity: sample.velocity, target: target,
        allowance: sample.valueBound + sample.velocityBound / spring.naturalFrequency + halfUnit)
    }
    for index in components.indices { charge(index) }
  }

  /// The component at `time`, which is not before the last retarget.
  func sample(_ index: Int, at time: Double) -> Sample {
    let motion = components[index]
    let age = time - start
    var value = motion.value
    var velocity = motion.velocity
    if age > 0 {
      spring.update(value: &value, velocity: &velocity, target: motion.target, deltaTime: age)
    }
    let magnitude = min(max(abs(value), abs(motion.target)), Double(Float.greatestFiniteMagnitude))
    let halfUnit = Double(Float(magnitude).ulp) / 2
    // An infinitely stiff spring is at its target, at rest: there is nothing to be wrong about.
    let frequency = spring.naturalFrequency.isFinite ? spring.naturalFrequency : 0
    return Sample(
      value: value, velocity: velocity, valueBound: motion.allowance + halfUnit,
      velocityBound: motion.allowance * frequency)
  }

  /// The component as it is at rest.
  func target(_ index: Int) -> Float { Float(components[index].target) }

  /// How far the track is from rest at `time`.
  func rest(at time: Double, tolerance: RestTolerances) -> Rest {
    let frequency = spring.naturalFrequency.isFinite ? spring.naturalFrequency : 0
    let value = Double(tolerance.value)
    var rest = Rest(distanceBound: value, speedBound: tolerance.velocity.map(Double.init) ?? value * frequency)
    for index in components.indices {
      let sample = sample(index, at: time)
      rest.distance += abs(sample.value - components[index].target)
      rest.speed += abs(sample.velocity)
      // The batch judges by the motion that it shows, which is off by its error.
      rest.distanceBound += sample.valueBound
      rest.speedBound += sample.velocityBound
    }
    return rest
  }

  /// What a component shows at `time`, in a batch that may take the motion for being at rest.
  func sample(_ index: Int, at time: Double, tolerance: RestTolerances) -> Sample {
    guard mayRest(at: time, tolerance: tolerance) else { return sample(index, at: time) }
    var resting = self
    resting.allowRest(at: time)
    return resting.sample(index, at: time)
  }

  /// Whether a batch may take the motion for being at rest.
  func mayRest(at time: Double, tolerance: RestTolerances) -> Bool {
    let rest = rest(at: time, tolerance: tolerance)
    return rest.distance <= rest.distanceBound && rest.speed <= rest.speedBound
  }

  /// Allows for a batch that takes the motion for being at rest at `time`, and shows the target instead.
  mutating func allowRest(at time: Double) {
    for index in components.indices {
      let sample = sample(index, at: time)
      let distance = abs(sample.value - components[index].target)
      let perFrequency = spring.naturalFrequency.isFinite ? 1 / spring.naturalFrequency : 0
      components[index].allowance += max(distance, abs(sample.velocity) * perFrequency)
    }
  }

  /// Puts the track at its target, where a batch had it at rest at `time`.
  mutating func comeToRest(at time: Double) {
    for index in components.indices {
      let target = components[index].target
      components[index] = Component(value: target, velocity: 0, target: target, allowance: 0)
    }
    start = time
  }

  /// Sends the track to new targets at `time`, with a new spring or its own.
  mutating func retarget(to targets: [Float], spring next: Spring?, at time: Double) {
    let softening = next.map { spring.naturalFrequency / $0.naturalFrequency } ?? 1
    for index in components.indices {
      let sample = sample(index, at: time)
      components[index].value = sample.value
      components[index].velocity = sample.velocity
      components[index].allowance = sample.valueBound * (softening.isFinite ? max(1, softening) : 1)
      components[index].target = Double(targets[index])
    }
    start = time
    if let next { spring = next }
    for index in components.indices { charge(index) }
  }

  /// Adds the error of the motion that starts now.
  private mutating func charge(_ index: Int) {
    let motion = components[index]
    let scale = max(abs(motion.value - motion.target), abs(motion.velocity) / spring.naturalFrequency)
    components[index].allowance += ReferenceTrack.bar * scale
  }
}
