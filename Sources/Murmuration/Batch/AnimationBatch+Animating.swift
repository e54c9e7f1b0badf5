// SPDX-License-Identifier: MIT

// Calls that send tracks to goals.
extension AnimatedTracks where Self: ~Copyable {
  // MARK: - One track

  /// Sends a track from its current state to a goal.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - goal: The target of the track from now on.
  ///   - animation: How the track gets there; nil to jump.
  /// - Returns: The number of the change, which the events of this motion carry. If the track heads for the goal already,
  ///   the number of the change before.
  /// - Throws: ``BatchError``; the old motion continues then.
  /// - Complexity: O(1).
  @discardableResult
  @inlinable
  public mutating func animate(
    _ track: TrackHandle, to goal: Value, _ animation: Animation? = .default
  ) throws(BatchError) -> UInt32 {
    try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
      try core.lent.animate(track, to: unsafe LentValues(goal), animation)
    }
  }

  /// Sends a track to a goal after a delay; until then it keeps its motion.
  ///
  /// The new motion takes over at that very moment, whatever frames are shown. (`.delay` on the animation starts now, and adds
  /// its effect after a wait.) A later call about the track cancels the waiting one.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - goal: The target of the track from then on.
  ///   - animation: How the track gets there; nil to jump.
  ///   - delay: Seconds, 0 or more.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; the old motion continues then.
  @discardableResult
  public mutating func animate(
    _ track: TrackHandle, to goal: Value, _ animation: Animation? = .default, delay: Double
  ) throws(BatchError) -> UInt32 {
    try animate([track], to: goal, animation, delays: [delay])
  }

  /// Sends a track from its current state to a goal, with the spring that it follows.
  ///
  /// A track that decelerates takes the critically damped spring of ω₀ = k, its decay constant. A track that follows no
  /// spring takes `Spring()`. A track that heads for the goal already goes on as it does, and reports nothing more.
  ///
  /// - Returns: The number of the change, or of the change before it if the track heads for the goal already.
  /// - Throws: ``BatchError``; the old motion continues then.
  @discardableResult
  @inlinable
  public mutating func retarget(_ track: TrackHandle, to goal: Value) throws(BatchError) -> UInt32 {
    try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
      try core.lent.retarget(track, to: unsafe LentValues(goal))
    }
  }

  /// Sends a track to a goal after a delay, with the spring that it follows then; otherwise as with an animation.
  @discardableResult
  public mutating func retarget(_ track: TrackHandle, to goal: Value, delay: Double) throws(BatchError) -> UInt32 {
    try retarget([track], to: goal, delays: [delay])
  }

  // MARK: - Many tracks

  /// Sends tracks from their current states to goals.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: The targets, one for each track.
  ///   - animation: How they get there; nil to jump.
  ///   - delays: Seconds until each track sets out, 0 or more; empty for now. Until then the track keeps its motion.
  ///     The new motion takes over at that very moment, whatever frames are shown. A later call about the track cancels
  ///     the waiting one.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks), with delays O(tracks · log waiting); no allocation while there is room.
  @discardableResult
  @inlinable
  public mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], _ animation: Animation? = .default, delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try unsafe goals.withUnsafeBufferPointer { goals throws(BatchError) in
      try core.lent.animate(tracks.span, to: unsafe LentValues(goals), animation, delays: delays.span)
    }
  }

  /// Sends tracks from their current states to one goal; otherwise as with a goal for each.
  @discardableResult
  public mutating func animate<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ tracks: borrowing Tracks, to goal: Value, _ animation: Animation? = .default, delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try withNames(of: tracks, repeating: goal) { engine, tracks, goals throws(BatchError) in
      try engine.animate(tracks, to: goals, animation, delays: delays.span)
    }
  }

  /// Sends tracks to goals in memory of the caller; otherwise as with arrays.
  @discardableResult
  public mutating func animate(
    _ tracks: Span<TrackHandle>, to goals: Span<Value>, _ animation: Animation? = .default,
    delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try animate(tracks, to: input(goals), animation, delays: delays)
  }

  mutating func animate(
    _ tracks: Span<TrackHandle>, to goals: InputValues, _ animation: Animation?, delays: Span<Double>
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.animate(tracks, to: goals, animation, delays: delays)
    }
  }

  /// Sends tracks to goals with an animation each.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: The targets, one for each track.
  ///   - animations: How they get there, one each; nil to jump.
  ///   - delays: As with one animation for all.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], animations: [Animation?], delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try goals.withInput(dimensions) { goals throws(BatchError) in
      try tracks.span.withSelection { tracks throws(BatchError) in
        try engine.animate(tracks, to: goals, each: animations, delays: delays.span)
      }
    }
  }

  /// Sends tracks to goals with a spring each; otherwise as ``animate(_:to:animations:delays:)``.
  @discardableResult
  public mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], springs: [Spring], delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try goals.withInput(dimensions) { goals throws(BatchError) in
      try animate(tracks.span, to: goals, springs: springs.span, delays: delays.span)
    }
  }

  mutating func animate(
    _ tracks: Span<TrackHandle>, to goals: InputValues, springs: Span<Spring>, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.animate(tracks, to: goals, springs: springs, delays: delays)
    }
  }

  /// Sends the tracks of a range of indices to goals; otherwise as with arrays.
  ///
  /// - Parameters:
  ///   - indices: Within 0..<``indexCount``. Indices without a track are passed over.
  ///   - goals: One for each index of the range.
  ///   - animation: How they get there; nil to jump.
  @discardableResult
  public mutating func animate(
    _ indices: Range<Int>, to goals: Span<Value>, _ animation: Animation? = .default
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.animate(.indices(indices), to: input(goals), animation)
  }

  /// Sends every track to a goal; otherwise as with arrays.
  ///
  /// - Parameters:
  ///   - goals: By index: exactly ``indexCount``. Goals of indices without a track are ignored.
  ///   - animation: How they get there; nil to jump.
  @discardableResult
  public mutating func animateAll(
    to goals: Span<Value>, _ animation: Animation? = .default
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.animate(.all, to: input(goals), animation)
  }

  /// Sends every track to a goal; otherwise as with a span.
  @discardableResult
  public mutating func animateAll(to goals: [Value], _ animation: Animation? = .default) throws(BatchError) -> UInt32 {
    try goals.withInput(dimensions) { goals throws(BatchError) in try engine.animate(.all, to: goals, animation) }
  }

  /// Sends every track to the same goal.
  @discardableResult
  public mutating func animateAll(to goal: Value, _ animation: Animation? = .default) throws(BatchError) -> UInt32 {
    try animate(.all, to: goal, animation)
  }

  // MARK: - With the springs that they follow

  /// Sends tracks to goals with the springs that they follow; otherwise as with one track.
  ///
  /// Only tracks with another goal than the one that they head for start anew.
  @discardableResult
  @inlinable
  public mutating func retarget(
    _ tracks: [TrackHandle], to goals: [Value], delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try unsafe goals.withUnsafeBufferPointer { goals throws(BatchError) in
      try core.lent.retarget(tracks.span, to: unsafe LentValues(goals), delays: delays.span)
    }
  }

  mutating func retarget(
    _ tracks: Span<TrackHandle>, to goals: InputValues, delays: Span<Double>
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.retarget(tracks, to: goals, delays: delays)
    }
  }

  /// Sends tracks to one goal with the springs that they follow; otherwise as with a goal for each.
  @discardableResult
  public mutating func retarget<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ tracks: borrowing Tracks, to goal: Value, delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try withNames(of: tracks, repeating: goal) { engine, tracks, goals throws(BatchError) in
      try engine.retarget(tracks, to: goals, delays: delays.span)
    }
  }

  /// Lends the tracks of a selection, and one value for all of them.
  private mutating func withNames<Tracks: TrackSelection & ~Copyable & ~Escapable, Result>(
    of tracks: borrowing Tracks, repeating value: Value,
    _ body: (inout Engine, SelectedTracks, InputValues) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try tracks.withNames { named throws(BatchError) in
      try unsafe withUnsafePointer(to: value) { value throws(BatchError) in
        let one = unsafe LentValues(value).input(dimensions: dimensions)
        let values = one.repeated(engine.count(of: named.tracks))
        return try body(&engine, named.tracks, values)
      }
    }
  }

  /// Sends the tracks of a range of indices to goals with the springs that they follow; otherwise as with arrays.
  ///
  /// - Parameters:
  ///   - indices: Within 0..<``indexCount``. Indices without a track are passed over.
  ///   - goals: One for each index of the range.
  @discardableResult
  public mutating func retarget(_ indices: Range<Int>, to goals: Span<Value>) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.retarget(.indices(indices), to: input(goals))
  }

  /// Sends every track to a goal with the spring that it follows.
  ///
  /// - Parameter goals: By index: exactly ``indexCount``. Goals of indices without a track are ignored.
  @discardableResult
  public mutating func retargetAll(to goals: Span<Value>) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.retarget(.all, to: input(goals))
  }

  /// Sends every track to a goal with the spring that it follows; otherwise as with a span.
  @discardableResult
  public mutating func retargetAll(to goals: [Value]) throws(BatchError) -> UInt32 {
    try goals.withInput(dimensions) { goals throws(BatchError) in try engine.retarget(.all, to: goals) }
  }

  /// Sends every track to the same goal with the spring that it follows.
  @discardableResult
  public mutating func retargetAll(to goal: Value) throws(BatchError) -> UInt32 {
    try retarget(.all, to: goal)
  }

  /// Cancels the calls that wait for tracks.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  public mutating func cancelDelays<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    of tracks: borrowing Tracks
  ) throws(BatchError) {
    try tracks.withNames { named throws(BatchError) in try engine.cancelDelays(named.tracks) }
  }

  // MARK: - By hand

  /// Sets the values and velocities of tracks, as a dragging hand does. The tracks stay at these values, and the next
  /// spring takes over the velocities.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last value counts.
  ///   - values: The new values, one for each track.
  ///   - velocities: The velocities, per second, one for each track; nil for 0.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func set(
    _ tracks: [TrackHandle], _ values: [Value], velocities: [Value]? = nil
  ) throws(BatchError) -> UInt32 {
    try put(tracks, values, velocities, goesOn: false)
  }

  /// Sets the value and velocity of one track; otherwise as ``set(_:_:velocities:)``.
  @discardableResult
  public mutating func set(_ track: TrackHandle, _ value: Value, velocity: Value? = nil) throws(BatchError) -> UInt32 {
    try set([track], [value], velocities: velocity.map { [$0] })
  }

  /// Sets the values and velocities of tracks; from there they go on to their targets.
  ///
  /// A track that follows a spring goes on with it. A track that decelerates goes on with the critically damped spring of
  /// ω₀ = k. Any other track stays at its new value, as with ``set(_:_:velocities:)``.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last value counts.
  ///   - values: The new values, one for each track.
  ///   - velocities: The velocities, per second, one for each track; nil for 0.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func displace(
    _ tracks: [TrackHandle], _ values: [Value], velocities: [Value]? = nil
  ) throws(BatchError) -> UInt32 {
    try put(tracks, values, velocities, goesOn: true)
  }

  /// Sets the value and velocity of one track; otherwise as ``displace(_:_:velocities:)``.
  @discardableResult
  public mutating func displace(
    _ track: TrackHandle, _ value: Value, velocity: Value? = nil
  ) throws(BatchError) -> UInt32 {
    try displace([track], [value], velocities: velocity.map { [$0] })
  }

  private mutating func put(
    _ tracks: [TrackHandle], _ values: [Value], _ velocities: [Value]?, goesOn: Bool
  ) throws(BatchError) -> UInt32 {
    let isGiven = velocities != nil
    return try values.withInput(dimensions) { values throws(BatchError) in
      try (velocities ?? [Value(dimensions: dimensions) { _ in 0 }]).withInput(dimensions) { given throws(BatchError) in
        try put(tracks.span, values, isGiven ? given : given.repeated(tracks.count), goesOn: goesOn)
      }
    }
  }

  mutating func put(
    _ tracks: Span<TrackHandle>, _ values: InputValues, _ velocities: InputValues, goesOn: Bool
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.put(tracks, values, velocities, goesOn: goesOn)
    }
  }

  /// Lets a track slide from its value to its projected end, ever more slowly.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - velocity: The velocity at the start, per second; nil for the velocity of the track.
  ///   - deceleration: How fast the velocity decays; its rate within (0, 1), its decay constant in 10⁻⁵…10⁶ per second.
  /// - Returns: The number of the change. The projected end is the ``target(of:)`` of the track from now on.
  /// - Throws: ``BatchError``, also if the end lies beyond ±10¹⁵; the old motion continues then.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func decelerate(
    _ track: TrackHandle, velocity: Value? = nil, by deceleration: Deceleration = .normal
  ) throws(BatchError) -> UInt32 {
    try decelerate([track], velocities: velocity.map { [$0] }, by: deceleration)
  }

  /// Lets tracks slide from their values to their projected ends, ever more slowly.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last velocity counts.
  ///   - velocities: The velocities at the start, per second, one for each track; nil for the velocities of the tracks.
  ///   - deceleration: How fast the velocities decay; its rate within (0, 1), its decay constant in 10⁻⁵…10⁶ per second.
  /// - Returns: The number of the change. The projected ends are the ``target(of:)`` of the tracks from now on.
  /// - Throws: ``BatchError``, also if an end lies beyond ±10¹⁵; all old motions continue then.
  @discardableResult
  public mutating func decelerate(
    _ tracks: [TrackHandle], velocities: [Value]? = nil, by deceleration: Deceleration = .normal
  ) throws(BatchError) -> UInt32 {
    guard let velocities else { return try decelerate(tracks.span, nil, by: deceleration) }
    return try velocities.withInput(dimensions) { velocities throws(BatchError) in
      try decelerate(tracks.span, velocities, by: deceleration)
    }
  }

  mutating func decelerate(
    _ tracks: Span<TrackHandle>, _ velocities: InputValues?, by deceleration: Deceleration
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.decelerate(tracks, velocities, by: deceleration)
    }
  }
}
