// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of particles through one batch: a field that sleeps, a pointer that wakes some of it, and bursts whose
/// tracks are removed when the batch reports them as settled.
///
/// The field is added first, so that the index of its tracks in the batch is their number in the group. The tracks of
/// bursts take whatever index is free.
final class ParticleGroupPlayer: KernelGroupPlayer {
  private var batch: SpringBatch
  private let fieldCount: Int
  private let home: Spring
  private let following: Spring
  private let field: [TrackHandle]
  private var course: ParticleCourse
  private var wakefulness: Wakefulness

  /// The tracks of bursts that were born so far, in the order of the group: each with its index while it lives.
  private var sparks: [TrackHandle?] = []
  /// Which of them has an index, counted from the end of the field.
  private var sparkOfIndex: [Int]
  /// The handles that a bulk call is about; kept, so that the next one need not allocate.
  private var picked: [TrackHandle] = []

  private var values: GroupColumns
  private var velocities: GroupColumns?
  private var isWatched: [Bool] = []
  private var notes: [RetargetNote] = []
  private(set) var clock = KernelClock()

  let count: Int
  let hasAbsentTracks: Bool
  var restTolerance: RestTolerances { batch.restTolerance }

  /// Lays out group number `index` of a scene and adds its field at time 0.
  init(
    _ group: SpringGroup, _ particles: Particles, index: Int, count: Int, scene: Scene, kernels: KernelSet?,
    threads: Int
  ) throws {
    fieldCount = particles.fieldCount(of: count)
    let start = GroupStart(group, index: index, count: fieldCount, scene: scene, recording: nil)
    home = start.springs[0]
    following = particles.pointer?.spring?.spring ?? home
    let velocities = start.velocity.flatMap { [Float](repeating: $0, count: particles.fieldCount(of: count)) }
    var batch = try SpringBatch(dimensions: scene.dimensions, reservingCapacity: count, kernels: kernels)
    batch.threadCount = threads
    field = try batch.add(home, values: start.values.span, targets: start.values.span, velocities: velocities.span)
    self.batch = batch
    self.count = count
    hasAbsentTracks = !particles.bursts.isEmpty
    course = ParticleCourse(group, particles, start: start, index: index, count: count, scene: scene)
    wakefulness = Wakefulness(count: fieldCount, capacity: count)
    sparkOfIndex = Array(repeating: 0, count: count - fieldCount)
    sparks.reserveCapacity(count - fieldCount)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws(BatchError) {
    while !isStopped(), let change = course.next(until: time) {
      try evaluate(at: change.time)
      switch change.kind {
      case .move(let released, let followers):
        // Those that go home first: the places that they leave are then known when the others move.
        try retarget(released, spring: home, at: change.time)
        try retarget(followers, spring: following, at: change.time)
      case .birth(let sparks): try emit(sparks)
      }
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  private func evaluate(at time: Double) throws(BatchError) {
    guard time != batch.time else { return }
    try clock.advance(&batch, to: time, awake: wakefulness.count)
    try bury()
    values.expire()
    velocities?.expire()
  }

  // MARK: - Changes

  private func retarget(_ flock: Flock, spring: Spring, at time: Double) throws(BatchError) {
    guard !flock.tracks.isEmpty else { return }
    try note(flock, at: time)
    picked.removeAll(keepingCapacity: true)
    for track in flock.tracks { picked.append(field[track]) }
    let handles = picked
    try clock.measure(.retarget, tracks: handles.count) { () throws(BatchError) in
      try batch.retarget(handles.span, to: flock.targets.span, spring: spring)
    }
    wakefulness.wake(flock.tracks)
  }

  private func emit(_ born: Sparks) throws(BatchError) {
    // Room for the handles that the batch gives.
    var newcomers = Array(repeating: field[0], count: born.tracks.count)
    try clock.measure(.birth, tracks: newcomers.count) { () throws(BatchError) in
      var handles = newcomers.mutableSpan
      let (values, targets, velocities) = (born.values.span, born.targets.span, born.velocities.span)
      switch born.springs {
      case .shared(let spring):
        try batch.emit(spring, values: values, targets: targets, velocities: velocities, handles: &handles)
      case .each(let springs):
        try batch.emit(springs.span, values: values, targets: targets, velocities: velocities, handles: &handles)
      }
    }
    for handle in newcomers {
      sparkOfIndex[handle.index - fieldCount] = sparks.count
      sparks.append(handle)
      wakefulness.wake(CollectionOfOne(handle.index))
    }
  }

  /// Removes the tracks of bursts that came to rest with the last advance.
  private func bury() throws(BatchError) {
    picked.removeAll(keepingCapacity: true)
    for handle in batch.settled {
      wakefulness.rest(handle.index)
      guard handle.index >= fieldCount else { continue }
      sparks[sparkOfIndex[handle.index - fieldCount]] = nil
      picked.append(handle)
    }
    guard !picked.isEmpty else { return }
    let handles = picked
    try clock.measure(.death, tracks: handles.count) { () throws(BatchError) in
      try batch.remove(handles.span)
    }
  }

  // MARK: - Watching

  func watch(_ tracks: [Int]) {
    isWatched = Array(repeating: false, count: count)
    for track in tracks { isWatched[track] = true }
  }

  func takeNotes() -> [RetargetNote] {
    defer { notes.removeAll(keepingCapacity: true) }
    return notes
  }

  func state(of track: Int) throws(BatchError) -> TrackState {
    guard let handle = track < fieldCount ? field[track] : spark(track - fieldCount) else { return .absent }
    return try batch.isAtRest(handle) ? .atRest : .moving
  }

  private func spark(_ number: Int) -> TrackHandle? { number < sparks.count ? sparks[number] : nil }

  private func note(_ flock: Flock, at time: Double) throws(BatchError) {
    guard !isWatched.isEmpty else { return }
    for track in flock.tracks where isWatched[track] {
      notes.append(RetargetNote(track: track, time: time, wasAtRest: try batch.isAtRest(field[track])))
    }
  }

  // MARK: - Reading

  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try values.withColumn(
      component,
      copy: { column in
        try batch.copyValues(dimension: component, into: &column)
        spread(&column)
      }, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    var columns = velocities ?? GroupColumns(count: count, dimensions: batch.dimensions)
    // Taken out while it changes, so that it is not copied.
    velocities = nil
    defer { velocities = columns }
    return try columns.withColumn(
      component,
      copy: { column in
        try batch.copyVelocities(dimension: component, into: &column)
        spread(&column)
      }, body)
  }

  /// Gives each track of a burst its own place in a column that the batch filled by its indices.
  private func spread(_ column: inout MutableSpan<Float>) {
    var byIndex: [Float] = []
    byIndex.reserveCapacity(batch.indexCount - fieldCount)
    for index in fieldCount..<batch.indexCount { byIndex.append(column[index]) }
    for spark in 0..<(count - fieldCount) {
      column[fieldCount + spark] = self.spark(spark).map { byIndex[$0.index - fieldCount] } ?? .nan
    }
  }
}
