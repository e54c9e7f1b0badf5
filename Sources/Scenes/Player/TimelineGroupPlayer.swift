// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays a group of keyframe timelines: one clip for all tracks. A hand may take tracks from it and leave them to
/// springs.
final class TimelineGroupPlayer: PlaybackGroupPlayer {
  var batch: AnimationBatch<Components>
  var values: GroupColumns
  var velocities: GroupColumns
  private let handles: [TrackHandle]
  private let grab: Grab?
  private var course: GrabCourse?
  /// The playbacks of the tracks once they are let go.
  private let playbacks: [Playback]
  /// The repetition after an iteration that a hand made begin elsewhere; nil without one, or if that iteration turns back.
  private let repetition: Playback.Repetition?
  /// The end of that iteration, for each track that plays it.
  private var firstRounds: [Int: Double] = [:]
  /// The compiled timelines, and the duration of an iteration at a speed of 1.
  let clip: ClipID
  private let duration: Double
  /// The offsets of each track's values: component-major, or empty.
  private let offsets: [Float]
  private var dragged = DraggedTracks()
  private var hasChanges = false
  private(set) var clock = PlaybackClock()
  var log = WorkLog()

  var count: Int { handles.count }

  /// A hand moves tracks in every frame. A track that it has let go begins its later iterations at the end of that first
  /// one.
  var undisturbedUntil: Double {
    guard dragged.isEmpty else { return -.infinity }
    return min(course?.nextTime ?? .infinity, firstRounds.values.min() ?? .infinity)
  }

  /// Compiles the timelines of group `index` of a scene, and adds its tracks at time 0.
  init(_ group: TimelineGroup, index: Int, count: Int, scene: Scene, kernels: KernelSet?, threads: Int) throws {
    var batch = try AnimationBatch(group: index, of: scene, count: count, kernels: kernels, threads: threads)
    batch.reports = .iterations
    let playbacks = group.playbacks(count: count, index: index, scene: scene)
    let first = zip(playbacks, group.starts(count: count, index: index, scene: scene)).map { playback, start in
      var playback = playback
      playback.start = start
      return playback
    }
    let compiled = try group.clip()
    (clip, duration) = (try batch.load(compiled), compiled.duration)
    let handles = try batch.add(playing: clip, first)
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene) ?? []
    if !offsets.isEmpty {
      let ones = [Float](repeating: 1, count: offsets.count)
      try batch.setVariations(of: handles.span, planarScales: ones.span, offsets: offsets.span)
    }
    // Changes show with the next advance.
    try batch.advance(to: 0)
    self.batch = batch
    self.handles = handles
    self.offsets = offsets
    self.playbacks = playbacks
    repetition = group.laterRounds
    grab = group.grab
    course = GrabCourse(group, count: count, index: index, seed: scene.seed)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
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

  func evaluate(at time: Double) throws {
    guard time != batch.time || hasChanges else { return }
    hasChanges = false
    repeat {
      try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time, velocities: true) }
    } while try goOn()
    clock.evaluations += count
    expire()
    if let grab { try dragged.draw(grab, at: time, in: &batch) }
  }

  /// Counts the events. A track at the end of an iteration that a hand made begin elsewhere goes on to the later
  /// iterations, which begin where the timelines begin.
  ///
  /// - Returns: Whether there are such tracks.
  private func goOn() throws -> Bool {
    var goesOn = false
    for event in batch.events {
      if event.kind == .iteration { clock.turns += 1 }
      // The end of a spring after a hand is not the end of a playback.
      guard event.kind == .logicallyComplete, case .clip = batch.motion(of: event.track) else { continue }
      let index = event.track.index
      guard let repetition, let end = firstRounds.removeValue(forKey: index) else {
        clock.completions += 1
        continue
      }
      var playback = playbacks[index]
      (playback.start, playback.repetition) = (end, repetition)
      try batch.play(clip, on: event.track, playback)
      clock.turns += 1
      goesOn = true
    }
    return goesOn
  }

  // MARK: - The hand

  private func apply(_ change: GrabCourse.Change) throws {
    let tracks = change.tracks.map { handles[$0] }
    let places = tracks.map { batch[$0] ?? .zero }
    switch change.kind {
    case .take:
      try batch.stop(tracks)
      if grab?.drag.isEmpty == false { dragged.add(tracks, at: places, since: change.time) }
    case .hand(let release):
      dragged.remove(tracks)
      try leave(tracks, at: places, to: release)
    case .restart:
      dragged.remove(tracks)
      try restart(tracks, at: places)
    }
  }

  /// Leaves tracks to a spring, with the velocity of the hand.
  private func leave(_ tracks: [TrackHandle], at places: [Components], to release: Grab.Release) throws {
    let speed = Components((0..<batch.dimensions).map { grab?.speedAtRelease($0) ?? 0 })
    try batch.set(tracks, places, velocities: tracks.map { _ in speed })
    let targets = places.map { place in
      Components(place.items.indices.map { release.target(place[$0], speed[$0]) })
    }
    try batch.animate(tracks, to: targets, .spring(release.spring.spring))
  }

  /// Starts the timelines of tracks anew from their current values, with their velocities.
  private func restart(_ tracks: [TrackHandle], at places: [Components]) throws {
    let own = tracks.map { offset($0.index) }
    // The clip is made anew from the shown values without their offsets.
    try batch.set(tracks, zip(places, own).map { $0 - $1 }, velocities: tracks.map { batch.velocity(of: $0) ?? .zero })
    try batch.play(tracks.map { _ in clip }, on: tracks, tracks.map { firstRound($0.index) }, start: .shownValue)
    guard !offsets.isEmpty else { return }
    let one = Components(Array(repeating: 1, count: batch.dimensions))
    try batch.setVariations(of: tracks, scales: tracks.map { _ in one }, offsets: own)
  }

  /// The offset of a track's values.
  private func offset(_ track: Int) -> Components {
    offsets.isEmpty ? .zero : Components((0..<batch.dimensions).map { Double(offsets[$0 * count + track]) })
  }

  /// The playback of the iteration that begins where the track is.
  private func firstRound(_ track: Int) -> Playback {
    var playback = playbacks[track]
    if repetition != nil {
      playback.repetition = .count(1)
      firstRounds[track] = batch.time + duration / playback.speed
    }
    return playback
  }
}

/// The tracks that a hand draws along, with the time and value at which it took each.
private struct DraggedTracks {
  private var tracks: [TrackHandle] = []
  private var since: [Double] = []
  private var starts: [Components] = []
  /// The values of the tracks in a frame, and their velocities; kept, so that the next frame need not allocate.
  private var places: [Float] = []
  private var speeds: [Float] = []

  var isEmpty: Bool { tracks.isEmpty }

  mutating func add(_ tracks: [TrackHandle], at places: [Components], since time: Double) {
    self.tracks += tracks
    since += tracks.map { _ in time }
    starts += places
  }

  mutating func remove(_ others: [TrackHandle]) {
    guard !isEmpty else { return }
    let gone = Set(others)
    let kept = tracks.indices.filter { !gone.contains(tracks[$0]) }
    (tracks, since, starts) = (kept.map { tracks[$0] }, kept.map { since[$0] }, kept.map { starts[$0] })
  }

  /// Moves the tracks to the hand. While it draws them, they have no velocity to show.
  mutating func draw(
    _ grab: Grab, at time: Double, in batch: inout AnimationBatch<Components>
  ) throws(BatchError) {
    guard !isEmpty else { return }
    places.removeAll(keepingCapacity: true)
    speeds.removeAll(keepingCapacity: true)
    for component in 0..<batch.dimensions {
      for index in tracks.indices {
        places.append(Float(starts[index][component] + grab.way(component, after: time - since[index])))
        speeds.append(0)
      }
    }
    try batch.set(tracks.span, planar: places.span, velocities: speeds.span)
  }
}

extension TimelineGroup {
  /// When each track starts, in seconds.
  package func starts(count: Int, index: Int, scene: Scene) -> [Double] {
    stagger.delays(count: count, random: SceneRandom(seed: scene.seed, purpose: .stagger, group: index))
  }

  /// The repetition that remains after an iteration that a hand made begin elsewhere; nil if no iteration remains, or if
  /// that iteration goes to and fro.
  var laterRounds: Playback.Repetition? {
    guard grab != nil, !playback.autoreverses else { return nil }
    guard case .count(let count) = repetition else { return .forever }
    return count > 1 ? .count(count - 1) : nil
  }

  /// The playback of each track, whenever it starts.
  package func playbacks(count: Int, index: Int, scene: Scene) -> [Playback] {
    let random = SceneRandom(seed: scene.seed, purpose: .speeds, group: index)
    return playback.speeds(count: count, random: random).map { speed in
      Playback(speed: speed, repetition: repetition, autoreverses: playback.autoreverses)
    }
  }
}
