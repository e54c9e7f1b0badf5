// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The motion of a value that was flung and slows down: a scroll view after the finger has left.
///
/// The velocity decays as v(t) = v₀·r^(1000t) = v₀·e^(−kt), where r is the fraction of it that is left after a millisecond;
/// so the value is from + v₀·(1 − e^(−kt))/k and ends at from + v₀/k. It is evaluated in closed form, at any time and in any
/// order. For t ≥ 0 the error is at most 16·2⁻⁵³·(|from| + |value − from|) in value, and 8·2⁻⁵³·|v₀| in velocity.
///
/// Nothing here throws or traps. A rate of 0 stops at once, one of 1 never slows down, and above 1 the motion speeds up; a
/// rate that is negative or NaN answers with NaN.
public struct Deceleration: Hashable, Sendable, BitwiseCopyable {
  /// The fraction of the velocity that is left after a millisecond; in (0, 1) for a motion that slows down.
  public let rate: Double

  /// k = −1000·ln(rate) in 1/s: the rate at which the velocity decays.
  ///
  /// At any time, this is also the ratio of the velocity to the distance that is left.
  public let decayConstant: Double

  /// A motion that keeps a fraction `rate` of its velocity each millisecond.
  public init(rate: Double) {
    self.rate = rate
    decayConstant = -1000 * log(rate)
  }

  /// A motion whose velocity decays at a rate k in 1/s.
  package init(decayConstant: Double) {
    (rate, self.decayConstant) = (exp(decayConstant / -1000), decayConstant)
  }

  /// The normal rate of UIKit's scroll view, 0.998: the motion goes as far as its first velocity would in 0.4995 s.
  public static let normal = Deceleration(rate: 0.998)

  /// The fast rate of UIKit's scroll view, 0.99: the motion goes as far as its first velocity would in 0.0995 s.
  public static let fast = Deceleration(rate: 0.99)
}

// MARK: - Motion

extension Deceleration {
  /// The value `time` seconds after a start at `start`. It never passes ``projectedEnd(from:initialVelocity:)``.
  ///
  /// - Parameters:
  ///   - start: The value at the start.
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - time: Seconds since the start. Negative times are evaluated as the formulas stand.
  @inlinable
  public func value<V: VectorArithmetic>(from start: V, initialVelocity: V, time: Double) -> V {
    let reach = reach(at: time)
    guard reach == .infinity else { return start + initialVelocity.scaled(by: reach) }
    // Without an infinite factor, components that stand still stay where they are.
    return start + initialVelocity.scaled(by: .greatestFiniteMagnitude).scaled(by: .greatestFiniteMagnitude)
  }

  /// The velocity `time` seconds after the start, in value units per second.
  ///
  /// - Parameters:
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - time: Seconds since the start. Negative times are evaluated as the formulas stand.
  @inlinable
  public func velocity<V: VectorArithmetic>(initialVelocity: V, time: Double) -> V {
    initialVelocity.scaled(by: remainder(at: time))
  }

  /// The value at which the motion ends: start + v₀/k, the exact limit. Infinite if the motion does not slow down.
  ///
  /// WWDC 2018's session 803 sums whole milliseconds instead, which is 0.1 % less at the normal rate.
  @inlinable
  public func projectedEnd<V: VectorArithmetic>(from start: V, initialVelocity: V) -> V {
    value(from: start, initialVelocity: initialVelocity, time: .infinity)
  }

  /// (1 − e^(−kt))/k: the distance covered in `time` seconds by a motion that starts with velocity 1.
  @usableFromInline
  package func reach(at time: Double) -> Double {
    if time == 0 || decayConstant == 0 { return time }
    return -expm1(-decayConstant * time) / decayConstant
  }

  /// e^(−kt): the fraction of the velocity that is left after `time` seconds.
  @usableFromInline
  package func remainder(at time: Double) -> Double {
    if time == 0 || decayConstant == 0 { return 1 }
    return exp(-decayConstant * time)
  }
}

// MARK: - Rest

extension Deceleration {
  /// The last moment at which the distance to the projected end, or the speed, exceeds its tolerance.
  ///
  /// From then on both stay within their tolerances. The answer is never early, and late by no more than the time in
  /// which distance and speed shrink by 2·10⁻¹² of themselves. Vectors are measured by their Euclidean length, as their
  /// own arithmetic rounds it.
  ///
  /// - Parameters:
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - tolerance: The distance from the projected end that counts as at rest, in value units.
  ///   - velocityTolerance: The speed that counts as at rest, in value units per second; `tolerance`·k if nil, which is the
  ///     speed at that distance.
  /// - Returns: The time in seconds. 0 if the tolerances are never exceeded; infinite if the motion does not slow down or a
  ///   tolerance is not positive; NaN if the rate, the velocity or a tolerance is not a number.
  public func restTime<V: VectorArithmetic>(
    initialVelocity: V, tolerance: Double = 0.001, velocityTolerance: Double? = nil
  ) -> Double {
    let speed = initialVelocity.magnitude
    let velocityTolerance = velocityTolerance ?? .infinity
    guard !decayConstant.isNaN, !speed.isNaN, !tolerance.isNaN, !velocityTolerance.isNaN else { return .nan }
    if speed == 0 || decayConstant == .infinity { return 0 }
    guard decayConstant > 0, tolerance > 0, velocityTolerance > 0 else { return .infinity }
    // The distance is speed/k at any time, so both tolerances become speeds. A limit a hair lower keeps rounding from
    // making the answer early.
    let limit = min(tolerance * decayConstant, velocityTolerance) * (1 - 1e-12)
    return speed > limit ? (log(speed) - log(limit)) / decayConstant : 0
  }
}
