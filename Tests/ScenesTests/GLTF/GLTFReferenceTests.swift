// SPDX-License-Identifier: MIT
@testable import Formats
import Testing

@testable import Scenes

/// The reference against numbers worked out by hand from the specification's formulas.
struct GLTFReferenceTests {
  private func channel(
    _ path: GLTFAnimation.Path, _ interpolation: GLTFAnimation.Interpolation, _ times: [Double], _ values: [Double],
    width: Int
  ) -> GLTFAnimation.Channel {
    let sampler = GLTFAnimation.Sampler(interpolation: interpolation, times: times, width: width, values: values)
    return GLTFAnimation.Channel(index: 0, node: 0, nodeName: "n", path: path, sampler: sampler)
  }

  /// The last one has keys 1 and 3, two seconds apart, leaving at 4 a second and arriving at −2 a second. Half way:
  /// (1 + 3)/2 + 2·(4 − (−2))/8 = 3.5; a quarter: 0.84375·1 + 2·0.140625·4 + 0.15625·3 + 2·(−0.046875)·(−2) = 2.625.
  @Test(
    arguments: [
      (.linear, [1, 2, 4], [1, 3, 8], [(-1, 1), (0, 1), (1, 1), (1.5, 2), (2, 3), (4, 8), (9, 8)]),
      (.step, [1, 2, 4], [1, 3, 8], [(0, 1), (1.999, 1), (2, 3), (3.99, 3), (4, 8), (5, 8)]),
      (.cubicSpline, [0, 2], [99, 1, 4, -2, 3, 99], [(0, 1), (0.5, 2.625), (1, 3.5), (2, 3), (9, 3)]),
    ] as [(GLTFAnimation.Interpolation, [Double], [Double], [(Double, Double)])])
  func linesStepsAndSplines(
    _ interpolation: GLTFAnimation.Interpolation, _ times: [Double], _ values: [Double], _ shown: [(Double, Double)]
  ) {
    let weight = channel(.weights, interpolation, times, values, width: 1)
    for (time, expected) in shown { #expect(GLTFReference.values(of: weight, at: time) == [expected], "at \(time)") }
  }

  /// A turn of 120° about z from 0: a third of it is 40°, whose half has the sine and cosine of 20°.
  @Test func greatCircles() {
    let half = 0.8660254037844386
    for sign in [1.0, -1] {
      let turn = channel(.rotation, .linear, [0, 3], [0, 0, 0, 1, 0, 0, sign * half, sign * 0.5], width: 4)
      let value = GLTFReference.values(of: turn, at: 1)
      #expect(abs(value[2] - 0.3420201433256687) < 1e-15 && abs(value[3] - 0.9396926207859084) < 1e-15)
    }
  }

  /// Half way between x and y with no tangents lies (½, ½, 0, 0), of length √½.
  @Test func splinesOfRotationsAreNormalised() {
    let zeros: [Double] = [0, 0, 0, 0]
    let values: [Double] = zeros + [1, 0, 0, 0] + zeros + zeros + [0, 1, 0, 0] + zeros
    let turn = channel(.rotation, .cubicSpline, [0, 1], values, width: 4)
    let value = GLTFReference.values(of: turn, at: 0.5)
    #expect(abs(value[0] - 0.7071067811865476) < 1e-15 && abs(value[1] - 0.7071067811865476) < 1e-15)
  }
}
