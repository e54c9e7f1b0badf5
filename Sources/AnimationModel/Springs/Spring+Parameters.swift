// SPDX-License-Identifier: MIT

// MARK: - Duration and bounce

extension Spring {
  /// A spring by how long it seems to take and how much it bounces, with mass 1.
  ///
  /// - Parameters:
  ///   - duration: The perceptual duration in seconds: the period of the undamped spring. 0 jumps to the target.
  ///   - bounce: 0 is critical damping; up to 1 it oscillates ever longer; above 1 counts as 1; below 0 it is overdamped,
  ///     down to −1, where it stands still.
  public init(duration: Double = 0.5, bounce: Double = 0) {
    let undamped = 2 * .pi / duration
    switch bounce {
    case 0...:
      // ω² = ω₀²·(1 − ζ²) = ω₀²·b·(2 − b): 1 − ζ² would round to 0 for a small bounce.
      let bounce = min(bounce, 1)
      self.init(undamped: undamped, dampingRatio: 1 - bounce, regime: (bounce * (2 - bounce)).squareRoot())
    case -1..<0:
      // β² = ω₀²·(ζ² − 1) with ζ = 1/(1 + b).
      let softness = 1 + bounce
      self.init(
        undamped: undamped, dampingRatio: 1 / softness, regime: -(-bounce * (2 + bounce)).squareRoot() / softness)
    case ..<0:
      self.init(undamped: undamped, dampingRatio: .infinity, regime: -.infinity)
    default:
      self.init(undamped: .nan, dampingRatio: .nan, regime: .nan)
    }
  }

  /// The perceptual duration in seconds: 2π/ω₀, the period of the undamped spring.
  ///
  /// NaN at bounce −1, as in SwiftUI.
  public var duration: Double { standsStill ? .nan : 2 * .pi / naturalFrequency }

  /// How much the spring bounces: 1 − ζ if it is not overdamped, 1/ζ − 1 if it is.
  ///
  /// NaN at bounce −1, as in SwiftUI.
  public var bounce: Double {
    let dampingRatio = dampingRatio
    guard dampingRatio > 0.5 else { return 1 - dampingRatio }
    // 1 − ζ from the frequency, since ζ itself no longer holds a small bounce.
    let regime = angularFrequency / naturalFrequency
    let deficit = regime * regime / (1 + dampingRatio)
    return angularFrequency < 0 ? -deficit / dampingRatio : deficit
  }
}

// MARK: - Response and damping ratio

extension Spring {
  /// A spring by its undamped period and its damping ratio, with mass 1.
  ///
  /// - Parameters:
  ///   - response: The period of the undamped spring in seconds; another word for the perceptual duration.
  ///   - dampingRatio: ζ: 0 oscillates forever, 1 is critical, above 1 is overdamped. Below 0 the motion grows.
  public init(response: Double, dampingRatio: Double) {
    self.init(
      undamped: 2 * .pi / response, dampingRatio: dampingRatio,
      regime: Self.signedRoot(1 - dampingRatio, 1 + dampingRatio))
  }

  /// √|difference · sum| with the sign of the product, for √(a² − b²): a difference of squares would cancel near critical.
  private static func signedRoot(_ difference: Double, _ sum: Double) -> Double {
    let squared = difference * sum
    // The product of the largest numbers overflows, but not that of their roots.
    let root =
      squared.isFinite
      ? squared.magnitude.squareRoot() : difference.magnitude.squareRoot() * sum.magnitude.squareRoot()
    return squared < 0 ? -root : root
  }

  /// The period of the undamped spring in seconds; another word for ``duration``.
  public var response: Double { duration }

  /// ζ = c / 2√(km): the damping as a fraction of what critical damping needs.
  public var dampingRatio: Double { decayConstant * duration / (2 * .pi) }

  /// A spring of mass 1 from ω₀, ζ and ±√|1 − ζ²|, minus when overdamped.
  private init(undamped: Double, dampingRatio: Double, regime: Double) {
    // A very short spring has an infinite ω₀; a factor of 0 is tested for, so that no product is 0·∞.
    let rate = undamped.magnitude
    self.init(
      naturalFrequency: rate,
      decayConstant: dampingRatio == 0 ? 0 : undamped * dampingRatio,
      angularFrequency: regime == 0 ? 0 : rate * regime,
      mass: 1)
  }
}

// MARK: - Mass, stiffness and damping

extension Spring {
  /// A spring by the constants of its equation.
  ///
  /// - Parameters:
  ///   - mass: m, the mass of the object at the end of the spring.
  ///   - stiffness: k, the force per distance from the target.
  ///   - damping: c, the force per velocity.
  ///   - allowOverDamping: Whether a damping above the critical 2√(km) is taken as it is; otherwise it counts as critical,
  ///     unless it is infinite.
  public init(mass: Double = 1, stiffness: Double, damping: Double, allowOverDamping: Bool = false) {
    let undamped = (stiffness / mass).squareRoot()
    let decay = damping / (2 * mass)
    if decay > undamped, decay < .infinity, !allowOverDamping {
      self.init(naturalFrequency: undamped, decayConstant: undamped, angularFrequency: 0, mass: mass)
    } else {
      let frequency = Self.signedRoot(undamped - decay, undamped + decay)
      self.init(naturalFrequency: undamped, decayConstant: decay, angularFrequency: frequency, mass: mass)
    }
  }

  /// k = m·ω₀²: the force per distance from the target.
  public var stiffness: Double { mass * naturalFrequency * naturalFrequency }

  /// c = 2·m·d: the force per velocity.
  public var damping: Double { 2 * mass * decayConstant }
}

// MARK: - Limits

extension Spring {
  /// Whether the spring is infinitely stiff and so at its target as soon as t > 0: duration 0, or mass 0.
  @usableFromInline
  package var jumps: Bool { naturalFrequency == .infinity }

  /// Whether the damping is infinite and the value stands still as soon as t > 0: bounce −1.
  @usableFromInline
  package var standsStill: Bool { decayConstant == .infinity && !jumps }
}
