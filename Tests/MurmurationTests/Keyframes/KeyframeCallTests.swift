// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Calls between frames: what they change shows with the next one, and nothing before it.
struct KeyframeCallTests {
  /// A straight line from one value to another in a second.
  private static func line(from start: Double = 0, to end: Double = 10) throws -> Clip {
    let track = PieceTrack(components: [0], times: [0, 1], pieces: [[SIMD4(start, end - start, 0, 0)]])
    return try Clip(dimensions: 1, initialValues: [start], tracks: [track])
  }

  /// A batch whose tiles all play one clip, or are all mixed.
  private static func batch(mixed: Bool) throws -> KeyframeBatch {
    var batch = try KeyframeBatch()
    batch.rowsBeforeOwnTiles = mixed ? .max : 0
    return batch
  }

  @Test("After removeAll, instances that come move as the first ones did", arguments: [false, true], [1, 40])
  func removeAll(mixed: Bool, count: Int) throws {
    var batch = try Self.batch(mixed: mixed)
    let clip = try batch.load(Self.line())
    for round in 0..<3 {
      let start = Double(round) * 10
      try batch.advance(to: start)
      let handles = try (0..<count).map { _ in try batch.add(clip) }
      for (seconds, value) in [(0.25, 2.5), (0.75, 7.5), (3, 10)] as [(Double, Float)] {
        try batch.advance(to: start + seconds)
        for handle in handles { #expect(abs(try batch.value(of: handle, as: Float.self) - value) < 1e-5) }
        #expect(batch.completed.count == (seconds > 1 ? count : 0))
        if round == 1, seconds > 0.5 { break }
      }
      batch.removeAll()
      // In between a frame of nobody, or none.
      if round == 1 { try batch.advance(to: start + 2) }
    }
  }

  @Test("Each of several scrubs at one time shows", arguments: [false, true])
  func scrubs(mixed: Bool) throws {
    var batch = try Self.batch(mixed: mixed)
    let clip = try batch.load(Self.line())
    try batch.add(clip)
    let handles = [try batch.add(clip)]
    try batch.pause(handles[0])
    try batch.advance(to: 0.25)
    for (round, seconds) in [0.5, 0.75, 0.25, 1].enumerated() {
      let times = [seconds]
      switch round {
      case 0, 1: try batch.scrub(handles[0], to: seconds)
      case 2: try batch.scrub(handles.span, to: times.span)
      default: try batch.scrub(handles[0], toProgress: seconds)
      }
      try batch.advance(to: 0.25)
      #expect(abs(try batch.value(of: handles[0], as: Float.self) - Float(10 * seconds)) < 1e-5)
    }
  }

  @Test("Between frames, compacting keeps which instances show a value of their own", arguments: [false, true])
  func compactingKeepsOwnValues(mixed: Bool) throws {
    var batch = try Self.batch(mixed: mixed)
    let clip = try batch.load(Self.line())
    let waiting = try batch.add(clip, Playback(delay: 10, holdsBefore: false))
    let over = try batch.add(clip, Playback(holdsAfter: false))
    try batch.advance(to: 2)
    try batch.compact()
    try batch.set(waiting, to: Float(42))
    try batch.set(over, to: Float(-7))
    #expect(try batch.value(of: waiting) == Float(42) && batch.value(of: over) == Float(-7))
    try batch.advance(to: 3)
    #expect(try batch.value(of: waiting) == Float(42) && batch.value(of: over) == Float(-7))
  }

  // MARK: - Velocities that a frame left out

  @Test("A velocity read before the next frame is that of the last one, and values stay", arguments: [false, true])
  func velocitiesBetweenFrames(mixed: Bool) throws {
    var batch = try Self.batch(mixed: mixed)
    batch.computesVelocities = false
    let clip = try batch.load(Self.line())
    let other = try batch.load(Self.line(from: 100, to: 200))
    try batch.add(other)
    let (cancelled, triggered, poised) = (try batch.add(clip), try batch.add(clip), try batch.add(clip))
    try batch.pause(poised)
    try batch.advance(to: 0.5)
    try batch.cancel(cancelled)
    try batch.set(cancelled, to: Float(42))
    try batch.trigger(triggered, clip: other)
    try batch.scrub(poised, to: 0.75)
    #expect(try batch.velocity(of: cancelled) == Float(0) && batch.velocity(of: poised) == Float(0))
    #expect(abs(try batch.velocity(of: triggered, as: Float.self) - 10) < 1e-5)
    #expect(try batch.value(of: cancelled) == Float(42))
    #expect(abs(try batch.value(of: poised, as: Float.self)) < 1e-5)
    #expect(abs(try batch.value(of: triggered, as: Float.self) - 5) < 1e-5)
    try batch.advance(to: 0.5)
    #expect(try batch.value(of: cancelled) == Float(42) && batch.value(of: triggered) == Float(100))
    #expect(abs(try batch.value(of: poised, as: Float.self) - 7.5) < 1e-5)
    #expect(abs(try batch.velocity(of: triggered, as: Float.self) - 100) < 1e-4)
  }

  @Test("Velocities computed when read are those computed with each frame", arguments: Array(UInt64(0)..<16))
  func lazyVelocities(_ seed: UInt64) throws {
    let twins = try VelocityTwins(seed: seed)
    for step in 0..<300 {
      try twins.step()
      if let fault = try twins.fault() {
        Issue.record("seed \(seed), step \(step): \(fault)\n\(twins.calls.suffix(12).joined(separator: "\n"))")
        return
      }
    }
    #expect(twins.checks > 3_000)
  }

  // MARK: - Events

  @Test("Standing still is no direction: what is over is completed once")
  func completionOfWhatTurned() throws {
    var batch = try KeyframeBatch()
    let handle = try batch.add(try batch.load(Self.line()), Playback(speed: -1))
    try batch.advance(to: 2)
    #expect(batch.completed == [handle])
    for speed in [0, -1, 0, -2.0] {
      try batch.retime(handle, speed: speed)
      try batch.advance(by: 1)
      #expect(batch.completed.isEmpty)
      #expect(try batch.value(of: handle) == Float(0))
    }
    // By way of a stand it turns round, and comes to the other end.
    try batch.retime(handle, speed: 0)
    try batch.retime(handle, speed: 1)
    try batch.advance(by: 0.25)
    #expect(abs(try batch.value(of: handle, as: Float.self) - 2.5) < 1e-5)
    try batch.retime(handle, speed: 0)
    try batch.advance(by: 5)
    try batch.retime(handle, speed: -1)
    try batch.advance(by: 0.125)
    #expect(abs(try batch.value(of: handle, as: Float.self) - 1.25) < 1e-5)
    try batch.advance(by: 1)
    #expect(batch.completed == [handle])
  }

  @Test("The leg that a playback begins with follows none, whenever it begins", arguments: [-3, -0.25, 0, 1])
  func firstLegs(delay: Double) throws {
    var batch = try KeyframeBatch()
    let clip = try batch.load(Self.line())
    var playback = Playback(delay: delay, repetition: .count(8), timeOffset: 2.5)
    let handle = try batch.add(clip, playback)
    playback.timeOffset = 9
    let late = try batch.add(clip, playback)
    let first = Int(max(0, -delay) + 2.5)
    for time in [0, 0.25, 1.375] {
      try batch.advance(to: time)
      let leg = Int(time - delay + 2.5)
      #expect(batch.repeated.map(\.leg) == (time > 1 && leg > first ? [leg] : []))
      #expect(batch.completed == (time == 0 && delay <= 0 || time > 1 && delay == 1 ? [late] : []))
    }
    #expect(try batch.isPlaying(handle))
  }

  // MARK: - Starts

  @Test("Backwards, a playback starts at the clip's end, so it cannot start from the current value")
  func backwardsFromTheCurrentValue() throws {
    var batch = try KeyframeBatch()
    let clip = try Clip(initialValue: 0.0) { _ in KeyframeTrack(\.self) { CubicKeyframe(10.0, duration: 1) } }
    let handle = try batch.add(try batch.load(clip))
    let handles = [handle]
    try batch.advance(to: 0.5)
    #expect(throws: BatchError.self) { try batch.trigger(handle, Playback(speed: -1), from: .current) }
    #expect(throws: BatchError.self) { try batch.trigger(handles.span, Playback(speed: -1), from: .current) }
    try batch.advance(to: 0.5)
    #expect(try batch.value(of: handle) == Float(5) && batch.clipCount == 1)
    try batch.trigger(handle, Playback(speed: -1))
    try batch.advance(to: 0.5)
    #expect(try batch.value(of: handle) == Float(10))
    // Standing still, it stands where it is.
    try batch.advance(to: 0.75)
    let value: Float = try batch.value(of: handle)
    try batch.trigger(handle, Playback(speed: 0), from: .current)
    try batch.advance(to: 9)
    #expect(abs(try batch.value(of: handle, as: Float.self) - value) < 1e-6)
  }

  @Test("A clip of no length shows its start for an instant, as its timeline does", arguments: [false, true])
  func noLength(mixed: Bool) throws {
    var batch = try Self.batch(mixed: mixed)
    let timeline = KeyframeTimeline(initialValue: 1.0) { KeyframeTrack(\.self) { MoveKeyframe(5.0) } }
    let clip = try batch.load(Clip(timeline))
    let (once, late) = (try batch.add(clip), try batch.add(clip, Playback(timeOffset: 1)))
    let waiting = try batch.add(clip, Playback(timeOffset: -1))
    let back = try batch.add(clip, Playback(speed: -1))
    let standing = try batch.add(clip, Playback(speed: 0))
    try batch.advance(to: 0)
    #expect(timeline.value(time: 0) == 1)
    #expect(try batch.value(of: once) == Float(1) && batch.value(of: back) == Float(1))
    #expect(try batch.value(of: late) == Float(5))
    #expect(Set(batch.completed) == [once, late, back])
    try batch.advance(to: 0.0.nextUp)
    #expect(try batch.value(of: once) == Float(5) && batch.value(of: back) == Float(1))
    #expect(try batch.value(of: waiting) == Float(1))
    try batch.advance(to: 1)
    #expect(try batch.value(of: waiting) == Float(1))
    #expect(batch.completed == [waiting])
    // What is over stays so, through any change; scrubbed, it is at its start again.
    try batch.advance(to: 2)
    try batch.pause(waiting)
    try batch.retime(once, speed: 3)
    try batch.advance(to: 2)
    #expect(try batch.value(of: waiting) == Float(5) && batch.value(of: once) == Float(5))
    #expect(try batch.value(of: standing) == Float(1) && batch.isPlaying(standing))
    try batch.scrub(waiting, to: 0)
    try batch.scrub(standing, to: 7)
    try batch.advance(to: 3)
    #expect(try batch.value(of: waiting) == Float(1) && batch.value(of: standing) == Float(1))
    try batch.retime(standing, speed: 1)
    try batch.advance(to: 4)
    #expect(try batch.value(of: standing) == Float(5))
    #expect(batch.completed == [standing])
  }
}
