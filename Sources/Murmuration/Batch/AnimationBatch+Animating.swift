// SPDX-License-Identifier: MIT
public import AnimationModel
import Kernels

// Calls that send tracks to goals.
extension AnimationBatch {
  // MARK: - One track

  /// Sends a track to a goal, from what it shows.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - goal: Where it heads from now on.
  ///   - animation: How it gets there; nil for at once. A spring starts alone.
  /// - Returns: The number of the change, which the events of this motion bear; that of the change before if the track heads
  ///   there already.
  /// - Throws: ``BatchError``; the old motion continues then.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func animate(
    _ track: TrackHandle, to goal: Value, _ animation: Animation?
  ) throws(BatchError) -> UInt32 {
    let motion = try MotionRequest(animation)
    return try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
      try engine.animate(track, to: unsafe InputValues(one: goal), motion)
    }
  }

  /// Sends a track to a goal with the spring that it follows, from what it shows. The spring starts alone.
  ///
  /// A track that slows down follows the critically damped spring of ω₀ = k, the decay constant; one that follows no spring
  /// `Spring()`.
  ///
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; the old motion continues then.
  @discardableResult
  public mutating func retarget(_ track: TrackHandle, to goal: Value) throws(BatchError) -> UInt32 {
    try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
      try engine.animate(track, to: unsafe InputValues(one: goal), nil)
    }
  }

  // MARK: - Many tracks

  /// Sends tracks to goals, from what they show.
  ///
  /// With a spring they become one cohort.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: Where they head, one each.
  ///   - animation: How they get there; nil for at once.
  ///   - delays: Seconds until each sets out, 0 or more; empty for now. Until then a track goes on as it was, and takes over
  ///     from what it shows then, whenever frames are. Any later call about the track cancels what waits. Springs that set out
  ///     after a delay start alone.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks), with delays O(tracks · log waiting); no allocation while there is room.
  @discardableResult
  public mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], _ animation: Animation?, delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try animate(tracks.span, to: unsafe InputValues(goals.span), MotionRequest(animation), delays: delays.span)
  }

  /// Sends tracks to goals in memory of the caller; otherwise as with arrays.
  @discardableResult
  public mutating func animate(
    _ tracks: Span<TrackHandle>, to goals: Span<Value>, _ animation: Animation?, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    try animate(tracks, to: unsafe InputValues(goals), MotionRequest(animation), delays: delays)
  }

  /// Sends tracks to goals in columns of the caller; otherwise as with arrays.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: Component 0 of all tracks, then component 1, …
  ///   - animation: How they get there; nil for at once.
  ///   - delays: Seconds until each sets out; empty for now.
  @discardableResult
  public mutating func animate(
    _ tracks: Span<TrackHandle>, toPlanar goals: Span<Float>, _ animation: Animation?, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    let goals = try unsafe InputValues(planar: goals, dimensions: Value.dimensions)
    return try animate(tracks, to: goals, MotionRequest(animation), delays: delays)
  }

  /// Sends tracks to goals with an animation each. Springs start alone.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: Where they head, one each.
  ///   - animations: How they get there, one each; nil for at once.
  ///   - delays: As with one animation for all.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], animations: [Animation?], delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    var motions: [MotionRequest] = []
    motions.reserveCapacity(animations.count)
    for index in animations.indices { motions.append(try MotionRequest(animations[index], index: index)) }
    return try animate(tracks, to: goals, motions, "animations", delays: delays)
  }

  /// Sends tracks to goals with a spring each, which start alone; otherwise as ``animate(_:to:animations:delays:)``.
  @discardableResult
  public mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], springs: [Spring], delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    var motions: [MotionRequest] = []
    motions.reserveCapacity(springs.count)
    for index in springs.indices {
      if let defect = BatchLimits.defect(of: springs[index]) { throw .invalidSpring(index: index, reason: defect) }
      motions.append(.spring(SpringCoefficients(accepted: springs[index])))
    }
    return try animate(tracks, to: goals, motions, "springs", delays: delays)
  }

  private mutating func animate(
    _ tracks: [TrackHandle], to goals: [Value], _ motions: [MotionRequest], _ what: String, delays: [Double]
  ) throws(BatchError) -> UInt32 {
    guard motions.count == tracks.count else {
      throw .wrongCount(of: what, expected: tracks.count, got: motions.count)
    }
    let goals = unsafe InputValues(goals.span)
    let groups = motions.reduce(into: Engine.ColumnGroups()) { $0.formUnion($1.columns) }
    let kinds = groups.contains(.curves) ? CurveLibrary.limit : 1
    try pick(tracks.span, goals, ("goal", "goals"), for: groups, kinds: kinds)
    guard delays.isEmpty, !tracks.isEmpty else {
      return try engine.animatePicked(goals, delays: delays.span) { motions[$0] }
    }
    return engine.animatePicked(goals) { motions[$0] }
  }

  private mutating func animate(
    _ tracks: Span<TrackHandle>, to goals: InputValues, _ motion: MotionRequest?, delays: Span<Double>
  ) throws(BatchError) -> UInt32 {
    try pick(tracks, goals, ("goal", "goals"), for: motion?.columns ?? .springs)
    guard delays.isEmpty else { return try engine.animatePicked(goals, delays: delays) { _ in motion } }
    return engine.animatePicked(goals, motion)
  }

  /// Makes ready to send tracks to goals, or to give them values or velocities; `what` are the words for them.
  private mutating func pick(
    _ tracks: Span<TrackHandle>, _ values: InputValues, _ what: (one: String, all: String),
    for groups: Engine.ColumnGroups = .springs, kinds: Int = 1
  ) throws(BatchError) {
    guard values.count == tracks.count else {
      throw .wrongCount(of: what.all, expected: tracks.count, got: values.count)
    }
    try values.check(what.one)
    try engine.pick(tracks, for: groups, kinds: kinds)
  }

  /// Sends the tracks of a range of indices to goals; otherwise as with arrays.
  ///
  /// - Parameters:
  ///   - indices: Within 0..<``indexCount``. Those without a track are passed over.
  ///   - goals: One for each index of the range.
  ///   - animation: How they get there; nil for at once.
  @discardableResult
  public mutating func animate(
    _ indices: Range<Int>, to goals: Span<Value>, _ animation: Animation?
  ) throws(BatchError) -> UInt32 {
    let (goals, motion) = (unsafe InputValues(goals), try MotionRequest(animation))
    guard goals.count == indices.count else {
      throw .wrongCount(of: "goals", expected: indices.count, got: goals.count)
    }
    try goals.check("goal")
    try engine.pick(indices, for: motion.columns)
    return engine.animatePicked(goals, motion)
  }

  /// Sends every track to a goal; otherwise as with arrays.
  ///
  /// - Parameters:
  ///   - goals: By index: exactly ``indexCount``. Those of indices without a track are passed over.
  ///   - animation: How they get there; nil for at once.
  @discardableResult
  public mutating func animateAll(to goals: Span<Value>, _ animation: Animation?) throws(BatchError) -> UInt32 {
    let motion = try MotionRequest(animation)
    if case .spring(let coefficients) = motion {
      return try engine.animateAll(unsafe InputValues(goals), coefficients)
    }
    return try animate(0..<indexCount, to: goals, animation)
  }

  // MARK: - With the springs that they follow

  /// Sends tracks to goals with the springs that they follow; otherwise as with one track.
  ///
  /// Those of one cohort form a new one.
  @discardableResult
  public mutating func retarget(
    _ tracks: [TrackHandle], to goals: [Value], delays: [Double] = []
  ) throws(BatchError) -> UInt32 {
    try animate(tracks.span, to: unsafe InputValues(goals.span), nil, delays: delays.span)
  }

  /// Sends every track to a goal with the spring that it follows.
  ///
  /// - Parameter goals: By index: exactly ``indexCount``. Those of indices without a track are passed over.
  @discardableResult
  public mutating func retargetAll(to goals: Span<Value>) throws(BatchError) -> UInt32 {
    try engine.animateAll(unsafe InputValues(goals), nil)
  }

  /// Forgets what tracks were to do after a delay.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  public mutating func cancelDelays(of tracks: [TrackHandle]) throws(BatchError) {
    try engine.tracks.slots.check(tracks.span)
    for track in tracks { engine.waiting.cancel(track.index) }
  }

  // MARK: - By hand

  /// Puts tracks at values with velocities, as a hand does that drags them.
  ///
  /// One that follows a spring goes on to its target with that spring, which starts alone; any other stands at the value, and
  /// the next spring takes its velocity over.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last value counts.
  ///   - values: Where they are from now on, one each.
  ///   - velocities: How fast, per second, one each.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func set(
    _ tracks: [TrackHandle], _ values: [Value], velocities: [Value]
  ) throws(BatchError) -> UInt32 {
    let (values, speeds) = unsafe (InputValues(values.span), InputValues(velocities.span))
    guard speeds.count == tracks.count else {
      throw .wrongCount(of: "velocities", expected: tracks.count, got: speeds.count)
    }
    try speeds.check("velocity")
    try pick(tracks.span, values, ("value", "values"))
    return engine.setPicked(values, speeds)
  }

  /// Lets tracks slide from their values, ever more slowly, to their projected ends: one cohort.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last velocity counts.
  ///   - velocities: What they start with, per second, one each; nil for the tracks' own.
  ///   - deceleration: How fast the velocities decay; its rate within (0, 1), its decay constant in 10⁻⁵…10⁶ per second.
  /// - Returns: The number of the change. The projected ends are the ``target(of:)`` of the tracks from now on.
  /// - Throws: ``BatchError``, also if an end lies beyond ±10¹⁵; all old motions continue then.
  @discardableResult
  public mutating func decelerate(
    _ tracks: [TrackHandle], velocities: [Value]? = nil, by deceleration: Deceleration = .normal
  ) throws(BatchError) -> UInt32 {
    guard let velocities else {
      try engine.pick(tracks.span)
      return try engine.deceleratePicked(nil, by: deceleration)
    }
    let speeds = unsafe InputValues(velocities.span)
    try pick(tracks.span, speeds, ("velocity", "velocities"))
    return try engine.deceleratePicked(speeds, by: deceleration)
  }
}
