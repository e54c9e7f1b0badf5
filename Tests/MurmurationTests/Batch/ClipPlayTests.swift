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
  }

  private func playing(_ playbacks: [Playback]) throws -> Playing {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Self.clip())
    let tracks = try batch.add(playing: clip, playbacks)
    return Playing(batch: batch, clip: clip, tracks: tracks)
  }

  /// Whether values differ by more than the rounding of pieces.
  private func near(_ values: [Float?], _ others: [Float]) -> Bool {
    values.count == others.count && zip(values, others).allSatisfy { abs(($0 ?? .nan) - $1) < 1e-5 }
  }

  // MARK: - Handles

  @Test("If a track is named twice, the last entry counts")
  func namedTwice() throws {
    var playing = try playing([Playback(), Playback()])
    let (track, other) = (playing.tracks[0], playing.tracks[1])
    try playing.batch.setSpeed([4, 0.5], of: [track, track])
    try playing.batch.seek([track, other, track], to: [0.9, 0.25, 0.5])
    try playing.batch.setVariations(of: [track, track], scales: [9, 2], offsets: [9, 1])
    try playing.batch.pause([other, other])
    try playing.batch.advance(to: 0.5)
    let (shown, held) = (playing.batch[track], playing.batch[other])
    #expect(shown == 2 * 7.5 + 1 && held == 2.5)
    try playing.batch.stop([track, track])
    let count = playing.batch.clipCount
    try playing.batch.play(playing.clip, on: [track, track], start: .shownValue)
    let more = playing.batch.clipCount
    #expect(more == count + 1)
  }

  @Test("Handles for another number of playbacks are left as they are")
  func badNumbers() throws {
    var playing = try playing([Playback()])
    var handles = [TrackHandle](repeating: .noTrack, count: 3)
    #expect(throws: BatchError.wrongCount(of: "playbacks", expected: 3, got: 2)) {
      var span = handles.mutableSpan
      try playing.batch.add(playing: playing.clip, [Playback(), Playback()].span, handles: &span)
    }
    #expect(throws: BatchError.wrongCount(of: "clips", expected: 2, got: 1)) {
      try playing.batch.add(playing: [playing.clip], [Playback(), Playback()])
    }
    let count = playing.batch.count
    #expect(handles == [.noTrack, .noTrack, .noTrack] && count == 1)
  }

  // MARK: - Clips

  @Test("A clip stays while a track plays it or one made anew from it, and its name is never used again")
  func unloading() throws {
    var batch = try AnimationBatch<Float>()
    let (id, other) = (try batch.load(Self.clip()), try batch.load(Self.clip(20)))
    let track = try batch.add(playing: id)
    try batch.advance(to: 0.5)
    try batch.play(id, on: track, start: .shownValue)
    // It plays a clip that was made anew from this one.
    let (count, motion) = (batch.clipCount, batch.motion(of: track))
    #expect(count == 3 && motion == .clip(id, .playing))
    #expect(throws: BatchError.clipInUse(id)) { try batch.unload(id) }
    try batch.play(other, on: track)
    let left = batch.clipCount
    #expect(left == 2)
    let duration = try batch.clip(id).duration
    #expect(duration == 1)
    try batch.unload(id)
    let next = try batch.load(Self.clip(30))
    #expect(next != id)
    #expect(throws: BatchError.unknownClip(id)) { try batch.clip(id) }
    #expect(throws: BatchError.unknownClip(id)) { try batch.unload(id) }
    #expect(throws: BatchError.unknownClip(id)) { try batch.play(id, on: track) }
    #expect(throws: BatchError.unknownClip(id)) { try batch.add(playing: id) }
    #expect(throws: BatchError.unknownClip(id)) { try batch.add(playing: [id], [Playback()]) }
    try batch.advance(to: 1)
    let value = batch[track]
    #expect(value == 10)
    try batch.animate(track, to: 0, .smooth)
    try batch.unload(other)
    let last = batch.clipCount
    #expect(last == 1)
  }

  @Test("A track that comes playing shows the first values of its clip, which are its target")
  func adding() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(initialValue: 3.0) { _ in LinearKeyframe(10.0, duration: 1) })
    let track = try batch.add(playing: clip, Playback(delay: 1, holdsAfter: false))
    let (value, target, waiting) = (batch[track], batch.target(of: track), batch.motion(of: track))
    #expect(value == 3 && target == 3 && waiting == .clip(clip, .waiting))
    try batch.advance(to: 1.5)
    let (moved, local) = (batch[track], batch.localTime(of: track))
    #expect(moved == 6.5 && local == 0.5)
    try batch.advance(to: 3)
    let (after, none, over) = (batch[track], batch.localTime(of: track), batch.motion(of: track))
    #expect(after == 3 && none == nil && over == .clip(clip, .over))
  }

  @Test("A clip starts from the current state of a moving track, and from its first value otherwise")
  func automaticStarts() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Self.clip())
    let pieces = try batch.load(Clip(curve: .linear))
    let tracks = try batch.add([0, 0, 5])
    try batch.play(clip, on: tracks[0])
    try batch.animate(tracks[1], to: 100, .smooth)
    try batch.advance(to: 0.5)
    let moving = batch[tracks[1]] ?? .nan
    try batch.play(clip, on: tracks, start: .automatic)
    try batch.advance(to: 0.5)
    let shown = tracks.map { batch[$0] }
    #expect(near(shown, [5, moving, 0]))
    // Backwards it starts at the clip's end. A clip that cannot be made anew starts with its first value.
    try batch.play(clip, on: tracks[0], Playback(speed: -1), start: .automatic)
    try batch.play(pieces, on: tracks[1], start: .automatic)
    try batch.advance(to: 0.5)
    let (end, first) = (batch[tracks[0]], batch[tracks[1]])
    #expect(near([end, first], [10, 0]))
  }

  @Test("Variations change no bit of tracks without a variation")
  func neutralVariations() throws {
    var batch = try AnimationBatch<Float>()
    var through = try AnimationBatch<Float>()
    let clip = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [
        PieceTrack(components: [0], times: [0, 1], pieces: [[SIMD4(-0.0, 0, 0, 3)]])
      ])
    let (id, other) = (try batch.load(clip), try through.load(clip))
    let tracks = try batch.add(playing: id, [Playback(), Playback()])
    let twin = try through.add(playing: other)
    try batch.setVariation(of: tracks[0], scale: 2, offset: 1)
    for time in [0, 0.25, 0.5, 0.75] {
      try batch.advance(to: time)
      try through.advance(to: time)
      let (plain, expected) = (batch[tracks[1]], through[twin])
      #expect(plain?.bitPattern == expected?.bitPattern)
    }
  }

  @Test("A track that was changed last and then removed no longer keeps the clock from going back")
  func goingBack() throws {
    var playing = try playing([Playback(), Playback()])
    try playing.batch.advance(to: 1)
    try playing.batch.setSpeed(2, of: [playing.tracks[0]])
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try playing.batch.advance(to: 0.5) }
    try playing.batch.remove(playing.tracks[0])
    try playing.batch.advance(to: 0.5)
    let value = playing.batch[playing.tracks[1]]
    #expect(value == 5)
  }
}
