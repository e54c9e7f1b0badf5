// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of tracks that go through phases.
final class PhaseGroupPlayer: PlaybackGroupPlayer {
  var batch: AnimationBatch<Components>
  var values: GroupColumns
  var velocities: GroupColumns
  private let handles: [TrackHandle]
  private var course: WaveCourse
  private var hasChanges = true
  private(set) var clock = PlaybackClock()
  var log = WorkLog()

  var count: Int { handles.count }
  var undisturbedUntil: Double { course.nextTime }

  /// Lays out group `index` of a scene and adds its tracks at time 0.
  init(_ group: PhaseGroup, index: Int, count: Int, scene: Scene, kernels: KernelSet?, threads: Int) throws {
    var batch = try AnimationBatch(group: index, of: scene, count: count, kernels: kernels, threads: threads)
    batch.reports = .phases
    let starts = group.starts(count: count, index: index, scene: scene)
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene) ?? []
    let first = group.firstValues(count: count, offsets: offsets)
    let handles = try batch.add(planar: first.span)
    let sequence = try batch.load(try group.sequence(dimensions: scene.dimensions))
    try batch.play(
      sequence, on: handles.span, group.triggers == nil ? .loops : .triggered, startingAt: starts.span,
      planarOffsets: offsets.span)
    self.batch = batch
    self.handles = handles
    course = WaveCourse(group.triggers ?? [], count: count, index: index, seed: scene.seed)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
    velocities = values
    try evaluate(at: 0)
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws {
    while !isStopped(), let wave = course.next(until: time) {
      // A track follows the first of several triggers at one moment: no time passes between them.
      if wave.time != batch.time { try evaluate(at: wave.time) }
      let selected = wave.tracks.map { handles[$0] }
      try NetworkClock.measure(&clock.changeSeconds) { try batch.trigger(selected) }
      clock.changes += selected.count
      hasChanges = true
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  func evaluate(at time: Double) throws {
    guard time != batch.time || hasChanges else { return }
    hasChanges = false
    try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time, velocities: true) }
    clock.evaluations += count
    for event in batch.events {
      switch event.kind {
      case .phase: clock.turns += 1
      case .logicallyComplete: clock.completions += 1
      case .settled, .iteration, .invalidGoal: break
      }
    }
    expire()
  }
}

extension PhaseGroup {
  /// When each track that loops sets out, in seconds.
  package func starts(count: Int, index: Int, scene: Scene) -> [Double] {
    stagger.delays(count: count, random: SceneRandom(seed: scene.seed, purpose: .stagger, group: index))
  }

  /// The value of each track in the first phase, in columns.
  fileprivate func firstValues(count: Int, offsets: [Float]) -> [Float] {
    phases[0].target.enumerated().flatMap { component, value in
      (0..<count).map { track in Float(value) + (offsets.isEmpty ? 0 : offsets[component * count + track]) }
    }
  }
}
