// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Playbacks at their boundaries and extremes.
struct PlaybackTests {
  /// From 0 to 1 in a second, straight; and a part that shows after the end only.
  private static func ramp(duration: Double = 1) throws -> Clip {
    try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [PieceTrack(components: [0], times: [0, duration], pieces: [[SIMD4(0, 1 / duration, 0, 0)]])])
  }

  private static func value(_ playback: Playback, at time: Double, duration: Double = 1) throws -> Float {
    var batch = try KeyframeBatch()
    let handle = try batch.add(try batch.load(ramp(duration: duration)), playback)
    try batch.advance(to: time)
    return try batch.value(of: handle)
  }

  @Test func aBoundaryBelongsToTheEarlierLegAsInTheModel() throws {
    for count in 1...12 {
      let time = Double(count) * 0.1
      #expect(try Self.value(Playback(repetition: .forever), at: time, duration: 0.1) == 1)
      #expect(try Self.value(Playback(repetition: .forever), at: time.nextUp, duration: 0.1) < 1e-6)
    }
  }

  @Test func legsTurnRound() throws {
    let turning = Playback(repetition: .count(2), autoreverses: true)
    #expect(try Self.value(turning, at: 1) == 1)
    #expect(try Self.value(turning, at: 1.25) == 0.75)
    #expect(abs(try Self.value(turning, at: 2)) < 1e-6)
    #expect(try Self.value(turning, at: 9) == 0)
    #expect(try Self.value(Playback(speed: -1), at: 0.25) == 0.75)
    #expect(try Self.value(Playback(speed: -1), at: 5) == 0)
    #expect(try Self.value(Playback(timeOffset: 0.5), at: 0.25) == 0.75)
    #expect(try Self.value(Playback(timeOffset: -0.5), at: 0.75) == 0.25)
    #expect(try Self.value(Playback(delay: -0.5), at: 0.25) == 0.75)
    #expect(try Self.value(Playback(speed: 0, timeOffset: 0.5), at: 1e9) == 0.5)
  }

  @Test("10⁹ s after the start, in 2⁵³ legs, and in legs shorter than the clock can tell, values stay on the way")
  func longTimesAndManyLegs() throws {
    for turns in [false, true] {
      let playback = Playback(repetition: .count(1 << 53), autoreverses: turns)
      #expect(abs(try Self.value(playback, at: 1e9 + 0.25) - 0.25) < 3e-7)
      #expect(abs(try Self.value(playback, at: 1e9 + 1.25) - (turns ? 0.75 : 0.25)) < 3e-7)
    }
    for duration in [1e-3, 1e-9, 1e-15, 1e-30] {
      for speed in [1, -1e-6, 1e6, -1e30, 1e-300, 1e300] {
        for time in [1e-12, 1, 1e9, 9.9e9] {
          let playback = Playback(speed: speed, repetition: .forever, autoreverses: true, timeOffset: 0.1)
          #expect(0...1 ~= (try Self.value(playback, at: time, duration: duration)))
        }
      }
    }
  }

  @Test("A loop of no length is played once") func aLoopOfNoLength() throws {
    var batch = try KeyframeBatch()
    let track = PieceTrack(components: [0], times: [0, 0, 0], pieces: [[SIMD4(1, 0, 0, 0), SIMD4(2, 0, 0, 0)]])
    let clip = try batch.load(Clip(dimensions: 1, initialValues: [0], tracks: [track]))
    let handle = try batch.add(clip, Playback(delay: 1, repetition: .forever, autoreverses: true))
    try batch.advance(to: 0.5)
    #expect(try batch.value(of: handle) == Float(1))
    try batch.advance(to: 1)
    #expect(try batch.value(of: handle) == Float(1))
    #expect(batch.completed == [handle])
    try batch.advance(to: 1.0.nextUp)
    #expect(try batch.value(of: handle) == Float(2))
    try batch.advance(to: 1e9)
    #expect(try batch.value(of: handle) == Float(2))
    #expect(batch.completed.isEmpty && batch.repeated.isEmpty)
  }

  @Test func eventsAreSentOnce() throws {
    var batch = try KeyframeBatch()
    let handle = try batch.add(try batch.load(Self.ramp()), Playback(repetition: .count(4)))
    try batch.advance(to: 2.5)
    #expect(batch.repeated == [RepeatEvent(handle: handle, leg: 2)])
    try batch.advance(to: 0.5)
    #expect(try batch.value(of: handle) == Float(0.5))
    try batch.advance(to: 2.75)
    #expect(batch.repeated.isEmpty && batch.completed.isEmpty)
    try batch.advance(to: 4)
    #expect(batch.repeated.map(\.leg) == [3])
    #expect(batch.completed == [handle])
    try batch.advance(to: 3)
    try batch.advance(to: 10)
    #expect(batch.repeated.isEmpty && batch.completed.isEmpty)
  }

  @Test func whatIsNotHeldIsItsOwn() throws {
    var batch = try KeyframeBatch()
    let clip = try batch.load(Self.ramp())
    let handle = try batch.add(clip, Playback(delay: 1, holdsBefore: false, holdsAfter: false))
    let other = try batch.add(clip, Playback(repetition: .forever))
    try batch.set(handle, to: Float(7))
    for (time, value) in [(0.5, 7), (1.5, 0.5), (2.5, 7), (0.75, 7)] as [(Double, Float)] {
      try batch.advance(to: time)
      #expect(try batch.value(of: handle) == value)
    }
    try batch.advance(to: 1.25)
    try batch.cancel(handle)
    try batch.advance(to: 9.5)
    #expect(try batch.value(of: handle) == Float(0.25))
    #expect(try batch.velocity(of: handle) == Float(0))
    #expect(try batch.value(of: other) == Float(0.5))
  }

  /// A clip from a value and a velocity to 1 in a second.
  private static func restartable(from value: Double, velocity: Double) throws(ClipError) -> Clip {
    let d = 1 - value
    let track = PieceTrack(
      components: [0], times: [0, 1], pieces: [[SIMD4(value, velocity, 3 * d - 2 * velocity, velocity - 2 * d)]])
    return try Clip(
      checkedTracks: [track], initialValues: [value], duration: 1, valueErrorBounds: [0], velocityErrorBounds: [0],
      remake: { (values, velocities) throws(ClipError) in try restartable(from: values[0], velocity: velocities[0]) })
  }

  @Test func aTriggerOnTheWayKeepsValueAndVelocity() throws {
    var batch = try KeyframeBatch()
    let clip = try batch.load(try Self.restartable(from: 0, velocity: 0))
    let handle = try batch.add(clip)
    for speed in [1.0, 2.5, 0.5] {
      try batch.advance(by: 0.3)
      let (value, velocity): (Float, Float) = (try batch.value(of: handle), try batch.velocity(of: handle))
      try batch.trigger(handle, Playback(speed: speed))
      try batch.advance(by: 0)
      #expect(abs(try batch.value(of: handle) - value) < 1e-6)
      #expect(abs(try batch.velocity(of: handle) - velocity) < 1e-5)
      #expect(batch.clipCount == 2)
    }
    try batch.advance(by: 10)
    #expect(try batch.value(of: handle) == Float(1))
    let handles = [handle, handle]
    try batch.trigger(handles.span)
    try batch.advance(by: 0)
    #expect(abs(try batch.value(of: handle, as: Float.self)) < 1e-6)
    #expect(batch.clipCount == 1)
    try batch.remove(handle)
    try batch.unload(clip)
    #expect(batch.clipCount == 0)
  }

  @Test("Refusals change nothing") func refusals() throws {
    var batch = try KeyframeBatch()
    try batch.advance(to: 1)
    let clip = try batch.load(Self.ramp())
    let handle = try batch.add(clip)
    let wide = try Clip(dimensions: 2, initialValues: [0, 0], tracks: [])
    #expect(throws: BatchError.wrongDimensions(of: "clip", expected: 1, got: 2)) { _ = try batch.load(wide) }
    #expect(throws: BatchError.clipInUse(clip)) { try batch.unload(clip) }
    var other = try KeyframeBatch()
    #expect(throws: BatchError.unknownClip(clip)) { try other.add(clip) }
    #expect(throws: BatchError.storeMismatch(handle)) { try other.remove(handle) }
    for playback in [
      Playback(start: .nan), Playback(delay: .infinity), Playback(speed: .nan), Playback(repetition: .count(0)),
      Playback(timeOffset: 2e10), Playback(repetition: .count(.max)),
    ] {
      #expect(throws: BatchError.self) { try batch.add(clip, playback) }
      #expect(throws: BatchError.self) { try batch.trigger(handle, playback) }
    }
    #expect(throws: BatchError.self) { try batch.scrub(handle, to: .nan) }
    #expect(throws: BatchError.self) { try batch.retime(handle, speed: .infinity) }
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try batch.advance(to: 0.5) }
    #expect(throws: BatchError.invalidTime(.infinity)) { try batch.advance(to: .infinity) }
    #expect(throws: BatchError.cannotRestart(handle, .notRestartable)) { try batch.trigger(handle, from: .current) }
    #expect(throws: BatchError.capacityExceeded(.max)) { try batch.reserve(.max) }
    #expect(throws: BatchError.capacityExceeded(-1)) { try batch.reserve(-1) }
    #expect(throws: BatchError.invalidDimensions(0)) { _ = try KeyframeBatch(dimensions: 0) }
    try batch.advance(to: 1.5)
    #expect(try batch.value(of: handle) == Float(0.5))
    try batch.remove(handle)
    #expect(throws: BatchError.staleHandle(handle)) { try batch.remove(handle) }
    let forged = TrackHandle(slot: .max, generation: 0, store: batch.slots.store)
    #expect(throws: BatchError.staleHandle(forged)) { try batch.pause(forged) }
    #expect(batch.count == 0)
  }

  @Test("The same bits for any count, set and number of threads", arguments: KernelSet.available)
  func sameBits(_ set: KernelSet) throws {
    var hashes: Set<UInt64> = []
    for threads in [1, 3] {
      for neighbours in [0, 1, 15, 16, 17, 1000] {
        var batch = try KeyframeBatch(dimensions: 4, kernels: threads == 1 ? set : .portable)
        batch.threadCount = threads
        let ids = try (0..<3).map {
          try batch.load(ClipTablesTests.clip(pieces: [3, 20, 90][$0], components: 4, seed: UInt64($0)))
        }
        for index in 0..<neighbours { try batch.add(ids[index % 3], Playback(delay: 0.001 * Double(index))) }
        let handles = try ids.map { try batch.add($0, Playback(speed: -0.7, repetition: .forever, autoreverses: true)) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for step in 1...40 {
          try batch.advance(to: Double(step) * 0.37)
          for handle in handles {
            let (value, velocity): (SIMD4<Float>, SIMD4<Float>) = (
              try batch.value(of: handle), try batch.velocity(of: handle)
            )
            for index in 0..<4 {
              hash = (hash ^ UInt64(value[index].bitPattern)) &* 0x100_0000_01b3
              hash = (hash ^ UInt64(velocity[index].bitPattern)) &* 0x100_0000_01b3
            }
          }
        }
        hashes.insert(hash)
      }
    }
    #expect(hashes.count == 1)
  }
}
