// SPDX-License-Identifier: MIT
import Murmuration

/// The batch with values of one type.
///
/// Calls about clips show with the next frame; here each of them is followed by an advance to the same time.
struct AnimationSubject<Value: TrackValue>: ~Copyable {
  var batch: AnimationBatch<Value>
  var computesVelocities = false

  private init(_ batch: consuming AnimationBatch<Value>) { self.batch = batch }
}

extension AnimationSubject: ProgramSubject {
  static var name: String { "animations" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [
        .spring, .springs, .retarget, .animation, .animations, .jump, .delayedSpring, .delayedRetarget,
        .delayedAnimations, .set, .displace, .decelerate, .play, .playOn, .vary, .pause, .resume, .setSpeed, .seek,
        .seekTime, .remove,
      ],
      rangeKinds: [.spring, .jump], allKinds: [.retarget],
      others: [
        .add, .emit, .removeAll, .compact, .reserve, .restTolerance, .computesVelocities, .refusals, .goingBack,
      ],
      hasBigPrograms: true, dimensions: Value.dimensions...Value.dimensions)
  }

  static var showsCallsAtOnce: Bool { true }
  static var staysSilent: Bool { false }
  static var tellsRest: Bool { true }
  static var forgetsGoneTracks: Bool { true }

  /// A curve that follows at the very moment at which another motion began is not drawn: whether it adds to that motion
  /// or replaces it depends on the track's past, which the batch does not keep.
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool {
    guard kind == .animation || kind == .animations else { return true }
    if case .still = track.motion { return true }
    return track.changedAt < now
  }

  /// The last iteration of a frame, and all other events.
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
    rules.keepsSprings = false
    return rules
  }

  // MARK: - Calls

  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    let values = Self.vectors(values)
    return count == 1 ? [try batch.add(values[0])] : try batch.add(values)
  }

  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws -> [TrackHandle] {
    func vectors(_ vector: (Int) -> Vector) -> [Value] {
      (0..<count).map { index in
        let numbers = vector(index).numbers(Value.dimensions)
        return Value { numbers[$0] }
      }
    }
    let (values, goals) = (vectors(numbers.value), vectors(numbers.target))
    let velocities = numbers.hasVelocities ? vectors(numbers.velocity) : []
    if hasSpringEach {
      return try batch.add(values, velocities: velocities, to: goals, springs: (0..<count).map(numbers.spring))
    }
    return try batch.add(values, velocities: velocities, to: goals, numbers.spring(0))
  }

  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32? {
    let handles = names.handles
    switch call {
    case .animate(let goals, let animations, let delays): return try animate(names, to: goals, animations, delays)
    case .retarget(let goals, let delays):
      let goals = Self.vectors(goals)
      switch names {
      case .one(let handle) where delays.isEmpty: return try batch.retarget(handle, to: goals[0])
      case .all: return try batch.retargetAll(to: goals.span)
      default: return try batch.retarget(handles, to: goals, delays: delays)
      }
    case .set(let values, let velocities):
      return try batch.set(handles, Self.vectors(values), velocities: Self.vectors(velocities))
    case .displace(let values, let velocities):
      return try batch.displace(handles, Self.vectors(values), velocities: Self.vectors(velocities))
    case .decelerate(let deceleration, let velocities):
      return try batch.decelerate(
        handles, velocities: velocities.isEmpty ? nil : Self.vectors(velocities), by: deceleration)
    case .play(let clips, let playbacks, let isFromShown):
      let clips = clips.map { assets.clipIDs[$0] }
      let change = try batch.play(clips, on: handles, playbacks, start: isFromShown ? .shownValue : .firstValue)
      try show()
      return change
    case .setSpeed(let speeds):
      try batch.setSpeed(speeds, of: handles)
      try show()
    case .vary(let scales, let offsets):
      try batch.setVariations(of: handles, scales: Self.vectors(scales), offsets: Self.vectors(offsets))
      try show()
    case .pause:
      try batch.pause(handles)
      try show()
    case .resume:
      try batch.resume(handles)
      try show()
    case .seek(let progress):
      try batch.seek(handles, progress: progress)
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
    let (goals, handles) = (Self.vectors(columns), names.handles)
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

  /// Shows the effect of a call.
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

  var latestCall: UInt32? { batch.latestChange }

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
    try batch.copyValues(component: dimension, into: &output)
  }

  mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    do throws(BatchError) {
      return try batch.copyVelocities(component: dimension, into: &output)
    } catch {
      guard error == .velocitiesNotComputed else { throw error }
    }
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

  /// Only for springs and slides: the other motions report their ends.
  func rests(_ handle: TrackHandle) throws -> Bool? {
    batch.restTime(of: handle) == nil ? nil : batch.isAtRest(handle)
  }

  mutating func announcedRest(of handle: TrackHandle) throws -> Double? { batch.restTime(of: handle) }

  // MARK: - Values

  /// Values of columns: component 0 of all tracks, then component 1, ….
  static func vectors(_ columns: [Float]) -> [Value] {
    let count = columns.count / Value.dimensions
    return (0..<count).map { index in Value { columns[$0 * count + index] } }
  }

  private static func components(_ value: Value) -> [Float] { (0..<Value.dimensions).map(value.component) }
}

extension AnimationSubject: BakedSubject {
  func bake(_ request: BakeRequest) throws(BatchError) -> (values: [Float], velocities: [Float]) {
    let frameCount = if case .frames(let frames) = request.moments { frames.range.count } else { 0 }
    let count = frameCount * request.indices.count * (request.components?.count ?? Value.dimensions)
    var values = [Float](repeating: .nan, count: count)
    var velocities = values
    var valueSpan = values.mutableSpan
    var velocitySpan = velocities.mutableSpan
    try batch.bake(request, into: &valueSpan, velocities: &velocitySpan)
    return (values, velocities)
  }
}
