// SPDX-License-Identifier: MIT
public import AnimationModel

/// A call of a batch as a value: what a ``BatchRecording`` keeps, and what programs are made of.
///
/// Values of many components stand track by track: the components of the first track, then those of the second, … The
/// layout in which a caller gave them, and whether it named one track or an array of one, is no part of a call: it
/// does not change what the call means.
public enum BatchCall: Sendable {
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

  // MARK: Tracks

  /// Adds tracks that stand still.
  case add([Float])
  /// Adds tracks that set out at once, with one spring for all or one for each. Empty velocities are zeros.
  case addMoving([Float], velocities: [Float], to: [Float], springs: [Spring])
  /// Adds tracks that play clips, named by the order in which they were loaded: one for all, or one for each playback.
  case addPlaying(clips: [Int], [Playback])
  case remove(Tracks)
  case removeSettled
  case removeAll
  case compact
  case reserve(Int)

  // MARK: To goals

  /// Sends tracks to goals, with one animation for all or one for each; nil jumps. Empty delays are none.
  case animate(Tracks, to: [Float], [Animation?], delays: [Double])
  /// Sends tracks to goals with the springs that they follow.
  case retarget(Tracks, to: [Float], delays: [Double])
  case cancelDelays(Tracks)

  // MARK: By hand

  case set(Tracks, [Float], velocities: [Float])
  case displace(Tracks, [Float], velocities: [Float])
  /// Lets tracks slide, with given velocities or, where these are nil, their own.
  case decelerate(Tracks, velocities: [Float]?, Deceleration)

  // MARK: Clips and phases

  case loadClip(Clip)
  case unloadClip(Int)
  case loadPhases(PhaseSequence)
  case unloadPhases(Int)
  /// Plays clips on tracks, named by the order in which they were loaded: one for all or one for each, and one playback
  /// for all or one for each.
  case play(clips: [Int], on: Tracks, [Playback], start: ClipStart)
  case setVariations(Tracks, scales: [Float], offsets: [Float])
  /// Goes on at other speeds, one for all or one for each.
  case setSpeed(Tracks, [Double])
  /// Goes on from times of the clips, one for all or one for each.
  case seek(Tracks, to: [Double])
  /// The same from shares of their durations, one for each.
  case seekProgress(Tracks, [Double])
  /// Plays a sequence of phases, named by the order in which it was loaded. Empty starts are now, empty offsets 0 and
  /// empty scales 1.
  case playPhases(Int, on: Tracks, PhasePlayback, startingAt: [Double], offsets: [Float], scales: [Float])
  case trigger(Tracks)
  case pause(Tracks)
  case resume(Tracks)
  case stop(Tracks)

  // MARK: Time and settings

  /// Moves the clock to a time, in seconds, and evaluates every track.
  case advance(to: Double, velocities: Bool)
  case setRestTolerance(RestTolerances)
  case setReports(AnimationReports)
}

/// The calls that a batch got, in order: see ``AnimationBatch/record()``.
public struct BatchRecording: Sendable {
  /// Components of each value.
  public let dimensions: Int
  /// The batch's tolerance of curves.
  public let curveTolerance: Double
  /// The calls that the batch accepted, in order.
  public var calls: [BatchCall]

  public init(dimensions: Int, curveTolerance: Double = 0x1p-16, calls: [BatchCall] = []) {
    self.dimensions = dimensions
    self.curveTolerance = curveTolerance
    self.calls = calls
  }
}
