// SPDX-License-Identifier: MIT
import Kernels

/// The effect of one or more rounds of a loop of springs on displacement and amplitude at the end of phase 0, in
/// Double.
///
/// A round turns that state s into M·s + b. So n rounds turn it into Mⁿ·s + (1 + M + … + Mⁿ⁻¹)·b. The matrices take a few
/// products for each binary digit of n.
struct Round {
  /// The matrix by columns.
  var x: SIMD2<Double>
  var y: SIMD2<Double>
  /// The sum of its powers, by columns: the factor of the constant part.
  var sumX = SIMD2(1.0, 0)
  var sumY = SIMD2(0, 1.0)
  /// The constant part of one round, by dimension.
  let constants: [SIMD2<Double>]

  /// One round.
  init(_ steps: [SpringStep], _ sequence: PhaseSequence) {
    x = SIMD2(1, 0)
    y = SIMD2(0, 1)
    var constants = [SIMD2<Double>](repeating: .zero, count: sequence.dimensions)
    for index in 1...sequence.phaseCount {
      let (phase, previous) = (index % sequence.phaseCount, index - 1)
      let step = steps[phase]
      guard !step.isStill else { continue }
      let basis = steps[previous].basis
      func apply(_ state: SIMD2<Double>, shift: Double) -> SIMD2<Double> {
        guard !step.rule.jumps else { return .zero }
        let value = Double(basis.valueOfDisplacement) * state.x + Double(basis.valueOfAmplitude) * state.y + shift
        let velocity = Double(basis.velocityOfDisplacement) * state.x + Double(basis.velocityOfAmplitude) * state.y
        return SIMD2(value, (velocity + step.rule.α * value) * step.rule.perκ)
      }
      x = apply(x, shift: 0)
      y = apply(y, shift: 0)
      // Phases before that changed nothing have the targets of the motion under way.
      for dimension in constants.indices {
        let shift =
          Double(sequence.targets[previous * sequence.dimensions + dimension])
          - Double(sequence.targets[phase * sequence.dimensions + dimension])
        constants[dimension] = apply(constants[dimension], shift: shift)
      }
    }
    self.constants = constants
  }

  private func times(_ vector: SIMD2<Double>) -> SIMD2<Double> { x * vector.x + y * vector.y }

  /// The effect of a number of rounds, at least one.
  func power(_ count: Int) -> Round {
    // From the highest binary digit on: twice the rounds, and one more if the digit is set.
    var result = self
    var bit = Int.bitWidth - 2 - count.leadingZeroBitCount
    while bit >= 0 {
      var next = result
      (next.x, next.y) = (result.times(result.x), result.times(result.y))
      next.sumX = result.sumX + result.times(result.sumX)
      next.sumY = result.sumY + result.times(result.sumY)
      result = next
      if count >> bit & 1 == 1 {
        next.sumX = SIMD2(1, 0) + times(result.sumX)
        next.sumY = SIMD2(0, 1) + times(result.sumY)
        (next.x, next.y) = (times(result.x), times(result.y))
        result = next
      }
      bit -= 1
    }
    return result
  }

  func state(after state: SIMD2<Double>, dimension: Int, scale: Double) -> SIMD2<Double> {
    let constant = constants[dimension] * scale
    return times(state) + sumX * constant.x + sumY * constant.y
  }
}
