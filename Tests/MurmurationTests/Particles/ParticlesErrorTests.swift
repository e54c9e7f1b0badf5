// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A call that fails for one property changes nothing in any, and clocks stay in step.
struct ParticlesErrorTests {
  private struct Fixture: ~Copyable {
    var particles: Particles
    let place: ParticleProperty<SIMD2<Float>>
    let size: ParticleProperty<Float>
    let handles: [TrackHandle]

    init() throws {
      var particles = Particles()
      let place = try particles.addProperty(SIMD2<Float>.self)
      let size = try particles.addProperty(Float.self)
      let handles = try particles.add(
        place.start(at: [[0, 3], [1, 4], [2, 5]], to: [[-1, -1], [-1, -1], [-1, -1]], .smooth),
        size.start(at: [6, 7, 8], to: [-1, -1, -1], .bouncy))
      try particles.advance(to: 0.1)
      (self.place, self.size, self.handles) = (place, size, handles)
      self.particles = particles
    }

    /// Everything that a caller can see.
    func state() -> [Double] {
      [Double(particles.count), Double(particles.indexCount), particles.time]
        + Self.state(of: particles[place]) + Self.state(of: particles[size])
    }

    private static func state(of tracks: borrowing some AnimatedTracks & ~Copyable) -> [Double] {
      [tracks.engine.time, Double(tracks.count), Double(tracks.indexCount)]
        + tracks.bits(of: tracks.live).map(Double.init)
    }
  }

  @Test func aBadAddAddsNothingAnywhere() throws {
    var fixture = try Fixture()
    let before = fixture.state()
    let (place, size) = (fixture.place, fixture.size)
    let (good, pair): ([SIMD2<Float>], [Float]) = ([[1, 1], [2, 2]], [1, 2])
    let broken = Spring(duration: 2e6, bounce: 0)
    let starts: [(ParticleStart<SIMD2<Float>>, ParticleStart<Float>)] = [
      (place.start(at: good, to: good, .smooth), size.start(at: pair, to: pair, broken)),
      (place.start(at: good, to: good, broken), size.start(at: pair, to: pair, .smooth)),
      (place.start(at: good, to: good, .smooth), size.start(at: [1], to: [2], .smooth)),
      (place.start(at: good, to: [[1, 1]], .smooth), size.start(at: pair)),
      (place.start(at: good, velocities: [[1, 1]], to: good, .smooth), size.start(at: pair)),
      (place.start(at: good, to: good, .smooth), size.start(at: [1, .nan])),
      (place.start(at: good, to: good, .smooth), size.start(at: pair, to: [1, .infinity], .smooth)),
      (place.start(at: good, to: good, .smooth), size.start(at: pair, velocities: [1, 2e15], to: pair, .smooth)),
      (place.start(at: [[1, 1], [.infinity, 1]]), size.start(at: pair)),
    ]
    for (number, start) in starts.enumerated() {
      var handles = [TrackHandle.noTrack, .noTrack]
      #expect(throws: BatchError.self, "case \(number)") {
        var span = handles.mutableSpan
        try fixture.particles.add(start.0, start.1, handles: &span)
      }
      #expect(fixture.state() == before && handles == [.noTrack, .noTrack], "case \(number)")
    }
    // The properties still give new particles the same handles.
    let handles = try fixture.particles.add(size.start(at: pair), place.start(at: good, to: good, .smooth))
    for handle in handles {
      #expect(fixture.particles[place].contains(handle) && fixture.particles[size].contains(handle))
    }
  }

  @Test func errorsNameTheirPlace() throws {
    var fixture = try Fixture()
    let (place, size) = (fixture.place, fixture.size)
    #expect(throws: BatchError.invalidValue(of: "goal", index: 2, value: .infinity)) {
      try fixture.particles.add(size.start(at: [1, 2, 3], to: [1, 2, .infinity], .smooth))
    }
    let error = #expect(throws: BatchError.self) {
      try fixture.particles.add(
        place.start(at: [.zero]), size.start(at: [1], to: [2], Spring(duration: 2e6, bounce: 0)))
    }
    if case .invalidSpring(index: 1, _)? = error {} else { Issue.record("\(String(describing: error))") }
    #expect(throws: BatchError.propertyOutOfRange(1)) {
      try fixture.particles.add(size.start(at: [1]), size.start(at: [2]))
    }
    #expect(throws: BatchError.unsupportedValue("Swapped")) {
      _ = try fixture.particles.addProperty(BatchReadingTests.Swapped.self)
    }
    #expect(throws: BatchError.capacityExceeded(-1)) { try fixture.particles.reserve(-1) }
    var none = Particles()
    #expect(throws: BatchError.propertyOutOfRange(1)) { try none.add(size.start(at: [1])) }
    #expect(throws: BatchError.invalidTime(.infinity)) { try none.advance(to: .infinity) }
    #expect(throws: BatchError.storeMismatch(.noTrack)) { try none.remove(TrackHandle.noTrack) }
    try none.reserve(5)
    try none.advance(by: 2)
    #expect(none.count == 0 && none.time == 2 && none.removeSettled() == 0)
  }

  @Test func aPropertyOfOtherParticlesHasNoTracksHere() throws {
    var fixture = try Fixture()
    let other = try Fixture()
    let handle = fixture.handles[0]
    let before = fixture.state()
    #expect(fixture.particles[other.size][handle] == nil && fixture.particles[other.size].count == 0)
    #expect(throws: BatchError.storeMismatch(handle)) {
      try fixture.particles[other.size].animate(handle, to: 1, .smooth)
    }
    #expect(throws: BatchError.propertyOutOfRange(1)) { try fixture.particles.add(other.size.start(at: [1])) }
    #expect(fixture.state() == before)
  }

  @Test func clocksStayInStep() throws {
    var fixture = try Fixture()
    let (handle, size) = (fixture.handles[0], fixture.size)
    try fixture.particles.advance(to: 0.5)
    // The second property alone starts anew, so the clock of neither can go back.
    try fixture.particles[size].animate(handle, to: 4, .smooth)
    let before = fixture.state()
    #expect(throws: BatchError.timeBeforeStart(time: 0.25, start: 0.5)) { try fixture.particles.advance(to: 0.25) }
    #expect(throws: BatchError.timeBeforeStart(time: 0.25, start: 0.5)) { try fixture.particles.advance(by: -0.25) }
    #expect(throws: BatchError.self) { try fixture.particles.advance(to: .nan) }
    #expect(throws: BatchError.invalidTime(.infinity)) { try fixture.particles.advance(by: .infinity) }
    #expect(fixture.state() == before)
    // Steps are summed up with compensation.
    for _ in 0..<1_000 { try fixture.particles.advance(by: 0.1) }
    #expect(fixture.particles.time == 100.5)
  }
}
