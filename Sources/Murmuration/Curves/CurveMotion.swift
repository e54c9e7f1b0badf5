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
  case called(CalledAnimation)

  /// What an animation means that batches accept; otherwise it throws.
  init(checking animation: Animation?, _ forms: inout CurveForms) throws(AnimationDefect) {
    guard let animation else {
      self = .jump
      return
    }
    // To find out what an animation is made of takes longer than all else for a plain curve.
    if case .curve(let curve, let duration) = animation.structure {
      try Animation.check(curve, duration: duration)
      self = .adds(Progress(forms.form(of: curve), duration: duration))
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
      self = .called(CalledAnimation(animation))
    }
  }
}

/// An animation that is called. Motions are copied often, and a reference is copied faster.
final class CalledAnimation: Sendable {
  let animation: Animation
  init(_ animation: Animation) { self.animation = animation }
}

/// How a spring took over: from the track's origin with some velocities.
final class TakenOver: Sendable {
  let spring: Spring
  let velocities: [Double]
  /// The last moment before it has finished, in seconds from its start.
  let end: Double

  init(_ spring: Spring, velocities: [Double], end: Double) {
    (self.spring, self.velocities, self.end) = (spring, velocities, end)
  }
}

/// When a motion begins and ends.
struct CurveSpan: Sendable {
  /// When it began, on the batch's clock.
  var start: Double
  /// The last moment before it has finished, in seconds from its start.
  let length: Double
  /// Whether it shows its target at its end, and not only after it.
  fileprivate let endsAtTarget: Bool
  fileprivate let isProgress: Bool

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

/// One of the motions whose effects add up in a track.
struct CurveEntry: Sendable {
  enum Motion: Sendable {
    case progress(Progress)
    /// Always the first.
    case spring(TakenOver)
  }

  let motion: Motion
  var span: CurveSpan
  /// Where it heads, by dimension; empty for the last entry, whose target is the track's.
  var targets: [Float] = []

  init(_ motion: Motion, _ span: CurveSpan) {
    self.motion = motion
    self.span = span
  }

  init(_ motion: Motion, start: Double) {
    self.motion = motion
    switch motion {
    case .progress(let progress):
      span = CurveSpan(start: start, length: progress.end, endsAtTarget: progress.endsAtTarget, isProgress: true)
    case .spring(let spring):
      span = CurveSpan(start: start, length: spring.end, endsAtTarget: false, isProgress: false)
    }
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

  /// The motions before the last one that still have an effect.
  var earlier: [CurveEntry] = []
  var kind = Kind.rests
  var reportedLogical = true
  var reportedSettled = true
  /// Its place among the tracks that are evaluated on their own.
  var place = -1
  /// When it was paused; NaN if it is not.
  var pauseTime = Double.nan
  /// When the first change of the run was made: another one at that very moment replaces it.
  var runStart = 0.0
  /// When it is logically complete, and when it shows its target for good; on the batch's clock.
  var logicalEnd = Double.infinity
  var restTime = Double.infinity
  /// When the last motion begins and ends, and what it is; kept apart, as mostly the former is all that is asked for.
  private(set) var lastSpan: CurveSpan?
  private(set) var lastMotion: CurveEntry.Motion?

  /// The last motion that began; nil at rest and where it is called.
  var last: CurveEntry? {
    get {
      guard let lastMotion, let lastSpan else { return nil }
      return CurveEntry(lastMotion, lastSpan)
    }
    set { (lastMotion, lastSpan) = (newValue?.motion, newValue?.span) }
  }

  var isPaused: Bool { !pauseTime.isNaN }
}
