// SPDX-License-Identifier: MIT

/// Why a clip cannot be made; tracks, keys (or pieces) and components are counted from 0.
public enum ClipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A clip has at least one dimension and at most ``Clip/maximumDimensions``.
  case invalidDimensions(Int)
  /// So many numbers were expected, one for each dimension, and so many given.
  case wrongDimensions(expected: Int, got: Int)
  /// The track has no pieces or keys.
  case emptyTrack(track: Int)
  /// The track has the wrong number of lists of pieces, of pieces in a list, or of values.
  case wrongCount(track: Int, expected: Int, got: Int)
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
  /// The duration is NaN, infinite, negative, beyond ``Clip/maximumDuration``, or less than that of the longest track.
  case invalidDuration(Double)
  /// The tolerance is outside ``Clip/tolerances``.
  case invalidTolerance(Double)
  /// A control point or corner of the keyframe's curve is NaN or infinite.
  case invalidCurve(track: Int, key: Int)
  /// An error bound is negative or NaN.
  case invalidErrorBound(dimension: Int, value: Double)
  /// The motion is too rough for that many pieces: it jumps at about that time, or moves too fast for them.
  case tooManyPieces(track: Int, key: Int, time: Double)
  /// The animation is no function of time alone: at that time it answers differently when it has been asked before.
  case dependsOnHistory(time: Double)
  /// The clip was not made from keyframes that could start from another value.
  case notRestartable

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .invalidDimensions(let count): "a clip has 1 to \(Clip.maximumDimensions) dimensions, not \(count)"
    case .wrongDimensions(let expected, let got): "expected \(expected) numbers, one for each dimension, got \(got)"
    case .emptyTrack(let track): "track \(track) is empty"
    case .wrongCount(let track, let expected, let got): "track \(track): expected \(expected) elements, got \(got)"
    case .invalidComponent(let track, let component):
      "track \(track): component \(component) is not one of the clip's, or named twice"
    case .invalidTime(let track, let key, let time): "track \(track), key \(key): the time must not be \(time) s"
    case .unsortedTimes(let track, let key): "track \(track), key \(key): its time lies before that of the key before"
    case .invalidValue(let track, let key, let component, let value):
      "track \(track), key \(key), component \(component): must be finite, is \(value)"
    case .overflow(let track, let key, let component, let value):
      "track \(track), key \(key), component \(component): \(value) is too large"
    case .endless(let track, let key): "track \(track), key \(key): the keyframe never ends"
    case .invalidDuration(let duration):
      "the duration must be finite and cover all tracks, is \(duration) s"
    case .invalidTolerance(let tolerance):
      "the tolerance must be in \(Clip.tolerances.lowerBound)…\(Clip.tolerances.upperBound), is \(tolerance)"
    case .invalidCurve(let track, let key): "track \(track), key \(key): all numbers of the curve must be finite"
    case .invalidErrorBound(let dimension, let value):
      "the error bound of dimension \(dimension) must not be \(value)"
    case .tooManyPieces(let track, let key, let time):
      "track \(track), key \(key): too rough for pieces at about \(time) s"
    case .dependsOnHistory(let time): "the animation is no function of time alone at \(time) s"
    case .notRestartable: "the clip was not made from keyframes that could start from another value"
    }
  }
}
