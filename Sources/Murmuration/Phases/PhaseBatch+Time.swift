// SPDX-License-Identifier: MIT
import AnimationModel

extension PhaseBatch {
  /// Takes every step up to a time, each at its own moment, evaluates every track, and reports what was completed.
  ///
  /// - Parameter seconds: Absolute time, within ±``BatchLimits/maximumTime``: from the latest step that was taken on.
  /// - Throws: ``BatchError/invalidTime(_:)``, ``BatchError/timeBeforeStart(time:start:)``, or
  ///   ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing has changed then.
  /// - Complexity: O(moving tracks + steps taken).
  public mutating func advance(to seconds: Double) throws(BatchError) {
    try prepare(seconds)
    takeSteps(until: seconds)
    if springSteps != nil {
      try springs.advance(to: seconds)
    } else {
      try curves.advance(to: seconds)
    }
  }

  /// Moves the clock by a number of seconds. The clock sums with compensation, so that many small steps lose nothing.
  ///
  /// - Throws: As ``advance(to:)``.
  public mutating func advance(by seconds: Double) throws(BatchError) {
    let sum = try (springSteps != nil ? springs.clock : curves.clock).after(seconds).time
    try prepare(sum)
    takeSteps(until: sum)
    if springSteps != nil {
      try springs.advance(by: seconds)
    } else {
      try curves.advance(by: seconds)
    }
  }

  private mutating func prepare(_ seconds: Double) throws(BatchError) {
    if springSteps != nil {
      try springs.check(time: seconds)
      if changesTiles {
        try springs.reserveTiles(springs.count / 16 + 2)
      }
    } else {
      try curves.check(time: seconds)
      try curves.reserveTiles(moving: curves.count, kinds: sequence.phaseCount)
    }
    phaseChanges.removeAll(keepingCapacity: true)
    completed.removeAll(keepingCapacity: true)
    stalled.removeAll(keepingCapacity: true)
  }

  private mutating func takeSteps(until seconds: Double) {
    schedule.collect(until: seconds, next: { [clocks] in clocks[$0].next }, into: &due)
    for word in 0..<due.wordCount {
      var tracks = due.take(word: word)
      while tracks != 0 {
        let slot = word << 6 + tracks.trailingZeroBitCount
        tracks &= tracks - 1
        takeSteps(of: slot, until: seconds)
        schedule.set(slot, clocks[slot].next)
      }
    }
  }

  private mutating func takeSteps(of slot: Int, until seconds: Double) {
    while clocks[slot].next <= seconds {
      let clock = clocks[slot]
      if clock.returns {
        returnToFirst(slot)
      } else if clock.phase == 0, clock.cycle > 0 {
        guard endRound(slot, until: seconds) else { return }
        takeStep(slot)
      } else {
        takeStep(slot)
      }
    }
  }

  /// Takes the next step of a track in its turn.
  private mutating func takeStep(_ slot: Int) {
    let moment = clocks[slot].next
    let phase = (Int(clocks[slot].phase) + 1) % sequence.phaseCount
    setOut(slot, phase, isStill: sequence.stillSteps[phase], at: moment)
    if phase == 0 {
      clocks[slot].cycle += 1
    }
    clocks[slot].next =
      clocks[slot].origin
      + sequence.stepStart(to: (phase + 1) % sequence.phaseCount, cycle: clocks[slot].cycle)
  }

  /// Ends a round at phase 0.
  ///
  /// - Returns: Whether another one follows.
  private mutating func endRound(_ slot: Int, until seconds: Double) -> Bool {
    let cycle = sequence.cycleDuration
    if playback == .triggered {
      clocks[slot].next = .infinity
      clocks[slot].isRunning = false
      completed.append(handle(ofSlot: slot))
      return false
    }
    if cycle == 0 {
      clocks[slot].next = .infinity
      stalled.append(handle(ofSlot: slot))
      return false
    }
    let rounds = ((seconds - clocks[slot].next) / cycle).rounded(.down) - 1
    if rounds >= Double(Self.longestCatchUp) {
      skip(Int(rounds), slot)
    }
    return true
  }

  /// Takes the step back to phase 0 of a run that is triggered again, from wherever it is.
  private mutating func returnToFirst(_ slot: Int) {
    let moment = clocks[slot].next
    let phase = Int(clocks[slot].phase)
    let isStill = sequence.isStill(from: phase, to: 0)
    let duration = isStill ? 0 : sequence.returnDuration
    clocks[slot].isOnSchedule = false
    setOut(slot, 0, isStill: isStill, at: moment)
    // Where the step in its turn changes nothing, it does not say how long this motion lasts.
    clocks[slot].isOnSchedule = clocks[slot].isOnSchedule && !sequence.stillSteps[0]
    clocks[slot].returns = false
    clocks[slot].cycle = 0
    clocks[slot].origin = moment + duration
    clocks[slot].next = moment + duration
  }

  /// Starts the motion of a track to a phase.
  private mutating func setOut(_ slot: Int, _ phase: Int, isStill: Bool, at moment: Double) {
    let clock = clocks[slot]
    clocks[slot].phase = Int32(phase)
    if reportsPhaseChanges {
      phaseChanges.append(PhaseChange(handle: handle(ofSlot: slot), phase: phase, time: moment))
    }
    guard !isStill else { return }
    var leads: [Float] = []
    swap(&leads, &self.leads)
    defer { swap(&leads, &self.leads) }
    for dimension in 0..<dimensions {
      leads[dimension] = target(slot, phase, dimension)
    }
    if let steps = springSteps {
      let basis = clock.isOnSchedule ? steps[Int(clock.phase)].basis : nil
      springs.setOut(slot, steps[phase], after: basis, at: moment, targets: leads.span)
    } else {
      curves.setOut(slot, motions[phase], at: moment, targets: leads.span)
    }
    clocks[slot].isOnSchedule = true
  }
}
