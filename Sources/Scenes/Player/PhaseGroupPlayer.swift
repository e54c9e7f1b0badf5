// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of tracks that go through phases, through a batch of its own.
///
/// The batch is filled once, so that the index of a track in the batch is its number in the group.
final class PhaseGroupPlayer: PlaybackGroupPlayer {
  private var batch: PhaseBatch
  private let handles: [TrackHandle]
  private var course: WaveCourse
  private var hasChanges = false
  private var values: GroupColumns
  private var velocities: GroupColumns
  private(set) var clock = PlaybackClock()

  var count: Int { handles.count }

  /// Lays out group number `index` of a scene and adds its tracks at time 0.
  init(_ group: PhaseGroup, index: Int, count: Int, scene: Scene, kernels: KernelSet?, threads: Int) throws {
    var batch = try PhaseBatch(
      try group.sequence(dimensions: scene.dimensions), playback: group.triggers == nil ? .loops : .triggered,
      reservingCapacity: count, kernels: kernels)
    batch.threadCount = threads
    batch.reportsPhaseChanges = true
    let starts = group.starts(count: count, index: index, scene: scene)
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene) ?? []
    handles = try batch.add(startingAt: starts.span, offsets: offsets.span)
    self.batch = batch
    course = WaveCourse(group.triggers ?? [], count: count, index: index, seed: scene.seed)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
    velocities = values
    try evaluate(at: 0, isForced: true)
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws {
    while !isStopped(), let wave = course.next(until: time) {
      // Of several triggers at one moment, a track hears the first: nothing passes between them.
      if wave.time != batch.time { try evaluate(at: wave.time) }
      let selected = wave.tracks.map { handles[$0] }
      try NetworkClock.measure(&clock.changeSeconds) { try batch.trigger(selected.span) }
      clock.changes += selected.count
      hasChanges = true
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  private func evaluate(at time: Double, isForced: Bool = false) throws {
    guard time != batch.time || hasChanges || isForced else { return }
    hasChanges = false
    try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time) }
    clock.evaluations += count
    clock.completions += batch.completed.count
    clock.turns += batch.phaseChanges.count
    values.expire()
    velocities.expire()
  }

  // MARK: - Reading

  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try values.withValues(component, of: batch, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try velocities.withVelocities(component, of: &batch, body)
  }
}

// MARK: - Baking

extension PhaseGroupPlayer: BakingGroupPlayer {
  var undisturbedUntil: Double { course.nextTime }

  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, component: Int, values: inout MutableSpan<Float>
  ) throws {
    try batch.bake(frames, indices: tracks, dimension: component, values: &values)
  }

  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, component: Int, values: inout MutableSpan<Float>,
    velocities: inout MutableSpan<Float>
  ) throws {
    try batch.bake(frames, indices: tracks, dimension: component, values: &values, velocities: &velocities)
  }

  func moveOn(to time: Double) throws { try evaluate(at: time) }
}

extension PhaseGroup {
  /// When each track that plays for ever sets out, in seconds.
  func starts(count: Int, index: Int, scene: Scene) -> [Double] {
    stagger.starts(count: count, random: SceneRandom(seed: scene.seed, purpose: .stagger, group: index))
  }
}
