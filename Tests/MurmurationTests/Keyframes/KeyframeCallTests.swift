// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Calls about clips between frames: changes show with the next frame, and are reported.
struct KeyframeCallTests {
  /// A straight line from 0 to 10 in a second.
  private static func line() throws -> Clip {
    let track = PieceTrack(components: [0], times: [0, 1], pieces: [[SIMD4(0, 10, 0, 0)]])
    return try Clip(dimensions: 1, initialValues: [0], tracks: [track])
  }

  /// A batch in which clips have tiles of their own, or share them.
  private static func batch(mixed: Bool) throws -> AnimationBatch<Float> {
    var batch = try AnimationBatch<Float>()
    batch.engine.clips.playersBeforeOwnTiles = mixed ? .max : 0
    return batch
  }

  private func near(_ value: Float?, _ expected: Float) -> Bool { abs((value ?? .nan) - expected) < 1e-5 }

  // MARK: - Events

  @Test("Speed 0 is no direction: a playback that is over is reported once")
  func completionOfWhatTurned() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(playing: try batch.load(Self.line()), Playback(speed: -1))
    try batch.advance(to: 2)
    #expect(batch.events.map(\.kind) == [.logicallyComplete, .settled])
    for speed in [0, -1, 0, -2.0] {
      try batch.setSpeed(speed, of: [track])
      try batch.advance(by: 1)
      #expect(batch.events.isEmpty && batch[track] == 0)
    }
    // Through speed 0 it turns round, and comes to the other end.
    try batch.setSpeed(0, of: [track])
    try batch.setSpeed(1, of: [track])
    try batch.advance(by: 0.25)
    #expect(near(batch[track], 2.5))
    try batch.setSpeed(0, of: [track])
    try batch.advance(by: 5)
    try batch.setSpeed(-1, of: [track])
    try batch.advance(by: 0.125)
    #expect(near(batch[track], 1.25))
    try batch.advance(by: 1)
    #expect(batch.events.map(\.kind) == [.logicallyComplete, .settled])
  }

  @Test("The first iteration of a playback is never reported, whenever it begins", arguments: [-3, -0.25, 0, 1])
  func firstLegs(delay: Double) throws {
    var batch = try AnimationBatch<Float>()
    batch.reports = .iterations
    let clip = try batch.load(Self.line())
    var playback = Playback(delay: delay, repetition: .count(8), timeOffset: 2.5)
    let track = try batch.add(playing: clip, playback)
    playback.timeOffset = 9
    let late = try batch.add(playing: clip, playback)
    let first = Int(max(0, -delay) + 2.5)
    for time in [0, 0.25, 1.375] {
      try batch.advance(to: time)
      let iteration = Int(time - delay + 2.5)
      let begun = batch.events.filter { $0.kind == .iteration }.map(\.number)
      let completed = batch.events.filter { $0.kind == .logicallyComplete }.map(\.track)
      #expect(begun == (time > 1 && iteration > first ? [iteration] : []))
      #expect(completed == (time == 0 && delay <= 0 || time > 1 && delay == 1 ? [late] : []))
    }
    #expect(batch.motion(of: track) == .clip(clip, .playing))
  }

  // MARK: - Starts

  @Test(
    "A clip of no length shows its start for an instant, as its timeline does", arguments: [false, true], [0, 1e-19])
  func noLength(mixed: Bool, duration: Double) throws {
    var batch = try Self.batch(mixed: mixed)
    let clip = try batch.load(
      Clip(KeyframeTimeline(initialValue: 1.0) { LinearKeyframe(5.0, duration: duration) }))
    let playbacks = [
      Playback(), Playback(timeOffset: 1), Playback(timeOffset: -1), Playback(speed: -1), Playback(speed: 0),
    ]
    let tracks = try batch.add(playing: clip, playbacks)
    let (once, waiting, standing) = (tracks[0], tracks[2], tracks[4])
    func expect(_ time: Double, _ shown: [Float], completed: [TrackHandle]) throws {
      try batch.advance(to: time)
      #expect(tracks.map { batch[$0] } == shown, "at \(time)")
      #expect(batch.events.filter { $0.kind == .logicallyComplete }.map(\.track) == completed, "at \(time)")
    }
    // A playback is over with the frame that shows what follows the instant.
    try expect(0, [1, 5, 1, 1, 1], completed: [tracks[1], tracks[3]])
    try expect(0.0.nextUp, [5, 5, 1, 1, 1], completed: [once])
    try expect(1, [5, 5, 1, 1, 1], completed: [])
    try expect(1.0.nextUp, [5, 5, 5, 1, 1], completed: [waiting])
    // A playback that is over stays over through any change; after a seek it is at its start again.
    try batch.advance(to: 2)
    try batch.pause([waiting])
    try batch.setSpeed(3, of: [once])
    try expect(2, [5, 5, 5, 1, 1], completed: [])
    #expect(batch.motion(of: standing) == .clip(clip, .playing))
    try batch.seek([waiting, standing], to: [0, 7])
    try expect(3, [5, 5, 1, 1, 1], completed: [])
    try batch.setSpeed(1, of: [standing])
    try expect(4, [5, 5, 1, 1, 5], completed: [standing])
  }
}
