// SPDX-License-Identifier: MIT

/// When tracks that play phases take their steps: the sequences, and by index the clock of each track.
///
/// A step is a call that begins at its own moment. Another call about the track ends its schedule. The sequence, the
/// playback and the variation are remembered for a trigger.
struct PhaseSchedule: ~Copyable, Sendable {
  /// The sequence that a track plays, and the state of the track in it.
  struct Track: Sendable, BitwiseCopyable {
    var clock = PhaseClock(origin: 0, next: .infinity)
    /// The moment of the latest step that moved the track, or of the call before the first.
    var latest = -BatchLimits.maximumTime
    /// The sequence, by index and generation; −1 before the first one.
    fileprivate(set) var sequence: Int32 = -1
    fileprivate(set) var generation: UInt32 = 0
    /// The number of the change that began the run.
    fileprivate(set) var change: UInt32 = 0
    fileprivate(set) var playback = PhasePlayback.loops
    /// Whether the sequence is played, and not just remembered.
    fileprivate(set) var isPlaying = false

    /// When the next step begins; infinite after the last step.
    var nextStepTime: Double {
      // A triggered run that is back at phase 0 has only its end to come.
      let ends = playback == .triggered && clock.phase == 0 && clock.cycle > 0 && !clock.returns
      return clock.isPaused || ends ? .infinity : clock.next
    }

    /// Whether a run is over and no step is to come.
    fileprivate var isDone: Bool {
      clock.next == .infinity && clock.phase == 0 && clock.cycle > 0 && !clock.isPaused
    }
  }

  var library = PhaseLibrary()
  private(set) var tracks: [Track] = []
  /// Offset and scale of each track's dimensions, side by side; empty while all have the sequence's targets.
  private var variations: [SIMD2<Float>] = []
  var schedule = StepSchedule()
  /// The number of tracks that play a sequence.
  private(set) var playerCount = 0
  /// No step was taken after this moment.
  var latestStep = -BatchLimits.maximumTime
  /// The goals of a step, by dimension; kept so that steps need not allocate.
  private(set) var goals: [Float] = []

  private let dimensions: Int

  init(dimensions: Int) { self.dimensions = dimensions }

  /// Bytes for all indices.
  var byteCount: Int {
    tracks.count * (MemoryLayout<Track>.stride + StepSchedule.bytesOfTrack) + 8 * variations.count
  }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&tracks)
    coder.code(&variations)
    schedule.code(&coder)
    coder.code(&playerCount)
    coder.code(&latestStep)
  }

  // MARK: - Tracks

  /// The sequence that a track plays or played last, and its state.
  @inline(__always)
  subscript(index: Int) -> Track { tracks[index] }

  /// The sequence that a track plays, or played last if that is still loaded.
  func loaded(_ index: Int) -> LoadedSequence { library[Int(tracks[index].sequence)] }

  /// Whether a track plays a sequence.
  @inline(__always)
  func isPlaying(_ index: Int) -> Bool { playerCount > 0 && index < tracks.count && tracks[index].isPlaying }

  /// The state of a track in its sequence; nil for one without a sequence.
  func player(_ index: Int) -> Track? { isPlaying(index) ? tracks[index] : nil }

  /// Whether the run of a track is over, so that no step is to come; nil if it plays no sequence, or waits for its
  /// first trigger.
  func isDone(_ index: Int) -> Bool? {
    guard let track = player(index), track.playback == .loops || track.clock.isRunning || track.clock.cycle > 0 else {
      return nil
    }
    return track.isDone
  }

  /// Makes room for the tracks of some indices, and for their variations.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for indexCount: Int) throws(BatchError) {
    guard indexCount > tracks.count else { return }
    try BatchLimits.checkRoom(
      forIndices: indexCount, beyond: tracks.count,
      bytes: [MemoryLayout<Track>.stride, 8 * dimensions, StepSchedule.bytesOfTrack])
    grow(to: indexCount)
  }

  private mutating func grow(to indexCount: Int) {
    guard indexCount > tracks.count else { return }
    tracks.grow(to: indexCount, with: Track())
    if !variations.isEmpty { growVariations() }
    schedule.grow(to: indexCount)
  }

  private mutating func growVariations() {
    variations.grow(to: tracks.count * dimensions, with: SIMD2(0, 1))
  }

  /// Plays a sequence on a track; there must be room.
  ///
  /// - Parameters:
  ///   - start: When a loop sets out for phase 1.
  ///   - now: The moment of the call.
  mutating func begin(
    _ index: Int, _ sequence: Int, _ playback: PhasePlayback, start: Double, at now: Double, change: UInt32
  ) {
    end(index)
    let sets = playback == .loops && library[sequence].sequence.phaseCount > 1
    var track = Track()
    track.clock = PhaseClock(origin: start, next: sets ? start : .infinity)
    (track.sequence, track.generation) = (Int32(sequence), library.entries[sequence].generation)
    (track.change, track.playback, track.isPlaying, track.latest) = (change, playback, true, now)
    tracks[index] = track
    library.entries[sequence].players += 1
    playerCount += 1
    latestStep = max(latestStep, now)
    schedule.set(index, track.clock.next)
    for dimension in 0..<dimensions where !variations.isEmpty {
      variations[index * dimensions + dimension] = SIMD2(0, 1)
    }
  }

  /// Gives a track a variation in a dimension: an offset, and a scale.
  mutating func vary(_ index: Int, _ dimension: Int, offset: Float, scale: Float) {
    if variations.isEmpty { growVariations() }
    variations[index * dimensions + dimension] = SIMD2(offset, scale)
  }

  /// Ends the sequence of a track, and remembers it.
  @inline(__always)
  mutating func end(_ index: Int) {
    if isPlaying(index) { endPlaying(index) }
  }

  private mutating func endPlaying(_ index: Int) {
    tracks[index].isPlaying = false
    tracks[index].clock = PhaseClock(origin: 0, next: .infinity)
    library.entries[Int(tracks[index].sequence)].players -= 1
    playerCount -= 1
    schedule.set(index, .infinity)
  }

  /// Forgets a track.
  mutating func forget(_ index: Int) {
    guard index < tracks.count else { return }
    end(index)
    tracks[index].sequence = -1
  }

  /// Forgets every track.
  mutating func removeAll() {
    for index in tracks.indices { forget(index) }
  }

  // MARK: - Triggers

  /// Triggers a track at a moment; see ``AnimatedTracks/trigger(_:completion:)``. A track that only remembers a
  /// sequence plays it again.
  ///
  /// - Returns: Whether the trigger has an effect.
  mutating func trigger(_ index: Int, at now: Double, change: UInt32) -> Bool {
    guard index < tracks.count, library.isLoaded(Int(tracks[index].sequence), generation: tracks[index].generation)
    else { return false }
    let sequence = Int(tracks[index].sequence)
    guard library[sequence].sequence.phaseCount > 1, !tracks[index].clock.isPaused else { return false }
    var clock = PhaseClock(origin: now, next: now)
    clock.isRunning = true
    if tracks[index].isPlaying {
      let old = tracks[index].clock
      guard old.next != now else { return false }
      clock.phase = old.phase
      clock.returns = tracks[index].playback == .loops || old.isRunning
    } else {
      library.entries[sequence].players += 1
      playerCount += 1
      tracks[index].isPlaying = true
      tracks[index].latest = now
      latestStep = max(latestStep, now)
    }
    tracks[index].clock = clock
    tracks[index].change = change
    schedule.set(index, now)
    return true
  }

  // MARK: - Pauses

  /// Stops the clock of a track, if it plays.
  mutating func pause(_ index: Int) {
    guard isPlaying(index) else { return }
    tracks[index].clock.isPaused = true
    // The clock keeps `next`. A track that is not in the schedule is not looked at.
    schedule.set(index, .infinity)
  }

  /// Lets the clock of a track go on now after a pause, if it plays.
  mutating func resume(_ index: Int, after pause: Pauses.Pause, at now: Double) {
    guard isPlaying(index) else { return }
    tracks[index].clock.isPaused = false
    tracks[index].clock.origin = pause.moment(tracks[index].clock.origin, resumedAt: now)
    tracks[index].clock.next = pause.moment(tracks[index].clock.next, resumedAt: now)
    tracks[index].latest = pause.moment(tracks[index].latest, resumedAt: now)
    latestStep = max(latestStep, tracks[index].latest)
    schedule.set(index, tracks[index].clock.next)
  }

  /// Lets the clock of a track go on at a speed, if it plays.
  mutating func setSpeed(_ index: Int, _ speed: Double, at now: Double) {
    guard isPlaying(index) else { return }
    let ratio = speed / tracks[index].clock.speed
    tracks[index].clock.origin = now.paced(tracks[index].clock.origin, by: ratio)
    tracks[index].clock.next = now.paced(tracks[index].clock.next, by: ratio)
    (tracks[index].clock.speed, tracks[index].clock.isPaced) = (speed, true)
    if !tracks[index].clock.isPaused { schedule.set(index, tracks[index].clock.next) }
  }

  // MARK: - Steps

  /// Finds the tracks with a step or an end of a run up to a time.
  mutating func collectDue(until seconds: Double) {
    schedule.collectDue(
      until: seconds, prefetch: { [tracks] in tracks.prefetch($0) }, next: { [tracks] in tracks[$0].clock.next })
  }

  /// Puts the tracks that were found back into the schedule: they take no steps now, and the clock stays.
  mutating func putBackDue(at now: Double) { schedule.putBackDue(at: now) { [tracks] in tracks[$0].clock.next } }

  /// Sets the state of a track after its steps.
  mutating func set(_ index: Int, _ clock: PhaseClock, latest: Double) {
    tracks[index].clock = clock
    tracks[index].latest = latest
    latestStep = max(latestStep, latest)
    schedule.set(index, clock.next)
  }

  /// Writes the goals of the step of a track to a phase into `goals`.
  mutating func findGoals(_ index: Int, _ phase: Int, _ sequence: borrowing PhaseSequence) {
    goals.grow(to: dimensions, with: 0)
    for dimension in 0..<dimensions {
      goals[dimension] = goal(sequence.targets[phase * dimensions + dimension], at: index, dimension)
    }
  }

  /// A target of a sequence in a dimension, as a track varies it.
  @inline(__always)
  func goal(_ target: Float, at index: Int, _ dimension: Int) -> Float {
    variations.isEmpty ? target : PhaseSequence.target(target, variations[index * dimensions + dimension])
  }

  /// The scale of the targets of a track in a dimension.
  func scale(_ index: Int, _ dimension: Int) -> Double {
    variations.isEmpty ? 1 : Double(variations[index * dimensions + dimension].y)
  }

  /// Prefetches the memory that the steps of a track read.
  func prefetch(_ index: Int) {
    tracks.prefetch(index)
    if !variations.isEmpty { variations.prefetch(index * dimensions) }
  }
}

extension PhaseSchedule {
  /// Copies the state of a track of another schedule, whose sequences this has.
  mutating func adopt(_ index: Int, of other: borrowing PhaseSchedule, as copy: Int) {
    guard let track = other.player(index) else { return }
    grow(to: copy + 1)
    forget(copy)
    tracks[copy] = track
    library.entries[Int(track.sequence)].players += 1
    playerCount += 1
    latestStep = max(latestStep, track.latest)
    schedule.set(copy, track.clock.isPaused ? .infinity : track.clock.next)
    guard !(variations.isEmpty && other.variations.isEmpty) else { return }
    for dimension in 0..<dimensions {
      let variation = other.variations.isEmpty ? SIMD2(0, 1) : other.variations[index * dimensions + dimension]
      vary(copy, dimension, offset: variation.x, scale: variation.y)
    }
  }
}
