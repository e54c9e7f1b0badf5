// SPDX-License-Identifier: MIT
public import Murmuration

/// A batch by its documentation: the same calls, one track at a time, in Double, by the model alone.
///
/// It says what each track shows and how far a batch may be from that, and which events must be reported. It is slow,
/// and made to be read.
///
/// ```swift
/// var reference = ReferenceBatch(dimensions: 1)
/// reference.add([0])
/// reference.animate(.all, to: [100], [.bouncy])
/// reference.advance(to: 0.25)
/// let height = reference.state(of: 0)[0].value
/// ```
///
/// Tracks are named by the order in which they were added, and so are clips and sequences by the order in which they
/// were loaded. The values of a call stand track by track. A reference checks no arguments: it is given calls that a
/// batch has accepted.
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

// MARK: - Tracks

extension ReferenceBatch {
  /// Adds tracks that stand still.
  public mutating func add(_ values: [Float]) {
    for index in 0..<values.count / dimensions { append(values.value(index, dimensions)) }
  }

  /// Adds tracks that set out at once.
  ///
  /// - Parameter springs: One for all, or one for each.
  public mutating func add(_ values: [Float], velocities: [Float], to goals: [Float], springs: [Spring]) {
    latestChange += 1
    for index in 0..<values.count / dimensions {
      let track = append(values.value(index, dimensions))
      tracks[track]?.setOut(
        velocities: velocities.isEmpty ? [Float](repeating: 0, count: dimensions) : velocities.value(index, dimensions),
        to: goals.value(index, dimensions), on: springs.one(index), at: time, change: latestChange)
    }
  }

  /// Adds tracks that play clips.
  ///
  /// - Parameters:
  ///   - played: The clips, one for all or one for each playback.
  ///   - playbacks: How they play them, one for each track.
  public mutating func add(playing played: [Int], _ playbacks: [Playback]) throws(ClipError) {
    latestChange += 1
    for (index, playback) in playbacks.enumerated() {
      let content = clips[played.one(index)]
      let track = append((0..<dimensions).map { Float(content.sample($0, at: -1).value) })
      try tracks[track]?.play(content, playback, at: time, change: latestChange)
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

  /// Removes tracks; one that is named twice is removed once.
  public mutating func remove(_ selection: BatchCall.Tracks) {
    for case let track? in select(selection) where tracks[track] != nil {
      tracks[track] = nil
      slots[indices[track]] = nil
      freeIndices.append(indices[track])
    }
  }

  /// Removes every track. The lowest index is taken first then.
  public mutating func removeAll() {
    for index in slots.indices.reversed() {
      if let track = slots[index] { remove(.tracks([track])) }
    }
  }

  /// The live tracks, in the order in which they were added.
  public var liveTracks: [Int] { tracks.indices.filter { tracks[$0] != nil } }

  /// The index of a track, which it keeps for life.
  public func index(of track: Int) -> Int { indices[track] }

  /// The track of an index; nil for an index without a track.
  public func track(at index: Int) -> Int? { index < slots.count ? slots[index] : nil }

  /// One past the largest index that was ever used.
  public var indexCount: Int { slots.count }

  /// The tracks of a selection; nil for an index without a track.
  private func select(_ selection: BatchCall.Tracks) -> [Int?] {
    switch selection {
    case .tracks(let tracks): tracks
    case .indices(let range): range.map { slots[$0] }
    case .all: slots
    }
  }

  /// Calls a body for each live track of a selection, with its position there: the last position, if it is named twice.
  private mutating func forEach(
    _ selection: BatchCall.Tracks, _ body: (inout ReferenceTrack, Int) throws(ClipError) -> Void
  ) throws(ClipError) {
    var last: [Int: Int] = [:]
    let named = select(selection)
    for (position, track) in named.enumerated() { if let track { last[track] = position } }
    for (position, track) in named.enumerated() {
      guard let track, last[track] == position, tracks[track] != nil else { continue }
      try body(&tracks[track]!, position)
    }
  }

  private mutating func forEach(_ selection: BatchCall.Tracks, _ body: (inout ReferenceTrack, Int) -> Void) {
    do throws(ClipError) {
      try forEach(selection) { track, position throws(ClipError) in body(&track, position) }
    } catch {}
  }
}

extension [Float] {
  /// The components of a value among many.
  fileprivate func value(_ position: Int, _ dimensions: Int) -> [Float] {
    Array(self[position * dimensions..<(position + 1) * dimensions])
  }
}

extension Array {
  /// One for all, or one for each.
  fileprivate func one(_ position: Int) -> Element { self[count == 1 ? 0 : position] }
}

// MARK: - Motions

extension ReferenceBatch {
  /// Sends tracks to goals.
  ///
  /// - Parameters:
  ///   - animations: One for all or one for each; nil jumps.
  ///   - delays: Seconds until each track sets out; empty for now.
  public mutating func animate(
    _ selection: BatchCall.Tracks, to goals: [Float], _ animations: [Animation?], delays: [Double] = []
  ) {
    latestChange += 1
    let (now, change, dimensions) = (time, latestChange, dimensions)
    forEach(selection) { track, position in
      let (goal, animation) = (goals.value(position, dimensions), animations.one(position))
      if delays.isEmpty {
        track.animate(to: goal, with: animation, at: now, change: change)
      } else {
        track.wait(delays[position], to: goal, with: .some(animation), at: now, change: change)
      }
    }
  }

  /// Sends tracks to goals with the springs that they follow.
  public mutating func retarget(_ selection: BatchCall.Tracks, to goals: [Float], delays: [Double] = []) {
    latestChange += 1
    let (now, change, dimensions) = (time, latestChange, dimensions)
    forEach(selection) { track, position in
      if delays.isEmpty {
        track.retarget(to: goals.value(position, dimensions), at: now, change: change)
      } else {
        track.wait(delays[position], to: goals.value(position, dimensions), with: nil, at: now, change: change)
      }
    }
  }

  /// Cancels the calls that wait for tracks.
  public mutating func cancelDelays(_ selection: BatchCall.Tracks) {
    forEach(selection) { track, _ in track.cancelDelay() }
  }

  /// Sets values and velocities. With `goesOn`, tracks that follow springs or slide go on to their targets.
  public mutating func set(
    _ selection: BatchCall.Tracks, _ values: [Float], velocities: [Float], goesOn: Bool = false
  ) {
    latestChange += 1
    let (now, change, dimensions) = (time, latestChange, dimensions)
    forEach(selection) { track, position in
      track.set(
        values.value(position, dimensions), velocities: velocities.value(position, dimensions), goesOn: goesOn, at: now,
        change: change)
    }
  }

  /// Lets tracks slide, with given velocities or their own.
  public mutating func decelerate(
    _ selection: BatchCall.Tracks, velocities: [Float]?, by deceleration: Deceleration
  ) {
    latestChange += 1
    let (now, change, dimensions) = (time, latestChange, dimensions)
    forEach(selection) { track, position in
      track.decelerate(
        deceleration, velocities: velocities.map { $0.value(position, dimensions) }, at: now, change: change)
    }
  }

  /// Pauses tracks that move or wait.
  public mutating func pause(_ selection: BatchCall.Tracks) {
    let now = time
    forEach(selection) { track, _ in track.pause(at: now) }
  }

  /// Resumes paused tracks.
  public mutating func resume(_ selection: BatchCall.Tracks) {
    let now = time
    forEach(selection) { track, _ in track.resume(at: now) }
  }

  /// Ends motions, schedules and waiting calls.
  public mutating func stop(_ selection: BatchCall.Tracks) {
    let now = time
    forEach(selection) { track, _ in track.stop(at: now) }
  }
}

// MARK: - Clips and phases

extension ReferenceBatch {
  public mutating func load(_ clip: Clip) { clips.append(ClipContent(clip)) }

  public mutating func load(_ sequence: PhaseSequence) { sequences.append(PhasePlan(sequence)) }

  /// Plays clips on tracks: one for all or one for each, and one playback for all or one for each.
  public mutating func play(
    clips played: [Int], on selection: BatchCall.Tracks, _ playbacks: [Playback], start: ClipStart
  ) throws(ClipError) {
    latestChange += 1
    let (now, change, clips) = (time, latestChange, clips)
    try forEach(selection) { track, position throws(ClipError) in
      try track.play(
        clips[played.one(position)], playbacks.one(position), start: start, at: now,
        change: change)
    }
  }

  /// Gives playing clips factors and offsets.
  public mutating func setVariations(_ selection: BatchCall.Tracks, scales: [Float], offsets: [Float]) {
    let dimensions = dimensions
    forEach(selection) { track, position in
      track.setVariation(scales: scales.value(position, dimensions), offsets: offsets.value(position, dimensions))
    }
  }

  /// Goes on at other speeds, one for all or one for each.
  public mutating func setSpeed(_ selection: BatchCall.Tracks, _ speeds: [Double]) {
    let now = time
    forEach(selection) { track, position in track.setSpeed(speeds.one(position), at: now) }
  }

  /// Goes on from times of the clips, one for all or one for each.
  public mutating func seek(_ selection: BatchCall.Tracks, to times: [Double]) {
    let now = time
    forEach(selection) { track, position in track.seek(to: times.one(position), at: now) }
  }

  /// Goes on from shares of their durations, one for all or one for each.
  public mutating func seek(_ selection: BatchCall.Tracks, progress: [Double]) {
    let now = time
    forEach(selection) { track, position in track.seek(progress: progress.one(position), at: now) }
  }

  /// Plays a sequence of phases.
  ///
  /// - Parameters:
  ///   - starts: When each track sets out; empty for now.
  ///   - offsets: Added to the targets; empty for 0.
  ///   - scales: Factors of the targets, applied before the offsets; empty for 1.
  public mutating func play(
    phases sequence: Int, on selection: BatchCall.Tracks, _ playback: PhasePlayback, startingAt starts: [Double] = [],
    offsets: [Float] = [], scales: [Float] = []
  ) {
    latestChange += 1
    let (now, change, dimensions, plan) = (time, latestChange, dimensions, sequences[sequence])
    forEach(selection) { track, position in
      let scale = scales.isEmpty ? nil : scales.value(position, dimensions)
      let offset = offsets.isEmpty ? nil : offsets.value(position, dimensions)
      let targets = plan.targets.map { target in
        target.indices.map {
          Float(Double(target[$0]) * Double(scale?[$0] ?? 1) + Double(offset?[$0] ?? 0))
        }
      }
      track.play(
        plan, targets: targets, loops: playback == .loops,
        startingAt: starts.isEmpty ? nil : starts.one(position), at: now, change: change)
    }
  }

  /// Starts phases, or starts them again.
  public mutating func trigger(_ selection: BatchCall.Tracks) {
    latestChange += 1
    let (now, change) = (time, latestChange)
    forEach(selection) { track, _ in track.trigger(at: now, change: change) }
  }
}

// MARK: - Time and reading

extension ReferenceBatch {
  /// Sets the tolerance of rest.
  public mutating func setRestTolerance(_ tolerance: RestTolerances) {
    restTolerance = tolerance
    for track in tracks.indices { tracks[track]?.restTolerance = tolerance }
  }

  /// Moves the clock.
  public mutating func advance(to seconds: Double) {
    time = seconds
    events.removeAll()
    for track in tracks.indices {
      events += (tracks[track]?.advance(to: seconds) ?? []).map { (track, $0) }
    }
  }

  /// Notes that a batch has reported an event of a track.
  package mutating func note(_ event: ReferenceEvent, of track: Int) { tracks[track]?.note(event) }

  /// The clock does not go back before this.
  public var earliestTime: Double { tracks.reduce(-BatchLimits.maximumTime) { max($0, $1?.latestCall ?? $0) } }

  /// The state of a live track at the time of the clock, by component.
  package func state(of track: Int) -> [MotionSample] {
    guard let reference = tracks[track] else { return [] }
    return (0..<dimensions).map { reference.sample($0, at: time) }
  }

  /// The target of a live track.
  public func target(of track: Int) -> [Float] { tracks[track]?.target ?? [] }

  /// A live track.
  package subscript(track: Int) -> ReferenceTrack? { tracks[track] }
}

// MARK: - Calls as values

extension ReferenceBatch {
  /// Makes a call.
  public mutating func perform(_ call: BatchCall) throws(ClipError) {
    switch call {
    case .add(let values): add(values)
    case .addMoving(let values, let velocities, let goals, let springs):
      add(values, velocities: velocities, to: goals, springs: springs)
    case .addPlaying(let clips, let playbacks): try add(playing: clips, playbacks)
    case .remove(let tracks): remove(tracks)
    case .removeAll: removeAll()
    case .removeSettled, .compact, .reserve, .setReports: break
    case .animate(let tracks, let goals, let animations, let delays):
      animate(tracks, to: goals, animations, delays: delays)
    case .retarget(let tracks, let goals, let delays): retarget(tracks, to: goals, delays: delays)
    case .cancelDelays(let tracks): cancelDelays(tracks)
    case .set(let tracks, let values, let velocities): set(tracks, values, velocities: velocities)
    case .displace(let tracks, let values, let velocities):
      set(tracks, values, velocities: velocities, goesOn: true)
    case .decelerate(let tracks, let velocities, let deceleration):
      decelerate(tracks, velocities: velocities, by: deceleration)
    case .loadClip(let clip): load(clip)
    case .loadPhases(let sequence): load(sequence)
    case .play(let clips, let tracks, let playbacks, let start):
      try play(clips: clips, on: tracks, playbacks, start: start)
    case .setVariations(let tracks, let scales, let offsets): setVariations(tracks, scales: scales, offsets: offsets)
    case .setSpeed(let tracks, let speeds): setSpeed(tracks, speeds)
    case .seek(let tracks, let times): seek(tracks, to: times)
    case .seekProgress(let tracks, let shares): seek(tracks, progress: shares)
    case .playPhases(let sequence, let tracks, let playback, let starts, let offsets, let scales):
      play(phases: sequence, on: tracks, playback, startingAt: starts, offsets: offsets, scales: scales)
    case .trigger(let tracks): trigger(tracks)
    case .pause(let tracks): pause(tracks)
    case .resume(let tracks): resume(tracks)
    case .stop(let tracks): stop(tracks)
    case .advance(let time, _): advance(to: time)
    case .setRestTolerance(let tolerance): setRestTolerance(tolerance)
    }
  }
}
