// SPDX-License-Identifier: MIT
import Murmuration

// Answers of the batch, which the reference takes over where either answer is right.
extension ReferenceTrack {
  /// Notes that the batch has the track at rest, at its target.
  package mutating func comeToRest(at now: Double) {
    let time = clock.time(at: now)
    switch motion {
    case .spring(var motion):
      motion.comeToRest(at: time)
      self.motion = .spring(motion)
    case .slide(let slide):
      motion = .spring(SpringMotion(slide.successor, values: target, at: time))
    case .still, .sum, .clip: break
    }
  }

  /// Starts a spring or a slide that begins at this very moment from exactly the batch's values, after they were compared.
  /// So its bound is the bound of one motion, however long the program.
  package mutating func adopt(values: [Float], velocities: [Float], target: [Float]) {
    self.target = target
    let samples = values.indices.map { MotionSample(value: Double(values[$0]), velocity: Double(velocities[$0])) }
    switch motion {
    case .spring(let old) where old.start == changedAt:
      motion = .spring(SpringMotion(old.spring, from: samples, to: target.map(Double.init), at: old.start))
    case .slide(let old) where old.start == changedAt:
      motion = .slide(SlideMotion(old.deceleration, from: samples, at: old.start))
    default: break
    }
  }

  /// Notes how the batch evaluates a sum.
  package mutating func evaluateSums(as evaluation: SumMotion.Evaluation) {
    guard case .sum(var sum) = motion else { return }
    sum.evaluation = evaluation
    motion = .sum(sum)
  }

  /// Notes that an event of the last change was reported.
  package mutating func note(_ kind: ReferenceEvent.Kind) {
    switch kind {
    case .logicallyComplete: isLogicalReported = true
    case .settled:
      isSettledReported = true
      if case .clip(var clip) = motion {
        clip.clock.noteEnd()
        motion = .clip(clip)
      }
    default: break
    }
  }
}
