// SPDX-License-Identifier: MIT

// Adding and removing tracks.
extension AnimationBatch {
  /// Adds a track that stands still.
  ///
  /// - Returns: The handle of the track.
  /// - Throws: ``BatchError/invalidValue(of:index:value:)`` or ``BatchError/capacityExceeded(_:)``.
  /// - Complexity: O(1), amortised.
  @discardableResult
  @inlinable
  public mutating func add(_ value: Value) throws(BatchError) -> TrackHandle {
    try unsafe withUnsafePointer(to: value) { value throws(BatchError) in
      try core.lent.add(unsafe LentValues(value))
    }
  }

  /// Adds tracks that stand still.
  ///
  /// - Returns: The handles, in the order of the values.
  /// - Throws: ``BatchError/invalidValue(of:index:value:)`` or ``BatchError/capacityExceeded(_:)``; nothing is added then.
  /// - Complexity: O(tracks), amortised.
  @discardableResult
  public mutating func add(_ values: [Value]) throws(BatchError) -> [TrackHandle] {
    try values.withInput(dimensions) { values throws(BatchError) in
      try .init(count: values.count) { span throws(BatchError) in try engine.add(values, handles: &span) }
    }
  }

  /// Adds tracks that stand still, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - values: The values, one for each track.
  ///   - handles: Gets the handles, one for each value, in their order.
  /// - Throws: ``BatchError/invalidValue(of:index:value:)``, ``BatchError/wrongCount(of:expected:got:)`` or
  ///   ``BatchError/capacityExceeded(_:)``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(_ values: Span<Value>, handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    defer { extendLifetime(values) }
    try engine.add(input(values), handles: &handles)
  }

  // MARK: - On their way

  /// Adds a track that sets out at once.
  ///
  /// With a velocity, it moves even if the goal is the value.
  ///
  /// - Parameters:
  ///   - value: The value at the start.
  ///   - velocity: The velocity at the start, per second; nil for a track at rest.
  ///   - goal: The target.
  ///   - spring: The spring, which `retarget(_:to:)` keeps.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(1), amortised.
  @discardableResult
  public mutating func add(
    _ value: Value, velocity: Value? = nil, to goal: Value, _ spring: Spring
  ) throws(BatchError) -> TrackHandle {
    try add([value], velocities: velocity.map { [$0] } ?? [], to: [goal], springs: [spring])[0]
  }

  /// Adds tracks that set out at once with one spring.
  ///
  /// - Parameters:
  ///   - values: The values at the start, one for each track.
  ///   - velocities: The velocities at the start, per second, one for each track; empty for tracks at rest.
  ///   - goals: The targets, one for each track.
  ///   - spring: The spring of all tracks.
  /// - Returns: The handles, in the order of the values.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(tracks), amortised.
  @discardableResult
  public mutating func add(
    _ values: [Value], velocities: [Value] = [], to goals: [Value], _ spring: Spring
  ) throws(BatchError) -> [TrackHandle] {
    try Departures.lend(values, velocities: velocities, to: goals, dimensions: dimensions) {
      departures throws(BatchError) in
      try .init(count: values.count) { span throws(BatchError) in
        try spring.withList { springs throws(BatchError) in
          try engine.add(departures, springs: springs, handles: &span)
        }
      }
    }
  }

  /// Adds tracks that set out at once with one spring, and writes their handles into memory of the caller; otherwise as with
  /// arrays.
  ///
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(
    _ values: Span<Value>, velocities: Span<Value> = Span(), to goals: Span<Value>, _ spring: Spring,
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    defer { extendLifetimes(values, velocities, goals) }
    let departures = Departures(values: input(values), velocities: input(velocities).ifAny, goals: input(goals))
    try spring.withList { springs throws(BatchError) in
      try engine.add(departures, springs: springs, handles: &handles)
    }
  }

  /// Adds tracks that set out at once with a spring each; otherwise as with one spring.
  @discardableResult
  public mutating func add(
    _ values: [Value], velocities: [Value] = [], to goals: [Value], springs: [Spring]
  ) throws(BatchError) -> [TrackHandle] {
    try BatchError.check(springs.count, of: "springs", expected: values.count)
    return try Departures.lend(values, velocities: velocities, to: goals, dimensions: dimensions) {
      departures throws(BatchError) in
      try .init(count: values.count) { span throws(BatchError) in
        try engine.add(departures, springs: springs.span, handles: &span)
      }
    }
  }

  // MARK: - Room and removal

  /// Makes room for `additional` tracks beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    try engine.reserveRoom(for: additional)
  }

  /// Removes a track: its handle goes stale, and the next new track takes its index.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(1).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) { try engine.remove(handle) }

  /// Removes tracks. A track that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  /// - Complexity: O(tracks); no allocation for handles.
  public mutating func remove<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ tracks: borrowing Tracks
  ) throws(BatchError) {
    try tracks.withNames { named throws(BatchError) in try engine.remove(named.tracks) }
  }

  /// Removes the tracks whose motion is over: springs at rest, curves and clips at their ends, triggered runs of phases
  /// that are back at rest. Tracks that were never sent anywhere, tracks that jumped, and loops of phases stay.
  ///
  /// - Returns: The number of tracks that were removed.
  /// - Complexity: O(tracks).
  @discardableResult
  public mutating func removeSettled() -> Int { engine.removeSettled() }

  /// Removes every track. Their indices are all free; memory stays reserved.
  ///
  /// - Complexity: O(tracks).
  public mutating func removeAll() { engine.removeAll() }

  /// Gives back the memory behind the last track. Indices and handles do not change.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(tracks); allocates.
  public mutating func compact() throws(BatchError) { try engine.compact() }
}
