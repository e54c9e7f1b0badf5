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

  /// These factors where all bits of the mask are set, the others where none is.
  @export(implementation) @inline(__always)
  func blended(_ mask: I.Ints, _ others: Self) -> Self {
    Self(
      value: (
        I.blend(mask, value.ofDisplacement, others.value.ofDisplacement),
        I.blend(mask, value.ofAmplitude, others.value.ofAmplitude)
      ),
      velocity: (
        I.blend(mask, velocity.ofDisplacement, others.velocity.ofDisplacement),
        I.blend(mask, velocity.ofAmplitude, others.velocity.ofAmplitude)
      ))
  }
}

/// What tells the two regimes apart, lane by lane. The motion of a lane is within 8 · 2⁻²⁴ of the spring's scale.
///
/// Rates are negative quarter turns per second for a bounce of 0 or more, so that ages enter as start − now throughout, and
/// κ·log₂e per second below, and for decelerations. A spring of duration 0 has rate −0.
extension InstructionSet {
  /// All bits of a lane set where its rate is that of an overdamped spring or of a deceleration.
  @export(implementation) @inline(__always)
  static func overdamped(_ rate: Doubles) -> Longs {
    unsafe unsafeBitCast(Doubles.zero - rate, to: Longs.self) &>> Longs(repeating: 63)
  }

  /// κ for a rate of 1.
  @export(implementation) @inline(__always)
  static var κPerRate: (oscillating: Doubles, overdamped: Doubles) {
    (splatDouble(-1.5707963267948966), splatDouble(0.6931471805599453))
  }

  /// κ from the column of rates.
  @export(implementation) @inline(__always)
  static func κ(ofRate rate: Doubles) -> Doubles {
    rate * select(Self.overdamped(rate), κPerRate.overdamped, κPerRate.oscillating)
  }

  /// rate · (start − now) of lanes that oscillate: the whole quarter turns, of which the two low bits count, and the rest
  /// of at most half a quarter turn.
  @export(implementation) @inline(__always)
  static func phase(rate: Doubles, negativeAge: Doubles) -> (quarters: Ints, rest: Floats) {
    // This sum leaves no bit for the fraction; its low bits count the quarter turns.
    let shifter = Doubles(repeating: 6_755_399_441_055_744)
    let phase = rate * negativeAge
    let shifted = phase + shifter
    return unsafe (truncate(unsafeBitCast(shifted, to: Longs.self)), narrow(phase - (shifted - shifter)))
  }

  @export(implementation) @inline(__always)
  static func oscillatingFactors(
    quarters: Ints, rest: Floats, envelope: Floats, κ: Floats, minusα: Floats
  ) -> LaneFactors<Self> {
    let (sine, cosine) = sineAndCosine(quarterTurns: rest)
    // Odd quarters swap sine and cosine and change one sign; from the second half turn on, both signs change.
    let turned = (quarters &<< Ints(repeating: 30)) & Ints(repeating: .min)
    let e = unsafe unsafeBitCast(unsafeBitCast(envelope, to: Ints.self) ^ turned, to: Floats.self)
    let c = e * select(quarters, Floats.zero - sine, cosine)
    let s = e * select(quarters, cosine, sine)
    return LaneFactors(value: (c, s), velocity: (minusα * c - κ * s, fusedMultiplyAdd(κ, c, minusα * s)))
  }

  /// - Parameter phase: rate · (start − now), which is −κt · log₂e.
  @export(implementation) @inline(__always)
  static func overdampedFactors(
    phase: Floats, envelope: Floats, κ: Floats, minusα: Floats
  ) -> LaneFactors<Self> {
    let s = oneMinusExp2OfNegative(phase)
    let faded = envelope * (splat(1) - s)
    let grown = envelope * s
    return LaneFactors(
      value: (envelope, grown), velocity: (minusα * envelope, fusedMultiplyAdd(κ, faded, minusα * grown)))
  }
}
