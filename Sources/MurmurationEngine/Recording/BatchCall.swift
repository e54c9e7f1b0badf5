// SPDX-License-Identifier: MIT

/// A call of a batch as a value: what a ``BatchRecording`` keeps, and what programs are made of.
///
/// A call is a verb, which has what is said once; the tracks; and lists of what is said of each track. Values of many
/// components stand track by track: the components of the first track, then those of the second, … The layout in which
/// a caller gave them, and whether it named one track or an array of one, is no part of a call: it does not change what
/// the call means.
public struct BatchCall: Sendable {
  /// The tracks that a call is about.
  public enum Tracks: Sendable, Equatable {
    /// Tracks by the order in which they were added to the batch: 0 is the first track that it ever had. If a track is
    /// named twice, its last values count.
    case tracks([Int])
    /// The tracks of a range of indices. Indices without a track are passed over, and their values are not used.
    case indices(Range<Int>)
    /// Every track, by index.
    case all
  }

  /// The kind of a call. Each kind says which lists it takes.
  ///
  /// Clips and sequences of phases are named in lists, by the order in which they were loaded.
  public enum Verb: Sendable {
    /// Adds tracks that stand still, at `values`.
    case add
    /// Adds tracks that set out at once, from `values` and `velocities` (none are zeros) to `goals`, with `springs`.
    case addMoving
    /// Adds tracks that play `clips`, one for each of `playbacks`.
    case addPlaying
    case remove, removeSettled, removeAll, compact
    case reserve(Int)

    /// Sends tracks to `goals` with `animations`; nil jumps. `numbers` are delays.
    case animate
    /// Sends tracks to `goals` with the springs that they follow. `numbers` are delays.
    case retarget
    case cancelDelays
    /// Lets tracks follow their goals, with `springs`.
    case follow
    /// Lets tracks follow the values of `leaders`, plus `offsets`, with `springs`.
    case followTracks
    /// Sets the `goals` of tracks that follow.
    case setGoals
    /// Writes `goals` of all indices in place: they may be no numbers, and leaders go on to lead.
    case writeGoals

    /// Gives tracks `values` and `velocities`.
    case set, displace
    /// Adds `velocities` to those of tracks.
    case push
    /// Lets tracks slide, with `velocities` or, where there are none, their own.
    case decelerate(Deceleration, within: SlideBounds?)

    case loadClip(Clip)
    case loadPhases(PhaseSequence)
    /// Unloads the one of `clips`, or of `sequences`.
    case unloadClip, unloadPhases
    /// Plays `clips` on tracks, with `playbacks`.
    case play(start: ClipStart)
    /// Gives tracks that play clips `scales` and `offsets`.
    case setVariations
    /// Goes on at other speeds, which are `numbers`.
    case setSpeed
    /// Goes on from times of the clips, or from shares of their durations, which are `numbers`.
    case seek, seekProgress
    /// Plays the one of `sequences`. `numbers` are starts; none are now. Without `offsets` they are 0, without `scales` 1.
    case playPhases(PhasePlayback)
    case trigger, pause, resume, stop

    /// Moves the clock to a time, in seconds, and evaluates every track.
    case advance(to: Double, velocities: Bool)
    case setRestTolerance(RestTolerances)
    case setReports(AnimationReports)
  }

  /// The kind of the call.
  public var verb: Verb
  /// Nil for calls that name no tracks.
  public var tracks: Tracks?
  /// The components of each track.
  public var values, velocities, goals, scales, offsets: [Float]
  /// One for all, or one for each track, as in the lists that follow.
  public var springs: [Spring]
  public var animations: [Animation?]
  public var clips: [Int]
  /// One sequence of phases for all tracks.
  public var sequences: [Int]
  /// Tracks by the order in which they were added.
  public var leaders: [Int] = []
  public var playbacks: [Playback]
  /// Seconds, speeds or shares.
  public var numbers: [Double]

  /// A call with the lists that its verb takes; the others are empty.
  package init(
    _ verb: Verb, _ tracks: Tracks? = nil, values: [Float] = [], velocities: [Float] = [], goals: [Float] = [],
    scales: [Float] = [], offsets: [Float] = [], springs: [Spring] = [], animations: [Animation?] = [],
    clips: [Int] = [], sequences: [Int] = [], playbacks: [Playback] = [], numbers: [Double] = []
  ) {
    (self.verb, self.tracks) = (verb, tracks)
    (self.values, self.velocities, self.goals) = (values, velocities, goals)
    (self.scales, self.offsets) = (scales, offsets)
    (self.springs, self.animations) = (springs, animations)
    (self.clips, self.sequences, self.playbacks, self.numbers) = (clips, sequences, playbacks, numbers)
  }
}

#if !hasFeature(Embedded)
  extension BatchCall {
    /// The lists with the components of each track.
    package static var vectors: [WritableKeyPath<BatchCall, [Float]>] {
      [\.values, \.velocities, \.goals, \.scales, \.offsets]
    }

    /// The call about some of its tracks, by their places in its lists; what it says of all tracks stays.
    ///
    /// - Parameter count: The number of tracks before.
    package func keeping(_ places: [Int], of count: Int, dimensions: Int) -> BatchCall {
      func kept<Element>(_ list: [Element]) -> [Element] {
        list.count == count && count != 1 ? places.map { list[$0] } : list
      }
      var call = self
      if case .tracks(let list)? = tracks { call.tracks = .tracks(places.map { list[$0] }) }
      for vectors in Self.vectors where self[keyPath: vectors].count == count * dimensions {
        call[keyPath: vectors] = places.flatMap { self[keyPath: vectors][$0 * dimensions..<($0 + 1) * dimensions] }
      }
      (call.springs, call.animations) = (kept(springs), kept(animations))
      (call.clips, call.playbacks, call.numbers) = (kept(clips), kept(playbacks), kept(numbers))
      if leaders.count == count { call.leaders = places.map { leaders[$0] } }
      // The number of playbacks is the number of tracks that are added, however many clips there are.
      if case .addPlaying = verb, count == 1, places.isEmpty { call.playbacks = [] }
      return call
    }
  }
#endif

/// The calls that a batch got, in order: see ``AnimationBatch/record()``.
public struct BatchRecording: Sendable {
  /// Components of each value.
  public let dimensions: Int
  /// The batch's tolerance of curves.
  public let curveTolerance: Double
  /// The calls that the batch accepted, in order.
  public var calls: [BatchCall]

  package init(dimensions: Int, curveTolerance: Double = 0x1p-16, calls: [BatchCall] = []) {
    self.dimensions = dimensions
    self.curveTolerance = curveTolerance
    self.calls = calls
  }
}
