// SPDX-License-Identifier: MIT

// Clips.
extension AnimatedTracks where Self: ~Copyable {
  /// Loads a clip, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)`` if its values have other dimensions.
  public mutating func load(_ clip: Clip) throws(BatchError) -> ClipID { try engine.load(clip) }

  /// Unloads a clip.
  ///
  /// - Throws: ``BatchError/clipInUse(_:)`` while a track plays it, or a clip that was made anew from it, and
  ///   ``BatchError/unknownClip(_:)``.
  public mutating func unload(_ clip: ClipID) throws(BatchError) { try engine.unload(clip) }

  /// A clip that was loaded.
  ///
  /// - Throws: ``BatchError/unknownClip(_:)``.
  public func clip(_ clip: ClipID) throws(BatchError) -> Clip { try engine.clip(clip) }

  /// The number of clips: loaded ones, and clips that were made anew for one track.
  public var clipCount: Int { engine.clipCount }

  // MARK: - Playing

  /// Plays a clip on tracks, in place of their motions. The next advance shows it.
  ///
  /// - Parameters:
  ///   - clip: A clip that was loaded.
  ///   - tracks: The tracks. If one is named twice, it plays once.
  ///   - playback: How they play it.
  ///   - start: Where they start.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``, such as ``BatchError/cannotRestart(_:_:)`` if the clip cannot start from the current values;
  ///   all old motions continue then.
  /// - Complexity: O(tracks), and the time of making clips anew.
  @discardableResult
  public mutating func play<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ clip: ClipID, on tracks: borrowing Tracks, _ playback: Playback = Playback(), start: ClipStart = .firstValue
  ) throws(BatchError) -> UInt32 {
    try tracks.withNames { named throws(BatchError) in
      try engine.play([clip], on: named.tracks, [playback], start: start)
    }
  }

  /// Plays a clip on each track, with a playback each; otherwise as with one clip for many tracks.
  @discardableResult
  public mutating func play(
    _ clips: [ClipID], on tracks: [TrackHandle], _ playbacks: [Playback], start: ClipStart = .firstValue
  ) throws(BatchError) -> UInt32 {
    try BatchError.check(clips.count, of: "clips", expected: tracks.count)
    try BatchError.check(playbacks.count, of: "playbacks", expected: tracks.count)
    return try tracks.span.withSelection { tracks throws(BatchError) in
      try engine.play(clips, on: tracks, playbacks, start: start)
    }
  }

  // MARK: - Playing on

  /// Changes the speed of tracks that play clips, from where they are; other tracks are left alone. A playback that is over
  /// plays back from its end if its direction changes.
  ///
  /// - Parameters:
  ///   - speed: Seconds of the clip per second of the clock; any finite number. Negative plays backwards.
  ///   - tracks: The tracks.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func setSpeed<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ speed: Double, of tracks: borrowing Tracks
  ) throws(BatchError) {
    let speeds = [speed]
    try tracks.withNames { named throws(BatchError) in try engine.setSpeed(speeds.span, of: named.tracks) }
  }

  /// Changes the speed of tracks that play clips, with a speed for each; otherwise as with one speed.
  ///
  /// - Parameters:
  ///   - speeds: Seconds of the clip per second of the clock, one for each track.
  ///   - tracks: The tracks. If one is named twice, the last speed counts.
  public mutating func setSpeed(_ speeds: [Double], of tracks: [TrackHandle]) throws(BatchError) {
    try BatchError.check(speeds.count, of: "speeds", expected: tracks.count)
    try tracks.span.withSelection { tracks throws(BatchError) in try engine.setSpeed(speeds.span, of: tracks) }
  }

  /// Moves tracks that play clips to times of their clips, within the current iterations; other tracks are left alone.
  /// A playback that waits starts. A playback that is over goes on in its last iteration.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last time counts.
  ///   - times: Seconds from the start of the clip, one for each track; times outside of the clip are clamped.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(tracks); one store for a track that is paused on its way.
  public mutating func seek(_ tracks: [TrackHandle], to times: [Double]) throws(BatchError) {
    try BatchError.check(times.count, of: "times", expected: tracks.count)
    try tracks.span.withSelection { tracks throws(BatchError) in try engine.seek(tracks, to: times.span) }
  }

  /// Moves tracks that play clips to shares of the clips' durations; otherwise as to times.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last share counts.
  ///   - progress: Shares within 0…1, one for each track; others are clamped.
  public mutating func seek(_ tracks: [TrackHandle], progress: [Double]) throws(BatchError) {
    try BatchError.check(progress.count, of: "progress", expected: tracks.count)
    try tracks.span.withSelection { tracks throws(BatchError) in
      try engine.seek(tracks, to: progress.span, areShares: true)
    }
  }

  /// Moves a track that plays a clip to a time of it; otherwise as with many tracks.
  public mutating func seek(_ track: TrackHandle, to time: Double) throws(BatchError) { try seek([track], to: [time]) }

  /// Moves a track that plays a clip to a share of its duration; otherwise as with many tracks.
  public mutating func seek(_ track: TrackHandle, progress: Double) throws(BatchError) {
    try seek([track], progress: [progress])
  }

  /// Moves every track that plays a clip to a time of it; otherwise as with many tracks.
  ///
  /// - Parameter times: Seconds from the start of the clip, by index: exactly ``indexCount``. The time of an index is
  ///   ignored unless its track plays a clip.
  /// - Complexity: O(tracks).
  public mutating func seekAll(to times: Span<Double>) throws(BatchError) {
    try BatchError.check(times.count, of: "times", expected: indexCount)
    for index in times.indices where !times[index].isFinite { throw .invalidTime(times[index]) }
    engine.seekAll(times)
  }

  /// The time of the clip that a track shows, in seconds from the clip's start; nil if the track plays no clip or shows
  /// its target, and if the handle names no track of this batch.
  public func localTime(of track: TrackHandle) -> Double? {
    engine.localTime(of: track)
  }

  // MARK: - Variations

  /// Gives variations to tracks that play clips: from the next advance on they show scale · value + offset of the
  /// clip's values, and scale · velocity. Other tracks are left alone.
  ///
  /// A variation stays while the track plays clips, this one or another; any other motion ends it. The track's target,
  /// which it shows where the playback holds no value, is not varied.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last variation counts.
  ///   - scales: Factors of the values, one for each track.
  ///   - offsets: Added after that, one for each track.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(tracks). The first call of a batch takes the memory for the variations of all its tracks.
  public mutating func setVariations(
    of tracks: [TrackHandle], scales: [Value], offsets: [Value]
  ) throws(BatchError) {
    try scales.withInput(dimensions) { scales throws(BatchError) in
      try offsets.withInput(dimensions) { offsets throws(BatchError) in
        try tracks.span.withSelection { tracks throws(BatchError) in
          try engine.vary(tracks, scales: scales, offsets: offsets)
        }
      }
    }
  }

  /// Gives a track that plays a clip a variation; otherwise as with many tracks.
  public mutating func setVariation(of track: TrackHandle, scale: Value, offset: Value) throws(BatchError) {
    try setVariations(of: [track], scales: [scale], offsets: [offset])
  }
}

// Adding. A property of particles has no such calls: its tracks are those of the other properties.
extension AnimationBatch {
  /// Adds a track that plays a clip. Until the next advance it shows the first values of the clip. These are also its
  /// target, which it shows where the playback holds no value.
  ///
  /// - Returns: The handle of the track.
  /// - Throws: ``BatchError/unknownClip(_:)``, ``BatchError/invalidPlayback(index:reason:)`` or
  ///   ``BatchError/capacityExceeded(_:)``; nothing is added then.
  /// - Complexity: O(1), amortised; O(pieces) for the first track of a clip.
  @discardableResult
  public mutating func add(playing clip: ClipID, _ playback: Playback = Playback()) throws(BatchError) -> TrackHandle {
    try add(playing: clip, [playback])[0]
  }

  /// Adds tracks that play one clip, with a playback each; otherwise as with one track.
  ///
  /// - Returns: The handles, in the order of the playbacks.
  @discardableResult
  public mutating func add(playing clip: ClipID, _ playbacks: [Playback]) throws(BatchError) -> [TrackHandle] {
    try .init(count: playbacks.count) { span throws(BatchError) in
      try add(playing: clip, playbacks.span, handles: &span)
    }
  }

  /// Adds tracks that play a clip each, with a playback each; otherwise as with one track.
  ///
  /// - Returns: The handles, in the order of the playbacks.
  @discardableResult
  public mutating func add(playing clips: [ClipID], _ playbacks: [Playback]) throws(BatchError) -> [TrackHandle] {
    try BatchError.check(clips.count, of: "clips", expected: playbacks.count)
    return try .init(count: playbacks.count) { span throws(BatchError) in
      try engine.add(playing: clips, playbacks, handles: &span)
    }
  }

  /// Adds tracks that play one clip, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - clip: A clip that was loaded.
  ///   - playbacks: How each track plays it.
  ///   - handles: Gets the handles, one for each playback, in their order.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(
    playing clip: ClipID, _ playbacks: Span<Playback>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    try engine.add(playing: clip, playbacks, handles: &handles)
  }
}

// Calls for tracks with any motion.
extension AnimationBatch {
  /// Pauses tracks: no time passes for them, whatever they follow. They keep their values, have no velocity, and report
  /// nothing; a clip that is moved to its end in a pause is over when it goes on.
  ///
  /// Steps of phases wait, also those that are due at this moment; calls with a delay wait too. Tracks that stand and wait
  /// for nothing are left alone; a track stands once a frame has shown its rest. A call that gives a paused track another
  /// motion resumes it first, as ``resume(_:)`` does. From a paused clip, the new motion takes over the value without a
  /// velocity.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(tracks).
  public mutating func pause<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ tracks: borrowing Tracks
  ) throws(BatchError) {
    try tracks.withNames { named throws(BatchError) in try engine.pause(named.tracks) }
  }

  /// Resumes paused tracks, from where they are and with the velocities that they had; other tracks are left alone.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)``, ``BatchError/storeMismatch(_:)`` or ``BatchError/capacityExceeded(_:)``; nothing
  ///   changes then.
  /// - Complexity: O(tracks).
  public mutating func resume<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ tracks: borrowing Tracks
  ) throws(BatchError) {
    try tracks.withNames { named throws(BatchError) in try engine.resume(named.tracks) }
  }

  /// Whether a track is paused; nil if the handle names no track of this batch.
  public func isPaused(_ track: TrackHandle) -> Bool? {
    row(of: track) == nil ? nil : engine.isPaused(track.index)
  }

  /// Ends the motions, schedules and waiting calls of tracks, and leaves them where they are: their values become their
  /// targets. Nothing is reported.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(tracks).
  public mutating func stop<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ tracks: borrowing Tracks
  ) throws(BatchError) {
    try tracks.withNames { named throws(BatchError) in try engine.stop(named.tracks) }
  }

  /// The motion of a track; nil if the handle names no track of this batch.
  public func motion(of track: TrackHandle) -> TrackMotion? { row(of: track).map { engine.motion(ofRow: $0) } }

  /// Events that are reported besides completion.
  public var reports: AnimationReports {
    get { engine.reports }
    set { engine.reports = newValue }
  }
}
