// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

/// Particles against a dictionary of motions, one of each property and dimension.
struct ParticleBatchTests {
  private static let properties = [3, 1, 4]
  private static let springs = [
    Spring(duration: 0.5, bounce: 0.2), Spring(duration: 0.3, bounce: -0.3), Spring(duration: 0.8, bounce: 0),
  ]

  /// What the model knows of a particle: a motion of each property.
  private typealias Model = [TrackHandle: [SpringMotion]]

  private static func emit(
    _ count: Int, _ particles: inout ParticleBatch, _ model: inout Model, _ random: inout SplitMix64
  ) throws -> [TrackHandle] {
    let length = count * properties.reduce(0, +)
    let values = (0..<length).map { _ in Float(random.uniform(-100...100)) }
    let targets = (0..<length).map { _ in Float(random.uniform(-100...100)) }
    let velocities = random.next() & 1 == 0 ? [] : (0..<length).map { _ in Float(random.uniform(-100...100)) }
    var handles = [TrackHandle](repeating: TrackHandle(slot: 0, generation: 0, store: 0), count: count)
    var span = handles.mutableSpan
    try particles.emit(
      springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    for (index, handle) in handles.enumerated() {
      var first = 0
      model[handle] = properties.enumerated().map { property, dimensions in
        defer { first += dimensions * count }
        func own(_ numbers: [Float]) -> [Float] { (0..<dimensions).map { numbers[first + $0 * count + index] } }
        return SpringMotion(
          springs[property], values: own(values), velocities: velocities.isEmpty ? [] : own(velocities),
          targets: own(targets), at: particles.time)
      }
    }
    return handles
  }

  /// The value and the velocity of a property of a particle.
  private static func read(
    _ property: Int, _ handle: TrackHandle, _ particles: inout ParticleBatch
  ) throws -> (values: [Float], velocities: [Float]) {
    func parts<V: TrackValue>(_ value: V) -> [Float] { (0..<V.dimensions).map(value.component) }
    return switch property {
    case 0:
      (
        parts(try particles.value(0, of: handle, as: SIMD3<Float>.self)),
        parts(try particles.velocity(0, of: handle, as: SIMD3<Float>.self))
      )
    case 1:
      (
        parts(try particles.value(1, of: handle, as: Float.self)),
        parts(try particles.velocity(1, of: handle, as: Float.self))
      )
    default:
      (
        parts(try particles.value(2, of: handle, as: SIMD4<Float>.self)),
        parts(try particles.velocity(2, of: handle, as: SIMD4<Float>.self))
      )
    }
  }

  private static func check(_ handle: TrackHandle, _ particles: inout ParticleBatch, _ model: Model) throws {
    for property in properties.indices {
      let (values, velocities) = try read(property, handle, &particles)
      guard let exact = model[handle]?[property] else { continue }
      for dimension in values.indices {
        let sample = exact.sample(dimension, at: particles.time, RestTolerances())
        #expect(Excess(value: values[dimension], velocity: velocities[dimension], of: sample).largest <= 1)
      }
    }
  }

  @Test(arguments: [1, 3]) func aHandleNamesTheSameParticleInAllProperties(_ threads: Int) throws {
    var random = SplitMix64(seed: 120)
    var particles = try ParticleBatch(properties: Self.properties)
    particles.threadCount = threads
    var model: Model = [:]
    var alive: [TrackHandle] = []
    var dead: [TrackHandle] = []
    for _ in 0..<400 {
      switch random.next() % 6 {
      case 0, 1: alive += try Self.emit(Int(random.next() % 40), &particles, &model, &random)
      case 2, 3:
        var gone: [TrackHandle] = []
        for _ in 0..<min(alive.count, Int(random.next() % 40)) {
          gone.append(alive.remove(at: Int(random.next() % UInt64(alive.count))))
        }
        // One that is named twice is removed once.
        let named = gone + gone.prefix(3)
        try particles.remove(named.span)
        gone.forEach { model[$0] = nil }
        dead += gone
      case 4:
        let property = Int(random.next() % 3)
        let dimensions = Self.properties[property]
        let some = alive.filter { _ in random.next() % 4 == 0 }
        let targets = (0..<some.count * dimensions).map { _ in Float(random.uniform(-100...100)) }
        let spring = random.next() & 1 == 0 ? nil : Spring(duration: 0.4, bounce: 0.1)
        try particles.retarget(property, some.span, to: targets.span, spring: spring)
        for (index, handle) in some.enumerated() {
          guard let old = model[handle]?[property] else { continue }
          // It sets out from what it shows, at rest from its target.
          let (values, velocities) = try Self.read(property, handle, &particles)
          model[handle]?[property] = SpringMotion(
            spring ?? old.spring, values: values, velocities: velocities,
            targets: (0..<dimensions).map { targets[$0 * some.count + index] }, at: particles.time)
        }
      default: try particles.advance(by: random.uniform(0...0.2))
      }
      #expect(particles.count == alive.count)
      for handle in alive.filter({ _ in random.next() % 8 == 0 }) {
        let isThere = particles.contains(handle)
        #expect(isThere)
        try Self.check(handle, &particles, model)
      }
    }
    #expect(dead.count > 500 && alive.count > 20)
    for handle in dead {
      let isThere = particles.contains(handle)
      #expect(!isThere)
      #expect(throws: BatchError.staleHandle(handle)) { try particles.isAtRest(handle) }
    }
    // Columns of all properties run parallel to the indices.
    for handle in alive {
      for property in 0..<3 {
        let values = try Self.read(property, handle, &particles).values
        for dimension in 0..<Self.properties[property] {
          var column = [Float](repeating: .nan, count: particles.indexCount)
          var span = column.mutableSpan
          try particles.copyValues(property, dimension: dimension, into: &span)
          #expect(column[handle.index] == values[dimension])
        }
      }
    }
    particles.removeAll()
    let isLeft = alive.contains { particles.contains($0) }
    #expect(particles.count == 0 && !isLeft)
  }

  /// Each property completes by its own spring; a particle is at rest when all of its properties are.
  @Test func propertiesCompleteEachInItsTime() throws {
    var particles = try ParticleBatch(properties: [1, 2])
    let springs = [Spring(duration: 0.2, bounce: 0), Spring(duration: 2, bounce: 0)]
    var handles = [TrackHandle](repeating: TrackHandle(slot: 0, generation: 0, store: 0), count: 2)
    var span = handles.mutableSpan
    let (values, targets): ([Float], [Float]) = ([0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6])
    try particles.emit(springs.span, values: values.span, targets: targets.span, handles: &span)
    let rest = try (0..<2).map { try particles.restTime($0, of: handles[1]) }
    #expect(rest[0] > 0.2 && rest[0] < 0.6 && rest[1] > 2)
    var logical = [0, 0]
    var settled = [0, 0]
    for frame in 1...200 {
      let time = Double(frame) / 20
      try particles.advance(to: time)
      for property in 0..<2 {
        let (complete, done) = (try particles.logicallyComplete(property), try particles.settled(property))
        #expect((complete.isEmpty || Set(complete) == Set(handles)) && (done.isEmpty || Set(done) == Set(handles)))
        logical[property] += complete.count
        settled[property] += done.count
        #expect(complete.isEmpty || abs(time - springs[property].duration) < 0.06)
        #expect(done.isEmpty || time >= rest[property] && time < rest[property] + 0.06)
      }
      let (rests, all) = (try particles.isAtRest(handles[0]), time >= rest.max() ?? 0)
      #expect(rests == all)
    }
    #expect(logical == [2, 2] && settled == [2, 2])
  }

  /// Every call for one property leaves the others as they are.
  @Test func aCallForOnePropertyLeavesTheOthers() throws {
    var random = SplitMix64(seed: 121)
    for call in 0..<6 {
      var particles = try ParticleBatch(properties: Self.properties)
      var twin = try ParticleBatch(properties: Self.properties)
      var (model, twinModel): (Model, Model) = ([:], [:])
      var twinRandom = random
      let handles = try Self.emit(5, &particles, &model, &random)
      let twins = try Self.emit(5, &twin, &twinModel, &twinRandom)
      let part = Array(handles[1...2])
      let numbers: [Float] = [1, 2]
      switch call {
      case 0: try particles.retarget(1, handles[1], to: Float(9))
      case 1: try particles.retarget(1, part.span, to: numbers.span, spring: .bouncy)
      case 2: try particles.retarget(1, part.span, to: numbers.span, delays: [0.1, 0.2].span)
      case 3: try particles.set(1, part.span, values: numbers.span, velocities: numbers.span)
      case 4: try particles.decelerate(1, part.span, velocities: numbers.span)
      default: try particles.decelerate(1, part.span)
      }
      try particles.advance(to: 0.3)
      try twin.advance(to: 0.3)
      for (handle, other) in zip(handles, twins) {
        for property in 0..<3 {
          let (got, same) = (try Self.read(property, handle, &particles), try Self.read(property, other, &twin))
          let isChanged = property == 1 && (handle == handles[1] || handle == handles[2] && call > 0)
          #expect((got.values == same.values) != isChanged, "call \(call), property \(property)")
        }
      }
    }
  }
}
