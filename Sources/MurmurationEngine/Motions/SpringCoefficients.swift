// SPDX-License-Identifier: MIT
package import Kernels

/// The coefficients of one spring as the columns of lanes hold them. `SpringBasis` says what α and κ mean.
///
/// Derived once per retarget from the spring's ω₀, decay constant d and w = ±√|ω₀² − d²|, and rounded once: whatever is
/// computed from them has the same bits for a lane, a run and a single track.
package struct SpringCoefficients: Hashable, Sendable, BitwiseCopyable {
  /// The number in the column of rates; `SpringColumns` says more.
  package let rate: Double
  /// The number in the column of decays.
  package let decay: Float

  static let log2OfE = 1.4426950408889634

  /// Whether these are the coefficients of a spring with a bounce below 0, or of a deceleration.
  package var isOverdamped: Bool { rate > 0 }
  /// The (slow) decay rate, per second.
  package var α: Double { Double(decay) * 0.6931471805599453 }
  /// The angular frequency; the difference of the two rates when overdamped; the rate of a deceleration.
  package var κ: Double { rate * (isOverdamped ? 0.6931471805599453 : -.pi / 2) }

  private init(isOverdamped: Bool, α: Double, κ: Double) {
    self.init(rate: isOverdamped ? κ * Self.log2OfE : κ * (-2 / .pi), decay: Float(α * Self.log2OfE))
  }

  private init(_ spring: Spring) {
    let ω0 = spring.naturalFrequency
    let d = spring.decayConstant
    let w = spring.angularFrequency
    let isOverdamped = w < 0
    // Below this floor both regimes are critical in Float: (κt)²/6 is under 10⁻⁹ while there is a motion left. The
    // floor keeps amplitudes finite.
    let κ = max(isOverdamped ? -2 * w : w, 1e-6 * ω0)
    self.init(isOverdamped: isOverdamped, α: isOverdamped ? ω0 * ω0 / (d + κ / 2) : d, κ: κ)
  }

  /// The coefficients of any spring that ``BatchLimits`` accepts: those of a jump if its duration is 0.
  package init(accepted spring: Spring) {
    self = spring.jumps ? .jump : SpringCoefficients(spring)
  }

  /// The coefficients of the motion on a clock that runs at a speed.
  func paced(by speed: Double) -> SpringCoefficients {
    SpringCoefficients(rate: rate * speed, decay: Float(Double(decay) * speed))
  }

  /// The coefficients of a deceleration that ``BatchLimits`` accepts: the overdamped regime without stiffness.
  package init(accepted deceleration: Deceleration) {
    self.init(isOverdamped: true, α: 0, κ: deceleration.decayConstant)
  }

  /// The coefficients that the columns of a lane hold.
  package init(rate: Double, decay: Float) { (self.rate, self.decay) = (rate, decay.magnitude) }

  /// A spring of duration 0, which is at its target at once; it keeps displacement and amplitude at 0.
  package static let jump = SpringCoefficients(isOverdamped: false, α: 0, κ: 0)

  /// Whether these are the coefficients of a spring of duration 0.
  package var isJump: Bool { rate == 0 }

  /// Whether these are the coefficients of a deceleration, which heads for its projected end and no other target.
  package var isDeceleration: Bool { isOverdamped && decay == 0 }

  /// The coefficients of a motion to any target: the same, or those of the critically damped spring that decays as fast
  /// as a deceleration.
  package var toAnyTarget: SpringCoefficients {
    isDeceleration ? SpringCoefficients(isOverdamped: true, α: (1 - 0.5e-6) * κ, κ: 1e-6 * κ) : self
  }

  /// ω₀, per second; κ for a deceleration.
  package var naturalFrequency: Double {
    isDeceleration ? κ : (isOverdamped ? α * (α + κ) : α * α + κ * κ).squareRoot()
  }

  /// The sum of both decay rates of a spring, per second; infinite for one of duration 0.
  package var damping: Float { isJump ? .infinity : Float(2 * α + (isOverdamped ? κ : 0)) }

  /// ω₀² of a spring, finite.
  package var squaredFrequency: Float {
    min(Float(α * α + κ * (isOverdamped ? α : κ)), .greatestFiniteMagnitude)
  }

  /// Seconds until the motion is logically complete: the perceptual duration, which a deceleration does not have.
  package var logicalAge: Double? {
    if isJump {
      return 0
    }
    return isDeceleration ? nil : 2 * .pi / naturalFrequency
  }

  /// Seconds from the start before which no motion is at rest: see `RestKernel`. A little less than the kernel says.
  var leastRestAge: Float {
    if isJump { return 0 }
    if isDeceleration { return Float(0.999 * min(1 / (8 * κ), Self.δ)) }
    return Self.leastRestAge(naturalFrequency: naturalFrequency)
  }

  private static let δ = 1 / 30.0
  /// Springs with a lower ω₀ are not at rest before δ.
  static let slowFrequency: Float = 22

  /// The same for springs, and jumps, with ω₀ at most so large.
  static func leastRestAge(naturalFrequency: Double) -> Float { Float(0.999 * min(.pi / (4 * naturalFrequency), δ)) }

  /// The basis of a motion at an age, in seconds.
  package func basis(age: Double) -> MotionBasis { MotionBasis(rate: rate, α: α, κ: κ, age: age) }
}

/// A spring, and what every motion that begins with it needs.
struct SpringStart: BitwiseCopyable {
  let coefficients: SpringCoefficients
  let rule: AmplitudeRule
  /// See ``SpringCoefficients/leastRestAge``.
  let leastRestAge: Float
  /// Seconds until the motion is logically complete, or a little less; infinite for a deceleration.
  let logicalAge: Float
  /// Seconds in which the bound of the motion's distance from its target halves, or a little less; 0 for a deceleration.
  private let halving: Float
  /// Springs with one number are the same.
  let number: UInt32

  init(_ coefficients: SpringCoefficients, number: UInt32) {
    (self.coefficients, rule, self.number) = (coefficients, AmplitudeRule(coefficients), number)
    leastRestAge = coefficients.leastRestAge
    logicalAge = coefficients.logicalAge.map { Float($0) * 0.999_99 } ?? .infinity
    halving = coefficients.isDeceleration ? 0 : 0.999_99 / max(coefficients.decay, 1e-30)
  }

  /// At most the age at which a motion is at rest, without a logarithm: see `RestKernel`, whose bounds are at least the
  /// displacement at the start.
  ///
  /// - Parameter displacement: The sum over all dimensions, as a multiple of the tolerance.
  @inline(__always)
  func leastRestAge(displacement: Float) -> Float {
    let halvings = Int32(truncatingIfNeeded: displacement.bitPattern >> 23) - 127
    return max(leastRestAge, Float(max(halvings, 0)) * halving)
  }
}

/// The spring of the latest start: programs often start many motions with one spring.
struct LatestSpring {
  var start = SpringStart(.jump, number: .max)
  private var model: (spring: Spring, coefficients: SpringCoefficients)?

  /// The coefficients of the spring of an animation that is not modified; nil for any other animation, and for nil.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` if batches do not accept the spring.
  @inline(__always)
  mutating func coefficients(_ animation: Animation?) throws(BatchError) -> SpringCoefficients? {
    guard let spring = animation?.plainSpring else { return nil }
    if let model, model.spring == spring, animation?.blendDuration == 0 { return model.coefficients }
    let coefficients = try animation?.coefficientsOfSpring()
    model = coefficients.map { (spring, $0) }
    return coefficients
  }

  /// Makes ``start`` that of a spring. It stays, with its number, if the spring is the same.
  @inline(__always)
  mutating func prepare(_ coefficients: SpringCoefficients) {
    if start.coefficients != coefficients { start = SpringStart(coefficients, number: 1 + start.number % .max) }
  }

  /// The start of motions with a spring.
  mutating func start(_ coefficients: SpringCoefficients) -> SpringStart {
    prepare(coefficients)
    return start
  }
}

extension SpringCoefficients {
  /// The coefficients of a deceleration.
  ///
  /// - Throws: ``BatchError/invalidDeceleration(rate:)`` if batches do not accept it.
  package init(checked deceleration: Deceleration) throws(BatchError) {
    guard deceleration.rate < 1, BatchLimits.decelerationConstants ~= deceleration.decayConstant else {
      throw .invalidDeceleration(rate: deceleration.rate)
    }
    self.init(accepted: deceleration)
  }

  /// The coefficients of a spring.
  ///
  /// - Throws: ``BatchError/invalidSpring(index:reason:)`` with the given index if batches do not accept it.
  package init(checked spring: Spring, index: Int = 0) throws(BatchError) {
    if let defect = BatchLimits.defect(of: spring) { throw .invalidSpring(index: index, reason: defect) }
    self.init(accepted: spring)
  }
}

extension AmplitudeRule {
  package init(_ coefficients: SpringCoefficients) {
    self.init(α: coefficients.α, perκ: coefficients.isJump ? 0 : 1 / coefficients.κ)
  }

  /// Whether this is the rule of a spring of duration 0, which is at its target at once.
  var jumps: Bool { perκ == 0 }

  /// A velocity as columns hold it: a Float within the largest one, and no −0.
  static func shown(_ velocity: Double) -> Float {
    Float(max(-Double(largestVelocity), min(Double(largestVelocity), velocity))) + 0
  }

  package func amplitude(displacement: Float, velocity: Float) -> Float {
    // As in the kernels, whose clamp makes a −0 a plain 0.
    let velocity = max(-Self.largestVelocity, min(Self.largestVelocity, velocity)) + 0
    return jumps ? 0 : Float((Double(velocity) + α * Double(displacement)) * perκ)
  }
}
