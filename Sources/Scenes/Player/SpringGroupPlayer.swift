// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of springs through a batch of its own.
///
/// A class only because arrays hold no noncopyable values: each has one owner, its `ScenePlayer`.
final class SpringGroupPlayer {
  private var batch: SpringBatch
  private let handles: [TrackHandle]
  private var course: GroupCourse
  private(set) var clock = KernelClock()

  var count: Int { handles.count }

  /// Lays out group number `index` of a scene and adds its tracks at time 0.
  init(
    _ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?, kernels: KernelSet?
  ) throws {
    let start = GroupStart(group, index: index, count: count, scene: scene, recording: recording)
    let velocities = start.velocity.flatMap { [Float](repeating: $0, count: count) }
    var batch = try SpringBatch(dimensions: scene.dimensions, reservingCapacity: count, kernels: kernels)
    switch start.springs {
    case .shared(let spring):
      handles = try batch.add(
        spring, values: start.values.span, targets: start.values.span, velocities: velocities.span)
    case .each(let springs):
      handles = try batch.add(
        springs.span, values: start.values.span, targets: start.values.span, velocities: velocities.span)
    }
    self.batch = batch
    course = GroupCourse(group, index: index, count: count, scene: scene, recording: recording)
  }

  /// Plays to `time`: every change until then happens at its own moment.
  func advance(to time: Double) throws(BatchError) {
    while let change = course.next(until: time) {
      try evaluate(at: change.time)
      try apply(change)
    }
    try evaluate(at: time)
  }

  private func evaluate(at time: Double) throws(BatchError) {
    // The batch does nothing when its clock shows this time already; that is no evaluation.
    guard time != batch.time else { return }
    try clock.advance(&batch, to: time)
  }

  private func apply(_ change: TargetChange) throws(BatchError) {
    switch (change.springs, change.tracks) {
    case (nil, .all): try batch.retargetAll(to: change.targets.span)
    case (.shared(let spring), .all): try batch.retargetAll(to: change.targets.span, spring: spring)
    case (.each(let springs), let tracks): try retargetEach(tracks.indices(of: count), change.targets, springs)
    case (nil, let tracks): try batch.retarget(selected(tracks).span, to: change.targets.span)
    case (.shared(let spring), let tracks):
      try batch.retarget(selected(tracks).span, to: change.targets.span, spring: spring)
    }
  }

  private func selected(_ tracks: TrackSubset) -> [TrackHandle] { tracks.indices(of: count).map { handles[$0] } }

  private func retargetEach(_ tracks: [Int], _ targets: [Float], _ springs: [Spring]) throws(BatchError) {
    switch batch.dimensions {
    case 1: try retargetEach(tracks, targets, springs, as: Float.self)
    case 2: try retargetEach(tracks, targets, springs, as: SIMD2<Float>.self)
    case 3: try retargetEach(tracks, targets, springs, as: SIMD3<Float>.self)
    default: try retargetEach(tracks, targets, springs, as: SIMD4<Float>.self)
    }
  }

  private func retargetEach<Value: TrackValue>(
    _ tracks: [Int], _ targets: [Float], _ springs: [Spring], as type: Value.Type
  ) throws(BatchError) {
    for (position, track) in tracks.enumerated() {
      let target = Value { targets[$0 * tracks.count + position] }
      try batch.retarget(handles[track], to: target, spring: springs[position])
    }
  }

  // MARK: - Reading

  /// Lends the values of one component, track after track.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try batch.withValues(dimension: component, body)
  }

  /// Lends the velocities of one component, track after track.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try batch.withVelocities(dimension: component, body)
  }
}
