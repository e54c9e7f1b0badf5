// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// A round of springs makes displacement and amplitude, s, a linear function of themselves: M·s + b. So n rounds are
// Mⁿ·s + (1 + M + … + Mⁿ⁻¹)·b, which takes as many products as n has binary digits.
extension PhaseBatch {
  /// Has so many rounds, which last so many seconds, pass for a track that is at the end of one.
  mutating func skip(_ rounds: Int, _ seconds: Double, _ slot: Int) {
    guard let steps = springSteps else {
      // No effect lasts for as many rounds as are left to be taken, so where they begin makes no difference.
      curves.rest(slot)
      return
    }
    let round = Round(steps, sequence).power(rounds)
    springs.moveOn(slot, by: seconds) { [variations, sequence] dimension, state in
      let scale = variations.isEmpty ? 1 : Double(variations[slot * sequence.dimensions + dimension].y)
      return round.state(after: state, dimension: dimension, scale: scale)
    }
  }
}

/// What one round or several do to displacement and amplitude at the end of phase 0, in Double.
struct Round {
  /// The matrix by columns.
  var x: SIMD2<Double>
  var y: SIMD2<Double>
  /// The sum of its powers that the constant part is multiplied by.
  var sumX = SIMD2(1.0, 0)
  var sumY = SIMD2(0, 1.0)
  /// What one round adds, by dimension.
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
      // Targets of the phases before that changed nothing are those of the motion under way.
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

  /// So many rounds, at least one.
  func power(_ count: Int) -> Round {
    // The square of n rounds, and one more where a binary digit is set, from the highest on.
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
