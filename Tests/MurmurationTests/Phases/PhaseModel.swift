// SPDX-License-Identifier: MIT
import AnimationModel
import Reference
import Murmuration

/// One looping track of a sequence of phases, played by the model: targets are changed at the sums of the logical durations.
struct PhaseModel {
  var curve: CurveModel
  private let sequence: PhaseSequence
  private let targets: [SIMD2<Float>]
  private var next: Double
  private var phase = 0

  /// - Parameters:
  ///   - targets: As in the sequence, with what the track varies.
  ///   - start: When the step to phase 1 begins.
  init(_ sequence: PhaseSequence, targets: [SIMD2<Float>], start: Double) {
    self.sequence = sequence
    self.targets = targets
    curve = CurveModel(targets[0])
    next = start
  }

  /// Takes the steps up to a time.
  mutating func play(to time: Double) {
    while next <= time {
      phase = (phase + 1) % targets.count
      curve.retarget(to: targets[phase], with: sequence.animations[phase], at: next)
      next += sequence.stepDuration(to: phase)
    }
  }
}
