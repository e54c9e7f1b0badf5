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
      if phases.schedule.due.count > 0 { try reserveMemory(0, for: phases.library.columns) }
      if waiting.schedule.due.count > 0 { try reserveMemory(0, for: waiting.columns) }
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
    var position = 0
    while position < phases.schedule.due.count {
      let loaded = phases.loaded(phases.schedule.due[position])
      position = takeSteps(from: position, loaded, loaded.sequence, until: seconds)
    }
    phases.schedule.forgetDue()
  }

  /// Takes the steps of the due tracks from one on that play the same sequence, and returns the index of the next.
  private mutating func takeSteps(
    from first: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence, until seconds: Double
  ) -> Int {
    let (count, number) = (phases.schedule.due.count, phases[phases.schedule.due[first]].sequence)
    var position = first
    repeat {
      prefetchDue(after: position, of: count, due: { phases.schedule.due[$0] }) { phases.prefetch($0) }
      takeSteps(of: phases.schedule.due[position], loaded, sequence, until: seconds)
      position += 1
    } while position < count && phases[phases.schedule.due[position]].sequence == number
    return position
  }

  /// Prefetches what later ones of the tracks that are due read: they lie scattered.
  ///
  /// It is always inlined: a call would copy the whole engine for each track.
  ///
  /// - Parameters:
  ///   - due: The index of each of them.
  ///   - prefetch: Prefetches what is to come for a track.
  @inline(__always)
  func prefetchDue(after position: Int, of count: Int, due: (Int) -> Int, _ prefetch: (_ index: Int) -> Void) {
    let lead = 12
    if position + 2 * lead < count {
      let later = due(position + 2 * lead)
      prefetch(later)
      tracks.indices.prefetch(later)
    }
    guard position + lead < count else { return }
    let index = due(position + lead)
    tracks.prefetchState(index)
    if springs.isMapped { springs.prefetchStart(index) }
  }

  /// Takes the steps of a track up to a time, if it plays phases.
  ///
  /// - Returns: Whether it set out before that time, or before the last frame.
  mutating func takeSteps(of index: Int, until seconds: Double) -> Bool {
    guard phases.isPlaying(index) else { return false }
    let loaded = phases.loaded(index)
    return takeSteps(of: index, loaded, loaded.sequence, until: seconds)
  }

  @discardableResult
  private mutating func takeSteps(
    of index: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence, until seconds: Double
  ) -> Bool {
    guard let track = phases.player(index), !track.clock.isPaused, track.clock.next <= seconds else { return false }
    var setOutBefore = false
    var (clock, latest) = (track.clock, track.latest)
    var moment = clock.next
    // Moments are rounded: one may come out just before the moment of the previous step.
    var reported = moment
    let isExact = loaded.springs != nil && !clock.isPaced
    while let event = clock.goOn(in: sequence, track.playback, until: seconds, isExact: isExact) {
      switch event {
      case .setsOut(let phase, let isStill, _, let last):
        events.append(.phase, index: index, track.change, at: reported, number: phase)
        if !isStill {
          latest = moment
          setOut(index, phase, loaded, sequence, track, at: moment, after: last, columnsAreOld: setOutBefore)
          setOutBefore = setOutBefore || moment < seconds
        }
      case .skips(let rounds, let seconds): skip(index, rounds, seconds, loaded)
      case .ends: complete(index, track.change, at: reported)
      }
      moment = clock.next
      reported = max(reported, moment)
    }
    phases.set(index, clock, latest: latest)
    return setOutBefore
  }

  // MARK: - A step

  /// Starts the motion of a track to a phase.
  ///
  /// - Parameter last: The step whose motion is under way since its own moment; nil without one.
  private mutating func setOut(
    _ index: Int, _ phase: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence,
    _ track: PhaseSchedule.Track, at moment: Double, after last: Int?, columnsAreOld: Bool
  ) {
    phases.findGoals(index, phase, sequence)
    let goals = phases.goals
    let kind = tracks.tiles.kind(at: index)
    if let last, !track.clock.isPaced, let springSteps = loaded.springs, kind == .spring {
      let basis = springSteps[last].basis
      if loaded.kinds[phase] == kind {
        // The motion of a step in a loop lasts until the next step.
        let endurance = track.playback == .loops ? loaded.endurances[phase] : nil
        springs.step(index, springSteps[phase], after: basis, at: moment, goals, endurance, tracks)
        return putTargetUnder(index)
      }
      springs.show(index, basis)
    } else if last != nil, loaded.springs == nil, leadsNowhere(loaded, phase, from: index) {
      // This is as in the model, even if only the variation of the track makes the targets equal.
      return
    } else if last == nil, moment < time {
      // A start in the past: the track has stood as it is shown now.
      conclude(index, at: time)
      standStill(index)
    } else {
      conclude(index, at: moment, columnsAreOld: columnsAreOld)
      // A curve starts at the value of a track that followed, and adds to a spring.
      if follows.copies.remove(index) != nil { standStill(index) }
    }
    let speed = track.clock.speed
    if speed != 1 { showOnClock(index, of: speed, at: moment) }
    begin(index, loaded.motions[phase], at: moment, track.change) { goals[$0] }
    if track.clock.isPaced {
      // All steps have one change, and each begins at speed 1.
      speeds.forget(index)
      if speed != 1 { setSpeed(index, speed, at: moment) }
    }
    setReported(index, .everything)
  }

  /// Whether a step leads a track to the target for which it heads already. Without an animation it stops the track there.
  private func leadsNowhere(_ loaded: LoadedSequence, _ phase: Int, from index: Int) -> Bool {
    loaded.sequence.animations[phase] != nil && tracks.tiles.kind(at: index) != .following
      && (0..<dimensions).allSatisfy { tracks.columns.target[tracks.element(index, $0)] == phases.goals[$0] }
  }

  /// Takes a track out of its motion. The track then stands at the value that it shows, and keeps the
  /// velocity that it shows.
  mutating func standStill(_ index: Int) {
    stand(index)
    keep(index)
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      tracks.columns.target[element] = tracks.columns.value[element] + 0
    }
  }

  /// Skips `rounds` whole rounds of a loop, for a track at the end of one.
  private mutating func skip(_ index: Int, _ rounds: Int, _ seconds: Double, _ loaded: LoadedSequence) {
    guard let steps = loaded.springs, !phases[index].clock.isPaced else {
      // What earlier rounds leave is gone after the rounds that follow.
      phases.findGoals(index, 0, loaded.sequence)
      let goals = phases.goals
      return begin(index, .jump, at: time, phases[index].change) { goals[$0] }
    }
    // A jump leads to the same value in every round.
    guard tracks.tiles.kind(at: index) == .spring else { return }
    let round = Round(steps, loaded.sequence).power(rounds)
    let scales = (0..<dimensions).map { phases.scale(index, $0) }
    springs.moveOn(index, by: seconds) { dimension, state in
      round.state(after: state, dimension: dimension, scale: scales[dimension])
    }
  }

  // MARK: - Reports

  /// Reports that a run is over, and, if the track is at rest, its rest too. Otherwise the rest is reported later.
  private mutating func complete(_ index: Int, _ change: UInt32, at moment: Double) {
    events.append(.logicallyComplete, index: index, change, at: moment)
    let kind = tracks.tiles.kind(at: index)
    let rests: Bool
    if kind == .spring {
      rests = completion(at: index).restTime <= moment
    } else if kind == .curves {
      rests = curves.end(at: index) <= moment
    } else if kind == .called {
      rests = called[index].value.hasArrived(at: moment)
    } else {
      rests = kind == .still
    }
    if rests { events.append(.settled, index: index, change, at: moment) }
    setReported(index, SpringWatch.Reported(logical: true, settled: rests))
  }

  /// Sets the reported events of the motion of a track.
  mutating func setReported(_ index: Int, _ reported: SpringWatch.Reported) {
    let kind = tracks.tiles.kind(at: index)
    if kind == .spring {
      springs.watch.setReported(index, reported)
    } else if kind == .curves {
      curves.setReported(index, reported)
    } else if kind == .called {
      called[index].reported = reported
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
    let id = phases.library.add(try LoadedSequence(sequence), store: tracks.indices.store)
    recorder?.admit(id)
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
    guard phases.library.isLoaded(id) else { throw .unknownSequence(id) }
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
    let number = try index(of: id)
    if starts.count > 1 { try BatchError.check(starts.count, of: "starts", expected: picks.count) }
    func start(_ pick: Int) -> Double { starts.isEmpty ? time : starts[starts.count == 1 ? 0 : pick] }
    for position in starts.indices where !(abs(starts[position]) <= BatchLimits.maximumTime) {
      throw .invalidTime(starts[position])
    }
    for (values, name) in [(offsets, "offsets"), (scales, "scales")] {
      guard let values else { continue }
      try BatchError.check(values.count, of: name, expected: picks.count)
      try values.checkDimensions(name)
    }
    let varies = offsets != nil || scales != nil
    if varies {
      let sequence = phases.library[number].sequence
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
      let index = picks[pick].index
      // A paused clip goes on, as other motions did when their schedules ended.
      if isPaused(index) { resume(index) }
      phases.begin(
        index, number, playback, start: start(pick), at: time, change: change)
      for dimension in 0..<dimensions where varies {
        phases.vary(
          index, dimension, offset: offsets?[pick, dimension] ?? 0, scale: scales?[pick, dimension] ?? 1)
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
  package mutating func trigger(_ tracks: SelectedTracks) throws(BatchError) -> UInt32 {
    try pick(tracks, for: [])
    let change = nextChange()
    for position in 0..<picks.count where !picks[position].isDropped && !isPaused(picks[position].index) {
      let index = picks[position].index
      if phases.trigger(index, at: time, change: change) { waiting.cancel(index) }
    }
    record { BatchCall(.trigger, $0.names(tracks)) }
    return change
  }
}
