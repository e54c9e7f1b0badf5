// SPDX-License-Identifier: MIT
// Polynomials in Float on the reduced ranges that springs need: minimax fits with coefficients rounded to Float. The
// bounds in the comments are tested over each range (`ElementaryFunctionsTests`).

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func splat(_ value: Float) -> Floats { Floats(repeating: value) }

  /// 2ˣ for x ≤ 0, at most 1 ulp off; below −100 it stays at 2⁻¹⁰⁰.
  ///
  /// A motion that has decayed so far is over. With a smaller envelope its products would be subnormal, and lanes at
  /// rest would take longer than moving ones.
  @export(implementation) @inline(__always)
  static func exp2OfNegative(_ x: Floats) -> Floats {
    let x = maximum(x, splat(-100))
    let n = nearestInteger(x)
    let r = x - n
    var p = splat(0.00015461444854736328)
    p = fusedMultiplyAdd(p, r, splat(0.0013400427997112274))
    p = fusedMultiplyAdd(p, r, splat(0.009618056938052177))
    p = fusedMultiplyAdd(p, r, splat(0.05550327152013779))
    p = fusedMultiplyAdd(p, r, splat(0.24022650718688965))
    p = fusedMultiplyAdd(p, r, splat(0.6931471824645996))
    p = fusedMultiplyAdd(p, r, splat(1))
    return scale(p, byPowerOf: n)
  }

  /// 1 − 2ˣ for x ≤ 0, at most 2 ulp off also where x is tiny; below −125 it stays at 1.
  @export(implementation) @inline(__always)
  static func oneMinusExp2OfNegative(_ x: Floats) -> Floats {
    let x = maximum(x, splat(-125))
    let n = nearestInteger(x)
    let r = x - n
    var p = splat(0.00015382011770270765)
    p = fusedMultiplyAdd(p, r, splat(0.001338738715276122))
    p = fusedMultiplyAdd(p, r, splat(0.009618311189115047))
    p = fusedMultiplyAdd(p, r, splat(0.05550367385149002))
    p = fusedMultiplyAdd(p, r, splat(0.24022649228572845))
    p = fusedMultiplyAdd(p, r, splat(0.6931471824645996))
    let minusPower = scale(splat(-1), byPowerOf: n)
    // 1 − 2ⁿ(1 + rp): the first difference is exact for n = 0, and rounded once otherwise.
    return fusedMultiplyAdd(minusPower, r * p, splat(1) + minusPower)
  }

  /// The sine and cosine of `x` quarter turns, |x| ≤ ½; at most 2 ulp off.
  @export(implementation) @inline(__always)
  static func sineAndCosine(quarterTurns x: Floats) -> (sine: Floats, cosine: Floats) {
    let s = x * x
    var p = splat(-0.004682743921875954)
    p = fusedMultiplyAdd(p, s, splat(0.07971153408288956))
    p = fusedMultiplyAdd(p, s, splat(-0.6459665894508362))
    p = fusedMultiplyAdd(p, s, splat(1.5707963705062866))
    var q = splat(-0.020415116101503372)
    q = fusedMultiplyAdd(q, s, splat(0.2536024749279022))
    q = fusedMultiplyAdd(q, s, splat(-1.2336976528167725))
    q = fusedMultiplyAdd(q, s, splat(1))
    return (p * x, q)
  }
}
