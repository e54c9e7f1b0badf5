// SPDX-License-Identifier: MIT

/// When tracks that play phases take their steps: the sequences, and by row the clock of each track.
///
/// A step is a call that begins at its own moment. Another call about the track ends its schedule. The sequence, the
/// playback and the variation are remembered for a trigger.
struct PhaseSchedule: ~Copyable, Sendable {
  /// The sequence that a track plays, and the state of the track in it.
  struct Track: Sendable {
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
  /// Offset and scale of each row's dimensions, side by side; empty while all have the sequence's targets.
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

  // MARK: - Tracks

  /// The sequence that the track of a row plays or played last, and its state.
  @inline(__always)
  subscript(row: Int) -> Track { tracks[row] }

  /// The sequence that the track of a row plays, or played last if that is still loaded.
  func loaded(_ row: Int) -> LoadedSequence { library[Int(tracks[row].sequence)] }

  /// Whether the track of a row plays a sequence.
  @inline(__always)
  func isPlaying(_ row: Int) -> Bool { playerCount > 0 && row < tracks.count && tracks[row].isPlaying }

  /// The state of a row's track in its sequence; nil for a track without a sequence.
  func player(_ row: Int) -> Track? { isPlaying(row) ? tracks[row] : nil }

  /// Whether the run of a track is over, so that no step is to come; nil if it plays no sequence, or waits for its
  /// first trigger.
  func isDone(_ row: Int) -> Bool? {
    guard let track = player(row), track.playback == .loops || track.clock.isRunning || track.clock.cycle > 0 else {
      return nil
    }
    return track.isDone
  }

  /// Makes room for the tracks of some rows, and for their variations.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for rows: Int) throws(BatchError) {
    guard rows > tracks.count else { return }
    try BatchLimits.checkRoom(
      forRows: rows, beyond: tracks.count,
      bytes: [MemoryLayout<Track>.stride, 8 * dimensions, StepSchedule.bytesOfTrack])
    grow(to: rows)
  }

  private mutating func grow(to rows: Int) {
    guard rows > tracks.count else { return }
    tracks.grow(to: rows, with: Track())
    if !variations.isEmpty { growVariations() }
    schedule.grow(to: rows)
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
    _ row: Int, _ sequence: Int, _ playback: PhasePlayback, start: Double, at now: Double, change: UInt32
  ) {
    end(row)
    let sets = playback == .loops && library[sequence].sequence.phaseCount > 1
    var track = Track()
    track.clock = PhaseClock(origin: start, next: sets ? start : .infinity)
    (track.sequence, track.generation) = (Int32(sequence), library.entries[sequence].generation)
    (track.change, track.playback, track.isPlaying, track.latest) = (change, playback, true, now)
    tracks[row] = track
    library.entries[sequence].players += 1
    playerCount += 1
    latestStep = max(latestStep, now)
    schedule.set(row, track.clock.next)
    for dimension in 0..<dimensions where !variations.isEmpty {
      variations[row * dimensions + dimension] = SIMD2(0, 1)
    }
  }

  /// Gives the track of a row a variation in a dimension: an offset, and a scale.
  mutating func vary(_ row: Int, _ dimension: Int, offset: Float, scale: Float) {
    if variations.isEmpty { growVariations() }
    variations[row * dimensions + dimension] = SIMD2(offset, scale)
  }

  /// Ends the sequence of a row, and remembers it.
  @inline(__always)
  mutating func end(_ row: Int) {
    if isPlaying(row) { endPlaying(row) }
  }

  private mutating func endPlaying(_ row: Int) {
    tracks[row].isPlaying = false
    tracks[row].clock = PhaseClock(origin: 0, next: .infinity)
    library.entries[Int(tracks[row].sequence)].players -= 1
    playerCount -= 1
    schedule.set(row, .infinity)
  }

  /// Forgets the track of a row.
  mutating func forget(_ row: Int) {
    guard row < tracks.count else { return }
    end(row)
    tracks[row].sequence = -1
  }

  /// Forgets every track.
  mutating func removeAll() {
    for row in tracks.indices { forget(row) }
  }

  // MARK: - Triggers

  /// Triggers the track of a row at a moment; see ``AnimatedTracks/trigger(_:completion:)``. A track that only remembers a
  /// sequence plays it again.
  ///
  /// - Returns: Whether the trigger has an effect.
  mutating func trigger(_ row: Int, at now: Double, change: UInt32) -> Bool {
    guard row < tracks.count, library.isLoaded(Int(tracks[row].sequence), generation: tracks[row].generation)
    else { return false }
    let sequence = Int(tracks[row].sequence)
    guard library[sequence].sequence.phaseCount > 1, !tracks[row].clock.isPaused else { return false }
    var clock = PhaseClock(origin: now, next: now)
    clock.isRunning = true
    if tracks[row].isPlaying {
      let old = tracks[row].clock
      guard old.next != now else { return false }
      clock.phase = old.phase
      clock.returns = tracks[row].playback == .loops || old.isRunning
    } else {
      library.entries[sequence].players += 1
      playerCount += 1
      tracks[row].isPlaying = true
      tracks[row].latest = now
      latestStep = max(latestStep, now)
    }
    tracks[row].clock = clock
    tracks[row].change = change
    schedule.set(row, now)
    return true
  }

  // MARK: - Pauses

  /// Stops the clock of a track, if it plays.
  mutating func pause(_ row: Int) {
    guard isPlaying(row) else { return }
    tracks[row].clock.isPaused = true
    // The clock keeps `next`. A track that is not in the schedule is not looked at.
    schedule.set(row, .infinity)
  }

  /// Lets the clock of a track go on now after a pause, if it plays.
  mutating func resume(_ row: Int, after pause: PausedTracks.Pause, at now: Double) {
    guard isPlaying(row) else { return }
    tracks[row].clock.isPaused = false
    tracks[row].clock.origin = pause.moment(tracks[row].clock.origin, resumedAt: now)
    tracks[row].clock.next = pause.moment(tracks[row].clock.next, resumedAt: now)
    tracks[row].latest = pause.moment(tracks[row].latest, resumedAt: now)
    latestStep = max(latestStep, tracks[row].latest)
    schedule.set(row, tracks[row].clock.next)
  }

  /// Lets the clock of a track go on at a speed, if it plays.
  mutating func setSpeed(_ row: Int, _ speed: Double, at now: Double) {
    guard isPlaying(row) else { return }
    let ratio = speed / tracks[row].clock.speed
    tracks[row].clock.origin = now.paced(tracks[row].clock.origin, by: ratio)
    tracks[row].clock.next = now.paced(tracks[row].clock.next, by: ratio)
    (tracks[row].clock.speed, tracks[row].clock.isPaced) = (speed, true)
    if !tracks[row].clock.isPaused { schedule.set(row, tracks[row].clock.next) }
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
  mutating func set(_ row: Int, _ clock: PhaseClock, latest: Double) {
    tracks[row].clock = clock
    tracks[row].latest = latest
    latestStep = max(latestStep, latest)
    schedule.set(row, clock.next)
  }

  /// Writes the goals of the step of a track to a phase into `goals`.
  mutating func findGoals(_ row: Int, _ phase: Int, _ sequence: borrowing PhaseSequence) {
    goals.grow(to: dimensions, with: 0)
    for dimension in 0..<dimensions {
      goals[dimension] = goal(sequence.targets[phase * dimensions + dimension], ofRow: row, dimension)
    }
  }

  /// A target of a sequence in a dimension, as the track of a row varies it.
  @inline(__always)
  func goal(_ target: Float, ofRow row: Int, _ dimension: Int) -> Float {
    variations.isEmpty ? target : PhaseSequence.target(target, variations[row * dimensions + dimension])
  }

  /// The scale of the targets of a track in a dimension.
  func scale(_ row: Int, _ dimension: Int) -> Double {
    variations.isEmpty ? 1 : Double(variations[row * dimensions + dimension].y)
  }

  /// Prefetches the memory that the steps of a track read.
  func prefetch(_ row: Int) {
    tracks.prefetch(row)
    if !variations.isEmpty { variations.prefetch(row * dimensions) }
  }
}

extension PhaseSchedule {
  /// Copies the state of a row of another schedule, whose sequences this has.
  mutating func adopt(_ row: Int, of other: borrowing PhaseSchedule, as copy: Int) {
    guard let track = other.player(row) else { return }
    grow(to: copy + 1)
    forget(copy)
    tracks[copy] = track
    library.entries[Int(track.sequence)].players += 1
    playerCount += 1
    latestStep = max(latestStep, track.latest)
    schedule.set(copy, track.clock.isPaused ? .infinity : track.clock.next)
    guard !(variations.isEmpty && other.variations.isEmpty) else { return }
    for dimension in 0..<dimensions {
      let variation = other.variations.isEmpty ? SIMD2(0, 1) : other.variations[row * dimensions + dimension]
      vary(copy, dimension, offset: variation.x, scale: variation.y)
    }
  }
}
