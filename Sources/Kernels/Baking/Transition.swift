// SPDX-License-Identifier: MIT
// The motion from one age to a later one, in Double. With P = E(C·y₀ + S·s₀), the displacement, and Q = E·T, its
// quarter turn, at the earlier age, those at the later age are
//
//     P′ = c·P + s·Q            Q′ = d·Q − g·P
//
// where e = e^(−ατ) is the decay over the time τ between them,
//
//     oscillating:  c = d = e·cos κτ,   s = g = e·sin κτ
//     overdamped:   c = e,  s = e(1 − e^(−κτ)),  d = c − s,  g = 0
//
// and the velocity is κQ − αP. At the start P = y₀ and Q = s₀.

/// The motion of a vector of lanes over a span of time each.
@usableFromInline struct Transition<I: InstructionSet> {
  @usableFromInline var c: I.Doubles
  @usableFromInline var s: I.Doubles
  @usableFromInline var d: I.Doubles
  @usableFromInline var g: I.Doubles

  @export(implementation) @inline(__always)
  init(c: I.Doubles, s: I.Doubles, d: I.Doubles, g: I.Doubles) {
    (self.c, self.s, self.d, self.g) = (c, s, d, g)
  }

  /// The transition over `age` seconds, 0 or more; rate and α as in `BasisColumns`.
  @export(implementation) @inline(__always)
  init(rate: I.Doubles, α: I.Doubles, age: I.Doubles) {
    let envelope = I.exp2OfNegative(α * age * I.splatDouble(-1.4426950408889634))
    let isOscillating = unsafe unsafeBitCast(rate, to: I.Longs.self) &>> I.Longs(repeating: 63)
    let phase = I.Doubles.zero - rate * age
    let signs = I.signs(I.truncate(isOscillating))
    var (sine, cosine, q) = (I.Doubles.zero, I.splatDouble(1), I.Doubles.zero)
    // Most vectors are of one regime and skip the function of the other one.
    if signs != 0 {
      (sine, cosine) = I.sineAndCosine(quarterTurns: I.select(isOscillating, phase, I.Doubles.zero))
    }
    if signs != (1 &<< UInt32(I.Floats.scalarCount)) &- 1 {
      q = I.oneMinusExp2OfNegative(I.select(isOscillating, I.Doubles.zero, phase))
    }
    c = envelope * cosine
    s = envelope * I.select(isOscillating, sine, q)
    d = I.select(isOscillating, c, c - s)
    g = I.select(isOscillating, s, I.Doubles.zero)
  }

  /// The transition over the time of this one and then over the time of another.
  @export(implementation) @inline(__always)
  func followed(by next: Self) -> Self {
    Transition(
      c: next.c * c - next.s * g, s: next.c * s + next.s * d, d: next.d * d - next.g * s, g: next.g * c + next.d * g)
  }

  /// The same for lanes that all oscillate, with the same bits.
  @export(implementation) @inline(__always)
  func turned(by next: Self) -> Self {
    let (c, s) = (next.c * c - next.s * s, next.c * s + next.s * c)
    return Transition(c: c, s: s, d: c, g: s)
  }

  /// Displacement and quarter turn after the transition, from those before it.
  @export(implementation) @inline(__always)
  func callAsFunction(_ position: I.Doubles, _ turned: I.Doubles) -> (position: I.Doubles, turned: I.Doubles) {
    (c * position + s * turned, d * turned - g * position)
  }
}
