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
    while let event = clock.goOn(in: sequence, playback, until: seconds) {
      switch event {
      case .setsOut(let phase, let isStill, let moment, let last):
        setOut(slot, phase, isStill: isStill, at: moment, after: last)
      case .skips(let rounds, let seconds): skip(rounds, seconds, slot)
      case .ends: completed.append(handle(ofSlot: slot))
      case .stalls: stalled.append(handle(ofSlot: slot))
      }
    }
  }

  /// Starts the motion of a track to a phase.
  ///
  /// - Parameter last: The step whose motion is under way since its own moment, where that is so.
  private mutating func setOut(_ slot: Int, _ phase: Int, isStill: Bool, at moment: Double, after last: Int?) {
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
      springs.setOut(slot, steps[phase], after: last.map { steps[$0].basis }, at: moment, targets: leads.span)
    } else {
      curves.setOut(slot, motions[phase], at: moment, targets: leads.span)
    }
  }
}
