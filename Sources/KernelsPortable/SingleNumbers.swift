// SPDX-License-Identifier: MIT
public import Kernels
// The Double functions that kernels use for cohorts, for single numbers.

/// 2ˣ for x ≤ 0, and 0 below −100.
public func portableExp2(ofNegative x: Double) -> Double {
  Portable.exp2OfNegative(Portable.Doubles(repeating: x))[0]
}

/// 1 − 2ˣ for x ≤ 0.
public func portableOneMinusExp2(ofNegative x: Double) -> Double {
  Portable.oneMinusExp2OfNegative(Portable.Doubles(repeating: x))[0]
}

/// The sine and cosine of `x` quarter turns; |x| < 2⁵¹.
public func portableSineAndCosine(quarterTurns x: Double) -> (sine: Double, cosine: Double) {
  let (sine, cosine) = Portable.sineAndCosine(quarterTurns: Portable.Doubles(repeating: x))
  return (sine[0], cosine[0])
}

/// The basis of one cohort at an age; its columns as in `BasisColumns`.
public func portableBasis(rate: Double, α: Double, κ: Double, age: Double) -> CohortBasis {
  let (start, rates) = (Portable.Doubles.zero, Portable.Doubles(repeating: rate))
  let (αs, κs) = (Portable.Doubles(repeating: α), Portable.Doubles(repeating: κ))
  return Portable.basis(start: start, rate: rates, α: αs, κ: κs, now: age, lane: 0)
}
