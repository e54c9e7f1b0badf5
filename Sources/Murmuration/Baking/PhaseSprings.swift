// SPDX-License-Identifier: MIT
import Kernels

/// The steps of a sequence of phases as a bake takes them, and the springs that they have, each once.
struct PhaseSprings {
  /// What leads to a phase.
  struct Step {
    let rule: AmplitudeRule
    /// What its motion has come to when the next step begins.
    let basis: CohortBasis
    /// The place of its spring; −1 for a jump.
    let spring: Int
  }

  let steps: [Step]
  /// Those that are not jumps, as the columns of lanes keep them.
  let coefficients: [SpringCoefficients]
  /// When motions of each come to rest.
  let bounds: [MotionBound]
  private let places: [SpringCoefficients: Int]

  init(_ steps: [SpringStep], dimensions: Int, _ tolerance: RestTolerance) {
    var (coefficients, places): ([SpringCoefficients], [SpringCoefficients: Int]) = ([], [:])
    self.steps = steps.map { step in
      let spring = SpringCoefficients(
        isOverdamped: step.coefficients.isOverdamped, rate: step.coefficients.rate, decay: step.coefficients.decay)
      if !spring.isJump, places[spring] == nil {
        places[spring] = coefficients.count
        coefficients.append(spring)
      }
      return Step(rule: step.rule, basis: step.basis, spring: places[spring] ?? -1)
    }
    (self.coefficients, self.places) = (coefficients, places)
    bounds = coefficients.map { MotionBound($0, dimensions: dimensions, tolerance) }
  }

  /// The place of a spring that a lane holds, most likely the one that leads to a phase; −1 if it is a jump.
  func place(of spring: SpringCoefficients, after phase: Int) -> Int {
    let likely = steps[phase].spring
    return likely >= 0 && coefficients[likely] == spring ? likely : places[spring] ?? -1
  }
}
