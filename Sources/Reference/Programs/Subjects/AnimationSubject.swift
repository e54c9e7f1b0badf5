// SPDX-License-Identifier: MIT
import Murmuration

/// The one batch, with values of one type.
///
/// What a call changes of clips shows with the next frame; here one of no time follows at once.
struct AnimationSubject<Value: TrackValue>: ~Copyable {
  private var batch: AnimationBatch<Value>
  var computesVelocities = false

  private init(_ batch: consuming AnimationBatch<Value>) { self.batch = batch }
}

extension AnimationSubject: ProgramSubject {
  static var name: String { "animations" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [
        .spring, .springs, .retarget, .animation, .animations, .jump, .delayedSpring, .delayedRetarget,
        .delayedAnimations, .set, .decelerate, .play, .playOn, .setSpeed, .seekTime, .remove,
      ],
      rangeKinds: [.spring, .jump], allKinds: [.retarget],
      others: [.add, .removeAll, .compact, .reserve, .restTolerance, .computesVelocities, .goingBack],
      hasBigPrograms: true, dimensions: Value.dimensions...Value.dimensions)
  }

  static var showsCallsAtOnce: Bool { true }
  static var staysSilent: Bool { false }
  static var tellsRest: Bool { true }
  static var forgetsGoneTracks: Bool { true }

  /// Not drawn is a curve that follows at the very moment at which another motion began: whether it adds to that or takes its
  /// place depends on what the track did before, which the batch does not keep.
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool {
    guard kind == .animation || kind == .animations else { return true }
    if case .still = track.motion { return true }
    return track.changedAt < now
  }

  static func namesOnce(_ kind: CallKind) -> Bool { kind == .animation || kind == .animations || kind == .playOn }

  /// The last iteration of a frame, and all else.
  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent] {
    func isIteration(_ event: ReferenceEvent) -> Bool { if case .iteration = event.kind { true } else { false } }
    let last = due.last(where: isIteration)
    return due.filter { !isIteration($0) || $0 == last }
  }

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> AnimationSubject {
    var batch = try AnimationBatch<Value>(kernels: set)
    batch.reports = .iterations
    for content in assets.clips { assets.clipIDs.append(try batch.load(content.clip)) }
    return AnimationSubject(batch)
  }

  var rules: ReferenceRules {
    var rules = ReferenceRules(restTolerance: batch.restTolerance)
    rules.hands = .releaseSprings
    rules.keepsSprings = false
    return rules
  }

  // MARK: - Calls

  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    let values = vectors(values)
    return count == 1 ? [try batch.add(values[0])] : try batch.add(values)
  }

  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32? {
    let handles = names.handles
    switch call {
    case .animate(let goals, let animations, let delays): return try animate(names, to: goals, animations, delays)
    case .retarget(let goals, let delays):
      let goals = vectors(goals)
      switch names {
      case .one(let handle) where delays.isEmpty: return try batch.retarget(handle, to: goals[0])
      case .all: return try batch.retargetAll(to: goals.span)
      default: return try batch.retarget(handles, to: goals, delays: delays)
      }
    case .set(let values, let velocities):
      return try batch.set(handles, vectors(values), velocities: vectors(velocities))
    case .decelerate(let deceleration, let velocities):
      return try batch.decelerate(handles, velocities: velocities.isEmpty ? nil : vectors(velocities), by: deceleration)
    case .play(let clips, let playbacks, let isFromShown):
      let clips = clips.map { assets.clipIDs[$0] }
      let change = try batch.play(clips, on: handles, playbacks, start: isFromShown ? .shown : .firstValue)
      try show()
      return change
    case .setSpeed(let speeds):
      for (handle, speed) in zip(handles, speeds) { try batch.setPlaybackSpeed(speed, of: [handle]) }
      try show()
    case .seekTime(let seconds):
      try batch.seek(handles, to: seconds)
      try show()
    case .remove: if case .one(let handle) = names { try batch.remove(handle) } else { try batch.remove(handles) }
    default: break
    }
    return nil
  }

  private mutating func animate(
    _ names: BatchNames, to columns: [Float], _ animations: [Animation?], _ delays: [Double]
  ) throws -> UInt32 {
    let (goals, handles) = (vectors(columns), names.handles)
    switch names {
    case .one(let handle) where delays.isEmpty: return try batch.animate(handle, to: goals[0], animations[0])
    case .range(let indices): return try batch.animate(indices, to: goals.span, animations[0])
    case .all: return try batch.animateAll(to: goals.span, animations[0])
    case .one, .many:
      if animations.count != 1 || goals.count == 1 {
        let springs = animations.compactMap { $0.flatMap(Self.spring) }
        if springs.count == goals.count {
          return try batch.animate(handles, to: goals, springs: springs, delays: delays)
        } else {
          return try batch.animate(handles, to: goals, animations: animations, delays: delays)
        }
      } else if goals.count % 2 == 0 {
        return try batch.animate(handles, to: goals, animations[0], delays: delays)
      } else {
        return try batch.animate(handles.span, toPlanar: columns.span, animations[0], delays: delays.span)
      }
    }
  }

  private static func spring(_ animation: Animation) -> Spring? {
    if case .spring(let spring) = animation.structure { spring } else { nil }
  }

  mutating func removeAll() { batch.removeAll() }
  mutating func compact() throws(BatchError) { try batch.compact() }
  mutating func reserve(_ additional: Int) throws(BatchError) { try batch.reserve(additional) }
  mutating func setRestTolerance(_ tolerance: RestTolerances) { batch.restTolerance = tolerance }
  mutating func setComputesVelocities(_ does: Bool) { computesVelocities = does }

  // MARK: - Time

  var time: Double { batch.time }

  mutating func advance(to seconds: Double) throws(BatchError) {
    try batch.advance(to: seconds, velocities: computesVelocities)
  }

  mutating func advance(by seconds: Double) throws(BatchError) {
    try batch.advance(by: seconds, velocities: computesVelocities)
  }

  /// Shows what a call has changed.
  private mutating func show() throws(BatchError) { try batch.advance(to: batch.time) }

  func reports() throws -> [Report] {
    batch.events.map { event in
      let kind: ReferenceEvent.Kind =
        switch event.kind {
        case .logicallyComplete: .logicallyComplete
        case .settled: .settled
        case .iteration: .iteration(event.number)
        case .phase: .phase(event.number)
        }
      return Report(handle: event.track, kind: kind, moment: event.moment, call: event.change)
    }
  }

  // MARK: - Answers

  var count: Int { batch.count }
  var indexCount: Int { batch.indexCount }
  func contains(_ handle: TrackHandle) -> Bool { batch.contains(handle) }
  func handle(atRow row: Int) -> TrackHandle? { batch.handle(atRow: row) }
  func handle(atIndex index: Int) -> TrackHandle? { batch.handle(at: index) }

  func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int {
    guard let row = batch.row(of: handle) else { throw .staleHandle(handle) }
    return row
  }

  func copyValues(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    var values = [Value](repeating: Value { _ in .nan }, count: indexCount)
    try batch.copyValues(into: &values)
    for index in values.indices { output[index] = values[index].component(dimension) }
  }

  mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    for index in 0..<indexCount {
      output[index] = batch.handle(at: index).flatMap { batch.velocity(of: $0) }?.component(dimension) ?? 0
    }
  }

  func shownValue(of handle: TrackHandle) throws(BatchError) -> [Float] {
    guard let value = batch[handle] else { throw .staleHandle(handle) }
    return Self.components(value)
  }

  mutating func shownVelocity(of handle: TrackHandle) throws -> [Float] {
    guard let velocity = batch.velocity(of: handle) else { throw BatchError.staleHandle(handle) }
    return Self.components(velocity)
  }

  func shownTarget(of handle: TrackHandle) throws -> [Float]? {
    guard let target = batch.target(of: handle) else { return nil }
    return Self.components(target)
  }

  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation {
    batch.followsCurve(handle) ? .fitted : .called
  }

  /// Of springs and slides alone: the others are over when they say so.
  func rests(_ handle: TrackHandle) throws -> Bool? {
    batch.restTime(of: handle) == nil ? nil : batch.isAtRest(handle)
  }

  mutating func announcedRest(of handle: TrackHandle) throws -> Double? { batch.restTime(of: handle) }

  // MARK: - Values

  /// Values of columns: component 0 of all tracks, then component 1, ….
  private func vectors(_ columns: [Float]) -> [Value] {
    let count = columns.count / Value.dimensions
    return (0..<count).map { index in Value { columns[$0 * count + index] } }
  }

  private static func components(_ value: Value) -> [Float] { (0..<Value.dimensions).map(value.component) }
}
