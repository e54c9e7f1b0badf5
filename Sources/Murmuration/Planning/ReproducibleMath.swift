// SPDX-License-Identifier: MIT

/// Elementary functions in Double that give the same bits on every machine, for numbers that reach a kernel.
///
/// The C library's differ in the last bit between processors and versions. These use sums and products alone, which
/// are correctly rounded everywhere and never contracted. The polynomials are Taylor's, long enough that truncation
/// stays below rounding. Tested bounds: 4 · 2⁻⁵³ of its value for 2ˣ, 8 · 2⁻⁵³ for 1 − 2ˣ; 4 · 2⁻⁵³ for sine and cosine.
package enum ReproducibleMath {
  private static let ln2 = 0.6931471805599453

  /// e^y − 1 for |y| ≤ 0.35.
  private static func expm1Reduced(_ y: Double) -> Double {
    var sum = 1.1470745597729725e-11
    sum = sum * y + 1.6059043836821613e-10
    sum = sum * y + 2.08767569878681e-09
    sum = sum * y + 2.505210838544172e-08
    sum = sum * y + 2.755731922398589e-07
    sum = sum * y + 2.7557319223985893e-06
    sum = sum * y + 2.48015873015873e-05
    sum = sum * y + 0.0001984126984126984
    sum = sum * y + 0.001388888888888889
    sum = sum * y + 0.008333333333333333
    sum = sum * y + 0.041666666666666664
    sum = sum * y + 0.16666666666666666
    sum = sum * y + 0.5
    sum = sum * y + 1.0
    return sum * y
  }

  /// 2ˣ for x ≤ 0; 0 below −1 022.
  package static func exp2OfNegative(_ x: Double) -> Double {
    guard x > -1022 else {
      return 0
    }
    let n = x.rounded(.toNearestOrEven)
    let power = Double(sign: .plus, exponent: Int(n), significand: 1)
    return power * (1 + expm1Reduced((x - n) * ln2))
  }

  /// 1 − 2ˣ for x ≤ 0, accurate also where x is tiny.
  package static func oneMinusExp2OfNegative(_ x: Double) -> Double {
    x > -0.5 ? -expm1Reduced(x * ln2) : 1 - exp2OfNegative(x)
  }

  /// The sine and cosine of `x` quarter turns; |x| < 2⁵¹.
  package static func sineAndCosine(quarterTurns x: Double) -> (sine: Double, cosine: Double) {
    let whole = x.rounded(.toNearestOrEven)
    let θ = (x - whole) * (Double.pi / 2)
    let s = θ * θ
    var p = 2.8114572543455206e-15
    p = p * s + -7.647163731819816e-13
    p = p * s + 1.6059043836821613e-10
    p = p * s + -2.505210838544172e-08
    p = p * s + 2.7557319223985893e-06
    p = p * s + -0.0001984126984126984
    p = p * s + 0.008333333333333333
    p = p * s + -0.16666666666666666
    p = p * s + 1.0
    var q = -1.5619206968586225e-16
    q = q * s + 4.779477332387385e-14
    q = q * s + -1.1470745597729725e-11
    q = q * s + 2.08767569878681e-09
    q = q * s + -2.755731922398589e-07
    q = q * s + 2.48015873015873e-05
    q = q * s + -0.001388888888888889
    q = q * s + 0.041666666666666664
    q = q * s + -0.5
    q = q * s + 1.0
    let sine = p * θ
    let cosine = q
    return switch Int64(whole) & 3 {
    case 0: (sine, cosine)
    case 1: (cosine, -sine)
    case 2: (-sine, -cosine)
    default: (-cosine, sine)
    }
  }
}
