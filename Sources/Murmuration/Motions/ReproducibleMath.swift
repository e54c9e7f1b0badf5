// SPDX-License-Identifier: MIT
import KernelsPortable

/// Elementary functions in Double with the same bits on every machine, for single numbers that reach a kernel or a
/// picture. Kernels compute the bases of cohorts with the same functions.
package enum ReproducibleMath {
  /// 2ˣ for x ≤ 0; 0 below −100.
  package static func exp2OfNegative(_ x: Double) -> Double { portableExp2(ofNegative: x) }

  /// 1 − 2ˣ for x ≤ 0, accurate also for a tiny x.
  package static func oneMinusExp2OfNegative(_ x: Double) -> Double { portableOneMinusExp2(ofNegative: x) }

  /// The sine and cosine of `x` quarter turns; |x| < 2⁵¹.
  package static func sineAndCosine(quarterTurns x: Double) -> (sine: Double, cosine: Double) {
    portableSineAndCosine(quarterTurns: x)
  }
}
