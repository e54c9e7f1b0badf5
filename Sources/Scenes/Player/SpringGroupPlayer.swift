// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of springs through a batch of its own.
///
/// The batch is filled once, so that the index of a track in the batch is its number in the group.
final class SpringGroupPlayer: KernelGroupPlayer {
  private var batch: SpringBatch
  private let handles: [TrackHandle]
  /// The handles of each subset of every so many tracks, by its first: a wandering course comes back to them.
  private var stridedHandles: [Int: [TrackHandle]] = [:]
  private var course: GroupCourse
  private var values: GroupColumns
  private var velocities: GroupColumns?
  private var watched: [Int] = []
  private var notes: [RetargetNote] = []
  private(set) var clock = KernelClock()

  private var wakefulness: Wakefulness

  var count: Int { handles.count }
  var hasAbsentTracks: Bool { false }
  var restTolerance: RestTolerances { batch.restTolerance }

  /// Lays out group number `index` of a scene and adds its tracks at time 0.
  init(
    _ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?, kernels: KernelSet?,
    threads: Int
  ) throws {
    let start = GroupStart(group, index: index, count: count, scene: scene, recording: recording)
    let velocities = start.velocity.flatMap { [Float](repeating: $0, count: count) }
    var batch = try SpringBatch(dimensions: scene.dimensions, reservingCapacity: count, kernels: kernels)
    batch.threadCount = threads
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
    values = GroupColumns(count: count, dimensions: scene.dimensions)
    wakefulness = Wakefulness(count: count, capacity: count)
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws(BatchError) {
    while !isStopped(), let change = course.next(until: time) {
      try evaluate(at: change.time)
      try note(change)
      try clock.measure(.retarget, tracks: change.tracks.size(of: count)) { () throws(BatchError) in try apply(change) }
      wake(change.tracks)
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  /// Plays on to the last of some frames, and returns what some tracks show in each: baked from change to change.
  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, dimensions: Int, velocities: Bool, unless isStopped: () -> Bool
  ) throws(BatchError) -> GroupPlanes {
    var planes = GroupPlanes(dimensions: dimensions)
    var left = frames
    let last = frames.time(of: frames.range.upperBound - 1)
    while !isStopped(), let change = course.next(until: last) {
      var next = left.range.lowerBound
      // A change counts in a frame at its very moment.
      while frames.time(of: next) < change.time { next += 1 }
      left.range = left.range.lowerBound..<next
      try bake(left, tracks, velocities: velocities, into: &planes)
      left.range = next..<frames.range.upperBound
      try evaluate(at: change.time)
      try note(change)
      try clock.measure(.retarget, tracks: change.tracks.size(of: count)) { () throws(BatchError) in try apply(change) }
      wake(change.tracks)
    }
    if isStopped() { return planes }
    try bake(left, tracks, velocities: velocities, into: &planes)
    try evaluate(at: last)
    return planes
  }

  private func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, velocities: Bool, into planes: inout GroupPlanes
  ) throws(BatchError) {
    let size = frames.range.count * tracks.count
    guard size > 0 else { return }
    var (plane, speeds) = ([Float](repeating: 0, count: size), [Float](repeating: 0, count: velocities ? size : 0))
    for component in planes.values.indices {
      var span = plane.mutableSpan
      if velocities {
        var speedSpan = speeds.mutableSpan
        try batch.bake(frames, indices: tracks, dimension: component, values: &span, velocities: &speedSpan)
        planes.velocities[component] += speeds
      } else {
        try batch.bake(frames, indices: tracks, dimension: component, values: &span)
      }
      planes.values[component] += plane
    }
  }

  private func evaluate(at time: Double) throws(BatchError) {
    // The batch does nothing when its clock shows this time already; that is no evaluation.
    guard time != batch.time else { return }
    try clock.advance(&batch, to: time, awake: wakefulness.count)
    for handle in batch.settled { wakefulness.rest(handle.index) }
    values.expire()
    velocities?.expire()
  }

  private func apply(_ change: TargetChange) throws(BatchError) {
    let targets = change.targets.span
    let handles = handles
    switch (change.springs, change.tracks) {
    case (nil, .all): try batch.retargetAll(to: targets)
    case (.shared(let spring), .all): try batch.retargetAll(to: targets, spring: spring)
    case (nil, .range(let range)): try batch.retarget(range, to: targets)
    case (.shared(let spring), .range(let range)): try batch.retarget(range, to: targets, spring: spring)
    case (.each(let springs), .all): try batch.retarget(handles.span, to: targets, springs: springs.span)
    case (.each(let springs), .range(let range)):
      let all = handles.span
      try batch.retarget(all.extracting(range), to: targets, springs: springs.span)
    case (let springs, .strided(let first, _)):
      let selected = selectHandles(change.tracks, first: first)
      switch springs {
      case nil: try batch.retarget(selected.span, to: targets)
      case .shared(let spring): try batch.retarget(selected.span, to: targets, spring: spring)
      case .each(let springs): try batch.retarget(selected.span, to: targets, springs: springs.span)
      }
    }
  }

  private func wake(_ tracks: TrackSubset) {
    switch tracks {
    case .all: wakefulness.wake(0..<count)
    case .range(let range): wakefulness.wake(range)
    case .strided(let first, let step): wakefulness.wake(stride(from: first, to: count, by: step))
    }
  }

  private func selectHandles(_ tracks: TrackSubset, first: Int) -> [TrackHandle] {
    if let known = stridedHandles[first] { return known }
    let selected = tracks.indices(of: count).map { handles[$0] }
    stridedHandles[first] = selected
    return selected
  }

  // MARK: - Watching

  func watch(_ tracks: [Int]) { watched = tracks }

  func takeNotes() -> [RetargetNote] {
    defer { notes.removeAll(keepingCapacity: true) }
    return notes
  }

  func state(of track: Int) throws(BatchError) -> TrackState {
    try batch.isAtRest(handles[track]) ? .atRest : .moving
  }

  private func note(_ change: TargetChange) throws(BatchError) {
    for track in watched where change.tracks.position(of: track) != nil {
      notes.append(RetargetNote(track: track, time: change.time, wasAtRest: try batch.isAtRest(handles[track])))
    }
  }

  // MARK: - Reading

  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try values.withColumn(
      component, copy: { column in try batch.copyValues(dimension: component, into: &column) }, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    var columns = velocities ?? GroupColumns(count: count, dimensions: batch.dimensions)
    // Taken out while it changes, so that it is not copied.
    velocities = nil
    defer { velocities = columns }
    return try columns.withColumn(
      component, copy: { column in try batch.copyVelocities(dimension: component, into: &column) }, body)
  }
}
