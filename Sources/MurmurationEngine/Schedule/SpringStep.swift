// SPDX-License-Identifier: MIT
import Kernels

/// A step of a sequence as springs play it. All tracks that leave on schedule have followed its motion for the same time,
/// so the basis at that moment is computed once for all.
struct SpringStep {
  /// The motion; a jump without an animation.
  let coefficients: SpringCoefficients
  let rule: AmplitudeRule
  /// See ``SpringCoefficients/leastRestAge``.
  let leastRestAge: Float
  /// The basis of a motion that began with this step, when the next one begins.
  let basis: MotionBasis
  /// Whether the step changes nothing, so that the motion before it goes on.
  let isStill: Bool

  /// The steps to each phase, or nil if an animation is not a spring.
  static func plan(_ sequence: PhaseSequence) -> [SpringStep]? {
    var motions: [SpringCoefficients] = []
    for animation in sequence.animations {
      switch animation?.structure {
      case nil: motions.append(.jump)
      case .spring(let spring): motions.append(SpringCoefficients(accepted: spring))
      default: return nil
      }
    }
    return motions.indices.map { phase in
      // After steps that change nothing, the motion of an earlier step is under way.
      var motion = phase
      for _ in motions.indices where sequence.isStill(motion) {
        motion = (motion + motions.count - 1) % motions.count
      }
      let age = sequence.stepDuration(to: motion)
      return SpringStep(
        coefficients: motions[phase], rule: AmplitudeRule(motions[phase]), leastRestAge: motions[phase].leastRestAge,
        basis: motions[motion].isJump ? .rest : motions[motion].basis(age: age), isStill: sequence.isStill(phase))
    }
  }
}
