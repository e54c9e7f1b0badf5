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
      try springs.advance(to: seconds, evenIfShown: due.count > 0)
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
      try springs.advance(by: seconds, evenIfShown: due.count > 0)
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

  /// Tracks between the one whose steps are taken and the one whose memory is asked for.
  private static let lead = 12

  private mutating func takeSteps(until seconds: Double) {
    schedule.collect(
      until: seconds, prefetch: { [clocks] in clocks.prefetch($0) }, next: { [clocks] in clocks[$0].next }, into: &due)
    due.putInOrder()
    let plays = springSteps != nil
    for index in 0..<due.count {
      // Those that are due lie scattered, and the next one's memory would be waited for.
      if plays, index + 2 * Self.lead < due.count {
        let slot = due[index + 2 * Self.lead]
        clocks.prefetch(slot)
        springs.prefetch(slot: slot)
        if !variations.isEmpty {
          variations.prefetch(slot * dimensions)
        }
      }
      if plays, index + Self.lead < due.count {
        springs.prefetchMotion(ofSlot: due[index + Self.lead])
      }
      let slot = due[index]
      var clock = clocks[slot]
      takeSteps(of: slot, &clock, until: seconds)
      clocks[slot] = clock
      schedule.set(slot, clock.next)
    }
  }

  private mutating func takeSteps(of slot: Int, _ clock: inout PhaseClock, until seconds: Double) {
    while clock.next <= seconds {
      if clock.returns {
        returnToFirst(slot, &clock)
      } else if clock.phase == 0, clock.cycle > 0 {
        guard endRound(slot, &clock, until: seconds) else { return }
        takeStep(slot, &clock)
      } else {
        takeStep(slot, &clock)
      }
    }
  }

  /// Takes the next step of a track in its turn.
  private mutating func takeStep(_ slot: Int, _ clock: inout PhaseClock) {
    let next = Int(clock.phase) + 1
    let phase = next == sequence.phaseCount ? 0 : next
    setOut(slot, &clock, phase, isStill: sequence.stillSteps[phase], at: clock.next)
    if phase == 0 {
      clock.cycle += 1
    }
    let following = phase + 1 == sequence.phaseCount ? 0 : phase + 1
    clock.next = clock.origin + sequence.stepStart(to: following, cycle: clock.cycle)
  }

  /// Ends a round at phase 0.
  ///
  /// - Returns: Whether another one follows.
  private mutating func endRound(_ slot: Int, _ clock: inout PhaseClock, until seconds: Double) -> Bool {
    let cycle = sequence.cycleDuration
    if playback == .triggered {
      clock.next = .infinity
      clock.isRunning = false
      completed.append(handle(ofSlot: slot))
      return false
    }
    if cycle == 0 {
      clock.next = .infinity
      stalled.append(handle(ofSlot: slot))
      return false
    }
    // The quotient is for those alone that may have slept for long.
    if seconds - clock.next >= cycle {
      let rounds = ((seconds - clock.next) / cycle).rounded(.down) - 1
      if rounds >= Double(Self.longestCatchUp) {
        skip(Int(rounds), slot, &clock)
      }
    }
    return true
  }

  /// Takes the step back to phase 0 of a run that is triggered again, from wherever it is.
  private mutating func returnToFirst(_ slot: Int, _ clock: inout PhaseClock) {
    let moment = clock.next
    let isStill = sequence.isStill(from: Int(clock.phase), to: 0)
    let duration = isStill ? 0 : sequence.returnDuration
    clock.isOnSchedule = false
    setOut(slot, &clock, 0, isStill: isStill, at: moment)
    // Where the step in its turn changes nothing, it does not say how long this motion lasts.
    clock.isOnSchedule = clock.isOnSchedule && !sequence.stillSteps[0]
    clock.returns = false
    clock.cycle = 0
    clock.origin = moment + duration
    clock.next = moment + duration
  }

  /// Starts the motion of a track to a phase.
  private mutating func setOut(
    _ slot: Int, _ clock: inout PhaseClock, _ phase: Int, isStill: Bool, at moment: Double
  ) {
    let last = Int(clock.phase)
    clock.phase = Int32(truncatingIfNeeded: phase)
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
      let basis = clock.isOnSchedule ? steps[last].basis : nil
      springs.setOut(slot, steps[phase], after: basis, at: moment, targets: leads.span)
    } else {
      curves.setOut(slot, motions[phase], at: moment, targets: leads.span)
    }
    clock.isOnSchedule = true
  }
}
