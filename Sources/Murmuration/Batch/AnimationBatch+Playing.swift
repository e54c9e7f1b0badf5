// SPDX-License-Identifier: MIT
import Kernels

// Clips.
extension AnimationBatch {
  /// Takes a clip, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)`` if its values have other dimensions.
  public mutating func load(_ clip: Clip) throws(BatchError) -> ClipID { try engine.load(clip) }

  /// Lets a clip go.
  ///
  /// - Throws: ``BatchError/clipInUse(_:)`` while a track plays it, and ``BatchError/unknownClip(_:)``.
  public mutating func unload(_ clip: ClipID) throws(BatchError) { try engine.unload(clip) }

  /// A clip that was loaded.
  ///
  /// - Throws: ``BatchError/unknownClip(_:)``.
  public func clip(_ clip: ClipID) throws(BatchError) -> Clip { engine.clips.library.clip(try engine.index(of: clip)) }

  /// Has tracks play a clip, in place of what they do. It shows with the next advance.
  ///
  /// - Parameters:
  ///   - clip: A clip that was loaded.
  ///   - tracks: The tracks. If one is named twice, it plays once.
  ///   - playback: How they play it.
  ///   - start: Where they start.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``, such as ``BatchError/cannotRestart(_:_:)`` if the clip cannot start from what is shown; all old
  ///   motions continue then.
  /// - Complexity: O(tracks), and what making clips anew takes.
  @discardableResult
  public mutating func play(
    _ clip: ClipID, on tracks: [TrackHandle], _ playback: Playback = Playback(), start: ClipStart = .firstValue
  ) throws(BatchError) -> UInt32 {
    let index = try engine.index(of: clip)
    try engine.pick(tracks.span, for: .clips)
    return try engine.playPicked(start, clip: { _ in index }) { _ in playback }
  }

  /// Has a track play a clip; otherwise as with one clip for many tracks.
  @discardableResult
  public mutating func play(
    _ clip: ClipID, on track: TrackHandle, _ playback: Playback = Playback(), start: ClipStart = .firstValue
  ) throws(BatchError) -> UInt32 {
    try play(clip, on: [track], playback, start: start)
  }

  /// Has tracks play a clip each, with a playback each; otherwise as with one clip for many tracks.
  @discardableResult
  public mutating func play(
    _ clips: [ClipID], on tracks: [TrackHandle], _ playbacks: [Playback], start: ClipStart = .firstValue
  ) throws(BatchError) -> UInt32 {
    guard clips.count == tracks.count else {
      throw .wrongCount(of: "clips", expected: tracks.count, got: clips.count)
    }
    guard playbacks.count == tracks.count else {
      throw .wrongCount(of: "playbacks", expected: tracks.count, got: playbacks.count)
    }
    var indices: [Int] = []
    for clip in clips { indices.append(try engine.index(of: clip)) }
    try engine.pick(tracks.span, for: .clips)
    return try engine.playPicked(start, clip: { indices[$0] }) { playbacks[$0] }
  }

  /// Holds tracks that play clips or phases where they are; others go on.
  ///
  /// Steps of phases wait, also those that are due at this moment.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  public mutating func pausePlayback(of tracks: [TrackHandle]) throws(BatchError) {
    try engine.pick(tracks.span, for: engine.clips.isMapped ? .clips : [])
    engine.changePlayback(where: { $0 == .running }) { state, _ in state.mode = .paused }
    engine.pausePhasesOfPicked()
  }

  /// Lets tracks go on that were held, with the velocity that they had; otherwise as ``pausePlayback(of:)``.
  public mutating func resumePlayback(of tracks: [TrackHandle]) throws(BatchError) {
    try engine.pick(tracks.span, for: engine.clips.isMapped ? .clips : [])
    engine.changePlayback(where: { $0 == .paused }) { state, _ in state.mode = .running }
    engine.resumePhasesOfPicked()
  }

  /// Has tracks that play clips go on at another speed, from where they are.
  ///
  /// - Parameters:
  ///   - speed: Seconds of the clip per second of the clock; any finite number. Negative plays backwards.
  ///   - tracks: The tracks.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func setPlaybackSpeed(_ speed: Double, of tracks: [TrackHandle]) throws(BatchError) {
    if let defect = Playback(speed: speed).defect { throw .invalidPlayback(index: 0, reason: defect) }
    try engine.pick(tracks.span, for: .clips)
    engine.changePlayback { state, timing in state.setSpeed(speed, timing) }
  }

  /// Moves tracks that play clips to times of these, in the iterations that they are in. One that waits starts, one that is
  /// over goes on in its last iteration.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - times: Seconds from the start of the clip, one each; what is outside of it is taken for the nearest end.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func seek(_ tracks: [TrackHandle], to times: [Double]) throws(BatchError) {
    guard times.count == tracks.count else {
      throw .wrongCount(of: "times", expected: tracks.count, got: times.count)
    }
    for time in times where !time.isFinite { throw .invalidTime(time) }
    try engine.pick(tracks.span, for: .clips)
    engine.seekPicked { index, _ in times[index] }
  }

  /// Events that are reported besides completion.
  public var reports: AnimationReports {
    get { engine.events.reports }
    set { engine.events.reports = newValue }
  }
}
