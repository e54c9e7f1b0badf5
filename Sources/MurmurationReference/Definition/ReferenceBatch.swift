// SPDX-License-Identifier: MIT
public import Murmuration

/// A batch by its documentation: the same calls, one track at a time, in Double, by the model alone.
///
/// It says what each track shows and how far a batch may be from that, and which events must be reported. It is slow,
/// and made to be read.
///
/// ```swift
/// var reference = ReferenceBatch(dimensions: 1)
/// try reference.perform(BatchCall(.add, values: [0]))
/// try reference.perform(BatchCall(.animate, .all, goals: [100], animations: [.bouncy]))
/// try reference.perform(BatchCall(.advance(to: 0.25, velocities: false)))
/// let height = reference.state(of: 0)[0].value
/// ```
///
/// A reference checks no arguments: it is given calls that a batch has accepted.
public struct ReferenceBatch: Sendable {
  public let dimensions: Int
  /// The tolerance of curves, as a share of their way.
  public let curveTolerance: Double
  /// The clock, in seconds.
  public private(set) var time = 0.0
  /// The events of the last ``advance(to:)``, by track.
  package private(set) var events: [(track: Int, event: ReferenceEvent)] = []
  /// The number of the latest change: calls that change motions are counted.
  public private(set) var latestChange = 0
  /// The tolerance of rest, for all tracks from now on.
  public private(set) var restTolerance = RestTolerances()

  /// The events that are reported besides completion.
  private var reports: AnimationReports = []
  /// Tracks by the order in which they were added; nil for one that is gone.
  private var tracks: [ReferenceTrack?] = []
  private var indices: [Int] = []
  /// The track of each index that was ever used; nil for a free index.
  private var slots: [Int?] = []
  /// Free indices. The one that was freed last is taken first.
  private var freeIndices: [Int] = []
  private var clips: [ClipContent] = []
  private var sequences: [PhasePlan] = []

  /// An empty batch.
  public init(dimensions: Int, curveTolerance: Double = 0x1p-16) {
    self.dimensions = dimensions
    self.curveTolerance = curveTolerance
  }
}

extension ReferenceBatch {
  // MARK: - Calls

  /// Makes a call.
  ///
  /// - Throws: `ClipError` if a clip cannot be made anew from what a track shows.
  public mutating func perform(_ call: BatchCall) throws(ClipError) {
    switch call.verb {
    case .add, .addMoving, .addPlaying: try add(call)
    case .remove: for case let track? in select(call.tracks) where tracks[track] != nil { remove(track) }
    case .removeAll:
      // The lowest index is taken first then.
      for case let track? in slots.reversed() { remove(track) }
    case .removeSettled, .compact, .reserve, .unloadClip: break
    case .loadClip(let clip): clips.append(ClipContent(clip))
    case .loadPhases(let phases):
      sequences.append(PhasePlan(targets: phases.allTargets, animations: phases.animations))
    case .unloadPhases: for track in tracks.indices { tracks[track]?.forgetPhases(call.sequences[0]) }
    case .setReports(let reports): self.reports = reports
    case .setRestTolerance(let tolerance):
      restTolerance = tolerance
      for track in tracks.indices { tracks[track]?.setRestTolerance(tolerance) }
    case .advance(let seconds, _):
      if seconds != time { findLeaders() }
      time = seconds
      events.removeAll()
      // Iterations and phases are reported where that was asked for, and other events always.
      let asked: [AnimationEvent.Kind: AnimationReports] = [.iteration: .iterations, .phase: .phases]
      for track in tracks.indices {
        let own = tracks[track]?.advance(to: seconds) ?? []
        events += own.filter { reports.contains(asked[$0.kind] ?? []) }.map { (track, $0) }
      }

    case .animate:
      change(call) { $0.animate(to: $1.goals, with: .some($1.animations[0]), delay: $1.numbers.first, change: $2) }
    case .retarget: change(call) { $0.animate(to: $1.goals, with: nil, delay: $1.numbers.first, change: $2) }
    case .cancelDelays: forEach(call) { track, _ in track.waiting = nil }
    case .set: change(call) { $0.set($1.values, velocities: $1.velocities, change: $2) }
    case .displace: change(call) { $0.set($1.values, velocities: $1.velocities, goesOn: true, change: $2) }
    case .decelerate(let deceleration):
      change(call) { $0.decelerate(deceleration, velocities: $1.velocities, change: $2) }
    case .pause: forEach(call) { track, _ in track.pause() }
    case .resume: forEach(call) { track, _ in track.resume() }
    case .stop: forEach(call) { track, _ in track.stop() }

    case .follow, .followTracks:
      change(call) { $0.follow(with: $1.springs[0], leader: $1.leaders.first, offset: $1.offsets, change: $2) }
    case .setGoals: forEach(call) { $0.setGoal(MotionSample.exact($1.goals)) }
    case .writeGoals: forEach(call) { $0.setGoal(MotionSample.exact($1.goals), isLed: true) }

    case .play(let start):
      let clips = clips
      try change(call) { track, own, change throws(ClipError) in
        try track.play(clips[own.clips[0]], own.playbacks[0], start: start, change: change)
      }
    case .setVariations: forEach(call) { $0.setVariation(scales: $1.scales, offsets: $1.offsets) }
    case .setSpeed: forEach(call) { $0.setSpeed($1.numbers[0]) }
    case .seek: forEach(call) { $0.seek(to: $1.numbers[0]) }
    case .seekProgress: forEach(call) { $0.seek(progress: $1.numbers[0]) }

    case .playPhases(let playback):
      let (sequence, plan) = (call.sequences[0], sequences[call.sequences[0]])
      change(call) { $0.play(plan, sequence, playback, as: $1, change: $2) }
    case .trigger: change(call) { track, _, change in track.trigger(change: change) }
    }
  }

  /// Counts a change of motions, and calls a body with its number for each live track of the call.
  private mutating func change<E: Error>(
    _ call: BatchCall, _ body: (inout ReferenceTrack, _ own: BatchCall, _ change: Int) throws(E) -> Void
  ) throws(E) {
    latestChange += 1
    let change = latestChange
    try forEach(call) { track, own throws(E) in try body(&track, own, change) }
  }

  /// Calls a body for each live track of a call, with what the call says of it: lists have its components, or one
  /// element, or none. If a track is named twice, its last position counts.
  private mutating func forEach<E: Error>(
    _ call: BatchCall, _ body: (inout ReferenceTrack, _ own: BatchCall) throws(E) -> Void
  ) throws(E) {
    let named = select(call.tracks)
    let last = Dictionary(zip(named, named.indices)) { $1 }
    for (position, name) in named.enumerated() {
      guard let name, last[name] == position, var track = tracks[name] else { continue }
      try body(&track, call.keeping([position], of: named.count, dimensions: dimensions))
      tracks[name] = track
    }
  }

  /// The tracks of a selection; nil for an index without a track.
  private func select(_ selection: BatchCall.Tracks?) -> [Int?] {
    switch selection {
    case .tracks(let tracks): tracks
    case .indices(let range): range.map { slots[$0] }
    case .all: slots
    case nil: []
    }
  }

  private mutating func add(_ call: BatchCall) throws(ClipError) {
    let count = call.addedCount(dimensions: dimensions)
    // Tracks that stand still are no change.
    if !call.springs.isEmpty || !call.clips.isEmpty { latestChange += 1 }
    for position in 0..<count {
      let own = call.keeping([position], of: count, dimensions: dimensions)
      let content = own.clips.first.map { clips[$0] }
      let values = content.map { content in (0..<dimensions).map { Float(content.sample($0, at: -1).value) } }
      var track = ReferenceTrack(
        values ?? own.values, at: time, restTolerance: restTolerance, curveTolerance: curveTolerance)
      if let spring = own.springs.first {
        track.setOut(velocities: own.velocities, to: own.goals, on: spring, change: latestChange)
      }
      if let content {
        try track.play(content, own.playbacks[0], change: latestChange)
        track.allowRounding()
      }
      let index = freeIndices.popLast() ?? slots.count
      if index == slots.count { slots.append(nil) }
      slots[index] = tracks.count
      tracks.append(track)
      indices.append(index)
    }
  }

  private mutating func remove(_ track: Int) {
    (tracks[track], slots[indices[track]]) = (nil, nil)
    freeIndices.append(indices[track])
  }

  /// Lets no track lead another from now on, as in a bake.
  package mutating func endLeads() { for track in tracks.indices { tracks[track]?.leader = nil } }

  /// Takes the values of leaders over as goals. Without its leader, a track keeps its goal.
  private mutating func findLeaders() {
    let before = tracks
    for track in tracks.indices {
      guard let leader = before[track]?.leader, before[track]?.isPaused == false else { continue }
      guard let shown = before[leader.track]?.samples else {
        tracks[track]?.leader = nil
        continue
      }
      let goals = shown.enumerated().map { dimension, sample in
        let value = sample.value + Double(leader.offset[ifPresent: dimension] ?? 0)
        let error = sample.bound.value + 2 * ErrorBound.rounding(of: abs(value) + sample.bound.value)
        return MotionSample(value: value, bound: ErrorBound(value: error))
      }
      tracks[track]?.setGoal(goals, isLed: true)
    }
  }

  // MARK: - Reading

  /// The live tracks, in the order in which they were added.
  public var liveTracks: [Int] { tracks.indices.filter { tracks[$0] != nil } }

  /// The index of a track, which it keeps for life.
  public func index(of track: Int) -> Int { indices[track] }

  /// The track of an index; nil for an index without a track.
  public func track(at index: Int) -> Int? { index < slots.count ? slots[index] : nil }

  /// One past the largest index that was ever used.
  public var indexCount: Int { slots.count }

  /// The state of a live track at the time of the clock, by component.
  public func state(of track: Int) -> [MotionSample] { tracks[track]?.samples ?? [] }

  /// The target of a live track.
  public func target(of track: Int) -> [Float] { tracks[track]?.target ?? [] }

  /// A live track.
  package subscript(track: Int) -> ReferenceTrack? { tracks[track] }

  /// Notes that a batch has reported an event of a track.
  package mutating func note(_ event: ReferenceEvent, of track: Int) { tracks[track]?.note(event) }
}
