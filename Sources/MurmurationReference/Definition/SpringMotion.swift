// SPDX-License-Identifier: MIT
package import Murmuration

/// A track on a spring, in Double, with the error that a batch may show beside it.
///
/// A batch evaluates a motion within 8 u · S, where S = max(|value − target|, |velocity|/ω₀) is the scale of the motion
/// at its start. The target is added last, which adds half a unit in the last place: of the target, or of the value
/// where that has passed the next power of two.
///
/// A batch continues from values that it rounded, so each retarget passes its error on. The error, x in value and v in
/// velocity, is kept as the size of a motion: √(x² + (v/ω₀)²). Its square changes by −4 ζ v²/ω₀ per second, so no spring
/// lets it grow. An undamped spring turns all of it into value, and back. With a softer spring an error in velocity
/// counts more, by the ratio of the frequencies.
///
/// A batch that has the motion at rest shows exactly the target, and continues from there without an error.
package struct SpringMotion: ReferenceMotion {
  /// One dimension, from the start on.
  private struct Component {
    var value: Double
    var velocity: Double
    var target: Double
    /// The errors of the value and the velocity with which the batch started.
    var start = ErrorBound()
    /// These errors as the size of a motion.
    var inherited = 0.0
    /// The error of evaluating this motion.
    var own = 0.0
  }

  /// The spring that the track follows.
  package private(set) var spring: Spring
  /// The time at which it set out.
  package private(set) var start: Double
  private var components: [Component]

  package var dimensions: Int { components.count }

  // MARK: - Setting out

  /// A track that sets out from exactly these numbers. Without targets it is at rest at its values.
  package init(
    _ spring: Spring, values: [Float], velocities: [Float] = [], targets: [Float]? = nil, at time: Double
  ) {
    let samples = values.indices.map {
      MotionSample(value: Double(values[$0]), velocity: velocities.isEmpty ? 0 : Double(velocities[$0]))
    }
    self.init(spring, from: samples, to: (targets ?? values).map(Double.init), at: time)
  }

  /// A track that takes over another motion's state at a time.
  package init(_ spring: Spring, from samples: [MotionSample], to targets: [Double], at time: Double) {
    self.spring = spring
    start = time
    components = zip(samples, targets).map { sample, target in
      Component(
        value: sample.value, velocity: sample.velocity, target: target, start: sample.bound,
        inherited: sample.bound.value + sample.bound.velocity / spring.naturalFrequency)
    }
    charge()
  }

  /// Sends the track to new targets, with a new spring or its own.
  package mutating func retarget(to targets: [Double], _ next: Spring?, at time: Double) {
    let softening = next.map { spring.naturalFrequency / $0.naturalFrequency } ?? 1
    for index in components.indices {
      let sample = sample(index, at: time)
      components[index].value = sample.value
      components[index].velocity = sample.velocity
      components[index].start = sample.bound
      let handed = next.map { sample.bound.velocity / $0.naturalFrequency } ?? 0
      components[index].inherited = sample.bound.value + (jumps ? handed : 0)
      if softening.isFinite { components[index].inherited = sample.bound.value * max(1, softening) }
      components[index].target = targets[index]
    }
    start = time
    if let next { spring = next }
    charge()
  }

  /// Notes the error of the motion that starts now. A jump has no error: it is at its target.
  private mutating func charge() {
    for index in components.indices { components[index].own = jumps ? 0 : ErrorBound.perMotion * scale(index) }
  }

  // MARK: - Reading

  /// Whether the track is at its target as soon as time passes.
  private var jumps: Bool { spring.naturalFrequency == .infinity }

  /// 1/ω₀, 0 for a jump.
  private var period: Double { 1 / spring.naturalFrequency }

  /// ω₀; 0 for a jump, which has no error.
  private var frequency: Double { jumps ? 0 : spring.naturalFrequency }

  /// S of a dimension.
  package func scale(_ dimension: Int) -> Double {
    let component = components[dimension]
    return max(abs(component.value - component.target), abs(component.velocity) * period)
  }

  /// The target of a dimension.
  package func target(_ dimension: Int) -> Float { Float(components[dimension].target) }

  package func sample(_ dimension: Int, at time: Double) -> MotionSample {
    let motion = components[dimension]
    let age = time - start
    if jumps, age > 0 { return MotionSample(value: motion.target, velocity: 0) }
    var (value, velocity) = (motion.value, motion.velocity)
    if age > 0 {
      spring.update(value: &value, velocity: &velocity, target: motion.target, deltaTime: age)
    }
    let error = motion.inherited + motion.own
    let bound = ErrorBound(
      value: error + ErrorBound.rounding(of: max(abs(value), abs(motion.target))), velocity: error * frequency)
    var sample = MotionSample(value: value, velocity: velocity, bound: jumps ? motion.start : bound)
    // Whether a jump has begun at its very moment is not said.
    if jumps { sample.allow(MotionSample(value: motion.target, velocity: 0)) }
    return sample
  }

  /// When the motion is logically complete, unless it comes to rest earlier.
  package var logicalEnd: Double { start + spring.duration }
}

// MARK: - Rest

extension SpringMotion {
  /// The distance of a motion from rest, summed over all dimensions, and the limits with which a batch may have it at
  /// rest.
  package struct Rest: Sendable {
    package var distance = 0.0
    package var speed = 0.0
    /// The largest distance and the largest speed.
    package var limit: ErrorBound

    /// The share of the limits that is used; at most 1 at rest.
    package var share: Double {
      max(distance == 0 ? 0 : distance / limit.value, speed == 0 ? 0 : speed / limit.velocity)
    }
  }

  /// The distance of the track from rest at a time; a jump is at rest at once.
  ///
  /// A batch judges by its own motion, which may have started with an error. It works in Float: below 2⁻¹²⁰ of its
  /// scale a motion is over, whatever the tolerance.
  package func rest(at time: Double, _ tolerance: RestTolerances) -> Rest {
    let least = 0x1p-120 * components.indices.reduce(0) { $0 + scale($1) }
    let distance = Double(tolerance.value)
    let speed = tolerance.velocity.map(Double.init) ?? distance * frequency
    var rest = Rest(limit: ErrorBound(value: max(distance, least), velocity: max(speed, least * frequency)))
    for index in components.indices where !jumps {
      let sample = sample(index, at: time)
      rest.distance += abs(sample.value - components[index].target)
      rest.speed += abs(sample.velocity)
      rest.limit.value += components[index].inherited
      rest.limit.velocity += components[index].inherited * frequency
    }
    return rest
  }

  /// Whether a batch may have the motion at rest at a time.
  package func mayRest(at time: Double, _ tolerance: RestTolerances) -> Bool { rest(at: time, tolerance).share <= 1 }

  /// Whether the track is exactly at its target, and does not move.
  package func stands(at time: Double) -> Bool {
    components.indices.allSatisfy { index in
      let sample = sample(index, at: time)
      return sample.value == components[index].target && sample.velocity == 0
    }
  }

  /// The first time at which a batch may have the motion at rest.
  ///
  /// The length of a vector is at most the sum of its components, so this time is not later than for the sums.
  package func earliestRest(_ tolerance: RestTolerances) -> Double {
    guard !jumps else { return start }
    let limit = rest(at: start, tolerance).limit
    return start
      + spring.restTime(
        target: Components(components.map { $0.target - $0.value }),
        initialVelocity: Components(components.map(\.velocity)), tolerance: limit.value,
        velocityTolerance: limit.velocity)
  }

  /// The first time at which the model may have the motion at its end, once other effects add to it: when value and
  /// velocity stay within 10⁻⁴ of their scales. A batch that starts with an error has other scales, by a millionth or
  /// so, which is a hundredth of that tolerance.
  package var earliestModelRest: Double {
    guard !jumps else { return start }
    let way = Components(components.map { $0.target - $0.value })
    let velocity = Components(components.map(\.velocity))
    let scale = max(way.magnitude, velocity.magnitude * period)
    let tolerance = 1.01e-4 * scale + components.reduce(0) { $0 + $1.inherited }
    guard tolerance > 0 else { return start }
    return start
      + spring.restTime(
        target: way, initialVelocity: velocity, tolerance: tolerance, velocityTolerance: tolerance * frequency)
  }

  /// Allows for a batch that has the motion at rest at a time, and shows the target from then on.
  package mutating func allowRest(at time: Double) {
    for index in components.indices {
      let sample = sample(index, at: time)
      let (distance, speed) = distanceFromRest(index, sample)
      components[index].inherited += (distance * distance + speed * period * speed * period).squareRoot()
      components[index].start.add(ErrorBound(value: distance, velocity: speed))
    }
  }

  /// The state of a batch that has the motion at rest as soon as it may, by dimension.
  package func samples(at time: Double, _ tolerance: RestTolerances) -> [MotionSample] {
    var samples = samples(at: time)
    guard mayRest(at: time, tolerance) else { return samples }
    for dimension in samples.indices {
      let (distance, speed) = distanceFromRest(dimension, samples[dimension])
      samples[dimension].bound.add(ErrorBound(value: distance, velocity: speed))
    }
    return samples
  }

  /// How far the value of a dimension is from its target, and how fast it is.
  private func distanceFromRest(_ dimension: Int, _ sample: MotionSample) -> (distance: Double, speed: Double) {
    (abs(sample.value - components[dimension].target), abs(sample.velocity))
  }

  /// Puts the track at its target, where the batch had it at rest.
  package mutating func comeToRest(at time: Double) {
    for index in components.indices {
      let target = components[index].target
      components[index] = Component(value: target, velocity: 0, target: target)
    }
    start = time
  }
}
