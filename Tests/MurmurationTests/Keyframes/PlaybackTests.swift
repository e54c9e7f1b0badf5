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
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(playing: try batch.load(ramp(duration: duration)), playback)
    try batch.advance(to: time)
    return batch[track] ?? .nan
  }

  @Test func aBoundaryBelongsToTheEarlierLegAsInTheModel() throws {
    for count in 1...12 {
      let time = Double(count) * 0.1
      #expect(try Self.value(Playback(repetition: .forever), at: time, duration: 0.1) == 1)
      #expect(try Self.value(Playback(repetition: .forever), at: time.nextUp, duration: 0.1) < 1e-6)
    }
  }

  /// A playback that is moved to the end of an iteration, or begins there, and goes on with the next one.
  @Test(arguments: [2.0, -2]) func theEndOfAnIterationHasTheVelocityOfTheWayThere(_ speed: Double) throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Self.ramp())
    let moved = try batch.add(playing: clip, Playback(speed: speed, repetition: .forever))
    let begun = try batch.add(playing: clip, Playback(speed: speed, repetition: .forever, timeOffset: 1))
    let end = speed > 0 ? 1.0 : 0
    try batch.seek(moved, to: end)
    try batch.advance(to: 0, velocities: true)
    for track in [moved, begun] {
      #expect((batch[track] ?? .nan) == Float(end) && abs((batch.velocity(of: track) ?? .nan) - Float(speed)) < 1e-6)
    }
  }

  @Test("10⁹ s after the start, in 2⁵³ legs, values stay on the way")
  func longTimesAndManyLegs() throws {
    for turns in [false, true] {
      let playback = Playback(repetition: .count(1 << 53), autoreverses: turns)
      #expect(abs(try Self.value(playback, at: 1e9 + 0.25) - 0.25) < 3e-7)
      #expect(abs(try Self.value(playback, at: 1e9 + 1.25) - (turns ? 0.75 : 0.25)) < 3e-7)
    }
  }

  @Test func eventsAreSentOnce() throws {
    var batch = try AnimationBatch<Float>()
    batch.reports = .iterations
    let track = try batch.add(playing: try batch.load(Self.ramp()), Playback(repetition: .count(4)))
    try batch.advance(to: 2.5)
    #expect(batch.events.map(\.kind) == [.iteration] && batch.events.map(\.number) == [2])
    try batch.advance(to: 0.5)
    #expect(batch[track] == 0.5)
    try batch.advance(to: 2.75)
    #expect(batch.events.isEmpty)
    try batch.advance(to: 4)
    #expect(batch.events.map(\.kind) == [.iteration, .logicallyComplete, .settled] && batch.events[0].number == 3)
    try batch.advance(to: 3)
    try batch.advance(to: 10)
    #expect(batch.events.isEmpty)
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
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(try Self.restartable(from: 0, velocity: 0))
    let track = try batch.add(playing: clip)
    for speed in [1.0, 2.5, 0.5] {
      try batch.advance(by: 0.3)
      let (value, velocity) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan)
      try batch.play(clip, on: track, Playback(speed: speed), start: .automatic)
      try batch.advance(by: 0)
      let (shown, goesOn, count) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan, batch.clipCount)
      #expect(abs(shown - value) < 1e-6 && abs(goesOn - velocity) < 1e-5 && count == 2)
    }
    try batch.advance(by: 10)
    #expect(batch[track] == 1)
    try batch.play(clip, on: [track, track], start: .automatic)
    try batch.advance(by: 0)
    #expect(abs(batch[track] ?? .nan) < 1e-6 && batch.clipCount == 1)
    try batch.remove(track)
    try batch.unload(clip)
    #expect(batch.clipCount == 0)
  }

  @Test func aClipThatCannotRestartIsRefused() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(playing: try batch.load(Self.ramp()))
    try batch.advance(to: 0.5)
    #expect(throws: BatchError.cannotRestart(track, .notRestartable)) {
      try batch.play(try batch.load(Self.ramp()), on: track, start: .shownValue)
    }
    try batch.advance(to: 0.75)
    #expect(batch[track] == 0.75)
  }
}
