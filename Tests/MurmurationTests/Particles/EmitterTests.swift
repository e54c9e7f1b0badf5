// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Particles that are added at 0 and sent off by calls about their properties, their lifetimes, and calls about all properties.
struct EmitterTests {
  private struct Sparks: ~Copyable {
    var particles: Particles
    let place: ParticleProperty<SIMD2<Float>>
    let size: ParticleProperty<Float>

    init() throws {
      var particles = Particles()
      (place, size) = (try particles.addProperty(), try particles.addProperty())
      self.particles = particles
    }
  }

  @Test func particlesGoWhenTheirTimeIsOver() throws {
    var sparks = Particles()
    let (place, size) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let burst = try sparks.add(40, lifetime: 1)
    try sparks[size].animate(burst, to: 1, .linear(duration: 10))
    try sparks.setLifetime((0..<20).map { 0.1 * Double($0) }, of: burst[..<20])
    try sparks.setLifetime(.infinity as Double, of: burst[5])
    try sparks.setLifetime(0.05, of: burst[39])
    // The end itself belongs to the time after it.
    try sparks.advance(to: 0.1)
    #expect(sparks.expired == [burst[0], burst[1], burst[39]])
    try sparks.advance(to: 0.15)
    #expect(sparks.expired.isEmpty && sparks.count == 37)
    try sparks.advance(to: 1)
    let early = [2, 3, 4] + Array(6...10) + Array(20...38)
    #expect(sparks.expired == early.map { burst[$0] })
    // A new particle at the index of one that went before its time does not inherit the time.
    try sparks.remove(burst[15])
    let next = try sparks.add(30)
    #expect(next.contains { $0.index == burst[15].index })
    try sparks.advance(to: 20)
    #expect(sparks.expired == [11, 12, 13, 14, 16, 17, 18, 19].map { burst[$0] })
    for handle in next + [burst[5]] {
      #expect(sparks.contains(handle) && sparks[place].contains(handle) && sparks[size].contains(handle))
    }
  }

  @Test func refusedLifetimesChangeNothing() throws {
    var sparks = Particles()
    _ = try sparks.addProperty(Float.self)
    let burst = try sparks.add(3)
    for seconds in [-0.1, .nan, -.infinity, 2e10] {
      let error = #expect(throws: BatchError.self) { try sparks.setLifetime([0.1, 0.1, seconds], of: burst) }
      if case .invalidDelay(index: 2, _)? = error {} else { Issue.record("\(String(describing: error))") }
      #expect(throws: BatchError.self) { try sparks.add(2, lifetime: seconds) }
    }
    #expect(throws: BatchError.wrongCount(of: "lifetimes", expected: 3, got: 2)) {
      try sparks.setLifetime([0.1, 0.1], of: burst)
    }
    #expect(throws: BatchError.trackOutOfRange(3, count: 3)) { try sparks.setLifetime(0.1, of: 0..<4) }
    #expect(throws: BatchError.storeMismatch(.noTrack)) { try sparks.setLifetime(0.1, of: [burst[0], .noTrack]) }
    #expect(throws: BatchError.capacityExceeded(-1)) { try sparks.add(-1) }
    // A frame that is refused ends no life.
    try sparks.setLifetime(0.5, of: burst[0])
    #expect(throws: BatchError.invalidTime(.infinity)) { try sparks.advance(to: .infinity) }
    try sparks.advance(to: 0.4)
    #expect(sparks.count == 3)
    var none = Particles()
    #expect(throws: BatchError.propertyOutOfRange(0)) { try none.add(1) }
    #expect(throws: BatchError.storeMismatch(burst[0])) { try none.setLifetime(1, of: burst[0]) }
  }

  private static let speeds = (0..<20).map { 0.5 + Double($0) / 10 }

  /// A call about one property of particles 10 to 29.
  private static func call(_ verb: Int, _ tracks: inout some AnimatedTracks & ~Copyable) throws {
    switch verb {
    case 0: try tracks.pause(10..<30)
    case 1: try tracks.resume(10..<30)
    case 2: try tracks.stop(10..<30)
    case 3: try tracks.cancelDelays(of: 10..<30)
    default: try tracks.setSpeed(speeds, of: 10..<30)
    }
  }

  /// The same call about all of their properties.
  private static func call(_ verb: Int, _ particles: inout Particles, _ burst: ArraySlice<TrackHandle>) throws {
    switch verb {
    case 0: try particles.pause(10..<30)
    case 1: try particles.resume(burst)
    case 2: try particles.stop(TrackGroup(Array(burst)))
    case 3: try particles.cancelDelays(of: 10..<30)
    case 4: try particles.setSpeed(speeds, of: 10..<30)
    default: try particles.remove(.live(Array(burst)))
    }
  }

  /// A call about all properties does the same as that call about each property.
  @Test(arguments: 0..<6) func callsAboutAllProperties(_ verb: Int) throws {
    func play(each: Bool) throws -> [UInt32] {
      var sparks = try Sparks()
      let burst = try sparks.particles.add(50)
      try sparks.particles[sparks.place].animate(burst, to: [5, 9], .bouncy, delays: .over(0.4))
      try sparks.particles[sparks.size].animate(burst, to: 3, .easeInOut(duration: 0.8))
      try sparks.particles.advance(to: 0.2)
      if verb == 1 { try sparks.particles.pause(.all) }
      try sparks.particles.advance(to: 0.3)
      if !each {
        try Self.call(verb, &sparks.particles, burst[10..<30])
      } else if verb < 5 {
        try Self.call(verb, &sparks.particles[sparks.place])
        try Self.call(verb, &sparks.particles[sparks.size])
      } else {
        try sparks.particles.remove(burst[10..<30])
      }
      return try [0.35, 0.5, 2].flatMap { time in
        try sparks.particles.advance(to: time)
        return sparks.particles[sparks.place].bits(of: burst) + sparks.particles[sparks.size].bits(of: burst)
      }
    }
    #expect(try play(each: false) == play(each: true))
  }

  @Test func refusedCallsAboutAllPropertiesChangeNone() throws {
    var sparks = Particles()
    let (place, size) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let burst = try sparks.add(4)
    try sparks[place].animate(burst, to: [5, 9], .smooth)
    try sparks.remove(burst[3])
    #expect(throws: BatchError.staleHandle(burst[3])) { try sparks.pause(burst) }
    #expect(throws: BatchError.trackOutOfRange(4, count: 4)) { try sparks.stop(0..<5) }
    #expect(throws: BatchError.staleHandle(burst[3])) { try sparks.remove(burst) }
    #expect(sparks[place].isPaused(burst[0]) == false && sparks.count == 3)
    // Only the second property has a motion, which 0 would stop for ever.
    try sparks[place].set(burst[0], [1, 1])
    let line = try Clip(initialValue: SIMD2<Float>(0, 0)) { _ in LinearKeyframe([1, 1], duration: 1) }
    try sparks[place].play(try sparks[place].load(line), on: burst[0])
    try sparks[size].animate(burst[0], to: 9, .linear(duration: 1))
    #expect(throws: BatchError.self) { try sparks.setSpeed(0, of: burst[0]) }
    #expect(throws: BatchError.wrongCount(of: "speeds", expected: 1, got: 2)) {
      try sparks.setSpeed([1, 2], of: burst[0])
    }
    try sparks.advance(to: 0.5)
    #expect(sparks[place][burst[0]] == [0.5, 0.5])
    var none = Particles()
    #expect(throws: BatchError.storeMismatch(burst[0])) { try none.pause(burst[0]) }
    try none.pause(.all)
  }
}
