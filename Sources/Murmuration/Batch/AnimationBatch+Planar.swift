// SPDX-License-Identifier: MIT

// Calls that take values also take columns: component 0 of all tracks, then component 1, … A span that is not whole columns
// throws ``BatchError/unequalColumns(count:dimensions:)``; otherwise each call does the same as the call with values.
extension AnimatedTracks where Self: ~Copyable {
  // MARK: - With an animation

  /// Sends tracks to goals in columns; otherwise as `animate(_:to:_:delays:)`.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: Component 0 of all tracks, then component 1, …
  ///   - animation: How they get there; nil to jump.
  ///   - delays: Seconds until each track sets out; empty for now.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func animate(
    _ tracks: Span<TrackHandle>, toPlanar goals: Span<Float>, _ animation: Animation? = .default,
    delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try animate(tracks, to: planar(goals), animation, delays: delays)
  }

  /// Sends tracks to goals in columns with a spring each.
  @discardableResult
  public mutating func animate(
    _ tracks: Span<TrackHandle>, toPlanar goals: Span<Float>, springs: Span<Spring>
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try animate(tracks, to: planar(goals), springs: springs)
  }

  /// Sends the tracks of a range of indices to goals in columns; otherwise as `animate(_:to:_:)`.
  @discardableResult
  public mutating func animate(
    _ indices: Range<Int>, toPlanar goals: Span<Float>, _ animation: Animation? = .default
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.animate(.indices(indices), to: planar(goals), animation)
  }

  /// Sends every track to a goal in columns; otherwise as `animateAll(to:_:)`.
  @discardableResult
  public mutating func animateAll(
    toPlanar goals: Span<Float>, _ animation: Animation? = .default
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.animate(.all, to: planar(goals), animation)
  }

  // MARK: - With the springs that they follow

  /// Sends tracks to goals in columns with the springs that they follow; otherwise as `retarget(_:to:delays:)`.
  @discardableResult
  public mutating func retarget(
    _ tracks: Span<TrackHandle>, toPlanar goals: Span<Float>, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try retarget(tracks, to: planar(goals), delays: delays)
  }

  /// Sends the tracks of a range of indices to goals in columns with the springs that they follow.
  @discardableResult
  public mutating func retarget(_ indices: Range<Int>, toPlanar goals: Span<Float>) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.retarget(.indices(indices), to: planar(goals))
  }

  /// Sends every track to a goal in columns with the spring that it follows; otherwise as `retargetAll(to:)`.
  @discardableResult
  public mutating func retargetAll(toPlanar goals: Span<Float>) throws(BatchError) -> UInt32 {
    defer { extendLifetime(goals) }
    return try engine.retarget(.all, to: planar(goals))
  }

  // MARK: - By hand

  /// Sets values and velocities of tracks, both in columns; otherwise as ``set(_:_:velocities:)``.
  @discardableResult
  public mutating func set(
    _ tracks: Span<TrackHandle>, planar values: Span<Float>, velocities: Span<Float>
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetimes(values, velocities) }
    return try put(tracks, planar(values), planar(velocities), goesOn: false)
  }

  /// Sets values and velocities of tracks, both in columns; from there they go on to their targets. Otherwise as
  /// ``displace(_:_:velocities:)``.
  @discardableResult
  public mutating func displace(
    _ tracks: Span<TrackHandle>, planar values: Span<Float>, velocities: Span<Float>
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetimes(values, velocities) }
    return try put(tracks, planar(values), planar(velocities), goesOn: true)
  }

  /// Lets tracks slide with velocities in columns; otherwise as ``decelerate(_:velocities:by:)``.
  @discardableResult
  public mutating func decelerate(
    _ tracks: Span<TrackHandle>, planarVelocities velocities: Span<Float>, by deceleration: Deceleration = .normal
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetime(velocities) }
    return try decelerate(tracks, planar(velocities), by: deceleration)
  }

  // MARK: - Variations

  /// Plays a sequence of phases on tracks, with offsets and scales in columns; otherwise as
  /// ``play(_:on:_:startingAt:offsets:scales:)``.
  ///
  /// - Parameters:
  ///   - sequence: A sequence that was loaded.
  ///   - tracks: The tracks. If one is named twice, the last start and variation count.
  ///   - playback: Whether they loop, or wait for triggers.
  ///   - starts: When each track sets out, on the batch's clock; empty for now.
  ///   - offsets: Added to the targets, in columns; empty for 0.
  ///   - scales: Factors of the targets, applied before the offsets, in columns; empty for 1.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions and schedules continue then.
  @discardableResult
  public mutating func play(
    _ sequence: PhaseSequenceID, on tracks: Span<TrackHandle>, _ playback: PhasePlayback = .loops,
    startingAt starts: Span<Double> = Span(), planarOffsets offsets: Span<Float>, scales: Span<Float> = Span()
  ) throws(BatchError) -> UInt32 {
    defer { extendLifetimes(offsets, scales) }
    let (added, factors) = (try planar(offsets).ifAny, try planar(scales).ifAny)
    return try tracks.withSelection { tracks throws(BatchError) in
      try engine.play(sequence, on: tracks, playback, startingAt: starts, offsets: added, scales: factors)
    }
  }

  /// Gives tracks that play clips variations in columns; otherwise as ``setVariations(of:scales:offsets:)``.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last variation counts.
  ///   - scales: Factors of the values, in columns.
  ///   - offsets: Added after that, in columns.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func setVariations(
    of tracks: Span<TrackHandle>, planarScales scales: Span<Float>, offsets: Span<Float>
  ) throws(BatchError) {
    defer { extendLifetimes(scales, offsets) }
    let (factors, added) = (try planar(scales), try planar(offsets))
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.vary(tracks, scales: factors, offsets: added)
    }
  }

  /// The values of a span, which the caller keeps alive.
  ///
  /// Only an address is kept here, which the compiler does not count as a use of the span: without `extendLifetime` after
  /// the last use of the values, an optimised program may free the caller's array earlier.
  func input(_ values: Span<Value>) -> InputValues {
    unsafe values.withUnsafeBufferPointer { unsafe LentValues($0) }.input(dimensions: dimensions)
  }

  /// The columns of a span, which the caller keeps alive: component 0 of all tracks, then component 1, …
  ///
  /// - Throws: ``BatchError/unequalColumns(count:dimensions:)`` if the spans are not whole columns.
  func planar(_ columns: Span<Float>) throws(BatchError) -> InputValues {
    let count = columns.count / dimensions
    guard count * dimensions == columns.count else {
      throw .unequalColumns(count: columns.count, dimensions: dimensions)
    }
    let start = unsafe columns.withUnsafeBufferPointer { $0.baseAddress }
    return unsafe InputValues(
      start ?? InputValues.nothing, count: count, dimensions: dimensions, componentStride: count, trackStride: 1)
  }
}

extension AnimationBatch {
  // MARK: - Adding

  /// Adds tracks that stand still at values in columns, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - values: Component 0 of all tracks, then component 1, …
  ///   - handles: Gets the handles, one for each value, in their order.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(
    planar values: Span<Float>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    defer { extendLifetime(values) }
    try engine.add(planar(values), handles: &handles)
  }

  /// Adds tracks that stand still at values in columns, and returns their handles.
  @discardableResult
  public mutating func add(planar values: Span<Float>) throws(BatchError) -> [TrackHandle] {
    try .init(count: values.count / dimensions) { span throws(BatchError) in try add(planar: values, handles: &span) }
  }

  /// Adds tracks that set out at once with one spring, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - values: The values at the start, in columns.
  ///   - velocities: The velocities, per second, in columns; empty for tracks at rest.
  ///   - goals: The targets, in columns.
  ///   - spring: The spring of all tracks.
  ///   - handles: Gets the handles, one for each value, in their order.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(
    planar values: Span<Float>, velocities: Span<Float> = Span(), toPlanar goals: Span<Float>, _ spring: Spring,
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    defer { extendLifetimes(values, velocities, goals) }
    let departures = Departures(
      values: try planar(values), velocities: try planar(velocities).ifAny, goals: try planar(goals))
    try spring.withList { springs throws(BatchError) in
      try engine.add(departures, springs: springs, handles: &handles)
    }
  }

  /// Adds tracks that set out at once with one spring, and returns their handles.
  @discardableResult
  public mutating func add(
    planar values: Span<Float>, velocities: Span<Float> = Span(), toPlanar goals: Span<Float>, _ spring: Spring
  ) throws(BatchError) -> [TrackHandle] {
    try .init(count: values.count / dimensions) { span throws(BatchError) in
      try add(planar: values, velocities: velocities, toPlanar: goals, spring, handles: &span)
    }
  }

  /// Adds tracks that set out at once with a spring each, and writes their handles into memory of the
  /// caller.
  public mutating func add(
    planar values: Span<Float>, velocities: Span<Float> = Span(), toPlanar goals: Span<Float>, springs: Span<Spring>,
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    defer { extendLifetimes(values, velocities, goals) }
    let departures = Departures(
      values: try planar(values), velocities: try planar(velocities).ifAny, goals: try planar(goals))
    try BatchError.check(springs.count, of: "springs", expected: handles.count)
    try engine.add(departures, springs: springs, handles: &handles)
  }

  /// Adds tracks that set out at once with a spring each, and returns their handles.
  @discardableResult
  public mutating func add(
    planar values: Span<Float>, velocities: Span<Float> = Span(), toPlanar goals: Span<Float>, springs: Span<Spring>
  ) throws(BatchError) -> [TrackHandle] {
    try .init(count: values.count / dimensions) { span throws(BatchError) in
      try add(planar: values, velocities: velocities, toPlanar: goals, springs: springs, handles: &span)
    }
  }
}
