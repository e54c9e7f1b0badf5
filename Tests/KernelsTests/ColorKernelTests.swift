// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Kernels

/// The functions of colours, over a dense sample of Floats, against the C library in Double. The bounds are those that the
/// comments in `ColorKernel.swift` state.
struct ColorKernelTests {
  /// The largest error as a part of the value, over every 4 · 997th Float between two of either sign.
  private static func worst(
    _ first: Float, _ last: Float, _ function: (SIMD4<Float>) -> SIMD4<Float>, _ exact: (Double) -> Double
  ) -> Double {
    var worst = 0.0
    for bits in stride(from: first.bitPattern, through: last.bitPattern, by: 4 * 997) {
      let x = Float(bitPattern: bits)
      let got = function([x, -x, x, -x])
      let expected = exact(Double(x))
      worst = max(worst, abs(Double(got[0]) / expected - 1), abs(Double(-got[1]) / expected - 1))
    }
    return worst
  }

  @Test func functionsAreWithinTheirBounds() {
    let light = Self.worst(1e-30, 1e4, Portable.linear) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    let level = Self.worst(1e-30, 1e4, Portable.gammaEncoded) {
      $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055
    }
    let root = Self.worst(0x1p-100, 0x1p80, Portable.cubeRoot, cbrt)
    #expect(light > 2e-7 && light < 4.5e-7, "\(light)")
    #expect(level > 2e-7 && level < 4.5e-7, "\(level)")
    #expect(root > 1e-7 && root < 2e-7, "\(root)")
  }

  @Test func zerosInfinitiesAndNumbersThatAreNoneStayWhatTheyAre() {
    let odd: SIMD4<Float> = [0, -0.0, .infinity, .nan]
    for function in [Portable.linear, Portable.gammaEncoded, Portable.cubeRoot] {
      let got = function(odd)
      #expect(
        got[0].bitPattern == 0 && got[1].bitPattern == Float(-0.0).bitPattern && got[2] == .infinity && got[3].isNaN)
    }
    // Below the range of the power, roots stay in order and small.
    let tiny = Portable.cubeRoot([0x1p-100, 0x1p-110, .leastNormalMagnitude, .leastNonzeroMagnitude])
    #expect(tiny[0] < 0x1p-33 * 1.001 && tiny[1] < tiny[0] && tiny[2] < tiny[1] && tiny[3] < tiny[2] && tiny[3] > 0)
  }
}
