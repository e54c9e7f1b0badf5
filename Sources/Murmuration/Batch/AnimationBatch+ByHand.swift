// SPDX-License-Identifier: MIT

// Calls that change the state of tracks by hand, as a dragging finger does.
extension AnimatedTracks where Self: ~Copyable {
  // MARK: - To stay

  /// Sets the value and velocity of tracks, as a dragging hand does. The tracks stay at the value, and the next spring takes
  /// over the velocity.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - value: The new value of all.
  ///   - velocity: The velocity of all, per second; nil for 0.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func set(
    _ tracks: some TrackSelection & ~Escapable, _ value: Value, velocity: Value? = nil
  ) throws(BatchError) -> ChangeID {
    try put(tracks, value, velocity, goesOn: false)
  }

  /// Sets the values and velocities of tracks; otherwise as with one value for all.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last value counts.
  ///   - values: The new values, one for each track.
  ///   - velocities: The velocities, per second, one for each track; nil for 0.
  @discardableResult
  public mutating func set<Values: PerTrack<Value> & ~Escapable>(
    _ tracks: some TrackSelection & ~Escapable, _ values: Values, velocities: Values? = nil
  ) throws(BatchError) -> ChangeID {
    try put(tracks, values, velocities, goesOn: false)
  }

  /// Sets the values and velocities of tracks, both in columns; otherwise as with a value for each.
  @discardableResult
  public mutating func set<Numbers: PerTrack<Float> & ~Escapable>(
    _ tracks: some TrackSelection & ~Escapable, planar values: Numbers, velocities: Numbers? = nil,
    layout: ColumnLayout = .planar
  ) throws(BatchError) -> ChangeID {
    try put(tracks, planar: values, velocities, layout, goesOn: false)
  }

  // MARK: - To go on

  /// Sets the value and velocity of tracks; from there they go on to their targets.
  ///
  /// A track that follows a spring goes on with it. A track that decelerates goes on with the critically damped spring of
  /// ω₀ = k. Any other track stays at its new value, as with `set`.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - value: The new value of all.
  ///   - velocity: The velocity of all, per second; nil for 0.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func displace(
    _ tracks: some TrackSelection & ~Escapable, _ value: Value, velocity: Value? = nil
  ) throws(BatchError) -> ChangeID {
    try put(tracks, value, velocity, goesOn: true)
  }

  /// Sets the values and velocities of tracks, which go on from there; otherwise as with one value for all.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last value counts.
  ///   - values: The new values, one for each track.
  ///   - velocities: The velocities, per second, one for each track; nil for 0.
  @discardableResult
  public mutating func displace<Values: PerTrack<Value> & ~Escapable>(
    _ tracks: some TrackSelection & ~Escapable, _ values: Values, velocities: Values? = nil
  ) throws(BatchError) -> ChangeID {
    try put(tracks, values, velocities, goesOn: true)
  }

  /// Sets the values and velocities of tracks, both in columns, which go on from there; otherwise as with a value for each.
  @discardableResult
  public mutating func displace<Numbers: PerTrack<Float> & ~Escapable>(
    _ tracks: some TrackSelection & ~Escapable, planar values: Numbers, velocities: Numbers? = nil,
    layout: ColumnLayout = .planar
  ) throws(BatchError) -> ChangeID {
    try put(tracks, planar: values, velocities, layout, goesOn: true)
  }

  // MARK: - Velocities

  /// Adds to the velocity of tracks, which go on from their values as with `displace`.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, it is pushed once.
  ///   - velocity: Added to the velocity of each, per second.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``, also if a velocity is then beyond ±10¹⁵; all old motions continue then.
  @discardableResult
  public mutating func push(
    _ tracks: some TrackSelection & ~Escapable, by velocity: Value
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, velocity) { lent, tracks, velocities throws(BatchError) in
      ChangeID(rawValue: try lent.engine.push(tracks, by: velocities))
    }
  }

  /// Adds to the velocities of tracks; otherwise as with one velocity for all.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last velocity counts.
  ///   - velocities: Added to the velocities, per second, one for each track.
  @discardableResult
  public mutating func push(
    _ tracks: some TrackSelection & ~Escapable, by velocities: some PerTrack<Value> & ~Escapable
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, velocities) { lent, tracks, velocities throws(BatchError) in
      ChangeID(rawValue: try lent.engine.push(tracks, by: velocities))
    }
  }

  /// Adds to the velocities of tracks, in columns; otherwise as with a velocity for each.
  @discardableResult
  public mutating func push(
    _ tracks: some TrackSelection & ~Escapable, byPlanar velocities: some PerTrack<Float> & ~Escapable,
    layout: ColumnLayout = .planar
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, planar: velocities, layout) { lent, tracks, velocities throws(BatchError) in
      ChangeID(rawValue: try lent.engine.push(tracks, by: velocities))
    }
  }

  // MARK: - Slides

  /// Lets tracks slide from their values to their projected ends, ever more slowly, or spring to points near these ends.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - velocity: The velocity of all at the start, per second; nil for the velocity of each track.
  ///   - deceleration: How fast the velocity decays; its rate within (0, 1), its decay constant in 10⁻⁵…10⁶ per second.
  ///   - bounds: Values that no component leaves, as a scroll view does: one that meets a bound goes on with the spring, which
  ///     holds it there. Infinite components are no bounds; nil for none. A track that meets a bound is computed in Double: two
  ///     components take 0.3 µs a frame, and 7 µs in the call (Zen 5).
  ///   - snap: Where tracks may end: each takes the spring, from its value and velocity, to the point nearest to the end of its
  ///     slide, as the pages of a scroll view do. The end of the slide is limited to the bounds first, and a point beyond a
  ///     bound counts at the bound. Nil to end anywhere.
  ///   - spring: The spring at a bound, or to a point.
  ///   - completion: When the change counts as complete, if its end is to be told in ``MovingTracks/outcomes``; nil for not.
  /// - Returns: The number of the change. The end is the ``target(of:)`` of a track from now on.
  /// - Throws: ``BatchError``, also if an end lies beyond ±10¹⁵; all old motions continue then.
  /// - Complexity: O(tracks).
  @discardableResult
  public mutating func decelerate(
    _ tracks: some TrackSelection & ~Escapable, velocity: Value? = nil, by deceleration: Deceleration = .normal,
    within bounds: (lower: Value, upper: Value)? = nil, snap: SnapPoints<Value>? = nil, spring: Spring = .smooth,
    completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let bounds = try slideBounds(bounds, snap, spring)
    guard let velocity else {
      return try lend(tracks) { lent, tracks throws(BatchError) in
        try lent.change(tracks, completion) { engine throws(BatchError) in
          try engine.decelerate(tracks, nil, by: deceleration, within: bounds)
        }
      }
    }
    return try lend(tracks, velocity) { lent, tracks, velocities throws(BatchError) in
      try lent.change(tracks, completion) { engine throws(BatchError) in
        try engine.decelerate(tracks, velocities, by: deceleration, within: bounds)
      }
    }
  }

  /// Lets tracks slide with a velocity each, per second; otherwise as with one velocity for all.
  ///
  /// If a track is named twice, its last velocity counts.
  @discardableResult
  public mutating func decelerate(
    _ tracks: some TrackSelection & ~Escapable, velocities: some PerTrack<Value> & ~Escapable,
    by deceleration: Deceleration = .normal, within bounds: (lower: Value, upper: Value)? = nil,
    snap: SnapPoints<Value>? = nil, spring: Spring = .smooth, completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let bounds = try slideBounds(bounds, snap, spring)
    return try lend(tracks, velocities) { lent, tracks, velocities throws(BatchError) in
      try lent.change(tracks, completion) { engine throws(BatchError) in
        try engine.decelerate(tracks, velocities, by: deceleration, within: bounds)
      }
    }
  }

  /// Lets tracks slide with velocities in columns; otherwise as with a velocity for each.
  @discardableResult
  public mutating func decelerate(
    _ tracks: some TrackSelection & ~Escapable, planarVelocities velocities: some PerTrack<Float> & ~Escapable,
    layout: ColumnLayout = .planar, by deceleration: Deceleration = .normal,
    within bounds: (lower: Value, upper: Value)? = nil, snap: SnapPoints<Value>? = nil, spring: Spring = .smooth,
    completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    let bounds = try slideBounds(bounds, snap, spring)
    return try lend(tracks, planar: velocities, layout) { lent, tracks, velocities throws(BatchError) in
      try lent.change(tracks, completion) { engine throws(BatchError) in
        try engine.decelerate(tracks, velocities, by: deceleration, within: bounds)
      }
    }
  }

  /// The bounds and the points of a call, in components; nil without either.
  private func slideBounds(
    _ bounds: (lower: Value, upper: Value)?, _ snap: SnapPoints<Value>?, _ spring: Spring
  ) throws(BatchError) -> SlideBounds? {
    guard bounds != nil || snap != nil else { return nil }
    var (points, spacing): ([Float]?, [Float]?)
    switch snap {
    case .every(let step, let first)?:
      spacing = try numbers(of: step, "spacing")
      points =
        try first.map { first throws(BatchError) in try numbers(of: first, "snap points") }
        ?? [Float](repeating: 0, count: dimensions)
    case .values(let values)?:
      points = try values.map { value throws(BatchError) in try numbers(of: value, "snap points") }.flatMap { $0 }
    case nil: break
    }
    let limits = try bounds.map { bounds throws(BatchError) in
      (lower: try numbers(of: bounds.lower, "bounds"), upper: try numbers(of: bounds.upper, "bounds"))
    }
    return SlideBounds(
      lower: limits?.lower ?? [], upper: limits?.upper ?? [], spring: spring, points: points, spacing: spacing)
  }

  private func numbers(of value: Value, _ what: String) throws(BatchError) -> [Float] {
    try lend(value) { lent throws(BatchError) in
      guard let lent else { return [] }
      try lent.checkDimensions(what)
      return (0..<dimensions).map { lent[0, $0] }
    }
  }

  // MARK: - Putting

  private func put(
    _ tracks: some TrackSelection & ~Escapable, _ value: Value, _ velocity: Value?, goesOn: Bool
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, value) { lent, tracks, values throws(BatchError) in
      try lend(velocity) { velocity throws(BatchError) in
        ChangeID(rawValue: try lent.engine.put(tracks, values, velocity?.repeated(values.count), goesOn: goesOn))
      }
    }
  }

  private func put<Values: PerTrack<Value> & ~Escapable>(
    _ tracks: some TrackSelection & ~Escapable, _ values: Values, _ velocities: Values?, goesOn: Bool
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, values) { lent, tracks, values throws(BatchError) in
      try lend(velocities) { velocities throws(BatchError) in
        ChangeID(rawValue: try lent.engine.put(tracks, values, velocities, goesOn: goesOn))
      }
    }
  }

  private func put<Numbers: PerTrack<Float> & ~Escapable>(
    _ tracks: some TrackSelection & ~Escapable, planar values: Numbers, _ velocities: Numbers?, _ layout: ColumnLayout,
    goesOn: Bool
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, planar: values, layout) { lent, tracks, values throws(BatchError) in
      try lend(planar: velocities, layout, atMost: values.count) { velocities throws(BatchError) in
        ChangeID(rawValue: try lent.engine.put(tracks, values, velocities, goesOn: goesOn))
      }
    }
  }
}

/// The values at which slides may end.
public enum SnapPoints<Value> {
  /// A grid: the values that lie whole multiples of a spacing above and below a value, in each component; nil for 0.
  case every(_ spacing: Value, from: Value? = nil)
  /// The values of a list.
  case values([Value])
}

extension SnapPoints: Equatable where Value: Equatable {}
extension SnapPoints: Hashable where Value: Hashable {}
extension SnapPoints: Sendable where Value: Sendable {}
