// SPDX-License-Identifier: MIT
package import Murmuration

/// Emits, retargets and removes particles at random, and compares each of their properties with a reference of its own.
package struct ParticleCheck: ~Copyable {
  private typealias Value = SIMD3<Float>

  private var particles: Particles
  private var properties: [ParticleProperty<Value>] = []
  /// One for each property. Their tracks are the particles, counted as they were added.
  private var references = Array(repeating: ReferenceBatch(dimensions: Value.dimensions), count: 3)
  /// The particles that there ever were.
  private var handles: [TrackHandle] = []
  private var random: SplitMix64
  private var results: MotionResults

  private init(set: KernelSet, seed: UInt64) throws {
    particles = Particles(kernels: set)
    random = SplitMix64(seed: seed)
    results = MotionResults("particles", on: set)
    for _ in references { properties.append(try particles.addProperty()) }
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
    case 6...8: try retarget(Int(random.next() % 3))
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
    let isStill = random.next() % 8 == 0
    handles += try particles.add(start(0, count, isStill), start(1, count, isStill), start(2, count, isStill))
  }

  /// A start of a property of new particles.
  private mutating func start(_ number: Int, _ count: Int, _ isStill: Bool) throws -> ParticleStart<Value> {
    let (spring, goals) = (spring(), floats(count))
    let values = isStill ? goals : floats(count)
    let velocities = isStill || random.next() % 4 == 0 ? goals.map { _ in 0 } : floats(count)
    try references[number].perform(
      BatchCall(.addMoving, values: values, velocities: velocities, goals: goals, springs: [spring]))
    return properties[number].start(at: vectors(values), velocities: vectors(velocities), to: vectors(goals), spring)
  }

  private mutating func floats(_ count: Int) -> [Float] {
    let magnitude = [1, 100, 100, 1e4][Int(random.next() % 4)]
    return random.floats(count * Value.dimensions, -magnitude...magnitude)
  }

  private func vectors(_ items: [Float]) -> [Value] { items.chunks(of: Value.dimensions).map { Value($0) } }

  private mutating func spring() -> Spring {
    let regime = SpringRegime.allCases.randomElement(using: &random) ?? .bouncy
    return random.next() % 20 == 0 ? Spring(duration: 0, bounce: 0) : SpringDraw(regime, &random).spring
  }

  private mutating func retarget(_ number: Int) throws {
    let some = living.filter { _ in random.next() % 4 == 0 }
    let goals = floats(some.count)
    let (property, named) = (properties[number], some.map { handles[$0] })
    var call = BatchCall(.retarget, .tracks(some), goals: goals)
    switch random.next() % 8 {
    case 0...2: try particles[property].retarget(named, to: vectors(goals))
    case 3...5:
      (call.verb, call.animations) = (.animate, [random.next() & 1 == 0 ? .spring(spring()) : .easeOut(duration: 0.4)])
      try particles[property].animate(named, to: vectors(goals), call.animations[0])
    case 6:
      (call.verb, call.velocities, call.goals) = (.push, goals, [])
      try particles[property].push(named, by: vectors(goals))
    default:
      (call.verb, call.velocities, call.goals) = (.decelerate(.normal, within: nil), goals, [])
      try particles[property].decelerate(named, velocities: vectors(goals))
    }
    try references[number].perform(call)
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
    try perform(BatchCall(.remove, .tracks(settled.sorted { handles[$0].index < handles[$1].index })))
  }

  // MARK: - Comparing

  private mutating func compare() {
    let (count, living) = (particles.count, living)
    results.expect(count == living.count, "\(count) particles, not \(living.count)")
    for particle in living + handles.indices.suffix(200) {
      let index = particles.contains(handles[particle]) ? handles[particle].index : nil
      let expected = references[0][particle].map { _ in references[0].index(of: particle) }
      results.expect(index == expected, "the index of particle \(particle), if it lives")
    }
    for (property, reference) in zip(properties, references) {
      for particle in living {
        let (own, speed) = (particles[property][handles[particle]], particles[property].velocity(of: handles[particle]))
        for (component, exact) in reference.state(of: particle).enumerated() {
          let excess = Excess(value: own?[component] ?? .nan, velocity: speed?[component] ?? .nan, of: exact)
          results.record(excess, "\(property), \(reference[particle]?.summary ?? "")")
        }
      }
    }
  }
}
