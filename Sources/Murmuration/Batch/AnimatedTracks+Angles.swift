// SPDX-License-Identifier: MIT

/// What a batch of numbers counts angles in.
public enum AngleUnit: Hashable, Sendable {
  case radians
  case degrees
  case turns

  /// A full turn.
  public var fullTurn: Double {
    switch self {
    case .radians: 2 * .pi
    case .degrees: 360
    case .turns: 1
    }
  }
}

#if !hasFeature(Embedded)
  // Angles as numbers go back through all numbers between. These calls take the shortest turn.
  extension AnimatedTracks<Float> where Self: ~Copyable {
    /// Sends angles to goals by the shortest turn: full turns are added to a goal until it is within half a turn of the value that
    /// shows now. From 350° to 10° a track goes on to 370°.
    ///
    /// - Parameters:
    ///   - tracks: The tracks.
    ///   - goals: One for each track.
    ///   - unit: What the values count.
    ///   - animation: How they get there; nil to jump.
    /// - Returns: The change.
    /// - Throws: ``BatchError``; all old motions continue then.
    /// - Complexity: O(tracks); allocates.
    @discardableResult
    public mutating func turn(
      _ tracks: some TrackSelection & ~Escapable, to goals: some PerTrack<Float> & ~Escapable, in unit: AngleUnit,
      _ animation: Animation? = .default
    ) throws(BatchError) -> ChangeID {
      try withNearest(tracks, goals, unit) { lent, tracks, goals throws(BatchError) in
        ChangeID(rawValue: try lent.engine.animate(tracks, to: goals, animation))
      }
    }

    /// Sets the goals of angles that follow, by the shortest turn from the values that show now.
    ///
    /// - Throws: ``BatchError``; nothing changes then.
    public mutating func turnGoals(
      of tracks: some TrackSelection & ~Escapable, to goals: some PerTrack<Float> & ~Escapable, in unit: AngleUnit
    ) throws(BatchError) {
      try withNearest(tracks, goals, unit) { lent, tracks, goals throws(BatchError) in
        try lent.engine.setGoals(tracks, goals)
      }
    }

    /// Lends the goals that are nearest to the values of tracks.
    private func withNearest<Result>(
      _ tracks: some TrackSelection & ~Escapable, _ goals: some PerTrack<Float> & ~Escapable, _ unit: AngleUnit,
      _ body: (LentEngine, SelectedTracks, InputValues) throws(BatchError) -> Result
    ) throws(BatchError) -> Result {
      try lend(tracks, each: goals) { lent, tracks, goals throws(BatchError) in
        try goals.check("goals", count: lent.count(of: tracks))
        try input(goals).check("goal")
        var nearest = unsafe [Float](goals.elements)
        try lent.engine.forEachTrack(of: tracks) { track, position in
          let (shown, goal) = (Double(lent.value(at: track.index, 0)), Double(nearest[position]))
          nearest[position] = Float(shown + (goal - shown).remainder(dividingBy: unit.fullTurn))
        }
        return try unsafe nearest.withUnsafeBufferPointer { nearest throws(BatchError) in
          try body(lent, tracks, unsafe LentValues(nearest).input(dimensions: 1))
        }
      }
    }
  }
#endif
