// SPDX-License-Identifier: MIT
import Murmuration

/// The batch with tracks that all play one sequence of phases. Calls show with the next advance.
struct PhaseSubject<Value: TrackValue>: ~Copyable {
  private var subject: AnimationSubject<Value>
  private let sequence: PhaseSequenceID
  private let loops: Bool
}

extension PhaseSubject: ProgramSubject {
  static var name: String { "phase-calls" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [.trigger, .pause, .resume, .remove], others: [.add, .removeAll, .compact, .reserve, .computesVelocities],
      longestStep: 4, dimensions: Value.dimensions...Value.dimensions)
  }

  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent] {
    due.filter {
      switch $0.kind {
      case .phase, .phasesEnd: true
      default: false
      }
    }
  }

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> PhaseSubject {
    var subject = try AnimationSubject<Value>.make(&assets, on: set)
    subject.batch.reports = .phases
    let sequence = try PhaseSequence(
      dimensions: assets.dimensions, targets: assets.plan.targets, animations: assets.plan.animations)
    let name = try subject.batch.load(sequence)
    return PhaseSubject(subject: subject, sequence: name, loops: assets.loops)
  }

  var rules: ReferenceRules { subject.rules }

  // MARK: - Calls

  /// Tracks whose phases are offset by `values` from the sequence's.
  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    let offsets = AnimationSubject<Value>.vectors(values)
    let first = assets.plan.targets[0]
    let handles = try subject.batch.add(
      offsets.map { offset in Value { Float(Double(first[$0]) + Double(offset.component($0))) } })
    try subject.batch.play(sequence, on: handles, loops ? .loops : .triggered, offsets: offsets)
    return handles
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
    switch call {
    case .trigger: try subject.batch.trigger(names.handles)
    case .pause: try subject.batch.pause(names.handles)
    case .resume: try subject.batch.resume(names.handles)
    case .remove: try subject.batch.remove(names.handles)
    default: break
    }
    return nil
  }

  mutating func removeAll() { subject.removeAll() }
  mutating func compact() throws(BatchError) { try subject.compact() }
  mutating func reserve(_ additional: Int) throws(BatchError) { try subject.reserve(additional) }
  mutating func setComputesVelocities(_ does: Bool) { subject.setComputesVelocities(does) }
  mutating func advance(to seconds: Double) throws(BatchError) { try subject.advance(to: seconds) }
  mutating func advance(by seconds: Double) throws(BatchError) { try subject.advance(by: seconds) }

  // MARK: - Answers

  var count: Int { subject.count }
  var indexCount: Int { subject.indexCount }
  var time: Double { subject.time }
  var computesVelocities: Bool { subject.computesVelocities }
  func contains(_ handle: TrackHandle) -> Bool { subject.contains(handle) }
  func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int { try subject.rowIndex(of: handle) }
  func handle(atRow row: Int) -> TrackHandle? { subject.handle(atRow: row) }
  func handle(atIndex index: Int) -> TrackHandle? { subject.handle(atIndex: index) }
  func shownValue(of handle: TrackHandle) throws(BatchError) -> [Float] { try subject.shownValue(of: handle) }
  mutating func shownVelocity(of handle: TrackHandle) throws -> [Float] { try subject.shownVelocity(of: handle) }
  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation { .either }

  func copyValues(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try subject.copyValues(dimension: dimension, into: &output)
  }

  mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try subject.copyVelocities(dimension: dimension, into: &output)
  }

  /// Steps, and the ends of runs. The end of a loop whose round lasts no time is left out, since no reference reports
  /// it.
  func reports() throws -> [Report] {
    subject.batch.events.compactMap { event in
      switch event.kind {
      case .phase: Report(handle: event.track, kind: .phase(event.number), moment: event.moment)
      case .logicallyComplete where !loops: Report(handle: event.track, kind: .phasesEnd, moment: event.moment)
      default: nil
      }
    }
  }
}

extension PhaseSubject: BakedSubject {
  func bake(_ request: BakeRequest) throws(BatchError) -> (values: [Float], velocities: [Float]) {
    try subject.bake(request)
  }
}
