// SPDX-License-Identifier: MIT
import Murmuration

extension PhaseBatch: ProgramSubject {
  static var name: String { "phase-calls" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [.trigger, .pause, .resume, .remove], others: [.add, .removeAll, .compact, .reserve, .computesVelocities],
      longestStep: 4)
  }

  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent] {
    due.filter {
      switch $0.kind {
      case .phase, .phasesEnd: true
      default: false
      }
    }
  }

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> PhaseBatch {
    let sequence = try PhaseSequence(
      dimensions: assets.dimensions, targets: assets.plan.targets, animations: assets.plan.animations)
    var batch = try PhaseBatch(sequence, playback: assets.loops ? .loops : .triggered, kernels: set)
    batch.reportsPhaseChanges = true
    return batch
  }

  var rules: ReferenceRules {
    var rules = ReferenceRules(restTolerance: RestTolerances())
    rules.springsJoinSums = !hasSpringsOnly
    return rules
  }

  // MARK: - Calls

  /// Tracks whose phases are so far off those of the sequence.
  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    let starts = [Double](repeating: time, count: count)
    return try add(startingAt: starts.span, offsets: values.span)
  }

  func reference(at values: [Float], _ assets: ProgramAssets) -> ReferenceTrack {
    let targets = assets.plan.targets.map { target in
      zip(target, values).map { Float(Double($0) + Double($1)) }
    }
    var track = ReferenceTrack(targets[0], at: time, rules)
    if assets.loops {
      track.play(assets.plan, targets: targets, at: time)
    } else {
      track.prepare(assets.plan, targets: targets, at: time)
    }
    return track
  }

  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32? {
    let handles = names.handles
    switch call {
    case .trigger: try trigger(handles.span)
    case .pause: for handle in handles { try pause(handle) }
    case .resume: for handle in handles { try resume(handle) }
    case .remove: try remove(handles.span)
    default: break
    }
    return nil
  }

  mutating func setComputesVelocities(_ does: Bool) { computesVelocities = does }

  // MARK: - Answers

  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation { .either }

  func reports() throws -> [Report] {
    phaseChanges.map { Report(handle: $0.handle, kind: .phase($0.phase), moment: $0.time) }
      + completed.map { Report(handle: $0, kind: .phasesEnd) }
  }
}
