// SPDX-License-Identifier: MIT

/// Tracks with handles and indices, whatever they show: those of an ``AnimationBatch`` or a ``RotationBatch``, those of one
/// property of ``Particles``, or particles with all their properties, as one track each.
///
/// Its calls need no values. Particles take each of them in all properties, or in none.
///
/// Only the library makes ``TrackParts``, so other types cannot conform.
public protocol TrackSet: ~Copyable {
  /// Lends the storage of the tracks. (An accessor would allocate where it is called by the protocol.)
  func withParts<Result, Failure: Error>(
    _ body: (borrowing TrackParts) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

/// The storage of tracks. It has no members for other code, and is lent, never given away.
@frozen
public struct TrackParts: ~Copyable {
  @usableFromInline let engines: TrackEngines

  @inlinable init(_ engines: TrackEngines) { self.engines = engines }
}

/// The engines of tracks, one for each property.
@usableFromInline
package enum TrackEngines {
  case one(LentEngine)
  case particles(ParticleStore)

  /// A batch. Its box stays while these are in use.
  package init(_ box: EngineBox) { self = .one(LentEngine(box)) }

  var particles: ParticleStore? {
    if case .particles(let store) = self { store } else { nil }
  }

  /// Their number, at least one: particles without properties have one without tracks.
  var count: Int {
    switch self {
    case .one: 1
    case .particles(let store): max(1, store.boxes.count)
    }
  }

  @usableFromInline
  subscript(property: Int) -> LentEngine {
    switch self {
    case .one(let engine): engine
    case .particles(let store): store[property]
    }
  }

  /// Makes a call about tracks in each engine. None refuses what all have accepted.
  func change(
    _ tracks: SelectedTracks, accept: (inout Engine) throws(BatchError) -> Void = { _ throws(BatchError) in },
    _ call: (inout Engine) throws(BatchError) -> Void
  ) throws(BatchError) {
    if case .one(let engine) = self { return try call(&engine.engine) }
    if count > 1 {
      for property in 0..<count {
        try self[property].engine.accept(tracks)
        try accept(&self[property].engine)
      }
    }
    for property in 0..<count { try call(&self[property].engine) }
  }

  // The calls below are what remains of public ones once these are inlined. Nothing here is generic.

  @usableFromInline
  func isAtRest(_ track: TrackHandle) -> Bool? {
    guard let index = self[0].engine.index(of: track) else { return nil }
    return (0..<count).allSatisfy { self[$0].engine.isAtRest(index) }
  }

  @usableFromInline
  func pause(_ tracks: SelectedTracks) throws(BatchError) {
    try change(tracks) { engine throws(BatchError) in try engine.pause(tracks) }
  }

  @usableFromInline
  func resume(_ tracks: SelectedTracks) throws(BatchError) {
    try change(tracks) { engine throws(BatchError) in try engine.resume(tracks) }
  }

  @usableFromInline
  func stop(_ tracks: SelectedTracks) throws(BatchError) {
    try change(tracks) { engine throws(BatchError) in try engine.stop(tracks) }
  }

  @usableFromInline
  func cancelDelays(_ tracks: SelectedTracks) throws(BatchError) {
    try change(tracks) { engine throws(BatchError) in try engine.cancelDelays(tracks) }
  }

  @usableFromInline
  func remove(_ tracks: SelectedTracks) throws(BatchError) {
    if case .one(let engine) = self { return try engine.remove(tracks) }
    try change(tracks) { engine throws(BatchError) in try engine.remove(tracks) }
  }
}

extension MovingTracks where Self: ~Copyable {
  @inlinable
  public func withParts<Result, Failure: Error>(
    _ body: (borrowing TrackParts) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(TrackParts(.one(core.lent)))
  }
}

extension TrackSet where Self: ~Copyable {
  /// The engines of the tracks, for a call.
  @inlinable var engines: TrackEngines { withParts { $0.engines } }

  // MARK: - Asking

  /// The number of live tracks.
  public var count: Int { engines[0].engine.count }

  /// One past the largest index that a track has had since ``TrackBatch/compact()`` lowered it, or ``TrackBatch/removeAll()``
  /// did: the length of every column.
  public var indexCount: Int { engines[0].engine.indexCount }

  /// Whether the track of a handle lives here.
  @inlinable public func contains(_ handle: TrackHandle) -> Bool { engines[0].index(of: handle) >= 0 }

  /// The track at an index; nil for an index without a track.
  @inlinable public func handle(at index: Int) -> TrackHandle? { engines[0].handle(at: index) }

  /// Whether a track showed its target and velocity 0 in the last frame, a particle in all properties: its motion is over, or
  /// it never had one. A track that plays a clip is at rest while it stands still: before its start, after its end, in a pause,
  /// and at speed 0. Nil if the handle names no track.
  @inlinable public func isAtRest(_ track: TrackHandle) -> Bool? { engines.isAtRest(track) }

  // MARK: - Pauses, speeds and stops

  /// Pauses tracks: no time passes for them, whatever they follow. They keep their values, have no velocity, and report
  /// nothing; a clip that is moved to its end in a pause is over when it goes on. Lifetimes of particles go on.
  ///
  /// Steps of phases wait, also those that are due at this moment; calls with a delay wait too. Tracks that stand and wait
  /// for nothing are left alone; a track stands once a frame has shown its rest. A call that gives a paused track another
  /// motion resumes it first, as ``resume(_:)`` does. From a paused clip, the new motion takes over the value without a
  /// velocity.
  ///
  /// - Throws: ``BatchError`` for a bad selection (see ``TrackSelection``), or if there is no memory; nothing changes then.
  /// - Complexity: O(tracks).
  @inlinable
  public mutating func pause(_ tracks: some TrackSelection & ~Escapable) throws(BatchError) {
    let engines = engines
    try tracks.withNames { named throws(BatchError) in try engines.pause(named.tracks) }
  }

  /// Resumes paused tracks, from where they are and with the velocities that they had; other tracks are left alone.
  ///
  /// - Throws: As ``pause(_:)``; nothing changes then.
  /// - Complexity: O(tracks).
  @inlinable
  public mutating func resume(_ tracks: some TrackSelection & ~Escapable) throws(BatchError) {
    let engines = engines
    try tracks.withNames { named throws(BatchError) in try engines.resume(named.tracks) }
  }

  /// Ends the motions, schedules and waiting calls of tracks, and leaves them where they are: their values become their
  /// targets. Nothing is reported.
  ///
  /// - Throws: As ``pause(_:)``; nothing changes then.
  /// - Complexity: O(tracks).
  @inlinable
  public mutating func stop(_ tracks: some TrackSelection & ~Escapable) throws(BatchError) {
    let engines = engines
    try tracks.withNames { named throws(BatchError) in try engines.stop(named.tracks) }
  }

  /// Cancels the calls that wait for tracks.
  ///
  /// - Throws: ``BatchError`` for a bad selection (see ``TrackSelection``); nothing changes then.
  /// - Complexity: O(tracks).
  @inlinable
  public mutating func cancelDelays(of tracks: some TrackSelection & ~Escapable) throws(BatchError) {
    let engines = engines
    try tracks.withNames { named throws(BatchError) in try engines.cancelDelays(named.tracks) }
  }

  /// Changes the speeds of motions, from the values that tracks show. Tracks at rest are left alone, see ``isAtRest(_:)``.
  ///
  /// A spring, a slide, a curve, an effect, a custom animation, following, and phases with all steps to come: each goes on as
  /// its formula says, with its clock and its velocity at the new speed. Delays that tracks wait for stay, and so do lifetimes
  /// of particles. The speed lasts until another call gives the track a motion; `retarget` takes the spring as it is then. A
  /// playback that is over plays back from its end if its direction changes.
  ///
  /// - Parameters:
  ///   - speeds: Seconds of the motion per second of the clock, one for all or one for each track. For clips any finite
  ///     numbers; negative plays backwards. For other motions 10⁻⁶ to 10⁶.
  ///   - tracks: The tracks. If one is named twice, the last speed counts.
  /// - Throws: ``BatchError``, such as ``BatchError/invalidPlayback(index:reason:)`` for a speed that the motion of a track
  ///   cannot have; nothing changes then.
  /// - Complexity: O(tracks): 70 ns for a spring, 500 for a curve, 1 800 for an animation with modifiers (two components, Zen 5).
  public mutating func setSpeed(
    _ speeds: some PerTrack<Double> & ~Escapable, of tracks: some TrackSelection & ~Escapable
  ) throws(BatchError) {
    let engines = engines
    try tracks.withNames { named throws(BatchError) in
      let (tracks, count) = (named.tracks, try engines[0].count(of: named.tracks))
      try speeds.withElements(of: count) { speeds throws(BatchError) in
        try speeds.check("speeds", count: count)
        let speeds = unsafe speeds.elements.span
        try engines.change(tracks) { engine throws(BatchError) in
          try engine.check(speeds: speeds, of: tracks)
        } _: { engine throws(BatchError) in
          try engine.setSpeed(speeds, of: tracks)
        }
      }
    }
  }
}
