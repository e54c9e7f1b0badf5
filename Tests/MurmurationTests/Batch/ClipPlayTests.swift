// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

struct ClipPlayTests {
  /// A line from 0 to 10 in a second, made of keyframes, so that it can start from any value.
  private static func clip(_ end: Double = 10) throws -> Clip {
    try Clip(initialValue: 0.0) { _ in LinearKeyframe(end, duration: 1) }
  }

  /// A batch with tracks that play a clip, and its name.
  private struct Playing: ~Copyable {
    var batch: AnimationBatch<Float>
    let clip: ClipID
    let tracks: [TrackHandle]

    init(_ playbacks: [Playback]) throws {
      var batch = try AnimationBatch<Float>()
      let clip = try batch.load(ClipPlayTests.clip())
      tracks = try batch.add(playing: clip, playbacks)
      self.clip = clip
      self.batch = batch
    }
  }

  // MARK: - Handles

  // MARK: - Clips

  @Test("A clip stays while a track plays it or one made anew from it, and its name is never used again")
  func unloading() throws {
    var batch = try AnimationBatch<Float>()
    let (id, other) = (try batch.load(Self.clip()), try batch.load(Self.clip(20)))
    let track = try batch.add(playing: id)
    try batch.advance(to: 0.5)
    try batch.play(id, on: track, start: .shownValue)
    // It plays a clip that was made anew from this one.
    #expect(batch.clipCount == 3 && batch.motion(of: track) == .clip(id, .playing))
    #expect(throws: BatchError.clipInUse(id)) { try batch.unload(id) }
    try batch.play(other, on: track)
    #expect(batch.clipCount == 2)
    #expect(try batch.clip(id).duration == 1)
    try batch.unload(id)
    #expect(try batch.load(Self.clip(30)) != id)
    let unknown = BatchError.unknownClip(id)
    #expect(throws: unknown) { try batch.clip(id) }
    #expect(throws: unknown) { try batch.unload(id) }
    #expect(throws: unknown) { try batch.play(id, on: track) }
    #expect(throws: unknown) { try batch.add(playing: id) }
    #expect(throws: unknown) { try batch.add(playing: [id], [Playback()]) }
    try batch.advance(to: 1)
    #expect(batch[track] == 10)
    try batch.animate(track, to: 0, .smooth)
    try batch.unload(other)
    #expect(batch.clipCount == 1)
  }

  @Test("A track that comes playing shows the first values of its clip, which are its target")
  func adding() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(initialValue: 3.0) { _ in LinearKeyframe(10.0, duration: 1) })
    let track = try batch.add(playing: clip, Playback(delay: 1, holdsAfter: false))
    let (value, target, waiting) = (batch[track], batch.target(of: track), batch.motion(of: track))
    #expect(value == 3 && target == 3 && waiting == .clip(clip, .waiting))
    try batch.advance(to: 1.5)
    #expect(batch[track] == 6.5 && batch.localTime(of: track) == 0.5)
    try batch.advance(to: 3)
    let (after, none, over) = (batch[track], batch.localTime(of: track), batch.motion(of: track))
    #expect(after == 3 && none == nil && over == .clip(clip, .over))
  }

  @Test("Variations change no bit of tracks without a variation")
  func neutralVariations() throws {
    let piece = PieceTrack(components: [0], times: [0, 1], pieces: [[SIMD4(-0.0, 0, 0, 3)]])
    let clip = try Clip(dimensions: 1, initialValues: [0], tracks: [piece])
    var batch = try AnimationBatch<Float>()
    var through = try AnimationBatch<Float>()
    let tracks = try batch.add(playing: try batch.load(clip), [Playback(), Playback()])
    let twin = try through.add(playing: try through.load(clip))
    try batch.setVariation(of: tracks[0], scale: 2, offset: 1)
    for time in [0, 0.25, 0.5, 0.75] {
      try batch.advance(to: time)
      try through.advance(to: time)
      #expect(batch[tracks[1]]?.bitPattern == through[twin]?.bitPattern)
    }
  }

  @Test("A track that was changed last and then removed no longer keeps the clock from going back")
  func goingBack() throws {
    var playing = try Playing([Playback(), Playback()])
    try playing.batch.advance(to: 1)
    try playing.batch.setSpeed(2, of: [playing.tracks[0]])
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try playing.batch.advance(to: 0.5) }
    try playing.batch.remove(playing.tracks[0])
    try playing.batch.advance(to: 0.5)
    #expect(playing.batch[playing.tracks[1]] == 5)
  }
}
