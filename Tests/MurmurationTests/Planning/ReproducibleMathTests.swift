// SPDX-License-Identifier: MIT
import Foundation
import Kernels
import Testing

@testable import Murmuration

/// The functions against the C library, which is right to about an ulp. A hash pins the bits themselves.
struct ReproducibleMathTests {
  private static let bound = 4 * 0x1p-53

  @Test func exp2IsWithinFourRoundings() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<100_000 {
      let x = -random.uniform(0...100)
      let exact = exp2(x)
      #expect(abs(ReproducibleMath.exp2OfNegative(x) - exact) <= Self.bound * exact, "x = \(x)")
    }
    #expect(ReproducibleMath.exp2OfNegative(0) == 1)
    #expect(ReproducibleMath.exp2OfNegative(-1) == 0.5)
    #expect(ReproducibleMath.exp2OfNegative(-1e300) == 0)
  }

  @Test func oneMinusExp2KeepsItsDigitsNearZero() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<100_000 {
      let x = -exp2(random.uniform(-60...6))
      let exact = -expm1(x * 0.6931471805599453)
      #expect(abs(ReproducibleMath.oneMinusExp2OfNegative(x) - exact) <= 2 * Self.bound * exact, "x = \(x)")
    }
    #expect(ReproducibleMath.oneMinusExp2OfNegative(0) == 0)
  }

  @Test func sineAndCosineHoldForMillionsOfTurns() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<100_000 {
      // A whole number of quarter turns and an angle within one: their sum is exact to 2⁻²⁷ of a quarter turn, so the
      // C library can be asked about the angle alone.
      let whole = Double(random.next() >> 40)
      let angle = (random.uniform(-0.5...0.5) * 0x1p26).rounded() * 0x1p-26
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: whole + angle)
      let (s, c) = (sin(angle * .pi / 2), cos(angle * .pi / 2))
      let expected = [(s, c), (c, -s), (-s, -c), (-c, s)][Int(whole) & 3]
      #expect(abs(sine - expected.0) <= Self.bound && abs(cosine - expected.1) <= Self.bound, "\(whole) + \(angle)")
    }
  }

  /// Sums and products are the same on every machine, so these bits are too. A change of the polynomials changes them.
  @Test func bitsArePinned() {
    var random = SplitMix64(seed: 4)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for _ in 0..<10_000 {
      let x = random.uniform(0...100)
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: x)
      let numbers = [
        ReproducibleMath.exp2OfNegative(-x), ReproducibleMath.oneMinusExp2OfNegative(-x / 100), sine, cosine,
      ]
      for number in numbers {
        hash = (hash ^ number.bitPattern) &* 0x100_0000_01b3
      }
    }
    #expect(hash == 0xe315_15ac_27bb_b48b, "\(String(hash, radix: 16))")
  }
}
