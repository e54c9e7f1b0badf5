// SPDX-License-Identifier: MIT

/// Why a clip cannot be made; tracks, keys (or pieces) and components are counted from 0.
public enum ClipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A clip has at least one dimension and at most ``Clip/maximumDimensions``.
  case invalidDimensions(Int)
  /// The argument `of` does not have one number for each dimension.
  case wrongDimensions(of: String, expected: Int, got: Int)
  /// The track has no pieces or keys.
  case emptyTrack(track: Int)
  /// The track has the wrong number of lists of pieces, or of pieces in a list: `of` says of what.
  case wrongCount(of: String, track: Int, expected: Int, got: Int)
  /// The clip has no such dimension, or the track names it twice.
  case invalidComponent(track: Int, component: Int)
  /// A time is NaN, infinite, negative or beyond ``Clip/maximumDuration``, or the first boundary is not 0.
  case invalidTime(track: Int, key: Int, time: Double)
  /// The time at a key lies before the time at the key before it.
  case unsortedTimes(track: Int, key: Int)
  /// A value, velocity or coefficient is NaN or infinite.
  case invalidValue(track: Int, key: Int, component: Int, value: Double)
  /// A value is beyond ±10¹⁵, or a motion so steep that its coefficients do not fit Float.
  case overflow(track: Int, key: Int, component: Int, value: Double)
  /// The keyframe never ends: it is infinitely long, or an undamped spring without a duration.
  case endless(track: Int, key: Int)
  /// The duration is NaN, infinite, negative, beyond ``Clip/maximumDuration``, or less than the longest track's.
  case invalidDuration(Double, atLeast: Double)
  /// The tolerance is outside ``Clip/tolerances``.
  case invalidTolerance(Double)
  /// The duration or the spring of the keyframe is NaN, or its duration minus infinity.
  case undefinedKeyframe(track: Int, key: Int)
  /// A number of the animation is NaN or infinite, or its spring is one that batches refuse; `reason` says which.
  case invalidAnimation(reason: String)
  /// A control point or corner of the keyframe's curve is NaN or infinite.
  case invalidCurve(track: Int, key: Int)
  /// An error bound is negative or NaN.
  case invalidErrorBound(dimension: Int, value: Double)
  /// The motion is too rough for the largest number of pieces: near `time` it jumps, or moves too fast.
  case tooManyPieces(track: Int, key: Int, time: Double)
  /// The animation is no function of time alone: at `time` its answer depends on the times asked for before.
  case dependsOnHistory(time: Double)
  /// The clip was not made from keyframes that could start from another value.
  case notRestartable

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .invalidDimensions(let count): "a clip has 1 to \(Clip.maximumDimensions) dimensions, not \(count)"
    case .wrongDimensions(let what, let expected, let got):
      "\(what): \(expected) numbers are needed, one for each dimension, \(got) were given"
    case .emptyTrack(let track): "track \(track) needs a component and a piece at least"
    case .wrongCount(let what, let track, let expected, let got):
      "track \(track), \(what): \(expected) are needed, \(got) were given"
    case .invalidComponent(let track, let component):
      "track \(track): component \(component) must be a dimension of the clip, and named once"
    case .invalidTime(let track, let key, let time):
      "track \(track), key \(key): the time must be in 0…1e10 s, and 0 at the first boundary, is \(time) s"
    case .unsortedTimes(let track, let key):
      "track \(track), key \(key): the time must not be less than that of key \(key - 1)"
    case .invalidValue(let track, let key, let component, let value):
      "track \(track), key \(key), component \(component): must be finite, is \(value)"
    case .overflow(let track, let key, let component, let value):
      "track \(track), key \(key), component \(component): values must be within ±1e15, and coefficients fit Float, "
        + "is \(value)"
    case .endless(let track, let key): "track \(track), key \(key): the keyframe must end, and never does"
    case .invalidDuration(let duration, .leastNonzeroMagnitude):
      "the duration must be more than 0 and at most 1e10 s, is \(duration) s"
    case .invalidDuration(let duration, let least):
      "the duration must be in \(least)…1e10 s, is \(duration) s"
    case .invalidTolerance(let tolerance):
      "the tolerance must be in \(Clip.tolerances.lowerBound)…\(Clip.tolerances.upperBound), is \(tolerance)"
    case .undefinedKeyframe(let track, let key):
      "track \(track), key \(key): the duration and the numbers of the spring must be numbers"
    case .invalidAnimation(let reason): "the animation is refused: \(reason)"
    case .invalidCurve(let track, let key): "track \(track), key \(key): all numbers of the curve must be finite"
    case .invalidErrorBound(let dimension, let value):
      "the error bound of dimension \(dimension) must be 0 or more, is \(value)"
    case .tooManyPieces(let track, let key, let time):
      "track \(track), key \(key): too rough for pieces at about \(time) s"
    case .dependsOnHistory(let time): "the animation is no function of time alone at \(time) s"
    case .notRestartable: "the clip was not made from keyframes that could start from another value"
    }
  }
}
