// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Particles against a dictionary of motions, one of each property and dimension.
struct ParticlesTests {
  private static let springs = [
    Spring(duration: 0.5, bounce: 0.2), Spring(duration: 0.3, bounce: -0.3), Spring(duration: 0.8, bounce: 0),
  ]

  /// Particles with a place, a size and a colour, and the model's motion of each property.
  private struct Swarm: ~Copyable {
    var particles: Particles
    let place: ParticleProperty<SIMD3<Float>>
    let size: ParticleProperty<Float>
    let colour: ParticleProperty<SIMD4<Float>>
    var model: [TrackHandle: [SpringMotion]] = [:]

    init() throws {
      var particles = Particles()
      let place = try particles.addProperty(SIMD3<Float>.self)
      let size = try particles.addProperty(Float.self)
      let colour = try particles.addProperty(SIMD4<Float>.self)
      (self.place, self.size, self.colour) = (place, size, colour)
      self.particles = particles
    }

    mutating func emit(_ count: Int, _ random: inout SplitMix64) throws -> [TrackHandle] {
      func numbers<V: TrackValue>() -> [V] {
        (0..<count).map { _ in V { _ in Float(random.uniform(-100...100)) } }
      }
      let isThrown = random.next() & 1 == 0
      func start<V: TrackValue>(
        _ property: ParticleProperty<V>, _ spring: Spring
      ) -> ([SpringMotion], ParticleStart<V>) {
        let (values, goals): ([V], [V]) = (numbers(), numbers())
        let velocities: [V] = isThrown ? numbers() : []
        let motions = (0..<count).map { index in
          SpringMotion(
            spring, values: Self.parts(values[index]), velocities: isThrown ? Self.parts(velocities[index]) : [],
            targets: Self.parts(goals[index]), at: particles.time)
        }
        return (motions, property.start(at: values, velocities: velocities, to: goals, spring))
      }
      let (places, sizes, colours) = (
        start(place, ParticlesTests.springs[0]), start(size, ParticlesTests.springs[1]),
        start(colour, ParticlesTests.springs[2])
      )
      let handles = try particles.add(colours.1, places.1, sizes.1)
      for index in 0..<count { model[handles[index]] = [places.0[index], sizes.0[index], colours.0[index]] }
      return handles
    }

    static func parts<V: TrackValue>(_ value: V) -> [Float] { (0..<V.dimensions).map(value.component) }

    /// The value and the velocity of a property of a particle.
    func read(_ property: Int, _ handle: TrackHandle) throws -> (values: [Float], velocities: [Float]) {
      func parts<V: TrackValue>(_ property: ParticleProperty<V>) throws -> ([Float], [Float]) {
        let (value, velocity) = (particles[property][handle], particles[property].velocity(of: handle))
        return (Self.parts(try #require(value)), Self.parts(try #require(velocity)))
      }
      return switch property {
      case 0: try parts(place)
      case 1: try parts(size)
      default: try parts(colour)
      }
    }

    func check(_ handle: TrackHandle) throws {
      for property in 0..<3 {
        let (values, velocities) = try read(property, handle)
        guard let exact = model[handle]?[property] else { continue }
        for (dimension, sample) in exact.samples(at: particles.time, RestTolerances()).enumerated() {
          #expect(Excess(value: values[dimension], velocity: velocities[dimension], of: sample).largest <= 1)
        }
      }
    }

  }

  @Test(arguments: [1, 3]) func aHandleNamesTheSameParticleInAllProperties(_ threads: Int) throws {
    var random = SplitMix64(seed: 120)
    var swarm = try Swarm()
    swarm.particles.threadCount = threads
    var alive: [TrackHandle] = []
    var dead: [TrackHandle] = []
    for _ in 0..<400 {
      switch random.next() % 6 {
      case 0, 1: alive += try swarm.emit(Int(random.next() % 40), &random)
      case 2, 3:
        var gone: [TrackHandle] = []
        for _ in 0..<min(alive.count, Int(random.next() % 40)) {
          gone.append(alive.remove(at: Int(random.next() % UInt64(alive.count))))
        }
        // A particle that is named twice is removed once.
        try swarm.particles.remove(gone + gone.prefix(3))
        gone.forEach { swarm.model[$0] = nil }
        dead += gone
      case 4:
        let some = alive.filter { _ in random.next() % 4 == 0 }
        let spring = random.next() & 1 == 0 ? nil : Spring(duration: 0.4, bounce: 0.1)
        let property = Int(random.next() % 3)
        switch property {
        case 0: try Self.retarget(swarm.place, 0, some, spring, &swarm, &random)
        case 1: try Self.retarget(swarm.size, 1, some, spring, &swarm, &random)
        default: try Self.retarget(swarm.colour, 2, some, spring, &swarm, &random)
        }
      default: try swarm.particles.advance(by: random.uniform(0...0.2))
      }
      let count = swarm.particles.count
      #expect(count == alive.count)
      for handle in alive.filter({ _ in random.next() % 8 == 0 }) {
        let (isThere, same) = (swarm.particles.contains(handle), swarm.particles.handle(at: handle.index))
        #expect(isThere && same == handle)
        try swarm.check(handle)
      }
    }
    #expect(dead.count > 500 && alive.count > 20)
    for handle in dead {
      let (isThere, rests) = (swarm.particles.contains(handle), swarm.particles.isAtRest(handle))
      #expect(!isThere && rests == nil)
    }
    // Columns of all properties run parallel to the indices.
    let count = swarm.particles.indexCount
    var (sizes, colours) = ([Float](repeating: .nan, count: count), [SIMD4<Float>](repeating: .one, count: count))
    try swarm.particles[swarm.size].copyValues(into: &sizes)
    try swarm.particles[swarm.colour].copyValues(into: &colours)
    for handle in alive {
      let (size, colour) = (swarm.particles[swarm.size][handle], swarm.particles[swarm.colour][handle])
      #expect(size == sizes[handle.index] && colour == colours[handle.index])
    }
    try swarm.particles.compact()
    for handle in alive { try swarm.check(handle) }
    swarm.particles.removeAll()
    let isLeft = alive.contains { swarm.particles.contains($0) }
    let left = swarm.particles.count
    #expect(left == 0 && !isLeft)
  }

  private static func retarget<V: TrackValue>(
    _ property: ParticleProperty<V>, _ number: Int, _ handles: [TrackHandle], _ spring: Spring?, _ swarm: inout Swarm,
    _ random: inout SplitMix64
  ) throws {
    let goals = handles.map { _ in V { _ in Float(random.uniform(-100...100)) } }
    if let spring {
      try swarm.particles[property].animate(handles, to: goals, .spring(spring))
    } else {
      try swarm.particles[property].retarget(handles, to: goals)
    }
    for (goal, handle) in zip(goals, handles) {
      guard let old = swarm.model[handle]?[number] else { continue }
      // It sets out from what it shows.
      let (values, velocities) = try swarm.read(number, handle)
      swarm.model[handle]?[number] = SpringMotion(
        spring ?? old.spring, values: values, velocities: velocities, targets: Swarm.parts(goal),
        at: swarm.particles.time)
    }
  }

  /// Each property completes by its own spring; a particle is at rest when all of its properties are.
  @Test func propertiesCompleteEachInItsTime() throws {
    var particles = Particles()
    let size = try particles.addProperty(Float.self)
    let place = try particles.addProperty(SIMD2<Float>.self)
    let springs = [Spring(duration: 0.2, bounce: 0), Spring(duration: 2, bounce: 0)]
    let handles = try particles.add(
      size.start(at: [0, 0], to: [2, 2], springs[0]),
      place.start(at: [.zero, .zero], to: [[4, 6], [6, 4]], springs[1]))
    // It never moved, so it is not removed.
    let still = try particles.add(size.start(at: [7]))
    let rest = [
      particles[size].restTime(of: handles[1]) ?? .nan, particles[place].restTime(of: handles[1]) ?? .nan,
    ]
    #expect(rest[0] > 0.2 && rest[0] < 0.6 && rest[1] > 2)
    var (logical, settled, whole) = ([0, 0], [0, 0], 0)
    for frame in 1...200 {
      let time = Double(frame) / 20
      try particles.advance(to: time)
      let events = [particles[size].events, particles[place].events]
      for property in 0..<2 {
        let complete = events[property].filter { $0.kind == .logicallyComplete }.map(\.track)
        let done = events[property].filter { $0.kind == .settled }.map(\.track)
        #expect((complete.isEmpty || complete == handles) && (done.isEmpty || done == handles))
        logical[property] += complete.count
        settled[property] += done.count
        #expect(complete.isEmpty || abs(time - springs[property].duration) < 0.06)
        #expect(done.isEmpty || time >= rest[property] && time < rest[property] + 0.06)
      }
      let (ended, rests, isOver) = (particles.events, particles.isAtRest(handles[0]), time >= rest[1])
      whole += ended.count
      #expect(rests == isOver && (ended.isEmpty || ended.map(\.track) == handles && ended == events[1]))
      if frame == 10 {
        let removed = particles.removeSettled()
        #expect(removed == 0)
      }
    }
    #expect(logical == [2, 2] && settled == [2, 2] && whole == 2)
    let removed = particles.removeSettled()
    let left = [particles.contains(handles[0]), particles.contains(handles[1]), particles.contains(still[0])]
    #expect(removed == 2 && left == [false, false, true])
  }

  @Test("A property that is added late has the existing particles, at 0, and later ones")
  func lateProperties() throws {
    var particles = Particles()
    try particles.advance(to: 3)
    let size = try particles.addProperty(Float.self)
    let first = try particles.add(
      size.start(at: (0..<40).map(Float.init), to: [Float](repeating: 9, count: 40), .smooth))
    try particles.remove([first[5], first[3], first[39]])
    try particles.advance(by: 0.1)
    let place = try particles.addProperty(SIMD2<Float>.self)
    let (count, value, time) = (particles[place].count, particles[place][first[7]], particles.time)
    #expect(count == 37 && value == .zero && time == 3.1)
    // The lowest free indices are taken first, in all properties.
    let later = try particles.add(place.start(at: [[1, 1], [2, 2]]))
    let indices = later.map(\.index)
    #expect(indices == [3, 5])
    for handle in later {
      let (there, zero) = (particles[place].contains(handle), particles[size][handle])
      #expect(there && zero == 0)
    }
    try particles[place].animate(Array(first[10..<30]), to: [SIMD2<Float>](repeating: [5, 5], count: 20), .bouncy)
    try particles.advance(by: 0.2)
    let (moved, sized) = (particles[place][first[11]] ?? .zero, particles[size][first[11]] ?? 0)
    #expect(moved.x > 1 && sized < 11 && sized > 9)
  }

  @Test("A property that is added late to many particles has room for all of them")
  func latePropertiesOfMany() throws {
    var particles = Particles()
    let size = try particles.addProperty(Float.self)
    let all = try particles.add(
      size.start(at: (0..<700).map(Float.init), to: [Float](repeating: 9, count: 700), .smooth))
    try particles.remove(Array(all[100..<400]))
    let place = try particles.addProperty(SIMD2<Float>.self)
    try particles[place].animate(all[699], to: [5, 5], .smooth)
    try particles.advance(by: 30)
    let (last, other) = (particles[place][all[699]], particles[place][all[50]])
    #expect(last == [5, 5] && other == .zero)
  }

  @Test func particlesCanBeSentToAnotherThread() async throws {
    var particles = Particles()
    let size = try particles.addProperty(Float.self)
    let handles = try particles.add(size.start(at: [0, 0], to: [1, 2], .smooth))
    let sent = Sent(particles)
    let values = try await Task.detached { try sent.advance(size, handles) }.value
    #expect(values == [1, 2])
  }

  /// Particles that another task takes.
  private final class Sent: @unchecked Sendable {
    private var particles: Particles
    init(_ particles: consuming Particles) { self.particles = particles }

    func advance(_ property: ParticleProperty<Float>, _ handles: [TrackHandle]) throws -> [Float?] {
      try particles.advance(to: 9)
      return handles.map { particles[property][$0] }
    }
  }
}
