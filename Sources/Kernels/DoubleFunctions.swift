// SPDX-License-Identifier: MIT
// Elementary functions in Double, for bases that many frames need. They consist of sums and products alone, which are
// correctly rounded everywhere and never contracted, so they give the same bits on every machine. The C library's
// functions differ in the last bit between processors and versions. The polynomials are Taylor's, long enough that
// truncation stays below rounding. Tested bounds: 4 · 2⁻⁵³ of its value for 2ˣ, 8 · 2⁻⁵³ for 1 − 2ˣ; 4 · 2⁻⁵³ for sine
// and cosine.

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func splatDouble(_ value: Double) -> Doubles { Doubles(repeating: value) }

  /// All bits of a lane set where `a < b`; neither may be NaN.
  @export(implementation) @inline(__always)
  static func isLess(_ a: Doubles, _ b: Doubles) -> Longs {
    unsafe unsafeBitCast(a - b, to: Longs.self) &>> Longs(repeating: 63)
  }

  /// `a` where the mask is set, otherwise `b`.
  @export(implementation) @inline(__always)
  static func select(_ mask: Longs, _ a: Doubles, _ b: Doubles) -> Doubles {
    let (a, b) = unsafe (unsafeBitCast(a, to: Longs.self), unsafeBitCast(b, to: Longs.self))
    return unsafe unsafeBitCast(b ^ ((a ^ b) & mask), to: Doubles.self)
  }

  /// The integer nearest to each lane, and the sum whose low bits hold it; |x| < 2⁵¹.
  @export(implementation) @inline(__always)
  static func nearestInteger(_ x: Doubles) -> (integer: Doubles, shifted: Doubles) {
    let shifter = splatDouble(6_755_399_441_055_744)
    let shifted = x + shifter
    return (shifted - shifter, shifted)
  }

  /// e^y − 1 for |y| ≤ 0.35.
  @export(implementation) @inline(__always)
  static func expm1Reduced(_ y: Doubles) -> Doubles {
    var sum = splatDouble(1.1470745597729725e-11)
    sum = sum * y + splatDouble(1.6059043836821613e-10)
    sum = sum * y + splatDouble(2.08767569878681e-09)
    sum = sum * y + splatDouble(2.505210838544172e-08)
    sum = sum * y + splatDouble(2.755731922398589e-07)
    sum = sum * y + splatDouble(2.7557319223985893e-06)
    sum = sum * y + splatDouble(2.48015873015873e-05)
    sum = sum * y + splatDouble(0.0001984126984126984)
    sum = sum * y + splatDouble(0.001388888888888889)
    sum = sum * y + splatDouble(0.008333333333333333)
    sum = sum * y + splatDouble(0.041666666666666664)
    sum = sum * y + splatDouble(0.16666666666666666)
    sum = sum * y + splatDouble(0.5)
    sum = sum * y + splatDouble(1)
    return sum * y
  }

  /// 2ˣ for x ≤ 0; 0 below −100, where a motion is over: smaller numbers would be subnormal in Float, and slow.
  @export(implementation) @inline(__always)
  public static func exp2OfNegative(_ x: Doubles) -> Doubles {
    let isOver = isLess(x, splatDouble(-100))
    let x = select(isOver, Doubles.zero, x)
    let (n, shifted) = nearestInteger(x)
    let p = splatDouble(1) + expm1Reduced((x - n) * splatDouble(0.6931471805599453))
    let exponent = unsafe unsafeBitCast(shifted, to: Longs.self) &<< Longs(repeating: 52)
    return unsafe select(
      isOver, Doubles.zero, unsafeBitCast(unsafeBitCast(p, to: Longs.self) &+ exponent, to: Doubles.self))
  }

  /// 1 − 2ˣ for x ≤ 0, accurate also where x is tiny.
  @export(implementation) @inline(__always)
  public static func oneMinusExp2OfNegative(_ x: Doubles) -> Doubles {
    let isTiny = isLess(splatDouble(-0.5), x)
    let reduced = select(isTiny, x, Doubles.zero)
    return select(
      isTiny, Doubles.zero - expm1Reduced(reduced * splatDouble(0.6931471805599453)), splatDouble(1) - exp2OfNegative(x)
    )
  }

  /// The sine and cosine of `x` quarter turns; |x| < 2⁵¹.
  @export(implementation) @inline(__always)
  public static func sineAndCosine(quarterTurns x: Doubles) -> (sine: Doubles, cosine: Doubles) {
    let (whole, shifted) = nearestInteger(x)
    let θ = (x - whole) * splatDouble(1.5707963267948966)
    let s = θ * θ
    var p = splatDouble(2.8114572543455206e-15)
    p = p * s + splatDouble(-7.647163731819816e-13)
    p = p * s + splatDouble(1.6059043836821613e-10)
    p = p * s + splatDouble(-2.505210838544172e-08)
    p = p * s + splatDouble(2.7557319223985893e-06)
    p = p * s + splatDouble(-0.0001984126984126984)
    p = p * s + splatDouble(0.008333333333333333)
    p = p * s + splatDouble(-0.16666666666666666)
    p = p * s + splatDouble(1)
    var q = splatDouble(-1.5619206968586225e-16)
    q = q * s + splatDouble(4.779477332387385e-14)
    q = q * s + splatDouble(-1.1470745597729725e-11)
    q = q * s + splatDouble(2.08767569878681e-09)
    q = q * s + splatDouble(-2.755731922398589e-07)
    q = q * s + splatDouble(2.48015873015873e-05)
    q = q * s + splatDouble(-0.001388888888888889)
    q = q * s + splatDouble(0.041666666666666664)
    q = q * s + splatDouble(-0.5)
    q = q * s + splatDouble(1)
    let quarters = unsafe unsafeBitCast(shifted, to: Longs.self)
    let odd = Longs(repeating: 0) &- (quarters & Longs(repeating: 1))
    let sine = unsafe unsafeBitCast(select(odd, q, p * θ), to: Longs.self)
    let cosine = unsafe unsafeBitCast(select(odd, p * θ, q), to: Longs.self)
    // The sign bits follow from bit 1 of the quadrant and of the next one.
    let sineSign = (quarters &<< Longs(repeating: 62)) & Longs(repeating: .min)
    let cosineSign = ((quarters &+ Longs(repeating: 1)) &<< Longs(repeating: 62)) & Longs(repeating: .min)
    return unsafe (
      unsafeBitCast(sine ^ sineSign, to: Doubles.self), unsafeBitCast(cosine ^ cosineSign, to: Doubles.self)
    )
  }
}
