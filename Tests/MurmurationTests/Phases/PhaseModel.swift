// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration

/// One track of a sequence of phases, played by the model: targets are changed at the sums of the logical durations.
struct PhaseModel {
  private var value: AnimatedValue<SIMD2<Double>>
  private let sequence: PhaseSequence
  private let targets: [SIMD2<Double>]
  /// The steps that were taken.
  private(set) var changes: [(phase: Int, time: Double)] = []
  private var next: Double
  private var phase = 0
  private var isOver = false
  private let loops: Bool

  /// - Parameters:
  ///   - targets: As in the sequence, with what the track varies.
  ///   - start: When the step to phase 1 begins.
  init(_ sequence: PhaseSequence, targets: [SIMD2<Double>], start: Double, loops: Bool = true) {
    self.sequence = sequence
    self.targets = targets
    self.loops = loops
    value = AnimatedValue(targets[0])
    next = start
  }

  /// Takes the steps up to a time, and returns what is shown then.
  mutating func play(to time: Double) -> (value: SIMD2<Double>, velocity: SIMD2<Double>) {
    while next <= time, !isOver {
      if phase == 0, !changes.isEmpty, !loops {
        isOver = true
        break
      }
      phase = (phase + 1) % targets.count
      value.retarget(to: targets[phase], with: sequence.animations[phase], at: next)
      changes.append((phase, next))
      next += sequence.stepDuration(to: phase)
    }
    return (value.value(at: time), value.velocity(at: time))
  }
}
