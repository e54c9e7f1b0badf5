// SPDX-License-Identifier: MIT

/// Tracks with a clock: an ``AnimationBatch``, a ``RotationBatch``, or ``Particles``, whose tracks are the particles.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public protocol TrackBatch: TrackSet, ~Copyable {}

extension TrackBatch where Self: ~Copyable {
  // MARK: - Time

  /// The clock, in seconds: the time of the last ``advance(to:velocities:)``.
  public var time: Double {
    switch engines {
    case .one(let engine): engine.engine.time
    case .particles(let store): store.state.clock.time
    }
  }

  /// Threads that ``advance(to:velocities:)`` may use, for each property of particles; the caller's is included: 1…64; other
  /// numbers are clamped. The default is 1: no thread is started unasked.
  ///
  /// The bits do not depend on it. The caller evaluates a frame alone if threads would gain nothing. On Zen 5 these are
  /// frames of less than some 90 µs if the threads sleep, and of less than some 20 µs if they still watch for work
  /// after another frame.
  public var threadCount: Int {
    get {
      switch engines {
      case .one(let engine): engine.engine.threadCount
      case .particles(let store): store.workers?.count ?? 1
      }
    }
    set {
      switch engines {
      case .one(let engine): engine.engine.threadCount = newValue
      case .particles(let store): store.workers = .threads(newValue)
      }
    }
  }

  /// Evaluates every track at a time, and lists what happened on the way in ``MovingTracks/events``. Particles whose lifetime
  /// is over are removed before, see ``Particles/setLifetime(_:of:)``.
  ///
  /// The clock may be set to any time since the latest change or step of phases, forwards or back, at the cost of one
  /// frame. When it goes back, tracks that had come to rest move again.
  ///
  /// - Parameters:
  ///   - seconds: Absolute time, within ±``BatchLimits/maximumTime``.
  ///   - velocities: Whether to compute velocities along with values. A velocity that is read or taken over is computed in
  ///     any case.
  /// - Throws: ``BatchError/invalidTime(_:)``, ``BatchError/timeBeforeStart(time:start:)``, or
  ///   ``BatchError/capacityExceeded(_:)`` if there is no memory for calls and steps of phases that begin on the way;
  ///   nothing changes then.
  /// - Complexity: O(tiles of sixteen indices in which a track moves); after other calls also O(tracks whose completion they
  ///   asked for). It allocates only if more tracks complete than in any call before.
  @inlinable
  public mutating func advance(to seconds: Double, velocities: Bool = false) throws(BatchError) {
    switch engines {
    case .one(let engine): try engine.advance(to: seconds, velocities: velocities)
    case .particles(let store): try store.advance(to: seconds, velocities)
    }
  }

  /// Moves the clock by a number of seconds, and evaluates every track. The clock sums with compensation, so that many small
  /// steps lose nothing.
  ///
  /// - Throws: As ``advance(to:velocities:)``.
  @inlinable
  public mutating func advance(by seconds: Double, velocities: Bool = false) throws(BatchError) {
    switch engines {
    case .one(let engine): try engine.advance(by: seconds, velocities: velocities)
    case .particles(let store): try store.advance(by: seconds, velocities)
    }
  }

  #if !hasFeature(Embedded)
    /// Evaluates every track at a time since the batch's time 0: see ``advance(to:velocities:)``.
    ///
    /// - Throws: As for the same time in seconds.
    public mutating func advance(to time: Duration) throws(BatchError) { try advance(to: time.seconds) }

    /// Moves the clock by a duration, and evaluates every track: see ``advance(by:velocities:)``.
    ///
    /// - Throws: As for the same number of seconds.
    public mutating func advance(by step: Duration) throws(BatchError) { try advance(by: step.seconds) }
  #endif

  // MARK: - Room and removal

  /// Makes room for `additional` tracks beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated; particles may have room in some properties then.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    let engines = engines
    for property in 0..<engines.count { try engines[property].engine.reserveRoom(for: additional) }
  }

  /// Removes tracks: their handles go stale, and the next new tracks take their indices. A track that is named twice is
  /// removed once.
  ///
  /// - Throws: ``BatchError`` for a bad selection (see ``TrackSelection``); nothing is removed then.
  /// - Complexity: O(tracks), and of particles O(particles · properties); no allocation for handles.
  @inlinable
  public mutating func remove(_ tracks: some TrackSelection & ~Escapable) throws(BatchError) {
    let engines = engines
    try tracks.withNames { named throws(BatchError) in try engines.remove(named.tracks) }
  }

  /// Removes the tracks whose motion is over: springs at rest, curves and clips at their ends, triggered runs of phases
  /// that are back at rest. Tracks that were never sent anywhere, tracks that jumped, and loops of phases stay. A particle goes
  /// when none of its properties moves any more, and the motion of at least one has ended.
  ///
  /// - Returns: The number of tracks that were removed.
  /// - Complexity: O(tracks), and of particles O(particles · properties).
  @discardableResult
  public mutating func removeSettled() -> Int {
    switch engines {
    case .one(let engine): engine.engine.removeSettled()
    case .particles(let store): store.removeSettled()
    }
  }

  /// Removes every track. Their indices are all free; memory stays reserved.
  ///
  /// - Complexity: O(tracks).
  public mutating func removeAll() {
    let engines = engines
    for property in 0..<engines.count { engines[property].engine.removeAll() }
  }

  /// Gives back the memory behind the last track. Indices and handles do not change.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; no motion changes then.
  /// - Complexity: O(tracks); allocates.
  public mutating func compact() throws(BatchError) {
    let engines = engines
    for property in 0..<engines.count { try engines[property].engine.compact() }
  }

  // MARK: - State

  /// The whole state, to which the batch can go back with ``restore(_:)``.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory.
  /// - Complexity: O(indices · components): a copy of the memory of the batch.
  public func snapshot() throws(BatchError) -> BatchSnapshot {
    var snapshot = BatchSnapshot()
    try self.snapshot(into: &snapshot)
    return snapshot
  }

  /// Makes a snapshot one of this batch now. Programs can take one in every frame: if it was one of this batch, is not shared,
  /// and there are no more tracks, kinds of motions and events than then, it allocates nothing.
  ///
  /// - Throws: As ``snapshot()``; nothing changes then.
  public func snapshot(into snapshot: inout BatchSnapshot) throws(BatchError) {
    try snapshot.take(engines)
  }

  /// Makes the batch what it was. ``threadCount`` stays.
  ///
  /// - Throws: ``BatchError/snapshotMismatch`` if the snapshot is not one of this batch, also of particles that have got other
  ///   properties since then, ``BatchError/isRecorded`` while calls are recorded, and ``BatchError/capacityExceeded(_:)`` if
  ///   there is no memory; nothing changes then.
  /// - Complexity: As for ``snapshot()``.
  public mutating func restore(_ snapshot: BatchSnapshot) throws(BatchError) {
    try snapshot.give(engines)
  }
}
