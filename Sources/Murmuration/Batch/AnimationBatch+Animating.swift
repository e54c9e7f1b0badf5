// SPDX-License-Identifier: MIT

// Calls that send tracks to goals.
extension AnimatedTracks where Self: ~Copyable {
  // MARK: - With an animation

  /// Sends tracks from their current states to one goal.
  ///
  /// ```swift
  /// try batch.animate(dot, to: [0, 50])  // with Animation.default
  /// try batch.animate(.all, to: [0, 50], .easeOut(duration: 0.3), delays: .each(0.02))
  /// try batch.animate(dots, to: [0, 50], nil)  // jumps
  /// ```
  ///
  /// - Parameters:
  ///   - tracks: The tracks: a handle, an array, a slice or a span of handles, a range of indices, or `.all`.
  ///   - goal: The target of the tracks from now on.
  ///   - animation: How they get there; nil to jump.
  ///   - springs: A spring for each track, in place of the animation.
  ///   - animations: An animation for each track, in place of the animation; nil to jump.
  ///   - delay: Seconds until all tracks set out, 0 or more; nil for now. Until then a track keeps its motion. The new motion
  ///     takes over at that very moment, whatever frames are shown. (`.delay` on the animation starts now, and adds its effect
  ///     after a wait.) A later call about the track cancels the waiting one.
  ///   - delays: Seconds for each track, added to `delay`; empty for 0. A ``Stagger`` makes them.
  ///   - completion: When the change counts as complete, if its end is to be told in ``MovingTracks/outcomes``; nil for not.
  /// - Returns: The change, which the events of this motion carry. For one handle whose track heads for the goal already, and
  ///   without springs, delays or `completion`, it is the change before.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks), with delays O(tracks · log waiting); no allocation while there is room.
  @discardableResult
  @inlinable
  public mutating func animate(
    _ tracks: some TrackSelection & ~Escapable, to goal: Value, _ animation: Animation? = .default,
    springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>(), animations: [Animation?]? = nil,
    delay: Double? = nil, delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(),
    completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let lent = core.lent
    return try tracks.withNames { named throws(BatchError) in
      try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
        try lent.animate(
          named.tracks, to: unsafe LentValues(forAll: goal), animation, springs, animations, delay, delays, completion)
      }
    }
  }

  /// Sends tracks from their current states to goals, one for each; otherwise as with one goal for all.
  ///
  /// If a track is named twice, its last goal counts.
  @discardableResult
  @inlinable
  public mutating func animate(
    _ tracks: some TrackSelection & ~Escapable, to goals: some PerTrack<Value> & ~Escapable,
    _ animation: Animation? = .default, springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>(),
    animations: [Animation?]? = nil, delay: Double? = nil,
    delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(), completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let lent = core.lent
    return try tracks.withNames { named throws(BatchError) in
      try goals.withElements(of: 0) { goals throws(BatchError) in
        try lent.animate(
          named.tracks, to: unsafe LentValues(goals.elements), animation, springs, animations, delay, delays, completion
        )
      }
    }
  }

  /// Sends tracks to goals in columns: component 0 of all tracks, then component 1, … Otherwise as with a goal for each.
  ///
  /// The numbers of whole columns are a multiple of ``MovingTracks/dimensions``; a `layout` says where else components lie.
  @discardableResult
  public mutating func animate(
    _ tracks: some TrackSelection & ~Escapable, toPlanar goals: some PerTrack<Float> & ~Escapable,
    layout: ColumnLayout = .planar, _ animation: Animation? = .default,
    springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>(), animations: [Animation?]? = nil,
    delay: Double? = nil, delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(),
    completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, planar: goals, layout) { lent, tracks, goals throws(BatchError) in
      try lent.withOptions(springs, animations, delay, delays, completion, of: tracks) { options throws(BatchError) in
        ChangeID(rawValue: try lent.engine.animate(tracks, to: goals, animation, options))
      }
    }
  }

  // MARK: - With the springs that they follow

  /// Sends tracks from their current states to one goal, with the springs that they follow.
  ///
  /// A track that decelerates takes the critically damped spring of ω₀ = k, its decay constant. A track that follows no
  /// spring takes `Spring()`. A track that heads for the goal already goes on as it does, and reports nothing more.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - goal: The target of the tracks from now on.
  ///   - delay: Seconds until all tracks set out, each with the spring that it follows then; nil for now.
  ///   - delays: Seconds for each track, added to `delay`; empty for 0.
  ///   - completion: When the change counts as complete, if its end is to be told; nil to tell nothing.
  /// - Returns: The change. For one handle whose track heads for the goal already, and without delays or `completion`, it is
  ///   the change before.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  @inlinable
  public mutating func retarget(
    _ tracks: some TrackSelection & ~Escapable, to goal: Value, delay: Double? = nil,
    delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(), completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let lent = core.lent
    return try tracks.withNames { named throws(BatchError) in
      try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
        try lent.retarget(named.tracks, to: unsafe LentValues(forAll: goal), delay, delays, completion)
      }
    }
  }

  /// Sends tracks to goals with the springs that they follow; otherwise as with one goal for all.
  ///
  /// Only tracks with another goal than the one that they head for start anew. If a track is named twice, its last goal counts.
  @discardableResult
  @inlinable
  public mutating func retarget(
    _ tracks: some TrackSelection & ~Escapable, to goals: some PerTrack<Value> & ~Escapable, delay: Double? = nil,
    delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(), completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let lent = core.lent
    return try tracks.withNames { named throws(BatchError) in
      try goals.withElements(of: 0) { goals throws(BatchError) in
        try lent.retarget(named.tracks, to: unsafe LentValues(goals.elements), delay, delays, completion)
      }
    }
  }

  /// Sends tracks to goals in columns with the springs that they follow; otherwise as with a goal for each.
  @discardableResult
  public mutating func retarget(
    _ tracks: some TrackSelection & ~Escapable, toPlanar goals: some PerTrack<Float> & ~Escapable,
    layout: ColumnLayout = .planar, delay: Double? = nil,
    delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(), completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, planar: goals, layout) { lent, tracks, goals throws(BatchError) in
      try lent.withOptions(NotGiven<Spring>(), nil, delay, delays, completion, of: tracks) {
        options throws(BatchError) in
        ChangeID(rawValue: try lent.engine.retarget(tracks, to: goals, options))
      }
    }
  }

}

extension LentEngine {
  /// Sends tracks to goals. Without options it is a plain call of the engine.
  @inlinable @inline(__always)
  func animate(
    _ tracks: SelectedTracks, to goals: LentValues, _ animation: Animation?,
    _ springs: some PerTrack<Spring> & ~Escapable, _ animations: [Animation?]?, _ delay: Double?,
    _ delays: some PerTrack<Double> & ~Escapable, _ completion: CompletionCriteria?
  ) throws(BatchError) -> ChangeID {
    try withOptions(springs, animations, delay, delays, completion, of: tracks) { options throws(BatchError) in
      guard let options else { return ChangeID(rawValue: try animate(tracks, to: goals, animation)) }
      return ChangeID(rawValue: try animate(tracks, to: goals, animation, options))
    }
  }

  /// Sends tracks to goals with the springs that they follow. Without options it is a plain call of the engine.
  @inlinable @inline(__always)
  func retarget(
    _ tracks: SelectedTracks, to goals: LentValues, _ delay: Double?, _ delays: some PerTrack<Double> & ~Escapable,
    _ completion: CompletionCriteria?
  ) throws(BatchError) -> ChangeID {
    try withOptions(NotGiven<Spring>(), nil, delay, delays, completion, of: tracks) { options throws(BatchError) in
      guard let options else { return ChangeID(rawValue: try retarget(tracks, to: goals)) }
      return ChangeID(rawValue: try retarget(tracks, to: goals, options))
    }
  }

  /// Lends what a call says besides its goals; nil if it says nothing.
  @inlinable @inline(__always)
  func withOptions<Result>(
    _ springs: some PerTrack<Spring> & ~Escapable, _ animations: [Animation?]?, _ delay: Double?,
    _ delays: some PerTrack<Double> & ~Escapable, _ completion: CompletionCriteria?, of tracks: SelectedTracks,
    _ body: (SendingOptions?) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try springs.withElements(of: 0) { springs throws(BatchError) in
      try delays.withElements(of: try count(of: tracks)) { delays throws(BatchError) in
        let isAny = springs.areGiven || delays.areGiven || animations != nil || delay != nil || completion != nil
        guard isAny else { return try body(nil) }
        let each = unsafe delays.isForAll ? UnsafeBufferPointer(start: nil, count: 0) : delays.elements
        let common = unsafe delays.isForAll ? (delay ?? 0) + delays.elements[0] : delay
        return try body(
          unsafe SendingOptions(
            springs: springs.areGiven ? springs.elements : nil, animations: animations, delay: common, delays: each,
            completion: completion))
      }
    }
  }
}
