// SPDX-License-Identifier: MIT

/// Elementary functions in Double with the same bits on every machine, for single numbers that reach a kernel or a
/// picture. Kernels compute bases with the same functions.
package enum ReproducibleMath {
  /// 2ˣ for x ≤ 0; 0 below −100.
  package static func exp2OfNegative(_ x: Double) -> Double {
    Portable.exp2OfNegative(Portable.Doubles(repeating: x))[0]
  }

  /// 1 − 2ˣ for x ≤ 0, accurate also for a tiny x.
  package static func oneMinusExp2OfNegative(_ x: Double) -> Double {
    Portable.oneMinusExp2OfNegative(Portable.Doubles(repeating: x))[0]
  }

  /// The sine and cosine of `x` quarter turns; |x| < 2⁵¹.
  package static func sineAndCosine(quarterTurns x: Double) -> (sine: Double, cosine: Double) {
    let (sine, cosine) = Portable.sineAndCosine(quarterTurns: Portable.Doubles(repeating: x))
    return (sine[0], cosine[0])
  }
}

extension MotionBasis {
  /// The basis of one motion at an age; its columns as in `BasisColumns`.
  package init(rate: Double, α: Double, κ: Double, age: Double) {
    let (start, rates) = (Portable.Doubles.zero, Portable.Doubles(repeating: rate))
    let (αs, κs) = (Portable.Doubles(repeating: α), Portable.Doubles(repeating: κ))
    self = Portable.basis(start: start, rate: rates, α: αs, κ: κs, now: age, lane: 0)
  }
}
