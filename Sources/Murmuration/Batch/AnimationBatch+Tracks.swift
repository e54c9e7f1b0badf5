// SPDX-License-Identifier: MIT

// Adding tracks.
extension AnimationBatch {
  /// Adds a track that stands still, or that sets out at once with a spring.
  ///
  /// - Parameters:
  ///   - value: The value at the start.
  ///   - velocity: The velocity at the start, per second; nil for a track at rest.
  ///   - goal: The target; nil for the value: without a velocity the track stands still then.
  ///   - spring: The spring, which `retarget` keeps.
  /// - Returns: The handle of the track.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(1), amortised.
  @discardableResult
  @inlinable
  public mutating func add(
    _ value: Value, velocity: Value? = nil, to goal: Value? = nil, _ spring: Spring = Spring()
  ) throws(BatchError) -> TrackHandle {
    let lent = core.lent
    if velocity == nil, goal == nil {
      return try unsafe withUnsafePointer(to: value) { value throws(BatchError) in
        try lent.add(unsafe LentValues(forAll: value))
      }
    }
    return try unsafe withUnsafePointer(to: (value, velocity ?? value, goal ?? value)) { numbers throws(BatchError) in
      let values = unsafe UnsafeRawPointer(numbers).assumingMemoryBound(to: Value.self)
      return try unsafe withUnsafePointer(to: spring) { spring throws(BatchError) in
        try unsafe lent.addOne(
          LentDepartures(
            values: LentValues(forAll: values), velocities: velocity == nil ? nil : LentValues(forAll: values + 1),
            goals: LentValues(forAll: values + 2), springs: UnsafeBufferPointer(start: spring, count: 1),
            isOneSpring: true))
      }
    }
  }

  /// Adds tracks that stand still, or that set out at once with springs.
  ///
  /// With a velocity, a track moves even if its goal is its value.
  ///
  /// - Parameters:
  ///   - values: The values at the start, one for each track.
  ///   - velocities: The velocities at the start, per second, one for each track; nil for tracks at rest.
  ///   - goals: The targets, one for each track; nil for the values: without velocities the tracks stand still then.
  ///   - spring: The spring of all, which `retarget` keeps.
  ///   - springs: A spring for each track, in place of that.
  /// - Returns: The handles, in the order of the values.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(tracks), amortised.
  @discardableResult
  @inlinable
  public mutating func add<Values: PerTrack<Value> & ~Escapable>(
    _ values: Values, velocities: Values? = nil, to goals: Values? = nil, _ spring: Spring = Spring(),
    springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>()
  ) throws(BatchError) -> [TrackHandle] {
    let lent = core.lent
    return try lend(values, velocities, to: goals, spring, springs) { tracks throws(BatchError) in try lent.add(tracks)
    }
  }

  /// Adds tracks, and writes their handles into memory of the caller, one for each value, in their order; otherwise as with
  /// new memory.
  ///
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  @inlinable
  public mutating func add<Values: PerTrack<Value> & ~Escapable>(
    _ values: Values, velocities: Values? = nil, to goals: Values? = nil, _ spring: Spring = Spring(),
    springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>(),
    handles: inout some TrackOutput<TrackHandle> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    let lent = core.lent
    try lend(values, velocities, to: goals, spring, springs) { tracks throws(BatchError) in
      try handles.withMutableElements { handles throws(BatchError) in
        var span = unsafe handles.elements.mutableSpan
        try lent.add(tracks, handles: &span)
      }
    }
  }

  /// Adds tracks whose numbers stand in columns: component 0 of all tracks, then component 1, … Otherwise as with values.
  @discardableResult
  public mutating func add<Numbers: PerTrack<Float> & ~Escapable>(
    planar values: Numbers, velocities: Numbers? = nil, toPlanar goals: Numbers? = nil, layout: ColumnLayout = .planar,
    _ spring: Spring = Spring(), springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>()
  ) throws(BatchError) -> [TrackHandle] {
    try lend(planar: values, velocities, to: goals, layout, spring, springs) { departures, springs throws(BatchError) in
      try .init(count: departures.values.count) { handles throws(BatchError) in
        try add(departures, springs, &handles)
      }
    }
  }

  /// Adds tracks whose numbers stand in columns, and writes their handles into memory of the caller.
  public mutating func add<Numbers: PerTrack<Float> & ~Escapable>(
    planar values: Numbers, velocities: Numbers? = nil, toPlanar goals: Numbers? = nil, layout: ColumnLayout = .planar,
    _ spring: Spring = Spring(), springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>(),
    handles: inout some TrackOutput<TrackHandle> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try lend(planar: values, velocities, to: goals, layout, spring, springs) { departures, springs throws(BatchError) in
      try handles.withMutableElements { handles throws(BatchError) in
        var span = unsafe handles.elements.mutableSpan
        try add(departures, springs, &span)
      }
    }
  }

  /// Adds one track that moves from the start; otherwise as for many tracks.
  ///
  /// - Parameters:
  ///   - value: The value at the start.
  ///   - velocity: The velocity at the start, per second; nil for a track at rest.
  ///   - goal: The target.
  ///   - spring: The spring, which `retarget` keeps.
  /// - Complexity: O(1), amortised.
  @discardableResult
  @inlinable
  public mutating func add(
    _ value: Value, velocity: Value? = nil, to goal: Value, _ spring: Spring = Spring()
  ) throws(BatchError) -> TrackHandle {
    let lent = core.lent
    return try unsafe withUnsafePointer(to: (value, velocity ?? value, goal)) { numbers throws(BatchError) in
      try unsafe withUnsafePointer(to: spring) { spring throws(BatchError) in
        let values = unsafe UnsafeRawPointer(numbers).assumingMemoryBound(to: Value.self)
        return try unsafe lent.addOne(
          LentDepartures(
            values: LentValues(forAll: values), velocities: velocity == nil ? nil : LentValues(forAll: values + 1),
            goals: LentValues(forAll: values + 2), springs: UnsafeBufferPointer(start: spring, count: 1),
            isOneSpring: true))
      }
    }
  }

  private func add(
    _ departures: Departures, _ springs: LentElements<Spring>, _ handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    try springs.check("springs", count: departures.values.count)
    try core.lent.engine.add(departures, springs: unsafe springs.elements.span, handles: &handles)
  }
}
