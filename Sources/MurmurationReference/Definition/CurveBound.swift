// SPDX-License-Identifier: MIT
package import Murmuration
import Synchronization

/// The error that a batch may make where it follows a function of time through cubic pieces, from what the batch
/// promises and from the function alone.
///
/// The pieces stay within ε of the function g. How far their slope may be off follows from that: let d be the
/// difference of the two, |d| ≤ ε, and let |d″| ≤ 2M, where M is the largest acceleration of g. By the inequality of
/// Landau and Kolmogorov on a half-line (E. Landau, "Einige Ungleichungen für zweimal differentiierbare Funktionen",
/// 1913), |d′| ≤ 2√(ε · 2M).
///
/// A piece is then evaluated in Float, within 8 u of the sum of its terms. The terms of a cubic that varies by R on an
/// interval, counted from the middle, are together at most its middle and 9 R/2, since Chebyshev's polynomial has the
/// largest coefficients; those of its slope are bounded by its slope and acceleration in the same way.
struct CurveBound {
  /// The largest magnitude of the function, and how far apart its values lie.
  private(set) var magnitude = 0.0
  private(set) var range = 0.0
  /// The largest magnitudes of its velocity and of its acceleration.
  private(set) var velocity = 0.0
  private(set) var acceleration = 0.0

  /// Measures a function and its velocity on a grid over its duration.
  ///
  /// - Parameter spring: The spring that moves it to 1. Its equation bounds the acceleration, also where that is large
  ///   for a shorter time than a cell of the grid.
  init(duration: Double, spring: Spring? = nil, _ value: (Double) -> Double, velocity slope: (Double) -> Double) {
    let step = duration / 256
    let times = (0...256).map { step * Double($0) }
    let (values, slopes) = (times.map(value), times.map(slope))
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    velocity = slopes.reduce(0) { max($0, abs($1)) }
    // Between the points of the grid all may be a little more. A vertical curve has no bound.
    let turns = zip(slopes, slopes.dropFirst()).map { abs($1 - $0) / step }
    if step > 0 { acceleration = 1.5 * turns.reduce(0, max) }
    (magnitude, range) = (max(abs(low), abs(high)), 1.01 * (high - low))
    if let spring { include(spring, from: max(abs(1 - low), abs(1 - high)), velocity) }
  }

  /// Measures a timing curve over a second.
  init(_ curve: UnitCurve) { self.init(duration: 1, curve.value(at:), velocity: curve.velocity(at:)) }

  /// Allows for a part of the function that is shorter than a cell, or is upright where it begins or ends.
  mutating func include(_ curve: UnitCurve, over way: Double, _ duration: Double) {
    acceleration = max(acceleration, ErrorBound.passed(CurveBound(curve).acceleration, by: way / (duration * duration)))
  }

  /// Allows for a spring, which may be fastest for less than a cell after its start.
  mutating func include(_ spring: Spring, from distance: Double, _ speed: Double) {
    velocity = max(velocity, abs(speed))
    acceleration = max(acceleration, (spring.stiffness * abs(distance) + spring.damping * abs(speed)) / spring.mass)
  }

  /// The error of pieces that stay within ε of the function.
  func error(within ε: Double) -> ErrorBound {
    let unit = ErrorBound.unit
    return ErrorBound(
      value: ε + 8 * unit * (magnitude + 4.5 * range),
      // A batch may show a velocity below 10⁻²⁸ of the range where nothing moves.
      velocity: 2 * (2 * ε * acceleration).squareRoot() + 64 * unit * velocity + 1e-28 * range)
  }
}

extension Animation {
  /// The error of the share that this animation covers, which a batch follows within a tolerance: a share of the way,
  /// and, for the velocity, of the way per second.
  package func bound(tolerance: Double) -> ErrorBound {
    switch structure {
    case .curve(let curve, let duration):
      guard duration > 0 else { return ErrorBound() }
      // One measurement is enough for all durations.
      let bound = Animation.timingCurve(curve, duration: 1).measured(tolerance) { CurveBound(curve) }
      return ErrorBound(value: bound.value, velocity: bound.velocity / duration)
    case .spring(let spring): return measured(tolerance) { curve(spring) }
    case .interpolatingSpring(let spring, let velocity):
      // The tolerance of a spring is a share of its velocity over ω₀, if that is more than the way.
      return measured(tolerance, abs(velocity) / spring.naturalFrequency) { curve(spring) }
    case .custom: return measured(tolerance) { curve(nil) }
    case .speed(let base, let speed):
      let bound = base.bound(tolerance: tolerance)
      return ErrorBound(value: bound.value, velocity: bound.velocity * abs(speed))
    case .delay(let base, _), .repeat(let base, _, _), .logicallyComplete(let base, _):
      return base.bound(tolerance: tolerance)
    }
  }

  /// The curves that were measured so far.
  private static let known = Mutex<[Animation: CurveBound]>([:])

  private func measured(_ tolerance: Double, _ reach: Double = 0, _ measure: () -> CurveBound) -> ErrorBound {
    let curve = Self.known.withLock { $0[self] } ?? measure()
    Self.known.withLock { $0[self] = curve }
    // The tolerance is a share of the way, or of the whole range where a spring goes beyond its target.
    return curve.error(within: tolerance * max(1, reach, curve.range))
  }

  private func curve(_ spring: Spring?) -> CurveBound {
    let end = min(endTime(value: 1.0, context: AnimationContext()), 1e6)
    return CurveBound(duration: end, spring: spring, { share(at: $0) ?? 1 }, velocity: pace(at:))
  }

  /// The seconds of a round of an animation that repeats for ever; infinite if there is none.
  var round: Double {
    switch structure {
    case .repeat(let base, _, _): base.endTime(value: 1.0, context: AnimationContext())
    case .delay(let base, _), .logicallyComplete(let base, _): base.round
    case .speed(let base, let speed): base.round / max(abs(speed), 1e-3)
    case .curve, .spring, .interpolatingSpring, .custom: .infinity
    }
  }

  /// The seconds in which its spring turns by a radian; 0 without a spring.
  var secondsOfRadian: Double {
    switch structure {
    case .spring(let spring): 1 / spring.naturalFrequency
    case .delay(let base, _), .logicallyComplete(let base, _), .repeat(let base, _, _): base.secondsOfRadian
    case .speed(let base, let speed): base.secondsOfRadian / max(abs(speed), 1e-3)
    case .curve, .interpolatingSpring, .custom: 0
    }
  }

  /// The share of the way that is covered at a time; nil once the animation is over.
  func share(at time: Double) -> Double? {
    var context = AnimationContext<Double>()
    return animate(value: 1.0, time: time, context: &context)
  }

  /// The rate of change of that share, per second.
  func pace(at time: Double) -> Double { velocity(value: 1.0, time: time, context: AnimationContext<Double>()) ?? 0 }
}
