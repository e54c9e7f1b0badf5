// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of keyframe timelines: one clip in a batch of its own, an instance a track, and tracks that a hand has left
/// to springs in another.
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
  /// What the timelines are compiled to, and its name in the batch. A round lasts as long at a speed of 1.
  private let clip: Clip
  private let name: ClipID
  /// The clip of a track that began anew in mid-run from where a spring had it.
  private var ownClips: [Int: ClipID] = [:]
  /// What is added to the values of each track: component-major, or empty.
  private let offsets: [Float]
  /// The tracks that are left to springs; nil where there will be none.
  private let released: ReleasedTracks?
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
    clip = try group.clip()
    name = try batch.load(clip)
    let handles = try batch.add(name, first.span)
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene) ?? []
    if !offsets.isEmpty {
      let ones = [Float](repeating: 1, count: offsets.count)
      try batch.setVariations(handles.span, scales: ones.span, offsets: offsets.span)
    }
    // What a call changes shows with the next advance.
    try batch.advance(to: 0)
    self.batch = batch
    self.handles = handles
    self.playbacks = playbacks
    self.offsets = offsets
    repetition = group.laterRounds
    grab = group.grab
    released =
      group.grab?.release == nil
      ? nil : try ReleasedTracks(dimensions: dimensions, kernels: kernels, threads: threads)
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
    try NetworkClock.measure(&clock.seconds) {
      try batch.advance(to: time)
      try released?.advance(to: time)
    }
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
    switch change.kind {
    case .take:
      for track in change.tracks {
        held[track] = (change.time, try shown(track))
        try batch.cancel(handles[track])
      }
    case .restart:
      for track in change.tracks {
        held[track] = nil
        try batch.trigger(handles[track], firstRound(track, at: change.time), from: .current)
      }
    case .hand(let release): try hand(change.tracks, to: release)
    case .resume: for track in change.tracks { try resume(track, at: change.time) }
    }
  }

  private func shown(_ track: Int) throws -> [Float] {
    var shown = [Float](repeating: 0, count: batch.dimensions)
    var span = shown.mutableSpan
    try batch.copyValues(of: handles[track], into: &span)
    return shown
  }

  /// How a track plays the round that begins where it is.
  private func firstRound(_ track: Int, at time: Double) -> Playback {
    var playback = playbacks[track]
    if repetition != nil {
      playback.repetition = .count(1)
      firstRounds[track] = time + clip.duration / playback.speed
    }
    return playback
  }

  /// Leaves tracks to a spring, with the velocity of the hand.
  private func hand(_ tracks: [Int], to release: Grab.Release) throws {
    guard let released, let grab else { return }
    let places = try tracks.map(shown)
    var (values, velocities, targets): ([Float], [Float], [Float]) = ([], [], [])
    for component in 0..<batch.dimensions {
      let speed = grab.speedAtRelease(component)
      for place in places {
        values.append(place[component])
        velocities.append(Float(speed))
        targets.append(Float(release.target(Double(place[component]), speed)))
      }
    }
    try released.add(tracks, spring: release.spring.spring, values: values, velocities: velocities, targets: targets)
    for track in tracks { held[track] = nil }
  }

  /// Has the timelines of a track begin anew from where a spring has it, and with its velocity.
  private func resume(_ track: Int, at time: Double) throws {
    guard let motion = try released?.remove(track) else { return }
    let playback = firstRound(track, at: time)
    let start = motion.values.indices.map { component in
      motion.values[component] - (offsets.isEmpty ? 0 : Double(offsets[component * count + track]))
    }
    // The clip runs at its own speed.
    let own = try batch.load(try clip.restarted(from: start, velocity: motion.velocities.map { $0 / playback.speed }))
    ownClips[track] = own
    try batch.trigger(handles[track], playback, clip: own, from: .beginning)
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
      try batch.trigger(handle, playback, clip: name, from: .beginning)
      if let own = ownClips.removeValue(forKey: handle.index) { try batch.unload(own) }
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
    try values.withColumn(
      component,
      copy: { column in
        try batch.copyValues(dimension: component, into: &column)
        try released?.copyValues(component, into: &column)
      }, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try velocities.withColumn(
      component,
      copy: { column in
        try batch.copyVelocities(dimension: component, into: &column)
        try released?.copyVelocities(component, into: &column)
      }, body)
  }
}

// MARK: - Baking

extension TimelineGroupPlayer: BakingGroupPlayer {
  /// A hand moves what it holds in every frame, and springs what it has left to them; what it has let go begins another
  /// round at the end of the first.
  var undisturbedUntil: Double {
    let isDragged = grab.map { !$0.drag.isEmpty } ?? false
    guard held.isEmpty || !isDragged, released?.isEmpty ?? true else { return -.infinity }
    return min(course?.nextTime ?? .infinity, firstRounds.values.min() ?? .infinity)
  }

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
