// SPDX-License-Identifier: MIT

/// The basis of some lanes: what multiplies displacement and initial velocity in the value (φ) and velocity (ψ).
public struct LaneBasis<I: InstructionSet> {
  public var φ0: I.Floats
  public var φ1: I.Floats
  @usableFromInline var ψ0: I.Floats
  @usableFromInline var ψ1: I.Floats

  @inlinable @inline(__always)
  public init(φ0: I.Floats, φ1: I.Floats, ψ0: I.Floats, ψ1: I.Floats) {
    self.φ0 = φ0
    self.φ1 = φ1
    self.ψ0 = ψ0
    self.ψ1 = ψ1
  }
}

// With ω₀² = stiffness/mass, decay constant d and E = e^(−αt), both regimes read
//
//     φ₀ = E(P + αR)    φ₁ = ER    ψ₀ = −ω₀²ER    ψ₁ = E(P − βR)
//
// oscillating:  κ = √(ω₀² − d²),  α = β = d,                 P = cos κt,  R = sin(κt)/κ
// overdamped:   κ = 2√(d² − ω₀²), α = slow root, β = α + κ,  P = 1,       R = (1 − e^(−κt))/κ
//
// No difference cancels, nothing overflows, and towards the critical case both R tend to t, so there is no third
// regime: a spring with κ below 10⁻¹²ω₀ takes that value, which changes nothing in Float.
//
// Age and phase are Double: age because two clock readings are subtracted, phase because a week at 20 Hz is 10⁷ turns.

/// A damping regime: how lanes of it compute their basis, within 8 · 2⁻²⁴ of the spring's scale.
public protocol DampingRegime {
  static func basis<I: InstructionSet>(
    _ set: I.Type, age: I.Doubles, rate: I.Doubles, decay: I.Floats, inverseRate: I.Floats, stiffness: I.Floats
  ) -> LaneBasis<I>
}

/// Bounce 0 or more.
public enum Oscillating: DampingRegime {
  @inlinable @inline(__always)
  public static func basis<I: InstructionSet>(
    _ set: I.Type, age: I.Doubles, rate: I.Doubles, decay: I.Floats, inverseRate: I.Floats, stiffness: I.Floats
  ) -> LaneBasis<I> {
    // The nearest whole quarter turn, by a sum that leaves no bit for the fraction; its low bits name the quadrant.
    let shifter = I.Doubles(repeating: 6_755_399_441_055_744)
    let phase = rate * age
    let shifted = phase + shifter
    let remainder = phase - (shifted - shifter)
    let (sine, cosine) = I.sineAndCosine(
      quarterTurns: I.narrow(remainder), quadrant: I.truncate(unsafeBitCast(shifted, to: I.Longs.self)))

    let envelope = I.exp2OfNegative(decay * I.narrow(age))
    let α = decay * I.splat(-0.6931471805599453)
    let er = envelope * (sine * inverseRate)
    let ep = envelope * cosine
    let αer = α * er
    return LaneBasis(φ0: ep + αer, φ1: er, ψ0: I.Floats.zero - stiffness * er, ψ1: ep - αer)
  }
}

/// Bounce below 0.
public enum Overdamped: DampingRegime {
  @inlinable @inline(__always)
  public static func basis<I: InstructionSet>(
    _ set: I.Type, age: I.Doubles, rate: I.Doubles, decay: I.Floats, inverseRate: I.Floats, stiffness: I.Floats
  ) -> LaneBasis<I> {
    let q = I.oneMinusExp2OfNegative(I.narrow(rate * age))
    let envelope = I.exp2OfNegative(decay * I.narrow(age))
    let α = decay * I.splat(-0.6931471805599453)
    let eq = envelope * q
    let er = eq * inverseRate
    let αer = α * er
    return LaneBasis(φ0: envelope + αer, φ1: er, ψ0: I.Floats.zero - stiffness * er, ψ1: (envelope - eq) - αer)
  }
}
