// SPDX-License-Identifier: MIT
package import Murmuration

/// Emits, retargets and removes particles at random, and compares each property of each with a reference of its own.
package struct ParticleCheck {
  private static let properties = [3, 1, 2]

  private var value: CheckResult
  private var velocity: CheckResult
  private var state: CheckResult
  private var random: SplitMix64
  /// What is known of the particles: a track of each property.
  private var living: [(handle: TrackHandle, tracks: [ReferenceTrack])] = []
  private var dead: [TrackHandle] = []

  private init(set: KernelSet, seed: UInt64) {
    func result(_ kind: String, _ unit: String, _ bound: Double) -> CheckResult {
      CheckResult(name: "particles.\(kind)", isa: set.rawValue, unit: unit, bound: bound)
    }
    value = result("value", "of the bound", 1)
    velocity = result("velocity", "of the bound", 1)
    state = result("state", "mismatches", 0)
    random = SplitMix64(seed: seed)
  }

  /// Plays until a number of values were compared.
  package static func particles(on set: KernelSet, samples: Int, seed: UInt64) throws -> [CheckResult] {
    var check = ParticleCheck(set: set, seed: seed)
    var particles = try ParticleBatch(properties: properties, kernels: set)
    while min(check.value.samples, check.state.samples) < samples {
      try check.step(&particles)
    }
    return [check.value, check.velocity, check.state]
  }

  private mutating func step(_ particles: inout ParticleBatch) throws {
    switch random.next() % 5 {
    case 0, 1: if living.count < 200 { try emit(&particles) }
    case 2: try remove(&particles)
    case 3: try retarget(&particles)
    default: break
    }
    try particles.advance(by: random.uniform(0...0.2))
    for index in living.indices {
      for property in living[index].tracks.indices { _ = living[index].tracks[property].advance(to: particles.time) }
    }
    try compare(&particles)
  }

  private mutating func emit(_ particles: inout ParticleBatch) throws {
    let count = 1 + Int(random.next() % 40)
    let numbers = Self.properties.map { _ in Numbers(seed: random.next() >> 8) }
    func columns(_ vector: (Numbers, Int) -> Vector) -> [Float] {
      zip(numbers, Self.properties).flatMap { numbers, dimensions in
        Vector.planar((0..<count).map { vector(numbers, $0) }, dimensions: dimensions)
      }
    }
    let (values, targets) = (columns { $0.value($1) }, columns { $0.target($1) })
    let velocities = columns { $0.velocity($1) }
    let springs = numbers.map { $0.spring(0) }
    var handles = [TrackHandle](repeating: .noTrack, count: count)
    var span = handles.mutableSpan
    try particles.emit(
      springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    let rules = ReferenceRules(restTolerance: RestTolerances())
    for (index, handle) in handles.enumerated() {
      let tracks = zip(numbers, Self.properties).map { numbers, dimensions in
        ReferenceTrack(
          numbers.value(index).numbers(dimensions), velocities: numbers.velocity(index).numbers(dimensions),
          to: numbers.target(index).numbers(dimensions), on: numbers.spring(0), at: particles.time, rules)
      }
      living.append((handle, tracks))
    }
  }

  private mutating func remove(_ particles: inout ParticleBatch) throws {
    var gone: [TrackHandle] = []
    for _ in 0..<min(living.count, Int(random.next() % 30)) {
      gone.append(living.remove(at: Int(random.next() % UInt64(living.count))).handle)
    }
    // One that is named twice is removed once.
    let named = gone + gone.prefix(2)
    try particles.remove(named.span)
    dead = (dead + gone).suffix(50)
  }

  private mutating func retarget(_ particles: inout ParticleBatch) throws {
    let property = Int(random.next() % UInt64(Self.properties.count))
    let dimensions = Self.properties[property]
    let numbers = Numbers(seed: random.next() >> 8)
    let some = living.indices.filter { _ in random.next() % 4 == 0 }
    let handles = some.map { living[$0].handle }
    let targets = Vector.planar(some.indices.map(numbers.target), dimensions: dimensions)
    let spring = random.next() & 1 == 0 ? nil : numbers.spring(0)
    try particles.retarget(property, handles.span, to: targets.span, spring: spring)
    for (index, particle) in some.enumerated() {
      let target = numbers.target(index).numbers(dimensions)
      if let spring {
        living[particle].tracks[property].follow(spring, to: target, at: particles.time)
      } else {
        living[particle].tracks[property].retarget(to: target, at: particles.time)
      }
    }
  }

  private mutating func compare(_ particles: inout ParticleBatch) throws {
    state.record(particles.count == living.count ? 0 : 1, "\(particles.count) particles, not \(living.count)")
    for (handle, _) in living { state.record(particles.contains(handle) ? 0 : 1, "index \(handle.index) is there") }
    for handle in dead { state.record(particles.contains(handle) ? 1 : 0, "index \(handle.index) is gone") }
    for (property, dimensions) in Self.properties.enumerated() {
      for dimension in 0..<dimensions {
        var column = [Float](repeating: .nan, count: particles.indexCount)
        var span = column.mutableSpan
        try particles.copyValues(property, dimension: dimension, into: &span)
        for (handle, tracks) in living {
          let speed = try Self.velocity(&particles, property, handle)[dimension]
          let excess = Excess(
            value: column[handle.index], velocity: speed, of: tracks[property].sample(dimension, at: particles.time))
          func text() -> String { "property \(property), \(tracks[property].summary(at: particles.time))" }
          value.record(excess.value, text())
          velocity.record(excess.velocity, text())
        }
      }
    }
  }

  private static func velocity(
    _ particles: inout ParticleBatch, _ property: Int, _ handle: TrackHandle
  ) throws -> [Float] {
    func parts<V: TrackValue>(_ value: V) -> [Float] { (0..<V.dimensions).map(value.component) }
    return switch properties[property] {
    case 1: parts(try particles.velocity(property, of: handle, as: Float.self))
    case 2: parts(try particles.velocity(property, of: handle, as: SIMD2<Float>.self))
    default: parts(try particles.velocity(property, of: handle, as: SIMD3<Float>.self))
    }
  }
}
