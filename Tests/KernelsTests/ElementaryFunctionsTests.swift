// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Kernels

/// The polynomials, over a dense sample of all Floats of their range, against the C library in Double.
///
/// The bounds are the ones that the comments in `ElementaryFunctions.swift` state.
struct ElementaryFunctionsTests {
  /// The test takes one Float of this number; it is prime, so that no bit pattern is favoured. With 1 the test is
  /// exhaustive and takes minutes.
  private static let stride: UInt32 = 8_009

  /// The largest error in units in the last place over Floats from `first` to `last` in magnitude, times `sign`.
  private func worst(
    _ first: Float, _ last: Float, sign: Float, _ function: (SIMD4<Float>) -> SIMD4<Float>, _ exact: (Double) -> Double
  ) -> Double {
    var worst = 0.0
    var bits = first.bitPattern
    while bits <= last.bitPattern {
      var x = SIMD4<Float>()
      for lane in 0..<4 {
        x[lane] = sign * Float(bitPattern: min(bits + UInt32(lane) * Self.stride, last.bitPattern))
      }
      let got = function(x)
      for lane in 0..<4 {
        let expected = exact(Double(x[lane]))
        let ulp = Double(Float(abs(expected)).ulp)
        worst = max(worst, abs(Double(got[lane]) - expected) / ulp)
      }
      bits += 4 * Self.stride
    }
    return worst
  }

  @Test func exp2IsWithin1Ulp() {
    let error = worst(0x1p-40, 100, sign: -1, Portable.exp2OfNegative, exp2)
    #expect(error > 0.5 && error <= 1, "\(error)")
    #expect(Portable.exp2OfNegative(SIMD4<Float>(0, -1, -100, -1e30)) == SIMD4<Float>(1, 0.5, 0x1p-100, 0x1p-100))
  }

  @Test func oneMinusExp2IsWithin2Ulp() {
    let error = worst(0x1p-60, 125, sign: -1, Portable.oneMinusExp2OfNegative) { -expm1($0 * 0.6931471805599453) }
    #expect(error > 0.5 && error <= 2, "\(error)")
    #expect(Portable.oneMinusExp2OfNegative(SIMD4<Float>(0, -1, -125, -1e30)) == SIMD4<Float>(0, 0.5, 1, 1))
  }

  @Test(arguments: [Float(1), -1]) func sineAndCosineAreWithin2Ulp(_ sign: Float) {
    let sine = worst(0x1p-60, 0.5, sign: sign, { Portable.sineAndCosine(quarterTurns: $0).sine }) { sin($0 * .pi / 2) }
    let cosine = worst(0x1p-60, 0.5, sign: sign, { Portable.sineAndCosine(quarterTurns: $0).cosine }) {
      cos($0 * .pi / 2)
    }
    #expect(sine > 0.5 && sine <= 2 && cosine > 0.5 && cosine <= 2, "\(sine) \(cosine)")
  }

  @Test(arguments: [Int32(0), 1, 2, 3, 4, -1, -2, Int32.min, Int32.max]) func factorsKnowTheirQuarter(_ quarters: Int32)
  {
    let expected = [(1, 0), (0, 1), (-1, 0), (0, -1)][Int(quarters & 3)]
    for rest in [Float(-0.5), -0.1, 0, 0.3, 0.5] {
      let factors = Portable.oscillatingFactors(
        quarters: SIMD4(repeating: quarters), rest: SIMD4(repeating: rest), envelope: SIMD4(repeating: 1),
        κ: SIMD4(repeating: 1), minusα: .zero)
      let (c, s) = (cos(Double(rest) * .pi / 2), sin(Double(rest) * .pi / 2))
      let (cosine, sine) = (
        Double(expected.0) * c - Double(expected.1) * s, Double(expected.1) * c + Double(expected.0) * s
      )
      #expect(abs(Double(factors.value.ofDisplacement[0]) - cosine) < 2e-7, "\(rest)")
      #expect(abs(Double(factors.value.ofAmplitude[0]) - sine) < 2e-7, "\(rest)")
      #expect(abs(Double(factors.velocity.ofDisplacement[0]) + sine) < 2e-7, "\(rest)")
      #expect(abs(Double(factors.velocity.ofAmplitude[0]) - cosine) < 2e-7, "\(rest)")
    }
  }
}
