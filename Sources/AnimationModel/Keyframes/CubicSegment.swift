// SPDX-License-Identifier: MIT

/// A cubic between two keys in Hermite form: values and velocities at both ends, and the time between them.
package struct CubicSegment<Vector: VectorArithmetic>: Sendable {
  package var from: Vector
  package var to: Vector
  /// Velocities at the ends, in units per second.
  package var startVelocity: Vector
  package var endVelocity: Vector
  /// Seconds; positive, or infinite.
  package var duration: Double

  package init(from: Vector, to: Vector, startVelocity: Vector, endVelocity: Vector, duration: Double) {
    self.from = from
    self.to = to
    self.startVelocity = startVelocity
    self.endVelocity = endVelocity
    self.duration = duration
  }

  /// The value `time` seconds after the start, with both ends met exactly.
  ///
  /// With u = t/d: from + (3u² − 2u³)(to − from) + d·u(1−u)²·v₀ − d·u²(1−u)·v₁.
  package func value(at time: Double) -> Vector {
    guard duration < .infinity else { return from + startVelocity.scaled(by: time) }
    guard time < duration else { return to }
    let u = time / duration
    let rest = 1 - u
    return from + (to - from).scaled(by: u * u * (3 - 2 * u))
      + startVelocity.scaled(by: time * rest * rest)
      - endVelocity.scaled(by: time * u * rest)
  }

  /// The derivative of `value(at:)`, in units per second, with both ends met exactly.
  package func velocity(at time: Double) -> Vector {
    guard duration < .infinity else { return startVelocity }
    guard time < duration else { return endVelocity }
    let u = time / duration
    return (to - from).scaled(by: 6 * u * (1 - u) / duration)
      + startVelocity.scaled(by: (1 - u) * (1 - 3 * u))
      - endVelocity.scaled(by: u * (2 - 3 * u))
  }

  /// The velocity at a key of a Catmull-Rom spline whose neighbouring keys stand `before` and `after` seconds away.
  ///
  /// This is the central difference (p₊ − p₋)/(d₋ + d₊); at an end of a spline pass the end key itself as the missing
  /// neighbour, zero seconds away, for the one-sided difference. Where it would be infinite, it is zero.
  package static func automaticVelocity(
    previous: Vector, before: Double, next: Vector, after: Double
  ) -> Vector {
    let span = before + after
    guard span > 0, span < .infinity else { return .zero }
    return (next - previous).scaled(by: 1 / span).orZeroIfInfinite
  }
}
