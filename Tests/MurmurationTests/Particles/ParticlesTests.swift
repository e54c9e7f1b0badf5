// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Particles of properties of several types. `ParticleCheck` plays random particles against the reference.
struct ParticlesTests {
  @Test(arguments: [1, 3]) func aHandleNamesTheSameParticleInAllProperties(_ threads: Int) throws {
    var particles = Particles()
    particles.threadCount = threads
    let place = try particles.addProperty(SIMD3<Float>.self)
    let size = try particles.addProperty(Float.self)
    let color = try particles.addProperty(SIMD4<Float>.self)
    let numbers = (0..<90).map(Float.init)
    func emit(_ part: Range<Int>) throws -> [TrackHandle] {
      let values = numbers[part]
      return try particles.add(
        color.start(at: values.map { SIMD4($0, 1, 2, 3) }), size.start(at: Array(values)),
        place.start(at: values.map { SIMD3($0, 0, 0) }, to: values.map { SIMD3(0, $0, 0) }, .smooth))
    }
    func check(_ number: Int, _ handle: TrackHandle) {
      #expect(particles.contains(handle) && particles.handle(at: handle.index) == handle)
      #expect(particles[size][handle] == numbers[number] && particles[color][handle]?.x == numbers[number])
      #expect(particles[place].target(of: handle) == SIMD3(0, numbers[number], 0))
    }
    var handles = try emit(0..<50)
    let dead = handles.filter { $0.index % 3 == 1 }
    // A particle that is named twice is removed once.
    try particles.remove(dead + dead.prefix(3))
    handles += try emit(50..<90)
    try particles.advance(by: 0.1)
    let living = numbers.indices.filter { !dead.contains(handles[$0]) }
    #expect(particles.count == living.count && particles.indexCount == living.count)
    for number in living { check(number, handles[number]) }
    for handle in dead { #expect(particles[size][handle] == nil && particles.isAtRest(handle) == nil) }
    // Columns of all properties run parallel to the indices.
    var (sizes, colors) = ([Float](repeating: .nan, count: 73), [SIMD4<Float>](repeating: .one, count: 73))
    try particles[size].copyValues(into: &sizes)
    try particles[color].copyValues(into: &colors)
    for number in living { #expect(sizes[handles[number].index] == colors[handles[number].index].x) }
    #expect(sizes.sorted() == living.map { numbers[$0] })
    try particles.compact()
    for number in living { check(number, handles[number]) }
    particles.removeAll()
    #expect(particles.count == 0 && handles.allSatisfy { particles[color][$0] == nil })
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
    var told: [[String]] = [[], []]
    var whole: [TrackHandle] = []
    for frame in 1...200 {
      let time = Double(frame) / 20
      try particles.advance(to: time)
      let events = [particles[size].events, particles[place].events]
      for property in 0..<2 {
        for event in events[property] {
          let due = event.kind == .settled ? rest[property] : springs[property].duration
          #expect(time >= due && time < due + 0.06)
          told[property].append("\(event.kind) \(event.track.index)")
        }
      }
      whole += particles.events.map(\.track)
      #expect(particles.isAtRest(handles[0]) == (time >= rest[1]))
      #expect(particles.events.isEmpty || particles.events == events[1])
      if frame == 10 { #expect(particles.removeSettled() == 0) }
    }
    let expected = ["logicallyComplete 0", "logicallyComplete 1", "settled 0", "settled 1"]
    #expect(told == [expected, expected] && whole == handles && particles.removeSettled() == 2)
    #expect((handles + still).map { particles.contains($0) } == [false, false, true])
  }

  @Test(
    "A property that is added late has the existing particles, however many, at 0, and later ones",
    arguments: [40, 700])
  func lateProperties(_ count: Int) throws {
    var particles = Particles()
    try particles.advance(to: 3)
    let size = try particles.addProperty(Float.self)
    let first = try particles.add(
      size.start(at: (0..<count).map(Float.init), to: [Float](repeating: 9, count: count), .smooth))
    try particles.remove([first[5], first[3], first[count - 1]])
    try particles.advance(by: 0.1)
    let place = try particles.addProperty(SIMD2<Float>.self)
    #expect(particles[place].count == count - 3 && particles[place][first[7]] == .zero && particles.time == 3.1)
    // The lowest free indices are taken first, in all properties.
    let later = try particles.add(place.start(at: [[1, 1], [2, 2]]))
    #expect(later.map(\.index) == [3, 5])
    for handle in later { #expect(particles[place].contains(handle) && particles[size][handle] == 0) }
    try particles[place].animate(first[10..<30], to: [5, 5], .bouncy)
    try particles[place].animate(first[count - 2], to: [5, 5], .smooth)
    try particles.advance(by: 0.2)
    let (moved, sized) = (particles[place][first[11]] ?? .zero, particles[size][first[11]] ?? 0)
    #expect(moved.x > 1 && sized < 11 && sized > 9)
    try particles.advance(by: 30)
    #expect(particles[place][first[count - 2]] == [5, 5] && particles[place][first[7]] == .zero)
  }

  /// A property that is added late has all indices, also of particles that are gone, and calls of it wait on its clock, also
  /// before 0.
  @Test(arguments: [-1e9, -5, 0, 5, 1e9]) func latePropertiesHaveTheIndicesAndTheClock(_ start: Double) throws {
    var particles = Particles()
    let size = try particles.addProperty(Float.self)
    let burst = try particles.add(5)
    try particles.remove(burst[3...])
    try particles.advance(to: start)
    let place = try particles.addProperty(Float.self)
    #expect(particles.indexCount == 5 && particles[place].indexCount == 5)
    var places = [Float](repeating: 1, count: 5)
    try particles[place].copyValues(into: &places)
    #expect(places == [0, 0, 0, 0, 0])
    try particles.setSpeed([1, 1, 1, 1, 1], of: .all)
    try particles[size].animate(burst[0], to: 1, .linear(duration: 1), delay: 0.5)
    try particles[place].animate(burst[0], to: 1, .linear(duration: 1), delay: 0.5)
    for frame in 1...10 {
      try particles.advance(to: start + 0.2 * Double(frame))
      #expect(particles[place][burst[0]] == particles[size][burst[0]], "frame \(frame)")
    }
    #expect(particles[place][burst[0]] == 1)
    try particles.pause(0..<particles.indexCount)
  }

  /// Calls that change no motion leave what a curve shows at its very beginning.
  @Test func aCurveThatBeginsIsShownOn() throws {
    var particles = Particles()
    let size = try particles.addProperty(Float.self)
    let burst = try particles.add(20)
    try particles[size].animate(burst, to: 1, .timingCurve(.steps(4, position: .jumpStart), duration: 1))
    try particles.advance(to: 0)
    let calls: [(inout Particles) throws -> Void] = [
      { try $0.setLifetime(5, of: burst) }, { try $0.resume(burst) }, { try $0[size].seek(burst, to: 1) },
      { try $0[size].setVariation(of: burst, scale: 2, offset: 1) }, { try $0[size].setGoals(of: burst, 3) },
    ]
    for (number, call) in calls.enumerated() {
      try call(&particles)
      #expect(particles[size][burst[3]] == 0.25, "call \(number)")
    }
  }

  @Test func particlesCanBeSentToAnotherThread() async throws {
    var particles = Particles()
    let size = try particles.addProperty(Float.self)
    let handles = try particles.add(size.start(at: [0, 0], to: [1, 2], .smooth))
    let sent = Sent(particles)
    let values = try await Task.detached { try sent.advance(size, handles) }.value
    #expect(values == [1, 2])
  }

  /// A curve begins at this very moment: only calls that change the motion put its track back.
  @Test func callsThatLeaveMotionsAloneLeaveWhatTheyShow() throws {
    var particles = Particles()
    let property = try particles.addProperty(Float.self)
    _ = try particles.addProperty(Float.self)
    let particle = try particles.add(1)
    try particles[property].push(particle, by: 3)
    try particles[property].animate(particle, to: 5, .linear(duration: 1))
    let velocity = particles[property].velocity(of: particle[0])
    try particles.resume(particle)
    try particles.cancelDelays(of: particle)
    #expect(velocity == 3 && particles[property].velocity(of: particle[0]) == 3)
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
