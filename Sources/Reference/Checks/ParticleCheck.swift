// SPDX-License-Identifier: MIT
package import Murmuration

/// Emits, retargets and removes particles at random, and compares each property of each particle with a reference of
/// its own.
package struct ParticleCheck {
  /// The particles: a position, a size and a shift.
  private struct Swarm: ~Copyable {
    var particles: Particles
    let place: ParticleProperty<SIMD3<Float>>
    let size: ParticleProperty<Float>
    let shift: ParticleProperty<SIMD2<Float>>

    init(on set: KernelSet) throws {
      var particles = Particles(kernels: set)
      let place = try particles.addProperty(SIMD3<Float>.self)
      let size = try particles.addProperty(Float.self)
      let shift = try particles.addProperty(SIMD2<Float>.self)
      (self.place, self.size, self.shift) = (place, size, shift)
      self.particles = particles
    }
  }

  /// The dimensions of each property.
  private static let properties = [3, 1, 2]

  private var value: CheckResult
  private var velocity: CheckResult
  private var state: CheckResult
  private var random: SplitMix64
  /// The living particles, with a track for each property.
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
    var swarm = try Swarm(on: set)
    while min(check.value.samples, check.state.samples) < samples { try check.step(&swarm) }
    return [check.value, check.velocity, check.state]
  }

  private mutating func step(_ swarm: inout Swarm) throws {
    switch random.next() % 6 {
    case 0, 1: if living.count < 200 { try emit(&swarm) }
    case 2: try remove(&swarm)
    case 3: try retarget(&swarm)
    case 4: removeSettled(&swarm)
    default: break
    }
    try swarm.particles.advance(by: random.uniform(0...0.2), velocities: random.next() & 1 == 0)
    for index in living.indices {
      for property in living[index].tracks.indices {
        _ = living[index].tracks[property].advance(to: swarm.particles.time)
      }
    }
    compare(swarm)
  }

  private mutating func emit(_ swarm: inout Swarm) throws {
    let count = 1 + Int(random.next() % 40)
    let numbers = Self.properties.map { _ in Numbers(seed: random.next() >> 8) }
    func start<Value: TrackValue>(_ property: ParticleProperty<Value>, _ numbers: Numbers) -> ParticleStart<Value> {
      property.start(
        at: (0..<count).map { Self.value(numbers.value($0)) },
        velocities: (0..<count).map { Self.value(numbers.velocity($0)) },
        to: (0..<count).map { Self.value(numbers.target($0)) }, numbers.spring(0))
    }
    let handles = try swarm.particles.add(
      start(swarm.place, numbers[0]), start(swarm.size, numbers[1]), start(swarm.shift, numbers[2]))
    let rules = ReferenceRules(restTolerance: RestTolerances())
    for (index, handle) in handles.enumerated() {
      let tracks = zip(numbers, Self.properties).map { numbers, dimensions in
        ReferenceTrack(
          numbers.value(index).numbers(dimensions), velocities: numbers.velocity(index).numbers(dimensions),
          to: numbers.target(index).numbers(dimensions), on: numbers.spring(0), at: swarm.particles.time, rules)
      }
      living.append((handle, tracks))
    }
  }

  private static func value<Value: TrackValue>(_ vector: Vector) -> Value {
    let numbers = vector.numbers(Value.dimensions)
    return Value { numbers[$0] }
  }

  private mutating func remove(_ swarm: inout Swarm) throws {
    var gone: [TrackHandle] = []
    for _ in 0..<min(living.count, Int(random.next() % 30)) {
      gone.append(living.remove(at: Int(random.next() % UInt64(living.count))).handle)
    }
    // A particle that is named twice is removed once.
    try swarm.particles.remove(gone + gone.prefix(2))
    dead = (dead + gone).suffix(50)
  }

  /// All properties of each particle have been retargeted, so the particles at rest are removed.
  private mutating func removeSettled(_ swarm: inout Swarm) {
    let settled = living.map(\.handle).filter { swarm.particles.isAtRest($0) == true }
    let count = swarm.particles.removeSettled()
    state.record(count == settled.count ? 0 : 1, "\(count) particles were at rest, not \(settled.count)")
    let gone = Set(settled)
    living.removeAll { gone.contains($0.handle) }
    dead = (dead + settled).suffix(50)
  }

  private mutating func retarget(_ swarm: inout Swarm) throws {
    switch random.next() % 3 {
    case 0: try retarget(swarm.place, 0, &swarm)
    case 1: try retarget(swarm.size, 1, &swarm)
    default: try retarget(swarm.shift, 2, &swarm)
    }
  }

  private mutating func retarget<Value: TrackValue>(
    _ property: ParticleProperty<Value>, _ number: Int, _ swarm: inout Swarm
  ) throws {
    let numbers = Numbers(seed: random.next() >> 8)
    let some = living.indices.filter { _ in random.next() % 4 == 0 }
    let handles = some.map { living[$0].handle }
    let goals: [Value] = some.indices.map { Self.value(numbers.target($0)) }
    let spring = random.next() & 1 == 0 ? nil : numbers.spring(0)
    if let spring {
      try swarm.particles[property].animate(handles, to: goals, .spring(spring))
    } else {
      try swarm.particles[property].retarget(handles, to: goals)
    }
    for (index, particle) in some.enumerated() {
      let target = numbers.target(index).numbers(Value.dimensions)
      if let spring {
        living[particle].tracks[number].animate(to: target, with: .spring(spring), at: swarm.particles.time)
      } else {
        living[particle].tracks[number].retarget(to: target, at: swarm.particles.time)
      }
    }
  }

  private mutating func compare(_ swarm: borrowing Swarm) {
    let count = swarm.particles.count
    state.record(count == living.count ? 0 : 1, "\(count) particles, not \(living.count)")
    for (handle, _) in living {
      state.record(swarm.particles.contains(handle) ? 0 : 1, "index \(handle.index) is there")
    }
    for handle in dead { state.record(swarm.particles.contains(handle) ? 1 : 0, "index \(handle.index) is gone") }
    let time = swarm.particles.time
    compare(swarm.particles[swarm.place], 0, at: time)
    compare(swarm.particles[swarm.size], 1, at: time)
    compare(swarm.particles[swarm.shift], 2, at: time)
  }

  private mutating func compare<Tracks: AnimatedTracks & ~Copyable>(
    _ shown: borrowing Tracks, _ number: Int, at time: Double
  ) {
    for (handle, tracks) in living {
      guard let own = shown[handle], let speed = shown.velocity(of: handle) else {
        state.record(1, "property \(number) lacks index \(handle.index)")
        continue
      }
      for component in 0..<Tracks.Value.dimensions {
        let excess = Excess(
          value: own.component(component), velocity: speed.component(component),
          of: tracks[number].sample(component, at: time))
        func text() -> String { "property \(number), \(tracks[number].summary(at: time))" }
        value.record(excess.value, text())
        velocity.record(excess.velocity, text())
      }
    }
  }
}
