// SPDX-License-Identifier: MIT

// Following: a track takes, from each frame to the next, the exact step of its spring towards the goal that stands in its
// column of goals. It is the motion for goals that change in every frame.
extension AnimatedTracks where Self: ~Copyable {
  // MARK: - Springs

  /// Lets tracks follow their goals, from their values and velocities on.
  ///
  /// From each frame to the next, a track moves as if it were retargeted just after each frame, at that frame's moment, to
  /// the goal as it stands when the next frame is asked for. The step is exact for any time between frames. A track that did
  /// not follow before has its value as its goal.
  ///
  /// <doc:Following> shows it in use.
  ///
  /// - Other motions take over with value and velocity, and curves start at the value shown. `retarget` sets the goal;
  ///   `set` and `displace` change the state, and the track goes on following; `stop` leaves it at its value.
  /// - A track is at rest while it is at its goal, within ``MovingTracks/restTolerance`` and what rounding leaves of small steps;
  ///   it is put on its goal then. ``AnimationReports/arrivals`` reports that.
  /// - A goal that is no number keeps its track where it is, and is reported once as
  ///   ``AnimationEvent/Kind/invalidGoal``.
  /// - While a track follows, the clock cannot go back. A frame that is left out is a longer step, with the goals of its end.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - spring: The spring of all. A spring of duration 0 is at its goal with the next frame.
  ///   - springs: A spring for each track, in place of that.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks).
  @discardableResult
  public mutating func follow(
    _ tracks: some TrackSelection & ~Escapable, with spring: Spring = Spring(),
    springs: some PerTrack<Spring> & ~Escapable = NotGiven<Spring>()
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, each: springs) { lent, tracks, springs throws(BatchError) in
      guard springs.areGiven else {
        return try spring.withList { springs throws(BatchError) in
          ChangeID(rawValue: try lent.engine.follow(tracks, with: springs))
        }
      }
      try springs.check("springs", count: lent.count(of: tracks))
      return ChangeID(rawValue: try lent.engine.follow(tracks, with: unsafe springs.elements.span))
    }
  }

  /// Lets tracks follow the values of other tracks.
  ///
  /// The goal of a track is the value that its leader showed in the frame before, plus an offset. So neither the order of
  /// tracks matters, nor whether they lead each other in a circle. A goal that is set by a call ends the lead, and so does
  /// another motion of the track; where a leader is removed, the goal stays as it is.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - leaders: The tracks whose values they follow, one for each.
  ///   - offsets: Added to the values of the leaders, one for each; empty for 0.
  ///   - spring: The spring of all.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions continue then.
  @discardableResult
  public mutating func follow(
    _ tracks: some TrackSelection & ~Escapable, valuesOf leaders: some PerTrack<TrackHandle> & ~Escapable,
    offsets: [Value] = [], with spring: Spring = Spring()
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, each: leaders) { lent, tracks, leaders throws(BatchError) in
      try offsets.withElements(of: 0) { offsets throws(BatchError) in
        try spring.withList { springs throws(BatchError) in
          let change = try lent.engine.follow(
            tracks, valuesOf: unsafe leaders.elements.span, offsets: input(offsets).ifAny, with: springs)
          return ChangeID(rawValue: change)
        }
      }
    }
  }

  // MARK: - Goals

  /// Sets one goal for tracks that follow. Goals of other tracks have no effect.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - goal: The goal of all.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(tracks).
  @inlinable
  public mutating func setGoals(of tracks: some TrackSelection & ~Escapable, _ goal: Value) throws(BatchError) {
    let lent = core.lent
    try tracks.withNames { named throws(BatchError) in
      try unsafe withUnsafePointer(to: goal) { goal throws(BatchError) in
        try lent.setGoals(named.tracks, unsafe LentValues(forAll: goal))
      }
    }
  }

  /// Sets the goals of tracks that follow; otherwise as with one goal for all.
  ///
  /// - Parameters:
  ///   - tracks: The tracks. If one is named twice, the last goal counts.
  ///   - goals: One for each track.
  public mutating func setGoals(
    of tracks: some TrackSelection & ~Escapable, _ goals: some PerTrack<Value> & ~Escapable
  ) throws(BatchError) {
    try lend(tracks, goals) { lent, tracks, goals throws(BatchError) in try lent.engine.setGoals(tracks, goals) }
  }

  /// Sets the goals of tracks that follow, in columns; otherwise as with a goal for each.
  public mutating func setGoals(
    of tracks: some TrackSelection & ~Escapable, planar goals: some PerTrack<Float> & ~Escapable,
    layout: ColumnLayout = .planar
  ) throws(BatchError) {
    try lend(tracks, planar: goals, layout) { lent, tracks, goals throws(BatchError) in
      try lent.engine.setGoals(tracks, goals)
    }
  }

  /// Lends the goals of one component, by index, to be changed in place.
  ///
  /// This is the quickest way to move goals in every frame: nothing is copied, and nothing is checked. Goals of tracks that
  /// do not follow, and of indices without a track, have no effect. A goal that is no number within ±10¹⁵ keeps its track
  /// where it is.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - body: Gets the column: ``TrackSet/indexCount`` goals, or none if no track ever followed.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``.
  public mutating func withGoals<Result>(
    component: Int, _ body: (inout MutableSpan<Float>) -> Result
  ) throws(BatchError) -> Result {
    var goals = unsafe try engine.goals(component: component).mutableSpan
    defer { engine.recordGoals() }
    return body(&goals)
  }
}
