// SPDX-License-Identifier: MIT

/// One keyframe between its neighbours: everything that its values depend on is known.
package struct KeyframeSegment<Vector: VectorArithmetic>: Sendable {
  /// How the value gets from the start to the end.
  package enum Path: Sendable {
    case move(to: Vector)
    case linear(from: Vector, to: Vector, timingCurve: UnitCurve)
    case cubic(CubicSegment<Vector>)
    case spring(Spring, from: Vector, to: Vector, startVelocity: Vector)
  }

  package let path: Path
  /// Seconds from the start of the track.
  package let start: Double
  /// Seconds; zero for a move, else positive or infinite.
  package let duration: Double
  /// Where the segment ends, in seconds from the start of the track.
  package var end: Double { start + duration }

  /// The value `time` seconds after the start of the segment.
  package func value(at time: Double) -> Vector {
    switch path {
    case .move(let to):
      return to
    case .linear(let from, let to, let curve):
      guard time < duration else { return to }
      return from + (to - from).scaled(by: curve.value(at: time / duration))
    case .cubic(let segment):
      return segment.value(at: time)
    case .spring(let spring, let from, let to, let velocity):
      // The value after a jump is exact.
      guard time < .infinity, !(spring.jumps && time > 0) else { return to }
      return from + spring.value(target: to - from, initialVelocity: velocity, time: min(time, duration))
    }
  }

  /// The rate of change `time` seconds after the start of the segment, in units per second.
  package func velocity(at time: Double) -> Vector {
    switch path {
    case .move:
      return .zero
    case .linear(let from, let to, let curve):
      let slope = curve.velocity(at: min(time / duration, 1)) / duration
      // A circular curve is vertical at an end: components that move are infinitely fast there, the others rest.
      guard slope.isFinite else {
        return (to - from).scaled(by: .greatestFiniteMagnitude).scaled(by: .greatestFiniteMagnitude)
      }
      return (to - from).scaled(by: slope)
    case .cubic(let segment):
      return segment.velocity(at: time)
    case .spring(let spring, let from, let to, let velocity):
      guard time < .infinity else { return .zero }
      return spring.velocity(target: to - from, initialVelocity: velocity, time: min(time, duration))
    }
  }

  /// The value that the next keyframe starts from: a spring that was cut short has not reached its target.
  package var endValue: Vector { value(at: duration) }

  /// The velocity that the next keyframe takes over; zero after a move, and where it is infinite.
  package var endVelocity: Vector {
    if case .linear(let from, let to, let curve) = path {
      return curve.velocity(of: to - from, at: 1, duration: duration)
    }
    return velocity(at: duration)
  }
}

extension UnitCurve {
  /// The velocity of a move by `distance` along this curve, to be taken over by a neighbour; zero where infinite.
  func velocity<Vector: VectorArithmetic>(of distance: Vector, at progress: Double, duration: Double) -> Vector {
    distance.scaled(by: velocity(at: progress) / duration).orZeroIfInfinite
  }
}

extension VectorArithmetic {
  /// This velocity; zero if one of its components is not finite, as over the shortest durations.
  var orZeroIfInfinite: Self { self - self == .zero ? self : .zero }
}
