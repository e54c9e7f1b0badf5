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
  /// The track of each index; nil for a free index.
  private var slots: [Int?] = []
  /// Free indices. The lowest is taken first.
  private var freeIndices: Set<Int> = []
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
      lowerIndices()
    case .compact: lowerIndices()
    case .removeSettled, .reserve, .unloadClip: break
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
      // Iterations and phases are reported where that was asked for, and other events always.
      let asked: [AnimationEvent.Kind: AnimationReports] = [.iteration: .iterations, .phase: .phases]
      events = tracks.indices.flatMap { track in
        let own = tracks[track]?.advance(to: seconds) ?? []
        return own.filter { reports.contains(asked[$0.kind] ?? []) }.map { (track, $0) }
      }

    case .animate, .retarget, .set, .displace, .push, .decelerate, .follow, .followTracks, .play, .playPhases, .trigger:
      // These calls change motions, and are counted.
      latestChange += 1
      try performOnTracks(call)
    default: try performOnTracks(call)
    }
  }

  /// Makes a call on each of its live tracks. If a track is named twice, its last position counts.
  private mutating func performOnTracks(_ call: BatchCall) throws(ClipError) {
    let named = select(call.tracks)
    let last = Dictionary(zip(named, named.indices)) { $1 }
    for (position, name) in named.enumerated() {
      guard let name, last[name] == position, var track = tracks[name] else { continue }
      try perform(call.keeping([position], of: named.count, dimensions: dimensions), on: &track)
      tracks[name] = track
    }
  }

  /// Makes the part of a call that is about one track: lists have its components, or one element, or none.
  private func perform(_ call: BatchCall, on track: inout ReferenceTrack) throws(ClipError) {
    let change = latestChange
    switch call.verb {
    case .animate, .retarget:
      track.animate(to: call.goals, with: call.animations.first, delay: call.numbers.first, change: change)
    case .cancelDelays: track.cancelDelay()
    case .set: track.set(call.values, velocities: call.velocities, change: change)
    case .displace: track.set(call.values, velocities: call.velocities, goesOn: true, change: change)
    case .push: track.push(call.velocities, change: change)
    case .decelerate(let deceleration, let bounds):
      track.decelerate(deceleration, velocities: call.velocities, within: bounds, change: change)
    case .pause: track.pause()
    case .resume: track.resume()
    case .stop: track.stop()

    case .follow, .followTracks:
      track.follow(with: call.springs[0], leader: call.leaders.first, offset: call.offsets, change: change)
    case .setGoals: track.setGoal(MotionSample.exact(call.goals))
    case .writeGoals: track.setGoal(MotionSample.exact(call.goals), isLed: true)

    case .play(let start): try track.play(clips[call.clips[0]], call.playbacks[0], start: start, change: change)
    case .setVariations: track.setVariation(scales: call.scales, offsets: call.offsets)
    case .setSpeed: track.setSpeed(call.numbers[0])
    case .seek: track.turnClip { $0.seek(to: call.numbers[0], at: $1) }
    case .seekProgress: track.turnClip { $0.seek(toShare: call.numbers[0], at: $1) }

    case .playPhases(let playback): track.play(sequences[call.sequences[0]], playback, as: call, change: change)
    case .trigger: track.trigger(change: change)
    case .add, .addMoving, .addPlaying, .remove, .removeAll, .removeSettled, .compact, .reserve, .loadClip, .unloadClip,
      .loadPhases, .unloadPhases, .setReports, .setRestTolerance, .advance:
      break
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
      var track = ReferenceTrack(values ?? own.values, at: time)
      (track.restTolerance, track.curveTolerance) = (restTolerance, curveTolerance)
      if let spring = own.springs.first {
        let start = MotionSample.exact(own.values, velocities: own.velocities)
        track.setOut(from: start, to: MotionSample.exact(own.goals), on: spring, change: latestChange)
      }
      if let content {
        // A batch adds the track at the clip's value as a Float, which may be the Float beside it.
        track.motion = StillMotion(states: track.goal.map(\.rounded.rounded))
        try track.play(content, own.playbacks[0], change: latestChange)
      }
      let index = freeIndices.min() ?? slots.count
      freeIndices.remove(index)
      if index == slots.count { slots.append(nil) }
      slots[index] = tracks.count
      tracks.append(track)
      indices.append(index)
    }
  }

  private mutating func remove(_ track: Int) {
    (tracks[track], slots[indices[track]]) = (nil, nil)
    freeIndices.insert(indices[track])
  }

  /// Forgets the indices behind the last track.
  private mutating func lowerIndices() {
    while case .some(nil) = slots.last {
      slots.removeLast()
      freeIndices.remove(slots.count)
    }
  }

  /// Lets no track lead another from now on, as in a bake.
  package mutating func endLeads() { for track in tracks.indices { tracks[track]?.leader = nil } }

  /// Takes the values of leaders over as goals. Without its leader, a track keeps its goal.
  private mutating func findLeaders() {
    let before = tracks
    for case (let number, let track?) in before.enumerated() where !track.isPaused {
      guard let leader = track.leader else { continue }
      let goal = before[leader.track]?.samples.enumerated().map { dimension, sample in
        let value = sample.value + Double(leader.offset[ifPresent: dimension] ?? 0)
        let error = sample.bound.value + 2 * ErrorBound.rounding(of: abs(value) + sample.bound.value)
        return MotionSample(value: value, bound: ErrorBound(value: error))
      }
      tracks[number]?.setGoal(goal ?? track.goal, isLed: goal != nil)
    }
  }

  // MARK: - Reading

  /// The live tracks, in the order in which they were added.
  public var liveTracks: [Int] { tracks.indices.filter { tracks[$0] != nil } }

  /// The index of a track, which it keeps for life.
  public func index(of track: Int) -> Int { indices[track] }

  /// The track of an index; nil for an index without a track.
  public func track(at index: Int) -> Int? { index < slots.count ? slots[index] : nil }

  /// One past the largest index that a track has had since it was lowered.
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
