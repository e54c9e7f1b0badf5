// SPDX-License-Identifier: MIT
import Murmuration

extension CurveBatch: ProgramSubject {
  static var name: String { "curves" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [.animation, .animations, .jump, .pause, .resume, .remove],
      others: [.add, .removeAll, .compact, .reserve, .computesVelocities, .goingBack])
  }

  /// Not drawn is a pause at the very moment of a change: whether the next change then takes the place of that one depends on
  /// how the batch rounds the length of the pause.
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool {
    kind != .pause || track.changedAt < track.clock.time(at: now)
  }

  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent] { due }

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> CurveBatch {
    try CurveBatch(dimensions: assets.dimensions, kernels: set)
  }

  var rules: ReferenceRules {
    var rules = ReferenceRules(restTolerance: RestTolerances())
    rules.curveTolerance = curveTolerance
    rules.springsJoinSums = true
    return rules
  }

  // MARK: - Calls

  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    try add(values: values.span)
  }

  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32? {
    let handles = names.handles
    switch call {
    case .animate(let targets, let animations, _):
      if case .one(let handle) = names {
        try retargetOne(handle, to: targets, animations[0])
      } else if animations.count == 1 {
        try retarget(handles.span, to: targets.span, with: animations[0])
      } else {
        try retarget(handles.span, to: targets.span, animations: animations.span)
      }
    case .pause: for handle in handles { try pause(handle) }
    case .resume: for handle in handles { try resume(handle) }
    case .remove: try remove(handles.span)
    default: break
    }
    return nil
  }

  private mutating func retargetOne(
    _ handle: TrackHandle, to target: [Float], _ animation: Animation?
  ) throws(BatchError) {
    switch dimensions {
    case 1: try retarget(handle, to: target[0], with: animation)
    case 2: try retarget(handle, to: SIMD2(target), with: animation)
    default: try retarget(handle, to: SIMD3(target), with: animation)
    }
  }

  mutating func setComputesVelocities(_ does: Bool) { computesVelocities = does }

  // MARK: - Answers

  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation {
    // What a paused track shows was evaluated before.
    try isPaused(handle) ? .either : isLane(handle) ? .fitted : .called
  }

  func reports() throws -> [Report] {
    logicallyComplete.map { Report(handle: $0, kind: .logicallyComplete) }
      + settled.map { Report(handle: $0, kind: .settled) }
  }
}
