// SPDX-License-Identifier: MIT
import Murmuration

extension KeyframeBatch: ProgramSubject {
  static var name: String { "clips" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [.set, .play, .vary, .pause, .resume, .setSpeed, .seek, .remove],
      others: [.add, .removeAll, .compact, .reserve, .computesVelocities, .goingBack])
  }

  /// The last iteration of an advance, and the end.
  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent] {
    let iterations = due.filter { if case .iteration = $0.kind { true } else { false } }
    return due.filter { $0.kind == .logicallyComplete || $0 == iterations.last }
  }

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> KeyframeBatch {
    var batch = try KeyframeBatch(dimensions: assets.dimensions, variations: true, kernels: set)
    for content in assets.clips { assets.clipIDs.append(try batch.load(content.clip)) }
    return batch
  }

  var rules: ReferenceRules {
    var rules = ReferenceRules(restTolerance: RestTolerances())
    rules.hands = .place
    return rules
  }

  // MARK: - Calls

  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    var handles: [TrackHandle] = []
    for _ in 0..<count { handles.append(try add(assets.clipIDs[0], nil)) }
    try set(handles.span, to: values.span)
    return handles
  }

  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32? {
    let handles = names.handles
    switch call {
    case .set(let values, _):
      // What a clip plays with goes when it does.
      let count = values.count
      try cancel(handles.span)
      try setVariations(
        handles.span, scales: [Float](repeating: 1, count: count).span,
        offsets: [Float](repeating: 0, count: count).span)
      try set(handles.span, to: values.span)
    case .play(let clips, let playbacks, let isFromShown):
      for (index, handle) in handles.enumerated() {
        try trigger(
          handle, playbacks[index], clip: assets.clipIDs[clips[index]], from: isFromShown ? .current : .beginning)
      }
    case .vary(let scales, let offsets): try setVariations(handles.span, scales: scales.span, offsets: offsets.span)
    case .pause: try pause(handles.span)
    case .resume: try resume(handles.span)
    case .setSpeed(let speeds): try retime(handles.span, speeds: speeds.span)
    case .seek(let progress): try scrub(handles.span, toProgress: progress.span)
    case .remove: try remove(handles.span)
    default: break
    }
    return nil
  }

  mutating func setComputesVelocities(_ does: Bool) { computesVelocities = does }

  // MARK: - Answers

  func reports() throws -> [Report] {
    completed.map { Report(handle: $0, kind: .logicallyComplete) }
      + repeated.map { Report(handle: $0.handle, kind: .iteration($0.leg)) }
  }
}
