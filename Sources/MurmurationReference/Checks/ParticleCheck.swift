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
    let (count, time) = (1 + Int(random.next() % 40), swarm.particles.time)
    let place = departure(swarm.place, count, at: time)
    let size = departure(swarm.size, count, at: time)
    let shift = departure(swarm.shift, count, at: time)
    let handles = try swarm.particles.add(place.start, size.start, shift.start)
    for (index, handle) in handles.enumerated() {
      living.append((handle, [place.tracks[index], size.tracks[index], shift.tracks[index]]))
    }
  }

  /// A property of new particles, some of which are at their goals, and its reference.
  private mutating func departure<Value: TrackValue>(
    _ property: ParticleProperty<Value>, _ count: Int, at time: Double
  ) -> (start: ParticleStart<Value>, tracks: [ReferenceTrack]) {
    let (magnitude, spring, areStill) = (magnitude(), spring(), random.next() % 4 == 0)
    let goals = vectors(count, Value.dimensions, magnitude)
    var values = vectors(count, Value.dimensions, magnitude)
    var velocities = vectors(count, Value.dimensions, areStill ? 0 : 10 * magnitude)
    for index in 0..<count where random.next() % 12 == 0 {
      values[index] = goals[index]
      velocities[index] = goals[index].map { _ in 0 }
    }
    let tracks = (0..<count).map { index in
      var track = ReferenceTrack(values[index], at: time)
      track.setOut(velocities: velocities[index], to: goals[index], on: spring, at: time, change: 1)
      return track
    }
    func all(_ vectors: [[Float]]) -> [Value] { vectors.map { vector in Value { vector[$0] } } }
    return (property.start(at: all(values), velocities: all(velocities), to: all(goals), spring), tracks)
  }

  private mutating func magnitude() -> Double { [1, 100, 100, 1e4][Int(random.next() % 4)] }

  private mutating func spring() -> Spring {
    guard random.next() % 20 > 0 else { return Spring(duration: 0, bounce: 0) }
    let regime = SpringRegime.allCases.randomElement(using: &random) ?? .bouncy
    return Spring(duration: random.logarithmic(0.05...10), bounce: regime.bounce(&random))
  }

  private mutating func vectors(_ count: Int, _ dimensions: Int, _ magnitude: Double) -> [[Float]] {
    (0..<count).map { _ in random.floats(dimensions, -magnitude...magnitude) }
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
    let time = swarm.particles.time
    for (handle, tracks) in living where gone.contains(handle) {
      state.record(tracks.allSatisfy { $0.mayRest(at: time) } ? 0 : 1, "index \(handle.index) is removed, and moves")
    }
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
    let some = living.indices.filter { _ in random.next() % 4 == 0 }
    let handles = some.map { living[$0].handle }
    let targets = vectors(some.count, Value.dimensions, magnitude())
    let goals = targets.map { target in Value { target[$0] } }
    let spring = random.next() & 1 == 0 ? nil : spring()
    if let spring {
      try swarm.particles[property].animate(handles, to: goals, .spring(spring))
    } else {
      try swarm.particles[property].retarget(handles, to: goals)
    }
    let time = swarm.particles.time
    for (target, particle) in zip(targets, some) {
      if let spring {
        living[particle].tracks[number].animate(to: target, with: .spring(spring), at: time, change: 1)
      } else {
        living[particle].tracks[number].retarget(to: target, at: time, change: 1)
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
