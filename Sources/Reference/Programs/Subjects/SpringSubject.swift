// SPDX-License-Identifier: MIT
import Murmuration

extension SpringBatch: ProgramSubject {
  static var name: String { "batch" }

  static var calls: SubjectCalls {
    SubjectCalls(
      kinds: [.spring, .springs, .retarget, .set, .decelerate, .remove],
      rangeKinds: [.spring, .retarget], others: Set(BatchCall.allCases), hasBigPrograms: true)
  }

  static var showsCallsAtOnce: Bool { true }
  static var tellsRest: Bool { true }
  static var forgetsGoneTracks: Bool { true }

  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent] { due }

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> SpringBatch {
    try SpringBatch(dimensions: assets.dimensions, kernels: set)
  }

  var rules: ReferenceRules {
    var rules = ReferenceRules(restTolerance: restTolerance)
    rules.hands = .release
    return rules
  }

  // MARK: - Calls

  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle] {
    if count == 1 { return [try addOne(Spring(), values)] }
    return try add(Spring(), values: values.span, targets: values.span)
  }

  @discardableResult
  mutating func addOne(_ spring: Spring, _ value: [Float]) throws(BatchError) -> TrackHandle {
    switch dimensions {
    case 1: try add(spring, value: value[0], target: value[0])
    case 2: try add(spring, value: SIMD2(value), target: SIMD2(value))
    default: try add(spring, value: SIMD3(value), target: SIMD3(value))
    }
  }

  func reference(at values: [Float], _ assets: ProgramAssets) -> ReferenceTrack {
    ReferenceTrack(values, velocities: [], to: values, on: Spring(), at: time, rules)
  }

  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws -> [TrackHandle] {
    let dimensions = dimensions
    func columns(_ vector: (Int) -> Vector) -> [Float] {
      Vector.planar((0..<count).map(vector), dimensions: dimensions)
    }
    let (values, targets) = (columns(numbers.value), columns(numbers.target))
    let velocities = numbers.hasVelocities ? columns(numbers.velocity) : []
    let springs = hasSpringEach ? (0..<count).map(numbers.spring) : [numbers.spring(0)]
    if numbers.seed & 32 == 0 {
      return hasSpringEach
        ? try add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
        : try add(springs[0], values: values.span, targets: targets.span, velocities: velocities.span)
    }
    var handles = Array(repeating: TrackHandle.noTrack, count: count)
    var span = handles.mutableSpan
    if hasSpringEach {
      try emit(springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    } else {
      try emit(
        springs[0], values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    }
    return handles
  }

  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32? {
    switch call {
    case .animate(let targets, let animations, let delays):
      let springs = animations.compactMap { $0.flatMap(Self.spring) }
      if delays.isEmpty, animations.count > 1 || springs.isEmpty {
        try retarget(names.handles.span, to: targets.span, springs: springs.span)
      } else {
        try retarget(names, to: targets, springs[0], delays)
      }
    case .retarget(let targets, let delays): try retarget(names, to: targets, nil, delays)
    case .set(let values, let velocities): try set(names, values, velocities)
    case .decelerate(let deceleration, let velocities):
      try decelerate(names.handles.span, velocities: velocities.span, by: deceleration)
    case .remove:
      if case .one(let handle) = names { try remove(handle) } else { try remove(names.handles.span) }
    default: break
    }
    return nil
  }

  private static func spring(_ animation: Animation) -> Spring? {
    if case .spring(let spring) = animation.structure { spring } else { nil }
  }

  private mutating func retarget(
    _ names: BatchNames, to targets: [Float], _ spring: Spring?, _ delays: [Double]
  ) throws(BatchError) {
    guard delays.isEmpty else {
      return try retarget(names.handles.span, to: targets.span, spring: spring, delays: delays.span)
    }
    switch names {
    case .one(let handle): try retargetOne(handle, to: targets, spring)
    case .many(let handles): try retarget(handles.span, to: targets.span, spring: spring)
    case .range(let indices): try retarget(indices, to: targets.span, spring: spring)
    case .all: try retargetAll(to: targets.span, spring: spring)
    }
  }

  mutating func retargetOne(_ handle: TrackHandle, to target: [Float], _ spring: Spring?) throws(BatchError) {
    switch dimensions {
    case 1: try retarget(handle, to: target[0], spring: spring)
    case 2: try retarget(handle, to: SIMD2(target), spring: spring)
    default: try retarget(handle, to: SIMD3(target), spring: spring)
    }
  }

  mutating func setOne(_ handle: TrackHandle, _ value: [Float], _ velocity: [Float]) throws(BatchError) {
    switch dimensions {
    case 1: try set(handle, value: value[0], velocity: velocity[0])
    case 2: try set(handle, value: SIMD2(value), velocity: SIMD2(velocity))
    default: try set(handle, value: SIMD3(value), velocity: SIMD3(velocity))
    }
  }

  private mutating func set(_ names: BatchNames, _ values: [Float], _ velocities: [Float]) throws(BatchError) {
    if case .one(let handle) = names {
      try setOne(handle, values, velocities)
    } else {
      try set(names.handles.span, values: values.span, velocities: velocities.span)
    }
  }

  mutating func setRestTolerance(_ tolerance: RestTolerances) { restTolerance = tolerance }
  mutating func setComputesVelocities(_ does: Bool) { computesVelocities = does }

  // MARK: - Answers

  func rests(_ handle: TrackHandle) throws -> Bool? { try isAtRest(handle) }
  mutating func announcedRest(of handle: TrackHandle) throws -> Double? { try restTime(of: handle) }

  /// The velocity of a track, by its type.
  mutating func copyVelocity(of handle: TrackHandle) throws(BatchError) {
    switch dimensions {
    case 1: _ = try velocity(of: handle, as: Float.self)
    case 2: _ = try velocity(of: handle, as: SIMD2<Float>.self)
    default: _ = try velocity(of: handle, as: SIMD3<Float>.self)
    }
  }

  func shownTarget(of handle: TrackHandle) throws -> [Float]? {
    func parts<V: TrackValue>(_ value: V) -> [Float] { (0..<V.dimensions).map(value.component) }
    return switch dimensions {
    case 1: parts(try target(of: handle, as: Float.self))
    case 2: parts(try target(of: handle, as: SIMD2<Float>.self))
    default: parts(try target(of: handle, as: SIMD3<Float>.self))
    }
  }

  func reports() throws -> [Report] {
    logicallyComplete.map { Report(handle: $0, kind: .logicallyComplete) }
      + settled.map { Report(handle: $0, kind: .settled) }
  }
}
