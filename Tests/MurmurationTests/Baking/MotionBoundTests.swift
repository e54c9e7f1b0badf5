// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import Testing

@testable import Murmuration

/// A motion that the quick test finds moving also moves by the bound of rest.
struct MotionBoundTests {
  @Test(arguments: [-0.9, -0.2, 0, 0.001, 0.3, 0.8, 1])
  func whatMovesDoesNotRest(_ bounce: Double) {
    var random = SplitMix64(seed: 5)
    var (moving, resting) = (0, 0)
    for round in 0..<4_000 {
      let coefficients = SpringCoefficients(
        accepted: Spring(duration: exp2Of(random.uniform(-8...6)), bounce: bounce))
      let tolerance = RestTolerance(
        perValue: Float(exp2Of(random.uniform(0...12))), perVelocity: Float(exp2Of(random.uniform(-4...12))),
        isRelative: round % 2 == 0)
      let dimensions = 1 + round % 3
      let bound = MotionBound(coefficients, tolerance)
      let tile = RestTile(dimensions: dimensions, KernelSet.portable.table)
      let state = SIMD3(
        Float(random.uniform(-1...1) * exp2Of(random.uniform(-9...9))),
        Float(random.uniform(-1...1) * exp2Of(random.uniform(-9...9))), 0)
      let age = random.uniform(0...1.1) * (coefficients.logicalAge ?? 0)
      // The other dimensions move as far.
      let restAge = tile.restAge(coefficients, tolerance) { _ in state }
      if bound.moves(state, until: age) {
        moving += 1
        // At the times of frames.
        if !(Float(age) < restAge) { Issue.record("\(state), \(age) s of \(restAge) s") }
      } else if Float(age) < restAge {
        resting += 1
      }
    }
    // The quick test finds most motions that move.
    #expect(moving > 1_000)
    #expect(resting < moving)
  }

  private func exp2Of(_ x: Double) -> Double {
    let whole = x.rounded(.down)
    return (1 + (x - whole)) * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }
}
