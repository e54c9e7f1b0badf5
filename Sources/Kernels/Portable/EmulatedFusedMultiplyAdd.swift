// SPDX-License-Identifier: MIT
public import CProcessor

/// `a · b + c` in each lane, rounded once, without an instruction for it.
///
/// The product of two Floats is exact in Double; the sum is not, and rounding it to Double and again to Float can
/// round twice. That happens only if the rounded sum lies exactly between two Floats, which the low 29 bits of its
/// significand tell, or where Float has fewer bits than usual, below 2⁻¹²⁶. Such sums are rare, and take the long way.
///
/// All operands must be finite. Exact for every result, also for subnormal ones and overflow to infinity.
@export(implementation) @inline(__always)
func emulatedFusedMultiplyAdd(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>) -> SIMD4<Float> {
  let product = lanes_widen4(a) * lanes_widen4(b)
  let addend = lanes_widen4(c)
  let sum = product + addend
  if mayRoundTwice(sum) {
    return roundedToOdd(sum, product, addend)
  }
  return lanes_narrow4(sum)
}

/// Whether a lane may be a tie between two Floats, or is too small for a normal Float.
@export(implementation) @inline(__always)
func mayRoundTwice(_ sum: SIMD4<Double>) -> Bool {
  #if arch(wasm32)
    return lanes_may_round_twice4(sum)
  #else
    let bits = unsafe unsafeBitCast(sum, to: SIMD4<Int64>.self)
    let low = lanes_truncate4(bits)
    let high = lanes_truncate4(bits &>> SIMD4<Int64>(repeating: 32))
    // Each of these has its sign bit set where it applies.
    let offTie = (low & SIMD4<Int32>(repeating: 0x1FFF_FFFF)) ^ SIMD4<Int32>(repeating: 0x1000_0000)
    let isTie = (offTie &- SIMD4<Int32>(repeating: 1)) & ~offTie
    let isSmall = (high & SIMD4<Int32>(repeating: 0x7FFF_FFFF)) &- SIMD4<Int32>(repeating: 0x3810_0000)
    let either = unsafe unsafeBitCast(isTie | isSmall, to: SIMD2<UInt64>.self)
    return (either.x | either.y) & 0x8000_0000_8000_0000 != 0
  #endif
}

/// A sum in Double, rounded *to odd* before it is rounded to Float.
///
/// If the sum was inexact and its last bit is even, it moves one unit towards the lost part. Double has more than two
/// bits beyond twice Float's precision, so the second rounding sees on which side of a tie the exact sum lies (Boldo
/// and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE
/// Transactions on Computers 57, 2008).
@export(implementation) @inline(never)
func roundedToOdd(_ sum: SIMD4<Double>, _ product: SIMD4<Double>, _ addend: SIMD4<Double>) -> SIMD4<Float> {
  // The part that the sum lost, exactly (Knuth's two-sum).
  let back = sum - product
  let lost = (product - (sum - back)) + (addend - back)

  let sumBits = unsafe unsafeBitCast(sum, to: SIMD4<Int64>.self)
  let lostBits = unsafe unsafeBitCast(lost, to: SIMD4<Int64>.self)
  let one = SIMD4<Int64>(repeating: 1)
  let magnitude = lostBits &<< one
  let inexact = (magnitude | (SIMD4<Int64>(repeating: 0) &- magnitude)) &>> SIMD4<Int64>(repeating: 63)
  let even = (sumBits & one) &- one
  // +1 if the lost part has the sign of the sum, so that the magnitude grows; −1 if not.
  let towards = ((sumBits ^ lostBits) &>> SIMD4<Int64>(repeating: 63)) | one
  let odd = sumBits &+ (towards & inexact & even)
  return unsafe lanes_narrow4(unsafeBitCast(odd, to: SIMD4<Double>.self))
}
