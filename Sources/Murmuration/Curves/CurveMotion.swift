// SPDX-License-Identifier: MIT
import AnimationModel

/// What an animation means to a track that follows it.
enum CurveMotion: Sendable {
  /// No animation: the value is at its target at once.
  case jump
  /// A motion that takes over and is over at once, which is reported.
  case arrives
  /// A spring, which takes over what was moving.
  case takesOver(Spring)
  /// A motion whose effect adds to what was moving.
  case adds(Progress)
  /// A motion that is called for its values: a custom one, or one of ours that the model merges with others of its kind.
  case called(Animation)

  /// What an animation means that batches accept; otherwise it throws.
  init(checking animation: Animation?) throws(AnimationDefect) {
    guard let animation else {
      self = .jump
      return
    }
    // To find out what an animation is made of takes longer than all else for a plain curve.
    if case .curve(let curve, let duration) = animation.structure {
      try Animation.check(curve, duration: duration)
      self = .adds(Progress(curve, duration: duration))
    } else {
      try animation.check()
      self.init(animation)
    }
  }

  init(_ animation: Animation?) {
    guard let animation else {
      self = .jump
      return
    }
    if case .spring(let spring) = animation.structure {
      self = spring.duration == 0 ? .arrives : .takesOver(spring)
    } else if let progress = Progress(animation) {
      self = .adds(progress)
    } else {
      self = .called(animation)
    }
  }
}

/// One of the motions whose effects add up in a track.
struct CurveEntry: Sendable {
  enum Motion: Sendable {
    case progress(Progress)
    /// From the track's origin with these velocities; always the first.
    case spring(Spring, velocities: [Double], end: Double)
  }

  let motion: Motion
  /// When it began, on the batch's clock.
  var start: Double
  /// The last moment before it has finished, in seconds from its start.
  let length: Double
  private let endsAtTarget: Bool
  private let isProgress: Bool
  /// Where it heads, by dimension; empty for the last entry, whose target is the track's.
  var targets: [Float] = []

  init(motion: Motion, start: Double) {
    self.motion = motion
    self.start = start
    switch motion {
    case .progress(let progress): (length, endsAtTarget, isProgress) = (progress.end, progress.endsAtTarget, true)
    case .spring(_, _, let end): (length, endsAtTarget, isProgress) = (end, false, false)
    }
  }

  /// The last moment before it has finished, on the batch's clock.
  var end: Double { start + length }

  /// Whether it has finished at a time.
  func isFinished(at time: Double) -> Bool { local(time) > length }

  /// Whether a time is the last one before it has finished, and shows its target: a motion that adds to it from then on
  /// finds the same value as after its end.
  func arrives(at time: Double) -> Bool { endsAtTarget && local(time) == length }

  /// Seconds since its start.
  ///
  /// A time that is its end but for the rounding of either counts as its end: what follows on schedule takes over the
  /// velocity of a curve that ends in motion, or never does.
  func local(_ time: Double) -> Double {
    let local = time - start
    return isProgress && abs(local - length) <= 2 * (time.ulp + start.ulp) ? length : local
  }
}

/// What a track does.
struct CurveTrack: Sendable {
  enum Kind: Sendable {
    /// It shows its target.
    case rests
    /// A kernel evaluates it: one curve, from the origin to the target.
    case lane
    /// It is evaluated on its own, from its entries.
    case chain
    /// Its animation is called.
    case called
  }

  var kind = Kind.rests
  /// The last motion that began; nil at rest and where it is called.
  var last: CurveEntry?
  /// Those before it that still have an effect.
  var earlier: [CurveEntry] = []
  /// When the first change of the run was made: another one at that very moment replaces it.
  var runStart = 0.0
  /// When it is logically complete, and when it shows its target for good; on the batch's clock.
  var logicalEnd = Double.infinity
  var restTime = Double.infinity
  var reportedLogical = true
  var reportedSettled = true
  /// When it was paused; NaN if it is not.
  var pauseTime = Double.nan
  /// Its place among the tracks that are evaluated on their own.
  var place = -1

  var isPaused: Bool { !pauseTime.isNaN }
}
