// SPDX-License-Identifier: MIT
#if !hasFeature(Embedded)
  /// Many rotations in space. Each goes the shortest way to its goal by its own motion, or stands still.
  ///
  /// ```swift
  /// var batch = try RotationBatch()
  /// let heads = try batch.add([Rotation](repeating: .identity, count: 100))
  /// let left = Rotation(axis: SIMD3(0, 1, 0), angle: .degrees(90))!
  /// try batch.animate(heads, to: left, .bouncy, delays: .each(0.01))
  /// try batch.advance(to: 0.25)
  /// let now = batch[heads[0]]  // a Rotation
  /// let spin = batch.angularVelocity(of: heads[0])
  /// ```
  ///
  /// ### What an animation does
  /// A track shows q = g · exp(φ): its goal g, and its offset φ in the tangent space of the goal, a rotation vector. A motion
  /// moves φ to 0 as it moves any value of three components. So a curve from a standing track is a slerp.
  ///
  /// Another goal turns φ into the tangent space of that goal, by the shortest way. Springs and following take over the rotation
  /// and its angular velocity ω; so does a spring from a clip. A curve, and any other animation that is no plain spring, starts
  /// at the rotation that shows, without ω: effects do not add up as they do for plain values. Delayed calls turn φ at the moment
  /// at which they begin.
  ///
  /// Clips have quaternions (x, y, z, w) as values, as those of glTF files do, and show them at length 1. Pauses, speeds, events
  /// and the rest of ``MovingTracks`` are as for other values: `copyValues` and `withValues` give quaternions (x, y, z, w).
  ///
  /// ### Accuracy
  /// A quaternion that shows has length 1 within 2⁻²¹, after any number of frames. While a spring runs, a rotation is within
  /// 8 · 2⁻²⁴ · S + 2⁻²⁰ rad of the exact motion, S being |φ| + |φ̇|/ω₀ when the spring took over, and the angular velocity is
  /// within 24 · 2⁻²⁴ · S · ω₀. Another goal takes over the error that it finds, times at most π/2: the growth of an offset of half
  /// a turn. Bits are the same on every instruction set.
  ///
  /// Offsets longer than a turn, as fast spins have, are kept until another goal takes the shortest way.
  public struct RotationBatch: MovingTracks, TrackBatch, ~Copyable, Sendable {
    public var core: TrackCore<SIMD4<Float>>

    /// An empty batch.
    ///
    /// - Parameters:
    ///   - capacity: Tracks to make room for now; more may come.
    ///   - curveTolerance: The largest distance of the fitted pieces from a curve, as a share of the way: 2⁻⁴⁰…2⁻².
    ///   - kernels: The instruction set; nil for the one in force.
    /// - Throws: As ``AnimationBatch``.
    public init(
      reservingCapacity capacity: Int = 0, curveTolerance: Double = 0x1p-16, kernels: KernelSet? = nil
    ) throws(BatchError) {
      core = TrackCore(
        engine: try Engine(rotationsReservingCapacity: capacity, curveTolerance: curveTolerance, kernels: kernels))
    }

    private init(box: EngineBox) { core = TrackCore(box: box) }

    // MARK: - Tracks

    /// Adds a track that stands.
    public mutating func add(_ rotation: Rotation) throws(BatchError) -> TrackHandle { try add([rotation])[0] }

    /// Adds tracks that stand.
    ///
    /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing is added then.
    public mutating func add(_ rotations: some PerTrack<Rotation> & ~Escapable) throws(BatchError) -> [TrackHandle] {
      let lent = core.lent
      return try withQuaternions(rotations, for: 1) { values throws(BatchError) in
        try .init(count: values.count) { handles throws(BatchError) in
          try lent.engine.addRotations(values, handles: &handles)
        }
      }
    }

    // MARK: - To goals

    /// Sends tracks the shortest way to rotations.
    ///
    /// - Parameters:
    ///   - tracks: The tracks.
    ///   - goals: The rotation of all, or one for each, at the end.
    ///   - animation: How they get there; nil to jump.
    ///   - springs: A spring for each track, in place of the animation.
    ///   - delay: Seconds until all tracks set out; nil for now.
    ///   - delays: Seconds for each track, added to `delay`.
    ///   - completion: When the change counts as complete, if its end is to be told in ``MovingTracks/outcomes``.
    /// - Returns: The change.
    /// - Throws: ``BatchError``; all old motions continue then.
    @discardableResult
    public mutating func animate(
      _ tracks: some TrackSelection & ~Escapable, to goals: some PerTrack<Rotation> & ~Escapable,
      _ animation: Animation? = .default, springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>(),
      delay: Double? = nil, delays: some PerTrack<Double> & ~Escapable = NotGiven<Double>(),
      completion: CompletionCriteria? = nil
    ) throws(BatchError) -> ChangeID {
      try lend(tracks, rotations: goals) { lent, tracks, goals throws(BatchError) in
        try lent.withOptions(springs, nil, delay, delays, completion, of: tracks) { options throws(BatchError) in
          ChangeID(rawValue: try lent.engine.animate(tracks, to: goals, animation, options))
        }
      }
    }

    /// Sends tracks to rotations, one for all or one for each, with the springs that they follow, as `retarget` of
    /// ``AnimatedTracks`` does: a track that follows a goal gets another goal, and one without a spring takes `Spring()`.
    @discardableResult
    public mutating func retarget(
      _ tracks: some TrackSelection & ~Escapable, to goals: some PerTrack<Rotation> & ~Escapable, delay: Double? = nil
    ) throws(BatchError) -> ChangeID {
      try lend(tracks, rotations: goals) { lent, tracks, goals throws(BatchError) in
        try lent.withOptions(NotGiven<Spring>(), nil, delay, NotGiven<Double>(), nil, of: tracks) {
          options throws(BatchError) in
          ChangeID(rawValue: try lent.engine.retarget(tracks, to: goals, options))
        }
      }
    }

    // MARK: - By hand

    /// Sets the rotations and the angular velocity of tracks, as a dragging hand does: they stay there, and the next spring takes both
    /// over. Tracks that follow go on.
    ///
    /// - Parameters:
    ///   - tracks: The tracks.
    ///   - rotations: The rotation of all, or one for each.
    ///   - angularVelocity: That of all, in radians per second about each axis of the turned body; nil for 0.
    /// - Returns: The number of the change.
    /// - Throws: ``BatchError``; all old motions continue then.
    @discardableResult
    public mutating func set(
      _ tracks: some TrackSelection & ~Escapable, _ rotations: some PerTrack<Rotation> & ~Escapable,
      angularVelocity: SIMD3<Float>? = nil
    ) throws(BatchError) -> ChangeID {
      try put(tracks, rotations, angularVelocity, goesOn: false)
    }

    /// Sets the rotations and the angular velocity of tracks, from which those with springs go on to their goals; otherwise as `set`.
    @discardableResult
    public mutating func displace(
      _ tracks: some TrackSelection & ~Escapable, _ rotations: some PerTrack<Rotation> & ~Escapable,
      angularVelocity: SIMD3<Float>? = nil
    ) throws(BatchError) -> ChangeID {
      try put(tracks, rotations, angularVelocity, goesOn: true)
    }

    private mutating func put(
      _ tracks: some TrackSelection & ~Escapable, _ rotations: some PerTrack<Rotation> & ~Escapable,
      _ spin: SIMD3<Float>?,
      goesOn: Bool
    ) throws(BatchError) -> ChangeID {
      try lend(tracks, rotations: rotations) { lent, tracks, values throws(BatchError) in
        try unsafe withUnsafePointer(to: spin ?? .zero) { spin throws(BatchError) in
          let spins = unsafe LentValues(forAll: spin).input(dimensions: 3).repeated(values.count)
          return ChangeID(rawValue: try lent.engine.putRotations(tracks, values, spins, goesOn: goesOn))
        }
      }
    }

    // MARK: - Following

    /// Lets tracks follow goals from frame to frame, from their rotations and angular velocities on, as
    /// ``AnimatedTracks/follow(_:with:springs:)`` does. The goal of a new follower is its rotation.
    @discardableResult
    public mutating func follow(
      _ tracks: some TrackSelection & ~Escapable, with spring: Spring = Spring()
    ) throws(BatchError) -> ChangeID {
      try lend(tracks) { lent, tracks throws(BatchError) in
        try spring.withList { springs throws(BatchError) in
          ChangeID(rawValue: try lent.engine.follow(tracks, with: springs))
        }
      }
    }

    /// Sets the goals of tracks that follow, one for all or one for each. Goals of other tracks, and of paused ones, have no
    /// effect.
    public mutating func setGoals(
      of tracks: some TrackSelection & ~Escapable, _ goals: some PerTrack<Rotation> & ~Escapable
    ) throws(BatchError) {
      try lend(tracks, rotations: goals) { lent, tracks, goals throws(BatchError) in
        try lent.engine.setRotationGoals(tracks, goals)
      }
    }

    /// Sets the goals of tracks that follow, as quaternions (x, y, z, w) of lengths 10⁻¹⁵…10¹⁵ in columns: the quickest way, for
    /// ranges of indices and `.all`.
    ///
    /// - Throws: ``BatchError/invalidRotation(of:index:)`` also for a quaternion of another length; nothing changes then.
    public mutating func setGoals(
      of tracks: some TrackSelection & ~Escapable, planar goals: some PerTrack<Float> & ~Escapable,
      layout: ColumnLayout = .planar
    ) throws(BatchError) {
      try lend(tracks, each: goals) { lent, tracks, goals throws(BatchError) in
        let count = try lent.count(of: tracks)
        let values = try unsafe layout.input(goals.elements, dimensions: 4, atMost: count)
        try lent.engine.setRotationGoals(tracks, values)
      }
    }

    // MARK: - Reading

    /// The rotation of a track at the current time; nil if the handle names no track of this batch.
    public subscript(track: TrackHandle) -> Rotation? {
      index(of: track).flatMap { Rotation(quaternion: engine.rotation(at: $0)) }
    }

    /// The angular velocity of a track, in radians per second about the axes of the turned body; nil if the handle names no track
    /// of this batch.
    public func angularVelocity(of track: TrackHandle) -> SIMD3<Double>? {
      index(of: track).map { engine.angularVelocity(at: $0) }
    }

    /// The rotation to which a track heads; nil if the handle names no track of this batch.
    public func target(of track: TrackHandle) -> Rotation? { index(of: track).map { engine.rotationTarget(at: $0) } }

    /// A batch that begins with a snapshot of another one, as ``AnimationBatch/init(_:kernels:)`` does.
    public init(_ snapshot: BatchSnapshot, kernels: KernelSet? = nil) throws(BatchError) {
      self.init(box: try snapshot.box(areRotations: true, kernels: kernels))
    }

    // MARK: - Lending

    /// Lends the tracks of a call, and a quaternion of Floats for each.
    private func lend<Result>(
      _ tracks: some TrackSelection & ~Escapable, rotations: some PerTrack<Rotation> & ~Escapable,
      _ body: (LentEngine, SelectedTracks, InputValues) throws(BatchError) -> Result
    ) throws(BatchError) -> Result {
      try lend(tracks) { lent, tracks throws(BatchError) in
        try withQuaternions(rotations, for: lent.count(of: tracks)) { values throws(BatchError) in
          try body(lent, tracks, values)
        }
      }
    }

    /// Lends rotations as quaternions of Floats; `count` of them if they are one for all.
    private func withQuaternions<Result>(
      _ rotations: some PerTrack<Rotation> & ~Escapable, for count: Int,
      _ body: (InputValues) throws(BatchError) -> Result
    ) throws(BatchError) -> Result {
      try rotations.withElements(of: count) { rotations throws(BatchError) in
        let quaternions = unsafe rotations.elements.map { SIMD4<Float>($0.quaternion) }
        return try unsafe quaternions.withUnsafeBufferPointer { quaternions throws(BatchError) in
          let values = unsafe LentValues(quaternions).input(dimensions: 4)
          return try body(rotations.isForAll ? values.repeated(count) : values)
        }
      }
    }
  }

  extension Rotation: PerTrack {
    public func withElements<Result>(
      of count: Int, _ body: (LentElements<Rotation>) throws(BatchError) -> Result
    ) throws(BatchError) -> Result {
      try lendForAll(self, body)
    }
  }

  extension PerTrack where Self == Rotation {
    /// No rotation, for all tracks.
    public static var identity: Rotation { Rotation.identity }
  }
#endif
