// SPDX-License-Identifier: MIT
package import Murmuration

/// Emits, retargets and removes particles at random, and compares each of their properties with a reference of its own.
package struct ParticleCheck: ~Copyable {
  private var particles: Particles
  private let place: ParticleProperty<SIMD3<Float>>
  private let size: ParticleProperty<Float>
  private let shift: ParticleProperty<SIMD2<Float>>
  /// The properties in their order. Their tracks are the particles, counted as they were added.
  private var references = [3, 1, 2].map { ReferenceBatch(dimensions: $0) }
  /// The particles that there ever were.
  private var handles: [TrackHandle] = []
  private var random: SplitMix64
  private var results: MotionResults

  private init(set: KernelSet, seed: UInt64) throws {
    var particles = Particles(kernels: set)
    (place, size, shift) = (
      try particles.addProperty(SIMD3<Float>.self), try particles.addProperty(Float.self),
      try particles.addProperty(SIMD2<Float>.self)
    )
    self.particles = particles
    random = SplitMix64(seed: seed)
    results = MotionResults("particles", on: set)
  }

  /// Plays until a number of values were compared.
  package static func particles(on set: KernelSet, samples: Int, seed: UInt64) throws -> [CheckResult] {
    var check = try ParticleCheck(set: set, seed: seed)
    while min(check.results.value.samples, check.results.rule.samples) < samples { try check.step() }
    return check.results.all
  }

  /// The particles that live.
  private var living: [Int] { references[0].liveTracks }

  /// Makes a call of all references.
  private mutating func perform(_ call: BatchCall) throws {
    for property in references.indices { try references[property].perform(call) }
  }

  private mutating func step() throws {
    switch random.next() % 12 {
    case 0...3: if living.count < 200 { try emit() }
    case 4, 5: try remove()
    case 6: try retarget(place, 0)
    case 7: try retarget(size, 1)
    case 8: try retarget(shift, 2)
    case 9, 10: try removeSettled()
    default: break
    }
    let velocities = random.next() & 1 == 0
    try particles.advance(by: random.uniform(0...0.2), velocities: velocities)
    try perform(BatchCall(.advance(to: particles.time, velocities: velocities)))
    compare()
  }

  // MARK: - Calls

  private mutating func emit() throws {
    let count = 1 + Int(random.next() % 40)
    // Some are at their goals, and come to rest at once.
    let still = (0..<count).filter { _ in random.next() % 8 == 0 }
    handles += try particles.add(
      try start(place, 0, count, still), try start(size, 1, count, still), try start(shift, 2, count, still))
  }

  /// A start of a property of new particles.
  private mutating func start<Value: TrackValue>(
    _ property: ParticleProperty<Value>, _ number: Int, _ count: Int, _ still: [Int]
  ) throws -> ParticleStart<Value> {
    let (range, spring, dimensions) = (range(), spring(), Value.dimensions)
    let speed = random.next() % 4 == 0 ? 0 : 10 * range.upperBound
    let goals = random.floats(count * dimensions, range)
    var values = random.floats(count * dimensions, range)
    var velocities = random.floats(count * dimensions, -speed...speed)
    for particle in still {
      let items = particle * dimensions..<(particle + 1) * dimensions
      for item in items { (values[item], velocities[item]) = (goals[item], 0) }
    }
    try references[number].perform(
      BatchCall(.addMoving, values: values, velocities: velocities, goals: goals, springs: [spring]))
    return property.start(at: vectors(values), velocities: vectors(velocities), to: vectors(goals), spring)
  }

  private func vectors<Value: TrackValue>(_ items: [Float]) -> [Value] {
    stride(from: 0, to: items.count, by: Value.dimensions).map { first in Value { items[first + $0] } }
  }

  private mutating func range() -> ClosedRange<Double> {
    let magnitude = [1, 100, 100, 1e4][Int(random.next() % 4)]
    return -magnitude...magnitude
  }

  private mutating func spring() -> Spring {
    let regime = SpringRegime.allCases.randomElement(using: &random) ?? .bouncy
    return random.next() % 20 == 0 ? Spring(duration: 0, bounce: 0) : SpringDraw(regime, &random).spring
  }

  private mutating func retarget<Value: TrackValue>(_ property: ParticleProperty<Value>, _ number: Int) throws {
    let some = living.filter { _ in random.next() % 4 == 0 }
    let goals = random.floats(some.count * Value.dimensions, range())
    let (named, vectors) = (some.map { handles[$0] }, vectors(goals) as [Value])
    if random.next() & 1 == 0 {
      try particles[property].retarget(named, to: vectors)
      try references[number].perform(BatchCall(.retarget, .tracks(some), goals: goals))
    } else {
      let spring = Animation.spring(spring())
      try particles[property].animate(named, to: vectors, spring)
      try references[number].perform(BatchCall(.animate, .tracks(some), goals: goals, animations: [spring]))
    }
  }

  private mutating func remove() throws {
    let gone = Array(living.shuffled(using: &random).prefix(Int(random.next() % 30)))
    let named = gone.map { handles[$0] }
    // A particle that is named twice is removed once.
    try particles.remove(named + named.prefix(2))
    try perform(BatchCall(.remove, .tracks(gone)))
  }

  /// All properties of each particle move, so the particles at rest are removed.
  private mutating func removeSettled() throws {
    let settled = living.filter { particles.isAtRest(handles[$0]) == true }
    let count = particles.removeSettled()
    results.expect(count == settled.count, "\(count) particles were at rest, not \(settled.count)")
    for particle in settled {
      let mayRest = references.allSatisfy { $0[particle]?.mayRest ?? false }
      results.expect(mayRest, "particle \(particle) is removed, and moves")
    }
    try perform(
      BatchCall(.remove, .tracks(settled.sorted { handles[$0].index < handles[$1].index })))
  }

  // MARK: - Comparing

  private mutating func compare() {
    let (count, living) = (particles.count, living)
    results.expect(count == living.count, "\(count) particles, not \(living.count)")
    for particle in living {
      let isThere = particles.contains(handles[particle])
      let isInPlace = handles[particle].index == references[0].index(of: particle)
      results.expect(isThere && isInPlace, "particle \(particle) is there, at its index")
    }
    let isAlive = Set(living)
    for particle in handles.indices.suffix(200) where !isAlive.contains(particle) {
      let isGone = !particles.contains(handles[particle])
      results.expect(isGone, "particle \(particle) is gone")
    }
    compare(place, references[0])
    compare(size, references[1])
    compare(shift, references[2])
  }

  private mutating func compare<Value: TrackValue>(_ property: ParticleProperty<Value>, _ reference: ReferenceBatch) {
    for particle in reference.liveTracks {
      guard let own = particles[property][handles[particle]],
        let speed = particles[property].velocity(of: handles[particle])
      else {
        results.expect(false, "\(property) lacks particle \(particle)")
        continue
      }
      for (component, exact) in reference.state(of: particle).enumerated() {
        let excess = Excess(value: own.component(component), velocity: speed.component(component), of: exact)
        results.record(excess, "\(property), \(reference[particle]?.summary ?? "")")
      }
    }
  }
}
