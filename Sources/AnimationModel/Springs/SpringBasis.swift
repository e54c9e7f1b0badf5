// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The four numbers that carry any motion of a spring over a span of time.
///
/// With y the displacement from the target and v the velocity at the start, the displacement later is
/// `valueFromDisplacement`·y + `valueFromVelocity`·v, and the velocity is `velocityFromDisplacement`·y +
/// `velocityFromVelocity`·v.
@usableFromInline
package struct SpringBasis: Hashable, Sendable {
  @usableFromInline
  package var valueFromDisplacement: Double
  @usableFromInline
  package var valueFromVelocity: Double
  @usableFromInline
  package var velocityFromDisplacement: Double
  @usableFromInline
  package var velocityFromVelocity: Double

  /// The basis of a span of 0 s: nothing has changed.
  static let identity = SpringBasis(
    valueFromDisplacement: 1, valueFromVelocity: 0, velocityFromDisplacement: 0, velocityFromVelocity: 1)

  /// The basis of a motion that has ended: at the target, at rest.
  static let ended = SpringBasis(
    valueFromDisplacement: 0, valueFromVelocity: 0, velocityFromDisplacement: 0, velocityFromVelocity: 0)

  /// The basis of infinite damping: in place, at rest.
  static let still = SpringBasis(
    valueFromDisplacement: 1, valueFromVelocity: 0, velocityFromDisplacement: 0, velocityFromVelocity: 0)
}

extension Spring {
  /// The basis of a span of `time` seconds. Negative times are evaluated as the formulas stand.
  ///
  /// With C and S the solutions that start as (1, 0) and (0, 1) without the damping, and E = e^(−dt), the basis is
  /// E·(C + dS), E·S; −ω₀²·E·S, E·(C − dS).
  @usableFromInline
  package func basis(at time: Double) -> SpringBasis {
    if time == 0 { return .identity }
    if jumps { return time > 0 ? .ended : .identity }
    if standsStill { return time > 0 ? .still : .identity }
    return angularFrequency < 0 ? overdampedBasis(at: time) : oscillatingBasis(at: time)
  }

  /// Underdamped, C = cos ωt and S = sin(ωt)/ω; critical, C = 1 and S = t, which those tend to without cancellation.
  private func oscillatingBasis(at time: Double) -> SpringBasis {
    let envelope = exp(-decayConstant * time)
    // At an infinite time sine and cosine are not numbers, but their factor has vanished.
    if envelope == 0 { return .ended }
    let phase = angularFrequency * time
    let cosine = envelope * cos(phase)
    let sine = envelope * (angularFrequency == 0 ? time : sin(phase) / angularFrequency)
    return SpringBasis(
      valueFromDisplacement: cosine + decayConstant * sine,
      valueFromVelocity: sine,
      velocityFromDisplacement: -naturalFrequency * naturalFrequency * sine,
      velocityFromVelocity: cosine - decayConstant * sine)
  }

  /// C = cosh βt and S = sinh(βt)/β, through the two exponentials e^(−slow·t) and e^(−fast·t), since cosh overflows.
  private func overdampedBasis(at time: Double) -> SpringBasis {
    let (slow, fast) = decayRates
    let lasting = exp(-slow * time)
    if lasting == 0 { return .ended }
    // The difference of the rates would round to 0 where β does not.
    let spread = 2 * (decayConstant < 0 ? angularFrequency : -angularFrequency)
    let sine = -lasting * expm1(-spread * time) / spread
    var basis = SpringBasis(
      valueFromDisplacement: 0, valueFromVelocity: sine,
      velocityFromDisplacement: -naturalFrequency * naturalFrequency * sine, velocityFromVelocity: 0)
    let fading = exp(-fast * time)
    if spread * time > 1 {
      basis.valueFromDisplacement = (fast * lasting - slow * fading) / spread
      basis.velocityFromVelocity = (fast * fading - slow * lasting) / spread
    } else {
      // The exponentials are nearly equal: their mean and their exact difference keep the digits.
      let cosine = (lasting + fading) / 2
      basis.valueFromDisplacement = cosine + decayConstant * sine
      basis.velocityFromVelocity = cosine - decayConstant * sine
    }
    return basis
  }

  /// The rates in 1/s of the two exponentials of an overdamped spring, that of the smaller magnitude first.
  ///
  /// The product of both is ω₀²: the slow one as d − β would be nothing but rounding when ζ is large.
  package var decayRates: (slow: Double, fast: Double) {
    let fast = decayConstant < 0 ? decayConstant + angularFrequency : decayConstant - angularFrequency
    return (naturalFrequency / fast * naturalFrequency, fast)
  }
}

extension SpringBasis {
  /// Whether nothing has changed, so that a value can be kept to the last bit.
  @usableFromInline
  package var isIdentity: Bool { self == .identity }
}
