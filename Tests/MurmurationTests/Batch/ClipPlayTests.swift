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

  @Test("A handle that names no track has no clip")
  func badHandles() throws {
    var playing = try playing([Playback(), Playback()])
    let gone = playing.tracks[1]
    try playing.batch.remove(gone)
    for bad in [gone, .noTrack] {
      let (local, motion, isPaused) = (
        playing.batch.localTime(of: bad), playing.batch.motion(of: bad), playing.batch.isPaused(bad)
      )
      #expect(local == nil && motion == nil && isPaused == nil)
    }
  }

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

  @Test("Calls that name no tracks do nothing")
  func emptyCalls() throws {
    var playing = try playing([Playback()])
    try playing.batch.advance(to: 0.25)
    let none: [TrackHandle] = []
    try playing.batch.play(playing.clip, on: none)
    try playing.batch.pause(none)
    try playing.batch.resume(none)
    try playing.batch.stop(none)
    try playing.batch.setSpeed(2, of: none)
    try playing.batch.setSpeed([], of: none)
    try playing.batch.seek(none, to: [])
    try playing.batch.seek(none, progress: [])
    try playing.batch.setVariations(of: none, scales: [], offsets: [])
    let added = try playing.batch.add(playing: playing.clip, [])
    #expect(added.isEmpty)
    try playing.batch.advance(to: 0.5)
    let value = playing.batch[playing.tracks[0]]
    #expect(value == 5)
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

  @Test("A varied track that starts from its current value starts there, and another motion ends its variation")
  func variedStarts() throws {
    var playing = try playing([Playback(), Playback()])
    let track = playing.tracks[0]
    try playing.batch.setVariation(of: track, scale: 3, offset: -4)
    try playing.batch.advance(to: 0.5, velocities: true)
    let (value, velocity) = (playing.batch[track], playing.batch.velocity(of: track))
    #expect(near([value, velocity], [11, 30]))
    try playing.batch.play(playing.clip, on: track, start: .shownValue)
    try playing.batch.advance(to: 0.5)
    let started = playing.batch[track]
    #expect(near([started], [11]))
    try playing.batch.advance(to: 1.5)
    let end = playing.batch[track]
    #expect(near([end], [3 * 10 - 4]))
    try playing.batch.animate(track, to: 0, .smooth)
    try playing.batch.play(playing.clip, on: track)
    try playing.batch.advance(to: 2)
    let (plain, other) = (playing.batch[track], playing.batch[playing.tracks[1]])
    #expect(near([plain, other], [5, 10]))
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

  @Test("Events of playbacks are listed by index and then moment")
  func orderOfReports() throws {
    var playing = try playing([
      Playback(delay: 0.5, repetition: .count(3)), Playback(), Playback(speed: 4, repetition: .count(2)),
    ])
    playing.batch.reports = .iterations
    try playing.batch.compact()
    try playing.batch.advance(to: 9)
    let events = playing.batch.events.map {
      "\($0.track.index) \($0.kind) \($0.number) \(($0.moment * 1000).rounded() / 1000)"
    }
    #expect(
      events == [
        "0 iteration 2 2.5", "0 logicallyComplete 0 3.5", "0 settled 0 3.5",
        "1 logicallyComplete 0 1.0", "1 settled 0 1.0",
        "2 iteration 1 0.25", "2 logicallyComplete 0 0.5", "2 settled 0 0.5",
      ])
  }

  @Test("Seeking by shares, all tracks, and tracks that play nothing")
  func seeking() throws {
    var playing = try playing([Playback(), Playback(repetition: .forever)])
    let still = try playing.batch.add(7)
    try playing.batch.pause(playing.tracks)
    try playing.batch.seek(playing.tracks + [still], progress: [0.25, 2, 1])
    try playing.batch.advance(to: 3)
    let shown = (playing.tracks + [still]).map { playing.batch[$0] }
    #expect(near(shown, [2.5, 10, 7]))
    try playing.batch.seek(.all, to: [0.75, -1, 0.5].span)
    try playing.batch.advance(to: 3)
    let moved = (playing.tracks + [still]).map { playing.batch[$0] }
    #expect(near(moved, [7.5, 0, 7]))
    try playing.batch.resume([playing.tracks[0]])
    try playing.batch.advance(to: 3.125)
    let gone = playing.tracks.map { playing.batch[$0] }
    #expect(near(gone, [8.75, 0]))
  }
}
