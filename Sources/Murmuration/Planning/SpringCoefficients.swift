// SPDX-License-Identifier: MIT
package import AnimationModel
package import Kernels

/// What a kernel needs of one spring, in Double: see `SpringColumns` for the meaning of each number.
///
/// Derived once per retarget from the spring's ω₀, decay constant d and w = ±√|ω₀² − d²|.
package struct SpringCoefficients: Equatable, Sendable {
  package let isOverdamped: Bool
  /// Quarter turns per second, or −κ·log₂e per second when overdamped.
  package let rate: Double
  /// −α·log₂e per second.
  package let decay: Double
  /// 1/κ, seconds.
  package let inverseRate: Double
  /// ω₀², per second squared.
  package let stiffness: Double

  private static let log2OfE = 1.4426950408889634

  private init(_ spring: Spring) {
    let ω0 = spring.naturalFrequency
    let d = spring.decayConstant
    let w = spring.angularFrequency
    isOverdamped = w < 0
    // Below 10⁻¹²ω₀ both regimes are critical in Float; the floor keeps 1/κ finite.
    let κ = max(isOverdamped ? -2 * w : w, 1e-12 * ω0)
    let α = isOverdamped ? ω0 * ω0 / (d - w) : d
    rate = isOverdamped ? -κ * Self.log2OfE : κ / (.pi / 2)
    decay = -α * Self.log2OfE
    inverseRate = 1 / κ
    stiffness = ω0 * ω0
  }

  package init(isOverdamped: Bool, rate: Double, decay: Double, inverseRate: Double, stiffness: Double) {
    self.isOverdamped = isOverdamped
    self.rate = rate
    self.decay = decay
    self.inverseRate = inverseRate
    self.stiffness = stiffness
  }

  /// The coefficients of any spring that ``BatchLimits`` accepts: those of a jump if its duration is 0.
  package init(accepted spring: Spring) {
    self = spring.duration == 0 ? .jump : SpringCoefficients(spring)
  }

  /// A spring of duration 0, which is at its target at once; it keeps displacement and velocity at 0.
  package static let jump = SpringCoefficients(isOverdamped: false, rate: 0, decay: 0, inverseRate: 0, stiffness: 0)

  /// Whether these are the coefficients of a spring of duration 0.
  package var isJump: Bool { stiffness == 0 }

  /// The basis that tracks share when they started `age` seconds ago together.
  package func basis(age: Double) -> CohortBasis {
    // Beyond 2⁻¹⁰⁰ the motion is over; smaller numbers would only be subnormal in Float, and slow.
    let envelope = decay * age < -100 ? 0 : ReproducibleMath.exp2OfNegative(decay * age)
    let α = decay / -Self.log2OfE
    let er: Double
    let ep: Double
    let velocityPart: Double
    if isOverdamped {
      let eq = envelope * ReproducibleMath.oneMinusExp2OfNegative(rate * age)
      er = eq * inverseRate
      ep = envelope
      velocityPart = envelope - eq
    } else {
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: rate * age)
      er = envelope * sine * inverseRate
      ep = envelope * cosine
      velocityPart = ep
    }
    return CohortBasis(
      valueOfDisplacement: Float(ep + α * er), valueOfVelocity: Float(er),
      velocityOfDisplacement: Float(-stiffness * er), velocityOfVelocity: Float(velocityPart - α * er))
  }
}
