// SPDX-License-Identifier: MIT
// With ω₀² = stiffness/mass, decay constant d and E = e^(−αt), a motion from displacement y₀ with velocity v₀ is
//
//     y(t) = EC·y₀ + ES·s₀                        s₀ = (v₀ + αy₀)/κ, its amplitude
//     v(t) = −(αEC + κE·G)·y₀ + (κE·D − αES)·s₀
//
// oscillating:  κ = √(ω₀² − d²),  α = d,          C = D = cos κt,  S = G = sin κt
// overdamped:   κ = 2√(d² − ω₀²), α = slow root,  C = 1,  S = 1 − e^(−κt),  D = e^(−κt),  G = 0
// without a spring (a deceleration) the second applies with α = 0, and κ is the decay constant of the velocity.
//
// No difference cancels and nothing overflows. Towards the critical case S/κ tends to t in both, so there is no third
// regime: a spring with κ below 10⁻⁶ω₀ takes that value, which changes nothing in Float (see `SpringCoefficients`).
//
// The four factors of y₀ and s₀ come from the same operations wherever they are computed, for a lane or for all lanes
// of a uniform run at once, so that no bit shows which it was.
//
// Age and phase are Double: age because two clock readings are subtracted, phase because a week at 20 Hz is 10⁷ turns.

/// The factors of displacement and amplitude in the value and in the velocity of lanes at one time.
public struct LaneFactors<I: InstructionSet> {
  @usableFromInline var value: (ofDisplacement: I.Floats, ofAmplitude: I.Floats)
  @usableFromInline var velocity: (ofDisplacement: I.Floats, ofAmplitude: I.Floats)

  @export(implementation) @inline(__always)
  init(
    value: (ofDisplacement: I.Floats, ofAmplitude: I.Floats),
    velocity: (ofDisplacement: I.Floats, ofAmplitude: I.Floats)
  ) {
    (self.value, self.velocity) = (value, velocity)
  }

  /// The factors of one lane, for all.
  @export(implementation) @inline(__always)
  func spread(_ lane: Int) -> Self {
    Self(
      value: (I.splat(value.ofDisplacement[lane]), I.splat(value.ofAmplitude[lane])),
      velocity: (I.splat(velocity.ofDisplacement[lane]), I.splat(velocity.ofAmplitude[lane])))
  }
}

/// A damping regime: the motion of its lanes, within 8 · 2⁻²⁴ of the spring's scale.
public protocol DampingRegime {
  /// Whether α = 0 is a deceleration.
  static var decelerates: Bool { get }

  /// κ from the column of rates.
  static func κ<I: InstructionSet>(_ set: I.Type, ofRate rate: I.Doubles) -> I.Doubles

  /// ω₀²; κ² for a deceleration.
  static func squaredFrequency<I: InstructionSet>(_ set: I.Type, κ: I.Floats, α: I.Floats) -> I.Floats

  /// rate · (start − now): a whole part, and the rest.
  static func phase<I: InstructionSet>(
    _ set: I.Type, rate: I.Doubles, negativeAge: I.Doubles
  ) -> (whole: I.Ints, rest: I.Floats)

  /// The factors of lanes whose phase is known. E is 0 at rest.
  static func factors<I: InstructionSet>(
    _ set: I.Type, whole: I.Ints, rest: I.Floats, envelope: I.Floats, κ: I.Floats, minusα: I.Floats
  ) -> LaneFactors<I>
}

/// Bounce 0 or more. Rates are negative quarter turns per second, so that ages enter as start − now throughout.
public enum Oscillating: DampingRegime {
  @export(implementation) @inline(__always)
  public static var decelerates: Bool { false }

  @export(implementation) @inline(__always)
  public static func κ<I: InstructionSet>(_ set: I.Type, ofRate rate: I.Doubles) -> I.Doubles {
    rate * I.splatDouble(-1.5707963267948966)
  }

  @export(implementation) @inline(__always)
  public static func squaredFrequency<I: InstructionSet>(_ set: I.Type, κ: I.Floats, α: I.Floats) -> I.Floats {
    κ * κ + α * α
  }

  /// The whole quarter turns in the low bits, and the rest of at most half a quarter turn.
  @export(implementation) @inline(__always)
  public static func phase<I: InstructionSet>(
    _ set: I.Type, rate: I.Doubles, negativeAge: I.Doubles
  ) -> (whole: I.Ints, rest: I.Floats) {
    // This sum leaves no bit for the fraction; its low bits count the quarter turns.
    let shifter = I.Doubles(repeating: 6_755_399_441_055_744)
    let quarters = rate * negativeAge
    let shifted = quarters + shifter
    return unsafe (I.truncate(unsafeBitCast(shifted, to: I.Longs.self)), I.narrow(quarters - (shifted - shifter)))
  }

  @export(implementation) @inline(__always)
  public static func factors<I: InstructionSet>(
    _ set: I.Type, whole quarters: I.Ints, rest: I.Floats, envelope: I.Floats, κ: I.Floats, minusα: I.Floats
  ) -> LaneFactors<I> {
    let (sine, cosine) = I.sineAndCosine(quarterTurns: rest)
    // Odd quarters swap sine and cosine and change one sign; from the second half turn on, both signs change.
    let turned = (quarters &<< I.Ints(repeating: 30)) & I.Ints(repeating: .min)
    let e = unsafe unsafeBitCast(unsafeBitCast(envelope, to: I.Ints.self) ^ turned, to: I.Floats.self)
    let c = e * I.select(quarters, I.Floats.zero - sine, cosine)
    let s = e * I.select(quarters, cosine, sine)
    return LaneFactors(
      value: (c, s), velocity: (minusα * c - κ * s, I.fusedMultiplyAdd(κ, c, minusα * s)))
  }
}

/// Bounce below 0, and decelerations. Rates are κ·log₂e per second.
public enum Overdamped: DampingRegime {
  @export(implementation) @inline(__always)
  public static var decelerates: Bool { true }

  @export(implementation) @inline(__always)
  public static func κ<I: InstructionSet>(_ set: I.Type, ofRate rate: I.Doubles) -> I.Doubles {
    rate * I.splatDouble(0.6931471805599453)
  }

  @export(implementation) @inline(__always)
  public static func squaredFrequency<I: InstructionSet>(_ set: I.Type, κ: I.Floats, α: I.Floats) -> I.Floats {
    let springs = unsafe (I.Ints(repeating: 0) &- unsafeBitCast(α, to: I.Ints.self)) &>> I.Ints(repeating: 31)
    return α * (α + κ) + I.clear(κ * κ, where: springs)
  }

  /// No whole part, and −κt · log₂e.
  @export(implementation) @inline(__always)
  public static func phase<I: InstructionSet>(
    _ set: I.Type, rate: I.Doubles, negativeAge: I.Doubles
  ) -> (whole: I.Ints, rest: I.Floats) {
    (I.Ints(repeating: 0), I.narrow(rate * negativeAge))
  }

  @export(implementation) @inline(__always)
  public static func factors<I: InstructionSet>(
    _ set: I.Type, whole: I.Ints, rest: I.Floats, envelope: I.Floats, κ: I.Floats, minusα: I.Floats
  ) -> LaneFactors<I> {
    let s = I.oneMinusExp2OfNegative(rest)
    let faded = envelope * (I.splat(1) - s)
    let grown = envelope * s
    return LaneFactors(
      value: (envelope, grown), velocity: (minusα * envelope, I.fusedMultiplyAdd(κ, faded, minusα * grown)))
  }
}
