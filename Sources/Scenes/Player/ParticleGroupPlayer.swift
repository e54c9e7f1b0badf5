// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of particles through one batch: a field that sleeps, a pointer that wakes some of it, and bursts whose
/// tracks are removed when the batch reports them as settled.
///
/// The field is added first, so its tracks have the same index in the batch and in the group. The tracks of bursts take
/// any free index.
final class ParticleGroupPlayer: KernelGroupPlayer {
  var batch: AnimationBatch<Components>
  var values: GroupColumns
  var velocities: GroupColumns
  private let fieldCount: Int
  private let home: Animation
  private let following: Animation
  private let field: [TrackHandle]
  private var course: ParticleCourse
  private var wakefulness: Wakefulness

  /// The tracks of bursts that were born so far, in the order of the group; each has its handle while it lives.
  private var sparks: [TrackHandle?] = []
  /// The track of a burst at each index, counted from the end of the field.
  private var sparkOfIndex: [Int]
  /// The handles of a bulk call; kept, so that the next call need not allocate.
  private var picked: [TrackHandle] = []

  /// A column of the batch, from the end of the field on; kept, so that reading need not allocate.
  private var byIndex: [Float] = []

  private var isWatched: [Bool] = []
  private var notes: [RetargetNote] = []
  private(set) var clock = KernelClock()
  var log = WorkLog()

  let count: Int
  let hasAbsentTracks: Bool

  /// Lays out group `index` of a scene and adds its field at time 0.
  init(
    _ group: SpringGroup, _ particles: Particles, index: Int, count: Int, scene: Scene, kernels: KernelSet?,
    threads: Int
  ) throws {
    fieldCount = particles.fieldCount(of: count)
    let start = GroupStart(group, index: index, count: fieldCount, scene: scene, recording: nil)
    let spring = start.springs[0]
    home = .spring(spring)
    following = .spring(particles.pointer?.spring?.spring ?? spring)
    let places = start.values.span
    let speeds = start.velocity.flatMap { [Float](repeating: $0, count: particles.fieldCount(of: count)) }
    var batch = try AnimationBatch(group: index, of: scene, count: count, kernels: kernels, threads: threads)
    field = try batch.add(planar: places, velocities: speeds.span, toPlanar: places, spring)
    self.batch = batch
    self.count = count
    hasAbsentTracks = !particles.bursts.isEmpty
    course = ParticleCourse(group, particles, start: start, index: index, count: count, scene: scene)
    wakefulness = Wakefulness(count: fieldCount, capacity: count)
    sparkOfIndex = Array(repeating: 0, count: count - fieldCount)
    sparks.reserveCapacity(count - fieldCount)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
    velocities = values
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws(BatchError) {
    while !isStopped(), let change = course.next(until: time) {
      try evaluate(at: change.time)
      switch change.kind {
      case .move(let released, let followers):
        // Tracks that go home are sent first, so that the rows that they leave are free when the others move.
        try send(released, home, at: change.time)
        try send(followers, following, at: change.time)
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
    expire()
  }

  // MARK: - Changes

  private func send(_ flock: Flock, _ animation: Animation, at time: Double) throws(BatchError) {
    guard !flock.tracks.isEmpty else { return }
    note(flock, at: time)
    picked.removeAll(keepingCapacity: true)
    for track in flock.tracks { picked.append(field[track]) }
    let handles = picked
    try clock.measure(.retarget, tracks: handles.count) { () throws(BatchError) in
      try batch.animate(handles.span, toPlanar: flock.targets.span, animation)
    }
    wakefulness.wake(flock.tracks, of: batch)
  }

  private func emit(_ born: Sparks) throws(BatchError) {
    var newcomers = Array(repeating: TrackHandle.noTrack, count: born.tracks.count)
    try clock.measure(.birth, tracks: newcomers.count) { () throws(BatchError) in
      var handles = newcomers.mutableSpan
      let (places, targets, speeds) = (born.values.span, born.targets.span, born.velocities.span)
      switch born.springs {
      case .shared(let spring):
        try batch.add(planar: places, velocities: speeds, toPlanar: targets, spring, handles: &handles)
      case .each(let springs):
        try batch.add(planar: places, velocities: speeds, toPlanar: targets, springs: springs.span, handles: &handles)
      }
    }
    for handle in newcomers {
      sparkOfIndex[handle.index - fieldCount] = sparks.count
      sparks.append(handle)
    }
    wakefulness.wake(newcomers.lazy.map(\.index), of: batch)
  }

  /// Removes the tracks of bursts that came to rest with the last advance.
  private func bury() throws(BatchError) {
    wakefulness.rest(batch.events)
    picked.removeAll(keepingCapacity: true)
    for event in batch.events where event.kind == .settled && event.track.index >= fieldCount {
      sparks[sparkOfIndex[event.track.index - fieldCount]] = nil
      picked.append(event.track)
    }
    guard !picked.isEmpty else { return }
    let handles = picked
    try clock.measure(.death, tracks: handles.count) { () throws(BatchError) in try batch.remove(handles) }
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

  func state(of track: Int) -> TrackState {
    guard let handle = track < fieldCount ? field[track] : spark(track - fieldCount) else { return .absent }
    return batch.isAtRest(handle) == true ? .atRest : .moving
  }

  private func spark(_ number: Int) -> TrackHandle? { number < sparks.count ? sparks[number] : nil }

  private func note(_ flock: Flock, at time: Double) {
    guard !isWatched.isEmpty else { return }
    for track in flock.tracks where isWatched[track] {
      notes.append(RetargetNote(track: track, time: time, wasAtRest: state(of: track) == .atRest))
    }
  }

  // MARK: - Reading

  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try values.withColumn(
      component,
      copy: { column in
        try batch.copyValues(component: component, planar: &column)
        spread(&column)
      }, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try velocities.withColumn(
      component,
      copy: { column in
        try batch.copyVelocities(component: component, planar: &column)
        spread(&column)
      }, body)
  }

  /// Moves each track of a burst to its own position in a column that the batch filled by index.
  private func spread(_ column: inout MutableSpan<Float>) {
    byIndex.removeAll(keepingCapacity: true)
    for index in fieldCount..<batch.indexCount { byIndex.append(column[index]) }
    for spark in 0..<(count - fieldCount) {
      column[fieldCount + spark] = self.spark(spark).map { byIndex[$0.index - fieldCount] } ?? .nan
    }
  }
}
