// SPDX-License-Identifier: MIT
internal import CProcessor

/// `a · b + c` in each lane, rounded once, without an instruction for it.
///
/// The product of two Floats is exact in Double; the sum is not, and rounding it to Double and again to Float can
/// round twice. So the sum is rounded *to odd* first: if it was inexact and its last bit is even, it moves one unit
/// towards the part that was lost. Double has more than two bits beyond twice Float's precision, so the second rounding then
/// sees on which side of a tie the exact sum lies (Boldo and Melquiond, "Emulation of a FMA and correctly rounded
/// sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57, 2008).
///
/// All operands finite. Exact for every result, subnormal ones and overflow to infinity included.
@inline(__always)
func emulatedFusedMultiplyAdd(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>) -> SIMD4<Float> {
  let product = SIMD4<Double>(a) * SIMD4<Double>(b)
  let addend = SIMD4<Double>(c)
  let sum = product + addend
  // What the sum lost, exactly (Knuth's two-sum).
  let back = sum - product
  let lost = (product - (sum - back)) + (addend - back)

  let sumBits = unsafeBitCast(sum, to: SIMD4<Int64>.self)
  let lostBits = unsafeBitCast(lost, to: SIMD4<Int64>.self)
  let one = SIMD4<Int64>(repeating: 1)
  let magnitude = lostBits &<< one
  let inexact = (magnitude | (SIMD4<Int64>(repeating: 0) &- magnitude)) &>> SIMD4<Int64>(repeating: 63)
  let even = (sumBits & one) &- one
  // +1 if what was lost has the sign of the sum, so that the magnitude grows; −1 if not.
  let towards = ((sumBits ^ lostBits) &>> SIMD4<Int64>(repeating: 63)) | one
  let odd = sumBits &+ (towards & inexact & even)
  return lanes_narrow4(unsafeBitCast(odd, to: SIMD4<Double>.self))
}
