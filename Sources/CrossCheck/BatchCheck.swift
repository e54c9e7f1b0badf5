// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays random programs on a ``SpringBatch`` and compares every track, after each advance, with the model.
///
/// A program adds, retargets, sets and removes tracks, singly and in bulk, with and without a new spring, and moves the
/// clock. The reference of a track starts anew at each of these calls from the value and velocity that the batch
/// showed, both of which were compared just before; so the bound is that of one motion however long the program.
package struct BatchCheck {
  private static let dimensions = 2
  private static let mostTracks = 150

  private let set: KernelSet

  /// A check of batches that run on one instruction set.
  package init(set: KernelSet) { self.set = set }

  /// Runs programs until so many values were compared.
  ///
  /// - Throws: ``BatchError`` if the batch refuses a call that it should accept: a failure too.
  package func retargets(samples: Int, seed: UInt64) throws -> [CheckResult] {
    var random = SplitMix64(seed: seed)
    var value = CheckResult(
      name: "batch.retarget.value", isa: set.rawValue, unit: KernelCheck.valueUnit, bound: KernelCheck.bound)
    var velocity = CheckResult(
      name: "batch.retarget.velocity", isa: set.rawValue, unit: KernelCheck.velocityUnit, bound: KernelCheck.bound)
    while value.samples < samples {
      var program = Program(
        batch: try SpringBatch(dimensions: Self.dimensions, kernels: set), computesVelocities: random.next() & 1 == 0)
      for _ in 0..<60 {
        try program.step(&random, mostTracks: Self.mostTracks)
        try program.compare(&value, &velocity)
      }
    }
    return [value, velocity]
  }
}

/// What the model knows of one track.
private struct Reference {
  var handle: TrackHandle
  var spring: Spring
  var start: Double
  var from: SIMD2<Float>
  var velocity: SIMD2<Float>
  var target: SIMD2<Float>
}

private struct Program: ~Copyable {
  private var batch: SpringBatch
  private var references: [Reference] = []
  private var log: [String] = []

  init(batch: consuming SpringBatch, computesVelocities: Bool) {
    self.batch = batch
    self.batch.computesVelocities = computesVelocities
    // So small that motions are compared until nothing is left of them.
    if let tolerance = try? RestTolerances(value: 1e-30) {
      self.batch.restTolerance = tolerance
    }
  }

  mutating func step(_ random: inout SplitMix64, mostTracks: Int) throws {
    switch references.isEmpty ? random.next() % 3 : random.next() % 12 {
    case 0: try addOne(&random)
    case 1: try addMany(&random, most: mostTracks, shareSpring: true)
    case 2: try addMany(&random, most: mostTracks, shareSpring: false)
    case 3, 4: try retargetOne(&random)
    case 5: try retargetMany(&random, withSpring: true)
    case 6: try retargetMany(&random, withSpring: false)
    case 7: try retargetAll(&random)
    case 8: try setOne(&random)
    case 9: try removeSome(&random)
    default: break
    }
    let age = random.next() & 7 == 0 ? random.uniform(0...1e5) : random.uniform(0...0.5)
    try batch.advance(by: age)
    log.append("advance(by: \(age))")
  }

  mutating func compare(_ value: inout CheckResult, _ velocity: inout CheckResult) throws {
    for reference in references {
      let got = try batch.value(of: reference.handle, as: SIMD2<Float>.self)
      let speed = try batch.velocity(of: reference.handle, as: SIMD2<Float>.self)
      for dimension in 0..<2 {
        let error = self.error(reference, dimension, got[dimension], speed[dimension])
        value.record(error.value, describe(reference, dimension, got[dimension]))
        velocity.record(error.velocity, describe(reference, dimension, speed[dimension]))
      }
    }
    guard references.count == batch.count else {
      value.record(.infinity, "the batch counts \(batch.count) tracks, not \(references.count)")
      return
    }
  }

  private func error(
    _ reference: Reference, _ dimension: Int, _ value: Float, _ velocity: Float
  ) -> (value: Double, velocity: Double) {
    let target = Double(reference.target[dimension])
    var exact = Double(reference.from[dimension])
    var exactVelocity = Double(reference.velocity[dimension])
    let displacement = abs(exact - target)
    let speed = abs(exactVelocity)
    let age = batch.time - reference.start
    if reference.spring.duration == 0 {
      // A jump: at the target with no velocity as soon as time passes, and exactly there.
      let arrived = age > 0
      let off = Double(value) != (arrived ? target : exact) || Double(velocity) != (arrived ? 0 : exactVelocity)
      return off ? (.infinity, .infinity) : (0, 0)
    }
    reference.spring.update(value: &exact, velocity: &exactVelocity, target: target, deltaTime: age)
    let ω0 = reference.spring.naturalFrequency
    let scale = max(displacement, speed / ω0, Double(Float.leastNormalMagnitude))
    let rounding = Double(Float(max(abs(exact), abs(target))).ulp) / 2
    let distance = abs(Double(value) - exact)
    return (
      // Not `max(0, …)`, which takes NaN for 0.
      distance <= rounding ? 0 : (distance - rounding) / (0x1p-24 * scale),
      abs(Double(velocity) - exactVelocity) / (0x1p-24 * scale * ω0)
    )
  }

  private func describe(_ reference: Reference, _ dimension: Int, _ got: Float) -> String {
    "row \(reference.handle.index) dimension \(dimension) got \(got): "
      + "duration \(reference.spring.duration) bounce \(reference.spring.bounce) from \(reference.from) "
      + "velocity \(reference.velocity) to \(reference.target) at age \(batch.time - reference.start), after "
      + log.suffix(4).joined(separator: "; ")
  }
}

// MARK: - Calls

extension Program {
  private static func spring(_ random: inout SplitMix64) -> Spring {
    guard random.next() % 20 > 0 else {
      return Spring(duration: 0, bounce: 0)
    }
    let regime = SpringRegime.allCases[Int(random.next() % UInt64(SpringRegime.allCases.count))]
    return Spring(duration: random.logarithmic(0.05...10), bounce: regime.bounce(&random))
  }

  private static func vector(_ random: inout SplitMix64, _ magnitude: Double) -> SIMD2<Float> {
    SIMD2(Float(random.uniform(-magnitude...magnitude)), Float(random.uniform(-magnitude...magnitude)))
  }

  private static func componentMajor(_ vectors: [SIMD2<Float>]) -> [Float] {
    vectors.map(\.x) + vectors.map(\.y)
  }

  private mutating func addOne(_ random: inout SplitMix64) throws {
    let spring = Self.spring(&random)
    let from = Self.vector(&random, 100)
    let target = Self.vector(&random, 100)
    let velocity = Self.vector(&random, 1000)
    let handle = try batch.add(spring, value: from, target: target, velocity: velocity)
    references.append(
      Reference(handle: handle, spring: spring, start: batch.time, from: from, velocity: velocity, target: target))
    log.append("add one")
  }

  private mutating func addMany(_ random: inout SplitMix64, most: Int, shareSpring: Bool) throws {
    let count = min(Int(random.next() % 60), most - references.count)
    guard count > 0 else {
      return
    }
    let shared = Self.spring(&random)
    let springs = (0..<count).map { _ in shareSpring ? shared : Self.spring(&random) }
    let from = (0..<count).map { _ in Self.vector(&random, 100) }
    let targets = (0..<count).map { _ in Self.vector(&random, 100) }
    let velocities = (0..<count).map { _ in Self.vector(&random, 1000) }
    let (x, t, v) = (Self.componentMajor(from), Self.componentMajor(targets), Self.componentMajor(velocities))
    let handles =
      shareSpring
      ? try batch.add(shared, values: x.span, targets: t.span, velocities: v.span)
      : try batch.add(springs.span, values: x.span, targets: t.span, velocities: v.span)
    for index in 0..<count {
      references.append(
        Reference(
          handle: handles[index], spring: springs[index], start: batch.time, from: from[index],
          velocity: velocities[index], target: targets[index]))
    }
    log.append("add \(count), \(shareSpring ? "one spring" : "a spring each")")
  }

  /// Takes over from what the batch shows now.
  private mutating func restart(_ index: Int, target: SIMD2<Float>, spring: Spring?) throws {
    references[index].from = try batch.value(of: references[index].handle)
    references[index].velocity = try batch.velocity(of: references[index].handle)
    references[index].start = batch.time
    references[index].target = target
    references[index].spring = spring ?? references[index].spring
  }

  private mutating func retargetOne(_ random: inout SplitMix64) throws {
    let index = Int(random.next() % UInt64(references.count))
    let target = Self.vector(&random, 100)
    let spring = random.next() & 1 == 0 ? Self.spring(&random) : nil
    try restart(index, target: target, spring: spring)
    try batch.retarget(references[index].handle, to: target, spring: spring)
    log.append("retarget row \(references[index].handle.index)")
  }

  private mutating func retargetMany(_ random: inout SplitMix64, withSpring: Bool) throws {
    let chosen = references.indices.filter { _ in random.next() & 1 == 0 }
    let handles = chosen.map { references[$0].handle }
    let targets = chosen.map { _ in Self.vector(&random, 100) }
    let spring = withSpring ? Self.spring(&random) : nil
    for (position, index) in chosen.enumerated() {
      try restart(index, target: targets[position], spring: spring)
    }
    let flat = Self.componentMajor(targets)
    try batch.retarget(handles.span, to: flat.span, spring: spring)
    log.append("retarget \(chosen.count) \(withSpring ? "with one spring" : "with their springs")")
  }

  private mutating func retargetAll(_ random: inout SplitMix64) throws {
    let spring = random.next() & 1 == 0 ? Self.spring(&random) : nil
    let targets = (0..<batch.indexCount).map { _ in Self.vector(&random, 100) }
    for index in references.indices {
      try restart(index, target: targets[references[index].handle.index], spring: spring)
    }
    let flat = Self.componentMajor(targets)
    try batch.retargetAll(to: flat.span, spring: spring)
    log.append("retarget all")
  }

  private mutating func setOne(_ random: inout SplitMix64) throws {
    let index = Int(random.next() % UInt64(references.count))
    let value = Self.vector(&random, 100)
    let velocity = Self.vector(&random, 1000)
    try batch.set(references[index].handle, value: value, velocity: velocity)
    references[index].from = value
    references[index].velocity = velocity
    references[index].start = batch.time
    log.append("set row \(references[index].handle.index)")
  }

  private mutating func removeSome(_ random: inout SplitMix64) throws {
    for _ in 0..<min(references.count, Int(random.next() % 20)) {
      let index = Int(random.next() % UInt64(references.count))
      try batch.remove(references[index].handle)
      references.remove(at: index)
    }
    log.append("remove some")
  }
}
