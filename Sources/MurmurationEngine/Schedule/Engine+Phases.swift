// SPDX-License-Identifier: MIT
import Kernels

// Steps of phases: calls that begin at their own moments, whatever frames are shown. A step from spring to spring is
// quick if the motion before began with a step too: then its basis is the same for all tracks of the sequence.
extension Engine {
  // MARK: - A frame

  /// Finds the tracks that take steps up to a time, and the calls that wait until then, and makes room for them.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing changes then.
  mutating func prepareSteps(until seconds: Double) throws(BatchError) {
    if phases.playerCount > 0 { phases.collectDue(until: seconds) }
    waiting.collectDue(until: seconds)
    guard phases.schedule.due.count > 0 || waiting.schedule.due.count > 0 else { return }
    do {
      if phases.schedule.due.count > 0 { try reserveRows(0, for: phases.library.columns) }
      if waiting.schedule.due.count > 0 { try reserveRows(0, for: waiting.columns) }
    } catch {
      putBackSteps()
      throw error
    }
  }

  /// Puts back what was found for an advance that is not made now.
  mutating func putBackSteps() {
    phases.putBackDue(at: time)
    waiting.putBackDue(at: time)
  }

  /// Takes every step up to a time, each at its own moment.
  mutating func takeSteps(until seconds: Double) {
    guard phases.schedule.due.count > 0 else { return }
    watched.mayHaveEnded = true
    var index = 0
    while index < phases.schedule.due.count {
      let loaded = phases.loaded(phases.schedule.due[index])
      index = takeSteps(from: index, loaded, loaded.sequence, until: seconds)
    }
    phases.schedule.forgetDue()
  }

  /// Takes the steps of the due tracks from one on that play the same sequence, and returns the index of the next.
  private mutating func takeSteps(
    from first: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence, until seconds: Double
  ) -> Int {
    let (count, number) = (phases.schedule.due.count, phases[phases.schedule.due[first]].sequence)
    var index = first
    repeat {
      prefetchDue(after: index, of: count, due: { phases.schedule.due[$0] }) { phases.prefetch($0) }
      takeSteps(of: phases.schedule.due[index], loaded, sequence, until: seconds)
      index += 1
    } while index < count && phases[phases.schedule.due[index]].sequence == number
    return index
  }

  /// Prefetches what later ones of the tracks that are due read: they lie scattered.
  ///
  /// It is always inlined: a call would copy the whole engine for each track.
  ///
  /// - Parameters:
  ///   - due: The row of each of them.
  ///   - prefetch: Prefetches what is to come for a row.
  @inline(__always)
  func prefetchDue(after index: Int, of count: Int, due: (Int) -> Int, _ prefetch: (_ row: Int) -> Void) {
    let lead = 12
    if index + 2 * lead < count {
      let later = due(index + 2 * lead)
      prefetch(later)
      tracks.rows.prefetch(later)
    }
    guard index + lead < count else { return }
    let row = due(index + lead)
    tracks.prefetchState(row)
    if springs.isMapped { springs.prefetchStart(row) }
  }

  /// Takes the steps of a track up to a time, if it plays phases.
  ///
  /// - Returns: Whether it set out before that time, or before the last frame.
  mutating func takeSteps(of row: Int, until seconds: Double) -> Bool {
    guard phases.isPlaying(row) else { return false }
    let loaded = phases.loaded(row)
    return takeSteps(of: row, loaded, loaded.sequence, until: seconds)
  }

  @discardableResult
  private mutating func takeSteps(
    of row: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence, until seconds: Double
  ) -> Bool {
    guard let track = phases.player(row), !track.clock.isPaused, track.clock.next <= seconds else { return false }
    var setOutBefore = false
    var (clock, latest) = (track.clock, track.latest)
    var moment = clock.next
    // Moments are rounded: one may come out just before the moment of the previous step.
    var reported = moment
    while let event = clock.goOn(in: sequence, track.playback, until: seconds) {
      switch event {
      case .setsOut(let phase, let isStill, _, let last):
        events.append(.phase, row: row, track.change, at: reported, number: phase)
        if !isStill {
          latest = moment
          setOut(row, phase, loaded, sequence, track, at: moment, after: last, columnsAreOld: setOutBefore)
          setOutBefore = setOutBefore || moment < seconds
        }
      case .skips(let rounds, let seconds): skip(row, rounds, seconds, loaded)
      case .ends: complete(row, track.change, at: reported)
      }
      moment = clock.next
      reported = max(reported, moment)
    }
    phases.set(row, clock, latest: latest)
    return setOutBefore
  }

  // MARK: - A step

  /// Starts the motion of a track to a phase.
  ///
  /// - Parameter last: The step whose motion is under way since its own moment; nil without one.
  private mutating func setOut(
    _ row: Int, _ phase: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence,
    _ track: PhaseSchedule.Track, at moment: Double, after last: Int?, columnsAreOld: Bool
  ) {
    phases.findGoals(row, phase, sequence)
    let goals = phases.goals
    let kind = tracks.tiles.kind(ofRow: row)
    if let last, !track.clock.isPaced, let springSteps = loaded.springs, kind == .spring {
      let basis = springSteps[last].basis
      if loaded.kinds[phase] == kind {
        // The motion of a step in a loop lasts until the next step.
        let endurance = track.playback == .loops ? loaded.endurances[phase] : nil
        springs.step(row, springSteps[phase], after: basis, at: moment, goals, endurance, tracks)
        return putTargetUnder(row)
      }
      springs.show(row, basis)
    } else if last != nil, loaded.springs == nil, leadsNowhere(loaded, phase, from: row) {
      // This is as in the model, even if only the variation of the track makes the targets equal.
      return
    } else if last == nil, moment < time {
      // A start in the past: the track has stood as it is shown now.
      conclude(row, at: time)
      standStill(row)
    } else {
      conclude(row, at: moment, columnsAreOld: columnsAreOld)
      // A curve starts at the value of a track that followed, and adds to a spring.
      if follows.copies.remove(row) != nil { standStill(row) }
    }
    let speed = track.clock.speed
    if speed != 1 { showOnClock(row, of: speed, at: moment) }
    begin(row, loaded.motions[phase], at: moment, track.change) { goals[$0] }
    if speed != 1 {
      // All steps have one change, and each begins at speed 1.
      speeds.forget(row)
      setSpeed(row, speed, at: moment)
    }
    setReported(row, .everything)
  }

  /// Whether a step leads a row to the target for which it heads already. Without an animation it stops the row there.
  private func leadsNowhere(_ loaded: LoadedSequence, _ phase: Int, from row: Int) -> Bool {
    loaded.sequence.animations[phase] != nil && tracks.tiles.kind(ofRow: row) != .following
      && (0..<dimensions).allSatisfy { tracks.columns.target[tracks.element(row, $0)] == phases.goals[$0] }
  }

  /// Takes the track of a row out of its motion. The track then stands at the value that it shows, and keeps the
  /// velocity that it shows.
  mutating func standStill(_ row: Int) {
    stand(row)
    keep(row)
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      tracks.columns.target[element] = tracks.columns.value[element] + 0
    }
  }

  /// Skips `rounds` whole rounds of a loop, for a track at the end of one.
  private mutating func skip(_ row: Int, _ rounds: Int, _ seconds: Double, _ loaded: LoadedSequence) {
    guard let steps = loaded.springs, !phases[row].clock.isPaced else {
      // The remaining effect of earlier rounds is taken as 0.
      phases.findGoals(row, 0, loaded.sequence)
      let goals = phases.goals
      return begin(row, .jump, at: time, phases[row].change) { goals[$0] }
    }
    // A jump leads to the same value in every round.
    guard tracks.tiles.kind(ofRow: row) == .spring else { return }
    let round = Round(steps, loaded.sequence).power(rounds)
    let scales = (0..<dimensions).map { phases.scale(row, $0) }
    springs.moveOn(row, by: seconds) { dimension, state in
      round.state(after: state, dimension: dimension, scale: scales[dimension])
    }
  }

  // MARK: - Reports

  /// Reports that a run is over, and, if the track is at rest, its rest too. Otherwise the rest is reported later.
  private mutating func complete(_ row: Int, _ change: UInt32, at moment: Double) {
    events.append(.logicallyComplete, row: row, change, at: moment)
    let kind = tracks.tiles.kind(ofRow: row)
    let rests: Bool
    if kind == .spring {
      rests = completion(ofRow: row).restTime <= moment
    } else if kind == .curves {
      rests = curves.end(ofRow: row) <= moment
    } else if kind == .called {
      rests = called[row].value.hasArrived(at: moment)
    } else {
      rests = kind == .still
    }
    if rests { events.append(.settled, row: row, change, at: moment) }
    setReported(row, SpringWatch.Reported(logical: true, settled: rests))
  }

  /// Sets the reported events of the motion of a track.
  mutating func setReported(_ row: Int, _ reported: SpringWatch.Reported) {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .spring {
      springs.watch.setReported(row, reported)
    } else if kind == .curves {
      curves.setReported(row, reported)
    } else if kind == .called {
      called[row].reported = reported
    }
  }
}

// MARK: - Calls

extension Engine {
  /// Loads a sequence, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)``.
  package mutating func load(_ sequence: PhaseSequence) throws(BatchError) -> PhaseSequenceID {
    guard sequence.dimensions == dimensions else {
      throw .wrongDimensions(of: "sequence", expected: dimensions, got: sequence.dimensions)
    }
    let index = phases.library.add(try LoadedSequence(sequence))
    let id = PhaseSequenceID(
      index: UInt32(index), generation: phases.library.entries[index].generation, store: tracks.rows.store)
    #if !hasFeature(Embedded)
      recorder?.admit(id)
    #endif
    record { _ in BatchCall(.loadPhases(sequence)) }
    return id
  }

  /// Unloads a sequence that no track plays.
  package mutating func unload(_ id: PhaseSequenceID) throws(BatchError) {
    let index = try index(of: id)
    guard phases.library.entries[index].players == 0 else { throw .sequenceInUse(id) }
    phases.library.remove(index)
    record { BatchCall(.unloadPhases, sequences: [$0.number(id)]) }
  }

  /// The index of a loaded sequence.
  func index(of id: PhaseSequenceID) throws(BatchError) -> Int {
    guard id.store == tracks.rows.store, phases.library.isLoaded(Int(id.index), generation: id.generation) else {
      throw .unknownSequence(id)
    }
    return Int(id.index)
  }

  /// Plays a sequence on tracks. The next frame shows it.
  ///
  /// - Parameters:
  ///   - starts: When the tracks set out: one for all, or one for each; empty for now.
  ///   - offsets: Added to the targets of each track; nil for 0.
  ///   - scales: Factors of the targets, applied before the offsets; nil for 1.
  package mutating func play(
    _ id: PhaseSequenceID, on tracks: SelectedTracks, _ playback: PhasePlayback, startingAt starts: Span<Double>,
    offsets: InputValues?, scales: InputValues?
  ) throws(BatchError) -> UInt32 {
    try pick(tracks)
    let index = try index(of: id)
    if starts.count > 1 { try BatchError.check(starts.count, of: "starts", expected: picks.count) }
    func start(_ pick: Int) -> Double { starts.isEmpty ? time : starts[starts.count == 1 ? 0 : pick] }
    for index in starts.indices where !(abs(starts[index]) <= BatchLimits.maximumTime) {
      throw .invalidTime(starts[index])
    }
    for (values, name) in [(offsets, "offsets"), (scales, "scales")] {
      guard let values else { continue }
      try BatchError.check(values.count, of: name, expected: picks.count)
      try values.checkDimensions(name)
    }
    let varies = offsets != nil || scales != nil
    if varies {
      let sequence = phases.library[index].sequence
      for pick in 0..<picks.count {
        for dimension in 0..<dimensions {
          try sequence.check(
            offset: offsets?[pick, dimension] ?? 0, scale: scales?[pick, dimension] ?? 1, index: pick)
        }
      }
    }
    try phases.makeRoom(for: indexCount)
    endSchedulesOfPicked()
    let change = nextChange()
    for pick in 0..<picks.count where !picks[pick].isDropped {
      let row = picks[pick].row
      // A paused clip goes on, as other motions did when their schedules ended.
      if isPaused(row) { resume(row) }
      phases.begin(
        row, index, playback, start: start(pick), at: time, change: change)
      for dimension in 0..<dimensions where varies {
        phases.vary(
          row, dimension, offset: offsets?[pick, dimension] ?? 0, scale: scales?[pick, dimension] ?? 1)
      }
    }
    record {
      BatchCall(
        .playPhases(playback), $0.names(tracks), scales: $0.numbers(scales), offsets: $0.numbers(offsets),
        sequences: [$0.number(id)], numbers: starts.isEmpty ? [] : (0..<picks.count).map(start))
    }
    return change
  }

  /// Triggers tracks: each runs through the sequence that it plays, or played last.
  package mutating func trigger(_ handles: Span<TrackHandle>) throws(BatchError) -> UInt32 {
    try tracks.rows.check(handles)
    let change = nextChange()
    for index in handles.indices where !isPaused(handles[index].index) {
      let row = handles[index].index
      if phases.trigger(row, at: time, change: change) { waiting.cancel(row) }
    }
    record { BatchCall(.trigger, $0.names(handles)) }
    return change
  }
}
