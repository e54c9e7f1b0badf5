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

// MARK: - Calls

extension ReferenceBatch {
  /// Makes a call.
  ///
  /// - Throws: `ClipError` if a clip cannot be made anew from what a track shows.
  public mutating func perform(_ call: BatchCall) throws(ClipError) {
    if call.isChange { latestChange += 1 }
    let (dimensions, now, change) = (dimensions, time, latestChange)
    /// The components of a position among values; empty if there are no values.
    func own(_ values: [Float], _ position: Int) -> [Float] {
      values.isEmpty ? [] : Array(values[position * dimensions..<(position + 1) * dimensions])
    }
    switch call.verb {
    case .add: for position in 0..<call.values.count / dimensions { append(own(call.values, position)) }
    case .addMoving:
      for position in 0..<call.values.count / dimensions {
        tracks[append(own(call.values, position))]?.setOut(
          velocities: own(call.velocities, position), to: own(call.goals, position), on: call.springs.one(position),
          at: now, change: change)
      }
    case .addPlaying:
      for (position, playback) in call.playbacks.enumerated() {
        let content = clips[call.clips.one(position)]
        let track = append((0..<dimensions).map { Float(content.sample($0, at: -1).value) })
        try tracks[track]?.play(content, playback, at: now, change: change)
        tracks[track]?.allowRounding()
      }
    case .remove: for case let track? in select(call.tracks) where tracks[track] != nil { remove(track) }
    case .removeAll:
      // The lowest index is taken first then.
      for case let track? in slots.reversed() { remove(track) }
    case .removeSettled, .compact, .reserve, .unloadClip: break
    case .setReports(let reports): self.reports = reports

    case .animate:
      forEach(call) { track, position in
        track.animate(
          to: own(call.goals, position), with: .some(call.animations.one(position)),
          delay: call.numbers.oneIfAny(position), at: now, change: change)
      }
    case .retarget:
      forEach(call) { track, position in
        track.animate(
          to: own(call.goals, position), with: nil, delay: call.numbers.oneIfAny(position), at: now, change: change)
      }
    case .follow:
      forEach(call) { track, position in track.follow(with: call.springs.one(position), at: now, change: change) }
    case .followTracks:
      forEach(call) { track, position in
        let offset = call.offsets.isEmpty ? [Float](repeating: 0, count: dimensions) : own(call.offsets, position)
        track.follow(
          with: call.springs.one(position), leader: (call.leaders[position], offset), at: now, change: change)
      }
    case .writeGoals: forEach(call) { track, position in track.writeGoal(own(call.goals, position)) }
    case .setGoals: forEach(call) { track, position in track.setGoal(own(call.goals, position)) }
    case .cancelDelays: forEach(call) { track, _ in track.cancelDelay() }
    case .set, .displace:
      let goesOn = if case .displace = call.verb { true } else { false }
      forEach(call) { track, position in
        track.set(
          own(call.values, position), velocities: own(call.velocities, position), goesOn: goesOn, at: now,
          change: change)
      }
    case .decelerate(let deceleration):
      forEach(call) { track, position in
        let velocities = call.velocities.isEmpty ? nil : own(call.velocities, position)
        track.decelerate(deceleration, velocities: velocities, at: now, change: change)
      }
    case .pause: forEach(call) { track, _ in track.pause(at: now) }
    case .resume: forEach(call) { track, _ in track.resume(at: now) }
    case .stop: forEach(call) { track, _ in track.stop(at: now) }

    case .loadClip(let clip): clips.append(ClipContent(clip))
    case .loadPhases(let sequence): sequences.append(PhasePlan(sequence))
    case .unloadPhases(let sequence):
      for track in tracks.indices { tracks[track]?.forgetPhases(sequence) }
    case .play(let start):
      let clips = clips
      try forEach(call) { track, position throws(ClipError) in
        try track.play(
          clips[call.clips.one(position)], call.playbacks.one(position), start: start, at: now, change: change)
      }
    case .setVariations:
      forEach(call) { track, position in
        track.setVariation(scales: own(call.scales, position), offsets: own(call.offsets, position), at: now)
      }
    case .setSpeed: forEach(call) { track, position in track.setSpeed(call.numbers.one(position), at: now) }
    case .seek: forEach(call) { track, position in track.seek(to: call.numbers.one(position), at: now) }
    case .seekProgress:
      forEach(call) { track, position in track.seek(progress: call.numbers.one(position), at: now) }
    case .playPhases(let sequence, let playback):
      let plan = sequences[sequence]
      forEach(call) { track, position in
        let (scale, offset) = (own(call.scales, position), own(call.offsets, position))
        let targets = plan.targets.map { target in
          var target = target.map(Double.init)
          for index in scale.indices { target[index] *= Double(scale[index]) }
          for index in offset.indices { target[index] += Double(offset[index]) }
          return target.map { Float($0) }
        }
        track.play(
          plan, sequence, targets: targets, loops: playback == .loops, startingAt: call.numbers.oneIfAny(position),
          at: now, change: change)
      }
    case .trigger: forEach(call) { track, _ in track.trigger(at: now, change: change) }

    case .advance(let seconds, _):
      if seconds != now { findLeaders() }
      time = seconds
      events.removeAll()
      for track in tracks.indices {
        for event in tracks[track]?.advance(to: seconds, hasMoved: seconds != now) ?? [] where isReported(event) {
          events.append((track, event))
        }
      }
    case .setRestTolerance(let tolerance):
      restTolerance = tolerance
      for track in tracks.indices { tracks[track]?.setRestTolerance(tolerance, at: now) }
    }
  }

  private func isReported(_ event: ReferenceEvent) -> Bool {
    switch event.kind {
    case .logicallyComplete, .settled, .invalidGoal: true
    case .iteration: reports.contains(.iterations)
    case .phase: reports.contains(.phases)
    }
  }

  /// Lets no track lead another from now on, as in a bake.
  package mutating func endLeads() { for track in tracks.indices { tracks[track]?.leader = nil } }

  /// Takes the values of leaders over as goals. Without its leader, a track keeps its goal.
  private mutating func findLeaders() {
    let before = tracks
    for track in tracks.indices {
      guard let leader = before[track]?.leader, before[track]?.isPaused == false else { continue }
      guard let shown = before[leader.track]?.samples(at: time) else {
        tracks[track]?.leader = nil
        continue
      }
      let goals = zip(shown, leader.offset).map { sample, offset in
        let value = sample.value + Double(offset)
        return MotionSample(
          value: value,
          bound: ErrorBound(
            value: sample.bound.value + 2 * ErrorBound.rounding(of: abs(value) + sample.bound.value)))
      }
      tracks[track]?.setGoal(goals, leader: leader)
    }
  }

  @discardableResult
  private mutating func append(_ values: [Float]) -> Int {
    let track = tracks.count
    tracks.append(ReferenceTrack(values, at: time, restTolerance: restTolerance, curveTolerance: curveTolerance))
    let index = freeIndices.popLast() ?? slots.count
    if index == slots.count { slots.append(track) } else { slots[index] = track }
    indices.append(index)
    return track
  }

  private mutating func remove(_ track: Int) {
    tracks[track] = nil
    slots[indices[track]] = nil
    freeIndices.append(indices[track])
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

  /// Calls a body for each live track of a call, with its position there. If a track is named twice, its last position
  /// counts.
  private mutating func forEach<E: Error>(
    _ call: BatchCall, _ body: (inout ReferenceTrack, Int) throws(E) -> Void
  ) throws(E) {
    let named = select(call.tracks)
    var last: [Int: Int] = [:]
    for (position, track) in named.enumerated() { if let track { last[track] = position } }
    for (position, name) in named.enumerated() {
      guard let name, last[name] == position, var track = tracks[name] else { continue }
      try body(&track, position)
      tracks[name] = track
    }
  }
}

extension BatchCall {
  /// Whether it begins a change of motions, which gets a number.
  fileprivate var isChange: Bool {
    switch verb {
    case .addMoving, .addPlaying, .animate, .retarget, .follow, .followTracks, .set, .displace, .decelerate, .play,
      .playPhases, .trigger:
      true
    default: false
    }
  }
}

extension Array {
  /// The element of a position: one for all, or one for each.
  fileprivate func one(_ position: Int) -> Element { self[count == 1 ? 0 : position] }

  /// The same; nil if there are none.
  fileprivate func oneIfAny(_ position: Int) -> Element? { isEmpty ? nil : one(position) }
}

// MARK: - Reading

extension ReferenceBatch {
  /// The live tracks, in the order in which they were added.
  public var liveTracks: [Int] { tracks.indices.filter { tracks[$0] != nil } }

  /// The index of a track, which it keeps for life.
  public func index(of track: Int) -> Int { indices[track] }

  /// The track of an index; nil for an index without a track.
  public func track(at index: Int) -> Int? { index < slots.count ? slots[index] : nil }

  /// One past the largest index that was ever used.
  public var indexCount: Int { slots.count }

  /// The state of a live track at the time of the clock, by component.
  public func state(of track: Int) -> [MotionSample] { tracks[track]?.samples(at: time) ?? [] }

  /// The target of a live track.
  public func target(of track: Int) -> [Float] { tracks[track]?.target ?? [] }

  /// A live track.
  package subscript(track: Int) -> ReferenceTrack? { tracks[track] }

  /// Notes that a batch has reported an event of a track.
  package mutating func note(_ event: ReferenceEvent, of track: Int) { tracks[track]?.note(event) }
}
