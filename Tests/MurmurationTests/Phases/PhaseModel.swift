// SPDX-License-Identifier: MIT
import AnimationModel
import MurmurationReference

/// One looping track of a sequence of phases, played by the model: targets are changed at the sums of the logical durations.
struct PhaseModel {
  var motion: SumMotion
  private var schedule: PhaseSchedule
  private let targets: [[Float]]

  /// - Parameters:
  ///   - targets: As in the plan, with the track's variation.
  ///   - start: When the step to phase 1 begins.
  init(_ plan: PhasePlan, targets: [[Float]], start: Double, curveTolerance: Double) {
    self.targets = targets
    motion = SumMotion(at: MotionSample.exact(targets[0]), curveTolerance: curveTolerance)
    schedule = PhaseSchedule(plan, startingAt: start, loops: true)
  }

  /// Takes the steps up to a time.
  mutating func play(to time: Double) {
    while let step = schedule.step(until: time) {
      guard case .setsOut(let phase, let isStill, let moment) = step, !isStill else { continue }
      motion.animate(to: targets[phase].map(Double.init), with: schedule.plan.animations[phase], at: moment)
    }
  }
}
