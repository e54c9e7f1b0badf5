// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of keyframe timelines: one clip in a batch of its own, an instance a track.
///
/// The batch is filled once, so that the index of an instance is the number of its track.
final class TimelineGroupPlayer: PlaybackGroupPlayer {
  private var batch: KeyframeBatch
  private let handles: [TrackHandle]
  private let grab: Grab?
  private var course: GrabCourse?
  /// How tracks play once they are let go.
  private let playbacks: [Playback]
  /// How they play the rounds after the one that began where they were; nil: there are none, or that one turns round.
  private let repetition: Playback.Repetition?
  /// The end of that first round for each track that is in it.
  private var firstRounds: [Int: Double] = [:]
  /// Seconds of a round at a speed of 1.
  private let duration: Double
  /// The tracks that a hand holds, since when, and where they were then.
  private var held: [Int: (since: Double, values: [Float])] = [:]
  private var hasChanges = false
  private var values: GroupColumns
  private var velocities: GroupColumns
  private(set) var clock = PlaybackClock()

  var count: Int { handles.count }

  /// Compiles the timelines of group number `index` of a scene, and adds its tracks at time 0.
  init(_ group: TimelineGroup, index: Int, count: Int, scene: Scene, kernels: KernelSet?, threads: Int) throws {
    let dimensions = scene.dimensions
    var batch = try KeyframeBatch(
      dimensions: dimensions, variations: group.offsets != nil, reservingCapacity: count, kernels: kernels)
    batch.threadCount = threads
    let starts = group.starts(count: count, index: index, scene: scene)
    let playbacks = group.playbacks(count: count, index: index, scene: scene)
    let first = zip(playbacks, starts).map { playback, start in
      var playback = playback
      playback.start = start
      return playback
    }
    let clip = try group.clip()
    let name = try batch.load(clip)
    let handles = try batch.add(name, first.span)
    if let offsets = group.offsets?.offsets(count: count, index: index, scene: scene) {
      let ones = [Float](repeating: 1, count: offsets.count)
      try batch.setVariations(handles.span, scales: ones.span, offsets: offsets.span)
    }
    // What a call changes shows with the next advance.
    try batch.advance(to: 0)
    self.batch = batch
    self.handles = handles
    self.playbacks = playbacks
    repetition = group.laterRounds
    duration = clip.duration
    grab = group.grab
    course = GrabCourse(group, count: count, index: index, seed: scene.seed)
    values = GroupColumns(count: count, dimensions: dimensions)
    velocities = values
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws {
    while !isStopped(), let change = course?.next(until: time) {
      try evaluate(at: change.time)
      try NetworkClock.measure(&clock.changeSeconds) { try apply(change) }
      clock.changes += change.tracks.count
      hasChanges = true
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  private func evaluate(at time: Double) throws {
    guard time != batch.time || hasChanges else { return }
    hasChanges = false
    try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time) }
    clock.evaluations += count
    clock.turns += batch.repeated.count
    try goOn(at: time)
    clock.completions += batch.completed.count
    values.expire()
    velocities.expire()
    try draw(at: time)
  }

  // MARK: - The hand

  private func apply(_ change: GrabCourse.Change) throws {
    let dimensions = batch.dimensions
    for track in change.tracks {
      let handle = handles[track]
      if change.isRelease {
        held[track] = nil
        var playback = playbacks[track]
        if repetition != nil {
          playback.repetition = .count(1)
          firstRounds[track] = change.time + duration / playback.speed
        }
        try batch.trigger(handle, playback, from: .current)
      } else {
        var shown = [Float](repeating: 0, count: dimensions)
        var span = shown.mutableSpan
        try batch.copyValues(of: handle, into: &span)
        try batch.cancel(handle)
        held[track] = (change.time, shown)
      }
    }
  }

  /// Has tracks whose round from where they were is over play the others, which begin where the timelines do.
  private func goOn(at time: Double) throws {
    guard !firstRounds.isEmpty, let repetition else { return }
    var others = 0
    for handle in batch.completed {
      guard let end = firstRounds.removeValue(forKey: handle.index) else {
        others += 1
        continue
      }
      var playback = playbacks[handle.index]
      (playback.start, playback.repetition) = (end, repetition)
      try batch.trigger(handle, playback, from: .beginning)
      clock.turns += 1
    }
    guard others < batch.completed.count else { return }
    clock.completions += others
    try batch.advance(to: time)
  }

  /// Puts the tracks that are held where the hand is.
  private func draw(at time: Double) throws {
    guard let grab, !grab.drag.isEmpty, !held.isEmpty else { return }
    let tracks = held.keys.sorted()
    let places = (0..<batch.dimensions).flatMap { component in
      tracks.map { track in
        let start = held[track].map { (time - $0.since, Double($0.values[component])) } ?? (0, 0)
        return Float(start.1 + grab.way(component, after: start.0))
      }
    }
    let selected = tracks.map { handles[$0] }
    try batch.set(selected.span, to: places.span)
  }

  // MARK: - Reading

  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try values.withValues(component, of: batch, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try velocities.withVelocities(component, of: &batch, body)
  }
}

extension TimelineGroup {
  /// When each track starts, in seconds.
  func starts(count: Int, index: Int, scene: Scene) -> [Double] {
    stagger.starts(count: count, random: SceneRandom(seed: scene.seed, purpose: .stagger, group: index))
  }

  /// What is left of the repeats after a round that a hand had begin elsewhere; nil if there is nothing, or if that round is
  /// gone through to and fro.
  var laterRounds: Playback.Repetition? {
    guard grab != nil, !playback.autoreverses else { return nil }
    guard case .count(let count) = repetition else { return .forever }
    return count > 1 ? .count(count - 1) : nil
  }

  /// How each track plays, from whenever it starts.
  func playbacks(count: Int, index: Int, scene: Scene) -> [Playback] {
    let random = SceneRandom(seed: scene.seed, purpose: .speeds, group: index)
    return playback.speeds(count: count, random: random).map { speed in
      Playback(speed: speed, repetition: repetition, autoreverses: playback.autoreverses)
    }
  }
}
