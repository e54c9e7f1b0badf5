// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Particles that are added at 0 and sent off by calls about their properties, their lifetimes, and calls about all properties.
struct EmitterTests {
  private struct Sparks: ~Copyable {
    var particles = Particles()
    let place: ParticleProperty<SIMD2<Float>>
    let size: ParticleProperty<Float>

    init() throws {
      var particles = Particles()
      (place, size) = (try particles.addProperty(), try particles.addProperty())
      self.particles = particles
    }
  }

  /// A property that is sent off by any call shows what a batch of its own shows.
  @Test func emittersStartWithAnyMotion() throws {
    var sparks = try Sparks()
    var places = try AnimationBatch<SIMD2<Float>>()
    var sizes = try AnimationBatch<Float>()
    let clip = try Clip(KeyframeTimeline(initialValue: Float(1)) { CubicKeyframe(Float(4), duration: 0.7) })
    let (pop, own) = (try sparks.particles[sparks.size].load(clip), try sizes.load(clip))
    for burst in 0..<3 {
      let count = 20 + burst
      let handles = try sparks.particles.add(count)
      let (placed, sized) = (
        try places.add([SIMD2<Float>](repeating: .zero, count: count)),
        try sizes.add([Float](repeating: 0, count: count))
      )
      let goals = (0..<count).map { SIMD2(Float($0), Float(burst)) }
      switch burst {
      case 0:
        try sparks.particles[sparks.place].set(handles, [3, 4])
        try places.set(placed, [3, 4])
        try sparks.particles[sparks.place].animate(handles, to: goals, .bouncy, delays: .over(0.3))
        try places.animate(placed, to: goals, .bouncy, delays: .over(0.3))
        try sparks.particles[sparks.size].play(pop, on: handles)
        try sizes.play(own, on: sized)
      case 1:
        try sparks.particles[sparks.place].decelerate(handles, velocities: goals.span)
        try places.decelerate(placed, velocities: goals)
        try sparks.particles[sparks.size].set(handles, 1)
        try sizes.set(sized, 1)
        try sparks.particles[sparks.size].animate(handles, to: 0, .easeOut(duration: 0.5))
        try sizes.animate(sized, to: 0, .easeOut(duration: 0.5))
      default:
        let springs = goals.map { Spring(duration: 0.3 + Double($0.x) / 50) }
        try sparks.particles[sparks.place].animate(handles, to: goals, springs: springs)
        try places.animate(placed, to: goals, springs: springs)
      }
      for frame in 1...3 {
        let time = Double(burst) * 0.3 + Double(frame) * 0.1
        try sparks.particles.advance(to: time)
        try places.advance(to: time)
        try sizes.advance(to: time)
        for (handle, other) in zip(handles, placed) {
          let (shown, expected) = (sparks.particles[sparks.place][handle], places[other])
          #expect(shown == expected)
        }
        for (handle, other) in zip(handles, sized) {
          let (shown, expected) = (sparks.particles[sparks.size][handle], sizes[other])
          #expect(shown == expected)
        }
      }
    }
  }

  @Test func particlesGoWhenTheirTimeIsOver() throws {
    var sparks = try Sparks()
    let burst = try sparks.particles.add(40, lifetime: 1)
    try sparks.particles[sparks.size].animate(burst, to: 1, .linear(duration: 10))
    try sparks.particles.setLifetime(burst.indices.dropLast(20).map { 0.1 * Double($0) }, of: Array(burst.dropLast(20)))
    try sparks.particles.setLifetime(.infinity as Double, of: burst[5])
    try sparks.particles.setLifetime(0.05, of: burst[39])
    func lives(_ index: Int) -> Bool { sparks.particles.contains(burst[index]) }
    // The end itself belongs to the time after it.
    try sparks.particles.advance(to: 0.1)
    var gone = sparks.particles.expired
    #expect(gone == [burst[0], burst[1], burst[39]])
    try sparks.particles.advance(to: 0.15)
    gone = sparks.particles.expired
    let count = sparks.particles.count
    #expect(gone.isEmpty && count == 37)
    try sparks.particles.advance(to: 1)
    gone = sparks.particles.expired
    #expect(gone == (2...38).filter { $0 != 5 && !(11...19).contains($0) }.map { burst[$0] })
    // A new particle at the index of one that went before its time does not inherit the time.
    try sparks.particles.remove(burst[15])
    let next = try sparks.particles.add(30)
    let index = next.first { $0.index == burst[15].index }
    #expect(index != nil)
    try sparks.particles.advance(to: 20)
    gone = sparks.particles.expired
    #expect(gone == ((11...19).filter { $0 != 15 }.map { burst[$0] }))
    let (stays, isThere) = (sparks.particles.contains(burst[5]), next.allSatisfy { sparks.particles.contains($0) })
    #expect(stays && isThere)
    for handle in [next[0], burst[5]] {
      let (place, size) = (
        sparks.particles[sparks.place].contains(handle), sparks.particles[sparks.size].contains(handle)
      )
      #expect(place && size)
    }
  }

  @Test func refusedLifetimesChangeNothing() throws {
    var sparks = try Sparks()
    let burst = try sparks.particles.add(3)
    for seconds in [-0.1, .nan, -.infinity, 2e10] {
      let error = #expect(throws: BatchError.self) {
        try sparks.particles.setLifetime([0.1, 0.1, seconds], of: burst)
      }
      if case .invalidDelay(index: 2, _)? = error {} else { Issue.record("\(String(describing: error))") }
      #expect(throws: BatchError.self) { try sparks.particles.add(2, lifetime: seconds) }
    }
    #expect(throws: BatchError.wrongCount(of: "lifetimes", expected: 3, got: 2)) {
      try sparks.particles.setLifetime([0.1, 0.1], of: burst)
    }
    #expect(throws: BatchError.trackOutOfRange(3, count: 3)) { try sparks.particles.setLifetime(0.1, of: 0..<4) }
    #expect(throws: BatchError.storeMismatch(.noTrack)) {
      try sparks.particles.setLifetime(0.1, of: [burst[0], .noTrack])
    }
    #expect(throws: BatchError.capacityExceeded(-1)) { try sparks.particles.add(-1) }
    // A frame that is refused ends no life.
    try sparks.particles.setLifetime(0.5, of: burst[0])
    #expect(throws: BatchError.invalidTime(.infinity)) { try sparks.particles.advance(to: .infinity) }
    try sparks.particles.advance(to: 0.4)
    let count = sparks.particles.count
    #expect(count == 3)
    var none = Particles()
    #expect(throws: BatchError.propertyOutOfRange(0)) { try none.add(1) }
    #expect(throws: BatchError.storeMismatch(burst[0])) { try none.setLifetime(1, of: burst[0]) }
  }

  /// A call about all properties does the same as that call about each property.
  @Test(arguments: 0..<6) func callsAboutAllProperties(_ verb: Int) throws {
    var sparks = try Sparks()
    var twin = try Sparks()
    func fill(_ sparks: inout Sparks) throws -> [TrackHandle] {
      let burst = try sparks.particles.add(50)
      try sparks.particles[sparks.place].animate(burst, to: [5, 9], .bouncy, delays: .over(0.4))
      try sparks.particles[sparks.size].animate(burst, to: 3, .easeInOut(duration: 0.8))
      try sparks.particles.advance(to: 0.2)
      return burst
    }
    let (burst, others) = (try fill(&sparks), try fill(&twin))
    let part = 10..<30
    switch verb {
    case 0:
      try sparks.particles.pause(part)
      try twin.particles[twin.place].pause(part)
      try twin.particles[twin.size].pause(part)
    case 1:
      try sparks.particles.pause(.all)
      try sparks.particles.advance(to: 0.3)
      try sparks.particles.resume(burst[part])
      for property in 0..<2 {
        if property == 0 {
          try twin.particles[twin.place].pause(.all)
        } else {
          try twin.particles[twin.size].pause(.all)
        }
      }
      try twin.particles.advance(to: 0.3)
      try twin.particles[twin.place].resume(part)
      try twin.particles[twin.size].resume(part)
    case 2:
      try sparks.particles.stop(TrackGroup(Array(burst[part])))
      try twin.particles[twin.place].stop(part)
      try twin.particles[twin.size].stop(part)
    case 3:
      try sparks.particles.cancelDelays(of: part)
      try twin.particles[twin.place].cancelDelays(of: part)
      try twin.particles[twin.size].cancelDelays(of: part)
    case 4:
      let speeds = (0..<20).map { 0.5 + Double($0) / 10 }
      try sparks.particles.setSpeed(speeds, of: part)
      try twin.particles[twin.place].setSpeed(speeds, of: part)
      try twin.particles[twin.size].setSpeed(speeds, of: part)
    default:
      try sparks.particles.remove(.live(Array(burst[part])))
      try twin.particles.remove(Array(others[part]))
    }
    for time in [0.35, 0.5, 2] {
      try sparks.particles.advance(to: time)
      try twin.particles.advance(to: time)
      for (handle, other) in zip(burst, others) {
        let shown = (sparks.particles[sparks.place][handle], sparks.particles[sparks.size][handle])
        let expected = (twin.particles[twin.place][other], twin.particles[twin.size][other])
        #expect(shown == expected)
      }
    }
  }

  @Test func refusedCallsAboutAllPropertiesChangeNone() throws {
    var sparks = try Sparks()
    let burst = try sparks.particles.add(4)
    try sparks.particles[sparks.place].animate(burst, to: [5, 9], .smooth)
    try sparks.particles.remove(burst[3])
    #expect(throws: BatchError.staleHandle(burst[3])) { try sparks.particles.pause(burst) }
    #expect(throws: BatchError.trackOutOfRange(4, count: 4)) { try sparks.particles.stop(0..<5) }
    #expect(throws: BatchError.staleHandle(burst[3])) { try sparks.particles.remove(burst) }
    let (isPaused, count) = (sparks.particles[sparks.place].isPaused(burst[0]), sparks.particles.count)
    #expect(isPaused == false && count == 3)
    // Only the second property has a motion, which 0 would stop for ever.
    try sparks.particles[sparks.place].set(burst[0], [1, 1])
    let clip = try sparks.particles[sparks.place].load(
      Clip(initialValue: SIMD2<Float>(0, 0)) { _ in LinearKeyframe([1, 1], duration: 1) })
    try sparks.particles[sparks.place].play(clip, on: burst[0])
    try sparks.particles[sparks.size].animate(burst[0], to: 9, .linear(duration: 1))
    #expect(throws: BatchError.self) { try sparks.particles.setSpeed(0, of: burst[0]) }
    #expect(throws: BatchError.wrongCount(of: "speeds", expected: 1, got: 2)) {
      try sparks.particles.setSpeed([1, 2], of: burst[0])
    }
    try sparks.particles.advance(to: 0.5)
    let shown = sparks.particles[sparks.place][burst[0]]
    #expect(shown == [0.5, 0.5])
    var none = Particles()
    #expect(throws: BatchError.storeMismatch(burst[0])) { try none.pause(burst[0]) }
    try none.pause(.all)
  }
}
