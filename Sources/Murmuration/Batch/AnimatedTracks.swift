// SPDX-License-Identifier: MIT

/// Tracks that can be sent to goals and read: the tracks of an ``AnimationBatch``, or of one property of ``Particles``.
///
/// ```swift
/// func total(_ tracks: borrowing some AnimatedTracks<Float> & ~Copyable) throws -> Float {
///   try tracks.withValues(component: 0) { values in
///     values.indices.reduce(0) { tracks.handle(at: $1) == nil ? $0 : $0 + values[$1] }
///   }
/// }
/// ```
///
/// ### Indices
/// A track keeps its *index* (``TrackHandle/index``) for life, and has the element of its index in every column.
/// `copyValues` copies columns, with zeros for indices without a track; `withValues` lends a column, without
/// a copy.
///
/// Only the library makes a ``TrackCore``, so other types cannot conform.
public protocol AnimatedTracks<Value>: MovingTracks, ~Copyable {}

/// Tracks that move in time, whatever their values mean: ``AnimatedTracks``, or the rotations of a ``RotationBatch``.
public protocol MovingTracks<Value>: TrackSet, ~Copyable {
  /// The value of a track.
  associatedtype Value: TrackValue
  /// The storage of the tracks.
  var core: TrackCore<Value> { get set }
}

/// The storage of tracks. It has no members for other code.
public struct TrackCore<Value: TrackValue>: ~Copyable, Sendable {
  let box: EngineBox
  @usableFromInline let lent: LentEngine
  fileprivate var address: UnsafeMutablePointer<Engine> { unsafe box.address }

  init(engine: consuming Engine) { self.init(box: EngineBox(engine)) }

  init(box: EngineBox) {
    self.box = box
    lent = LentEngine(box)
  }
}

extension AnimationBatch {
  /// The engine that moves the tracks. (By the protocol, each call would look up the conformance of a generic type.)
  var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(core.address) }
    unsafeMutableAddress { unsafe core.address }
  }
}

extension MovingTracks where Self: ~Copyable {
  /// The engine that moves the tracks.
  var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(core.address) }
    unsafeMutableAddress { unsafe core.address }
  }
}

/// The unit of angles in a batch of numbers.
public enum AngleUnit: Hashable, Sendable {
  /// A full turn is 2π.
  case radians
  /// A full turn is 360.
  case degrees
  /// A full turn is 1.
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
