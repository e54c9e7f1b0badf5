// SPDX-License-Identifier: MIT
import Kernels

// Steps of phases: calls that begin at their own moments, whatever frames there are. A step between springs whose motion
// before began with a step, too, is quick: what that motion has come to is known for all tracks of the sequence.
extension Engine {
  // MARK: - A frame

  /// Finds the tracks that take steps up to a time, and makes room for them and for the calls that wait.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing changes then.
  mutating func prepareSteps(until seconds: Double) throws(BatchError) {
    guard phases.playerCount > 0 else { return }
    phases.collectDue(until: seconds)
    let moving = phases.movingCount + (waiting.nextTime <= seconds ? waiting.count : 0)
    guard moving > 0 else { return }
    do {
      // Of each family that steps lead to, no more tiles are taken than these tracks fill; each curve may begin one.
      let kinds = phases.library.columns.contains(.curves) ? min(moving, CurveLibrary.limit) : 0
      try reserveTiles(4 * (moving / laneCountOfTile + 1) + kinds, for: phases.library.columns)
    } catch {
      phases.putBackDue()
      throw error
    }
  }

  /// Takes every step up to a time, each at its own moment.
  mutating func takeSteps(until seconds: Double) {
    guard phases.dueCount > 0 else { return }
    var index = 0
    while index < phases.dueCount {
      let loaded = phases.loaded(phases.due(index))
      index = takeSteps(from: index, loaded, loaded.sequence, until: seconds)
    }
    phases.forgetDue()
  }

  /// Takes the steps of the due tracks from one on that play the same sequence, and returns the index of the next.
  private mutating func takeSteps(
    from first: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence, until seconds: Double
  ) -> Int {
    let (count, number) = (phases.dueCount, phases[phases.due(first)].sequence)
    var index = first
    repeat {
      prefetchSteps(after: index, of: count)
      takeSteps(of: phases.due(index), loaded, sequence, until: seconds)
      index += 1
    } while index < count && phases[phases.due(index)].sequence == number
    return index
  }

  /// Asks for what the steps of tracks some places behind read: those that are due lie scattered.
  ///
  /// Always inlined: a call would copy the whole engine for each track.
  @inline(__always)
  private func prefetchSteps(after index: Int, of count: Int) {
    let lead = 12
    if index + 2 * lead < count {
      let slot = phases.due(index + 2 * lead)
      phases.prefetch(slot)
      tracks.slots.prefetch(UInt32(truncatingIfNeeded: slot))
    }
    if index + lead < count, springs.isMapped {
      springs.prefetchStep(tracks.slots.row(of: phases.due(index + lead)))
    }
  }

  /// Takes the steps of a track up to a time, if it plays phases.
  mutating func takeSteps(of slot: Int, until seconds: Double) {
    guard phases.isPlaying(slot) else { return }
    let loaded = phases.loaded(slot)
    takeSteps(of: slot, loaded, loaded.sequence, until: seconds)
  }

  private mutating func takeSteps(
    of slot: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence, until seconds: Double
  ) {
    guard let track = phases.player(slot), !track.clock.isPaused, track.clock.next <= seconds else { return }
    var (clock, latest) = (track.clock, track.latest)
    var moment = clock.next
    // Moments are rounded, and one may come out a rounding before the step that it follows.
    var reported = moment
    while let event = clock.goOn(in: sequence, track.playback, until: seconds) {
      switch event {
      case .setsOut(let phase, let isStill, _, let last):
        events.append(.phase, slot: slot, track.change, at: reported, number: phase)
        if !isStill {
          latest = moment
          setOut(slot, phase, loaded, sequence, track, at: moment, after: last)
        }
      case .skips(let rounds, let seconds): skip(slot, rounds, seconds, loaded)
      case .ends, .stalls: complete(slot, track.change, at: reported)
      }
      moment = clock.next
      reported = max(reported, moment)
    }
    phases.set(slot, clock, latest: latest)
  }

  // MARK: - A step

  /// Starts the motion of a track to a phase.
  ///
  /// - Parameter last: The step whose motion is under way since its own moment, where that is so.
  private mutating func setOut(
    _ slot: Int, _ phase: Int, _ loaded: LoadedSequence, _ sequence: borrowing PhaseSequence,
    _ track: PhaseSchedule.Track, at moment: Double, after last: Int?
  ) {
    phases.findGoals(slot, phase, sequence)
    let goals = phases.goals
    var row = tracks.slots.row(of: slot)
    let kind = tracks.tiles.kind(ofRow: row)
    if let last, let springSteps = loaded.springs, kind.isMixed {
      let basis = springSteps[last].basis
      if loaded.kinds[phase] == kind {
        // What a loop sets out for lasts until the next step.
        let endurance = track.playback == .loops ? loaded.endurances[phase] : nil
        return springs.step(row, springSteps[phase], after: basis, at: moment, goals, endurance)
      }
      springs.show(row, basis)
    } else if last != nil, loaded.springs == nil, leadsNowhere(loaded, phase, from: row) {
      // As the model has it, even where it is the variation of the track that makes the targets equal.
      return
    } else if last == nil, moment < time {
      // A start in the past: the track has stood as it is shown now.
      row = standStill(conclude(slot, at: time))
    } else {
      row = conclude(slot, at: moment)
    }
    begin(row, loaded.motions[phase], at: moment, track.change) { goals[$0] }
    setReported(slot, .everything)
  }

  /// Whether a step leads a row to where it heads already. Without an animation it stops the row there.
  private func leadsNowhere(_ loaded: LoadedSequence, _ phase: Int, from row: Int) -> Bool {
    loaded.sequence.animations[phase] != nil
      && (0..<dimensions).allSatisfy { unsafe tracks.columns.target[tracks.element(row, $0)] == phases.goals[$0] }
  }

  /// Takes the track of a row out of its motion; it stands where it is shown, and keeps the velocity that is shown.
  private mutating func standStill(_ row: Int) -> Int {
    var newRow = row
    if tracks.tiles.kind(ofRow: row) != .still {
      newRow = move(UInt32(tracks.slot(ofRow: row)), from: row, to: .still)
    }
    for dimension in 0..<dimensions {
      let element = tracks.element(newRow, dimension)
      unsafe tracks.columns.target[element] = tracks.columns.value[element] + 0
    }
    return newRow
  }

  /// Lets rounds of a loop pass at once for a track that is at the end of one.
  private mutating func skip(_ slot: Int, _ rounds: Int, _ seconds: Double, _ loaded: LoadedSequence) {
    let row = tracks.slots.row(of: slot)
    guard let steps = loaded.springs else {
      // What is left of earlier rounds is taken for nothing.
      phases.findGoals(slot, 0, loaded.sequence)
      let goals = phases.goals
      return begin(row, .jump, at: time, phases[slot].change) { goals[$0] }
    }
    // A jump leads to where one of any other round does.
    guard tracks.tiles.kind(ofRow: row).isMixed else { return }
    let round = Round(steps, loaded.sequence).power(rounds)
    let scales = (0..<dimensions).map { phases.scale(slot, $0) }
    springs.moveOn(row, by: seconds) { dimension, state in
      round.state(after: state, dimension: dimension, scale: scales[dimension])
    }
  }

  // MARK: - Reports

  /// Reports that a run is over; and that the track has come to rest, as soon as it has.
  private mutating func complete(_ slot: Int, _ change: UInt32, at moment: Double) {
    events.append(.logicallyComplete, slot: slot, change, at: moment)
    let row = tracks.slots.row(of: slot)
    let kind = tracks.tiles.kind(ofRow: row)
    let rests: Bool
    if kind.isMixed {
      rests = springs.completion(ofRow: row, tracks).restTime <= moment
    } else if kind.isCurve {
      rests = curves.end(ofRow: row) <= moment
    } else if kind == .called {
      rests = called[slot].value.isFinished(at: moment)
    } else {
      rests = kind == .still
    }
    if rests { events.append(.settled, slot: slot, change, at: moment) }
    setReported(slot, SpringWatch.Reported(logical: true, settled: rests))
  }

  /// Takes something of the motion that a track began alone for reported, or for still to be reported.
  private mutating func setReported(_ slot: Int, _ reported: SpringWatch.Reported) {
    let row = tracks.slots.row(of: slot)
    let kind = tracks.tiles.kind(ofRow: row)
    if kind.isMixed {
      springs.watch.setReported(row, reported)
    } else if kind.isCurve {
      curves.setReported(row, reported)
    } else if kind == .called {
      called.setReported(slot, reported)
    }
  }
}

// MARK: - Calls

extension Engine {
  /// Takes a sequence, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)``.
  mutating func load(_ sequence: PhaseSequence) throws(BatchError) -> PhaseSequenceID {
    guard sequence.dimensions == dimensions else {
      throw .wrongDimensions(of: "sequence", expected: dimensions, got: sequence.dimensions)
    }
    let index = phases.load(try LoadedSequence(sequence))
    return PhaseSequenceID(
      index: UInt32(index), generation: phases.library.generation(index), store: tracks.slots.store)
  }

  /// Lets a sequence go that no track plays.
  mutating func unload(_ id: PhaseSequenceID) throws(BatchError) {
    let index = try index(of: id)
    guard phases.library.players(index) == 0 else { throw .sequenceInUse(id) }
    phases.unload(index)
  }

  /// The index of a loaded sequence.
  func index(of id: PhaseSequenceID) throws(BatchError) -> Int {
    guard id.store == tracks.slots.store, phases.library.isLoaded(Int(id.index), generation: id.generation) else {
      throw .unknownSequence(id)
    }
    return Int(id.index)
  }

  /// Has the picked tracks play a sequence. What it changes shows with the next frame.
  ///
  /// - Parameters:
  ///   - starts: When each sets out; empty for now.
  ///   - offsets: What is added to the targets of each; nil for nothing.
  ///   - scales: What these are multiplied by before; nil for 1.
  mutating func playPicked(
    _ id: PhaseSequenceID, _ playback: PhasePlayback, startingAt starts: Span<Double>, offsets: InputValues?,
    scales: InputValues?
  ) throws(BatchError) -> UInt32 {
    let index = try index(of: id)
    guard starts.isEmpty || starts.count == picks.count else {
      throw .wrongCount(of: "starts", expected: picks.count, got: starts.count)
    }
    for index in starts.indices where !(abs(starts[index]) <= BatchLimits.maximumTime) {
      throw .invalidTime(starts[index])
    }
    for (values, name) in [(offsets, "offsets"), (scales, "scales")] {
      guard let values, values.count != picks.count else { continue }
      throw .wrongCount(of: name, expected: picks.count, got: values.count)
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
    endSchedulesOfPicked()
    phases.grow(to: tracks.slots.count)
    let change = nextChange()
    for pick in 0..<picks.count where picks[pick].row != Pick.noRow {
      let slot = Int(picks[pick].slot)
      phases.begin(
        slot, index, playback, start: starts.isEmpty ? time : starts[pick], at: time, change: change)
      for dimension in 0..<dimensions where varies {
        phases.vary(
          slot, dimension, offset: offsets?[pick, dimension] ?? 0, scale: scales?[pick, dimension] ?? 1)
      }
    }
    return change
  }

  /// Has tracks run through the sequences that they play, or played last.
  mutating func trigger(_ handles: Span<TrackHandle>) throws(BatchError) -> UInt32 {
    try tracks.slots.check(handles)
    let change = nextChange()
    for index in handles.indices where phases.trigger(handles[index].index, at: time, change: change) {
      waiting.cancel(handles[index].index)
    }
    return change
  }

  // MARK: - Pauses

  /// Holds the picked tracks that play phases where they are.
  mutating func pausePhasesOfPicked() {
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let slot = Int(picks[index].slot)
      guard let track = phases.player(slot), !track.clock.isPaused else { continue }
      phases.pause(slot, at: time, hold(slot))
    }
  }

  /// Lets the picked tracks go on that were held.
  mutating func resumePhasesOfPicked() {
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let slot = Int(picks[index].slot)
      guard let held = phases.resume(slot, at: time), let motion = held.motion else { continue }
      release(slot, motion, after: time - held.since)
    }
  }

  /// Has a track stand where it is, and returns what it did; nil if it stands, or plays a clip, which has a pause of its own.
  private mutating func hold(_ slot: Int) -> HeldPhase? {
    let row = tracks.slots.row(of: slot)
    let kind = tracks.tiles.kind(ofRow: row)
    let held: HeldPhase
    if kind.isSpring {
      held = .spring(springs.held(row, at: time, tracks), springs.reported(ofRow: row, tracks))
    } else if kind == .called {
      held = .called(called[slot])
    } else if kind.isCurve, !curves.isOver(row) {
      var motion = CalledMotions.Motion(
        value: .sum(sum(ofCurve: row)), changed: curves.start(ofRow: row), change: change(ofRow: row))
      let reported = curves.reported(ofRow: row)
      (motion.isLogicalReported, motion.isRestReported) = (reported.logical, reported.settled)
      held = .called(motion)
    } else {
      return nil
    }
    let stillRow = standStill(row)
    velocities.mark(stillRow)
    for dimension in 0..<dimensions { unsafe tracks.columns.velocity[tracks.element(stillRow, dimension)] = 0 }
    return held
  }

  private mutating func release(_ slot: Int, _ held: HeldPhase, after pause: Double) {
    let old = tracks.slots.row(of: slot)
    switch held {
    case .spring(let motion, let reported):
      let row = move(UInt32(slot), from: old, to: motion.coefficients.isOverdamped ? .overdamped : .oscillating)
      springs.release(row, motion, reported, at: time)
    case .called(var motion):
      motion.value.delay(by: pause)
      motion.changed += pause
      let row = move(UInt32(slot), from: old, to: .called)
      called.begin(slot, motion)
      for dimension in 0..<dimensions {
        unsafe tracks.columns.target[tracks.element(row, dimension)] = Float(motion.value.target(dimension))
      }
      called.show(slot, at: time, tracks)
    }
  }
}
