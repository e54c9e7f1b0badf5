// SPDX-License-Identifier: MIT

// Clips.
extension MovingTracks where Self: ~Copyable {
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

  /// Plays clips on tracks, in place of their motions. The next advance shows it.
  ///
  /// - Parameters:
  ///   - clips: A clip that was loaded, or one for each track.
  ///   - tracks: The tracks. If one is named twice, the last clip and playback count.
  ///   - playbacks: How they play it, or a playback for each.
  ///   - start: Where they start.
  ///   - completion: When the change counts as complete, if its end is to be told in ``outcomes``; nil to tell nothing.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``, such as ``BatchError/cannotRestart(_:_:)`` if a clip cannot start from the current values;
  ///   all old motions continue then.
  /// - Complexity: O(tracks), and the time of making clips anew.
  @discardableResult
  public mutating func play(
    _ clips: some PerTrack<ClipID> & ~Escapable, on tracks: some TrackSelection & ~Escapable,
    _ playbacks: some PerTrack<Playback> & ~Escapable = Playback(), start: ClipStart = .firstValue,
    completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, each: clips) { lent, tracks, clips throws(BatchError) in
      let count = try lent.count(of: tracks)
      try clips.check("clips", count: count)
      return try playbacks.withElements(of: count) { playbacks throws(BatchError) in
        try playbacks.check("playbacks", count: count)
        return try lent.change(tracks, completion) { engine throws(BatchError) in
          try engine.play(unsafe clips.elements.span, on: tracks, unsafe playbacks.elements.span, start: start)
        }
      }
    }
  }

  // MARK: - Playing on

  /// Moves tracks that play clips to times of their clips, within the current iterations; other tracks are left alone.
  /// A playback that waits starts. A playback that is over goes on in its last iteration.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last time counts.
  ///   - times: Seconds from the start of the clip, one for all or one for each track; times outside of the clip are clamped.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(tracks); one store for a track that is paused on its way.
  public mutating func seek(
    _ tracks: some TrackSelection & ~Escapable, to times: some PerTrack<Double> & ~Escapable
  ) throws(BatchError) {
    try lend(tracks, each: times) { lent, tracks, times throws(BatchError) in
      try times.check("times", count: lent.count(of: tracks))
      try lent.engine.seek(tracks, to: unsafe times.elements.span)
    }
  }

  /// Moves tracks that play clips to shares of the clips' durations; otherwise as to times.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last share counts.
  ///   - progress: Shares within 0…1, one for all or one for each track; others are clamped.
  public mutating func seek(
    _ tracks: some TrackSelection & ~Escapable, progress: some PerTrack<Double> & ~Escapable
  ) throws(BatchError) {
    try lend(tracks, each: progress) { lent, tracks, progress throws(BatchError) in
      try progress.check("progress", count: lent.count(of: tracks))
      try lent.engine.seek(tracks, to: unsafe progress.elements.span, areShares: true)
    }
  }

  /// The time of the clip that a track shows, in seconds from the clip's start; nil if the track plays no clip or shows
  /// its target, and if the handle names no track of this batch.
  public func localTime(of track: TrackHandle) -> Double? {
    engine.localTime(of: track)
  }

}

extension AnimatedTracks where Self: ~Copyable {
  // MARK: - Variations

  /// Gives variations to tracks that play clips: from the next advance on they show scale · value + offset of the
  /// clip's values, and scale · velocity. Other tracks are left alone.
  ///
  /// A variation stays while the track plays clips, this one or another; any other motion ends it. The track's target,
  /// which it shows where the playback holds no value, is not varied.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - scale: The factor of the values of all.
  ///   - offset: Added after that.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(tracks). The first call of a batch takes the memory for the variations of all its tracks.
  public mutating func setVariation(
    of tracks: some TrackSelection & ~Escapable, scale: Value, offset: Value
  ) throws(BatchError) {
    try lend(tracks, scale) { lent, tracks, scales throws(BatchError) in
      try lend(offset) { offset throws(BatchError) in
        try lent.engine.vary(tracks, scales: scales, offsets: offset?.repeated(scales.count))
      }
    }
  }

  /// Gives variations to tracks that play clips, one each; otherwise as with one for all.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last variation counts.
  ///   - scales: Factors of the values, one for each track.
  ///   - offsets: Added after that, one for each track; nil for 0.
  public mutating func setVariations<Values: PerTrack<Value> & ~Escapable>(
    of tracks: some TrackSelection & ~Escapable, scales: Values, offsets: Values? = nil
  ) throws(BatchError) {
    try lend(tracks, scales) { lent, tracks, scales throws(BatchError) in
      try lend(offsets) { offsets throws(BatchError) in try lent.engine.vary(tracks, scales: scales, offsets: offsets) }
    }
  }

  /// Gives variations in columns to tracks that play clips; otherwise as with one each.
  public mutating func setVariations<Numbers: PerTrack<Float> & ~Escapable>(
    of tracks: some TrackSelection & ~Escapable, planarScales scales: Numbers, offsets: Numbers? = nil,
    layout: ColumnLayout = .planar
  ) throws(BatchError) {
    try lend(tracks, planar: scales, layout) { lent, tracks, scales throws(BatchError) in
      try lend(planar: offsets, layout, atMost: scales.count) { offsets throws(BatchError) in
        try lent.engine.vary(tracks, scales: scales, offsets: offsets)
      }
    }
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

  /// Adds tracks that play clips, with a playback each; otherwise as with one track.
  ///
  /// - Parameters:
  ///   - clips: A clip that was loaded, or one for each track.
  ///   - playbacks: How each track plays it.
  /// - Returns: The handles, in the order of the playbacks.
  @discardableResult
  public mutating func add(
    playing clips: some PerTrack<ClipID> & ~Escapable, _ playbacks: [Playback]
  ) throws(BatchError) -> [TrackHandle] {
    try .init(count: playbacks.count) { span throws(BatchError) in
      try add(playing: clips, playbacks, handles: &span)
    }
  }

  /// Adds tracks that play clips, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - clips: A clip that was loaded, or one for each track.
  ///   - playbacks: A playback for all, or one for each track.
  ///   - handles: Gets the handles, one for each new track.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(
    playing clips: some PerTrack<ClipID> & ~Escapable, _ playbacks: some PerTrack<Playback> & ~Escapable,
    handles: inout some TrackOutput<TrackHandle> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try handles.withMutableElements { handles throws(BatchError) in
      var handles = unsafe handles.elements.mutableSpan
      let count = handles.count
      try clips.withElements(of: count) { clips throws(BatchError) in
        try playbacks.withElements(of: count) { playbacks throws(BatchError) in
          try playbacks.check("playbacks", count: count)
          try clips.check("clips", count: count)
          try engine.add(playing: unsafe clips.elements.span, unsafe playbacks.elements.span, handles: &handles)
        }
      }
    }
  }
}

// Calls for tracks with any motion.
extension MovingTracks where Self: ~Copyable {
  /// Whether a track is paused; nil if the handle names no track of this batch.
  public func isPaused(_ track: TrackHandle) -> Bool? {
    index(of: track) == nil ? nil : engine.isPaused(track.index)
  }

  /// The motion of a track; nil if the handle names no track of this batch.
  public func motion(of track: TrackHandle) -> TrackMotion? { index(of: track).map { engine.motion(at: $0) } }

  /// Events that are reported besides completion.
  public var reports: AnimationReports {
    get { engine.reports }
    set { engine.reports = newValue }
  }
}
