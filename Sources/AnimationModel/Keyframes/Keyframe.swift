// SPDX-License-Identifier: MIT

/// One keyframe of a track as data, before it knows its neighbours.
package enum Keyframe<Vector: VectorArithmetic>: Sendable {
  case move(to: Vector)
  case linear(to: Vector, duration: Double, timingCurve: UnitCurve)
  case cubic(to: Vector, duration: Double, startVelocity: Vector?, endVelocity: Vector?)
  case spring(to: Vector, duration: Double?, spring: Spring, startVelocity: Vector?)

  /// The value the keyframe heads for.
  package var target: Vector {
    switch self {
    case .move(let to), .linear(let to, _, _), .cubic(let to, _, _, _), .spring(let to, _, _, _): to
    }
  }

  /// Whether the length and the spring are numbers: a clip refuses a keyframe whose are not. (A length without end is a
  /// number here.)
  package var isDefined: Bool {
    func isLength(_ seconds: Double?) -> Bool { seconds.map { $0 > -.infinity } ?? true }
    switch self {
    case .move: return true
    case .linear(_, let duration, _), .cubic(_, let duration, _, _): return isLength(duration)
    case .spring(_, let duration, let spring, _):
      return isLength(duration) && !spring.naturalFrequency.isNaN && !spring.decayConstant.isNaN
    }
  }

  /// The keyframe with a length that is zero or positive; one without length is a move.
  ///
  /// A length that is not a number counts as zero: it can be neither divided by nor waited for.
  package var normalized: Keyframe {
    switch self {
    case .linear(let to, let duration, _) where !(duration > 0),
      .cubic(let to, let duration, _, _) where !(duration > 0),
      .spring(let to, .some(let duration), _, _) where !(duration > 0):
      .move(to: to)
    default: self
    }
  }
}
