// SPDX-License-Identifier: MIT
import Formats
import Murmuration

/// Plays a group of springs.
final class SpringGroupPlayer: KernelGroupPlayer, BakingGroupPlayer {
  var batch: AnimationBatch<Components>
  var values: GroupColumns
  var velocities: GroupColumns
  private let handles: [TrackHandle]
  /// The handles of each strided subset, by its first track: a wandering course uses them again and again.
  private var stridedHandles: [Int: [TrackHandle]] = [:]
  private var course: GroupCourse
  private var watched: [Int] = []
  private var notes: [RetargetNote] = []
  private(set) var clock = KernelClock()
  var log = WorkLog()
  private var wakefulness: Wakefulness

  var count: Int { handles.count }
  var hasAbsentTracks: Bool { false }
  var undisturbedUntil: Double { course.nextTime }

  /// Lays out group `index` of a scene and adds its tracks at time 0.
  init(
    _ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?, kernels: KernelSet?,
    threads: Int
  ) throws {
    let start = GroupStart(group, index: index, count: count, scene: scene, recording: recording)
    let places = start.values.span
    let speeds = start.velocity.flatMap { [Float](repeating: $0, count: count) }
    var batch = try AnimationBatch(group: index, of: scene, count: count, kernels: kernels, threads: threads)
    switch start.springs {
    case .shared(let spring):
      handles = try batch.add(planar: places, velocities: speeds.span, toPlanar: places, spring)
    case .each(let springs):
      handles = try batch.add(planar: places, velocities: speeds.span, toPlanar: places, springs: springs.span)
    }
    self.batch = batch
    course = GroupCourse(group, index: index, count: count, scene: scene, recording: recording)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
    velocities = values
    wakefulness = Wakefulness(count: count, capacity: count)
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws(BatchError) {
    while !isStopped(), let change = course.next(until: time) {
      try evaluate(at: change.time)
      note(change)
      try clock.measure(.retarget, tracks: change.tracks.size(of: count)) { () throws(BatchError) in try apply(change) }
      wake(change.tracks)
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  func evaluate(at time: Double) throws(BatchError) {
    // The batch does nothing if its clock is at this time already; that does not count as an evaluation.
    guard time != batch.time else { return }
    try clock.advance(&batch, to: time, awake: wakefulness.count)
    wakefulness.rest(batch.events)
    expire()
  }

  // MARK: - Changes

  /// Takes over the moment, the values and the velocities of a player of the same tracks, and keeps its own springs.
  /// This player has not played yet.
  func takeOver(from other: SpringGroupPlayer) throws(BatchError) {
    try batch.advance(to: other.batch.time, velocities: true)
    // Of the changes so far only the springs and the targets count.
    while let change = course.next(until: batch.time) { try apply(change) }
    guard batch.time > 0 else { return }
    var values = [Float](repeating: 0, count: count * batch.dimensions)
    var velocities = values
    do {
      var output = values.mutableSpan
      var speeds = velocities.mutableSpan
      try other.batch.copyValues(planar: &output)
      try other.batch.copyVelocities(planar: &speeds)
    }
    let handles = handles
    try batch.displace(handles.span, planar: values.span, velocities: velocities.span)
    wake(.all)
  }

  private func apply(_ change: TargetChange) throws(BatchError) {
    let targets = change.targets.span
    let handles = handles
    switch (change.springs, change.tracks) {
    case (nil, .all): try batch.retarget(.all, toPlanar: targets)
    case (.shared(let spring), .all): try batch.animate(.all, toPlanar: targets, .spring(spring))
    case (_, .all): try send(handles.span, change)
    case (_, .range(let range)): try send(handles.span.extracting(range), change)
    case (_, .strided(let first, _)): try send(selectHandles(change.tracks, first: first).span, change)
    }
  }

  private func send(_ tracks: Span<TrackHandle>, _ change: TargetChange) throws(BatchError) {
    let targets = change.targets.span
    switch change.springs {
    case nil: try batch.retarget(tracks, toPlanar: targets)
    case .shared(let spring): try batch.animate(tracks, toPlanar: targets, .spring(spring))
    case .each(let springs): try batch.animate(tracks, toPlanar: targets, springs: springs.span)
    }
  }

  private func wake(_ tracks: TrackSubset) {
    switch tracks {
    case .all: wakefulness.wake(0..<count, of: batch)
    case .range(let range): wakefulness.wake(range, of: batch)
    case .strided(let first, let step): wakefulness.wake(stride(from: first, to: count, by: step), of: batch)
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

  func state(of track: Int) -> TrackState { batch.isAtRest(handles[track]) == true ? .atRest : .moving }

  private func note(_ change: TargetChange) {
    for track in watched where change.tracks.position(of: track) != nil {
      notes.append(RetargetNote(track: track, time: change.time, wasAtRest: state(of: track) == .atRest))
    }
  }
}
