// SPDX-License-Identifier: MIT

/// The position of one track in its sequence.
struct PhaseClock {
  /// When the run began, with its first step from phase 0.
  var origin: Double
  /// When the next step begins, or when a run that is back at phase 0 is complete; infinite if nothing is to come.
  var next: Double
  /// Whole rounds since the origin.
  var cycle: Int64 = 0
  /// The phase that is shown or headed for.
  var phase: Int32 = 0
  /// Whether the motion under way began with a step of this run, so that its age at the next step is known.
  var isOnSchedule = false
  /// Whether the next step leads back to phase 0, as a run was triggered again before its end.
  var returns = false
  /// Whether a triggered run is under way.
  var isRunning = false
  /// Whether the clock stands still, as its track is paused.
  var isPaused = false
  /// Seconds of the sequence per second.
  var speed = 1.0
  /// Whether the speed was ever changed: the ages of motions at their next steps are not those of the sequence then.
  var isPaced = false
}

/// The next event of a track that plays phases.
enum PhaseEvent {
  /// A step to a phase at a moment. A still step changes nothing. `after` is the step whose motion is under way since its
  /// own moment; nil without one.
  case setsOut(phase: Int, isStill: Bool, moment: Double, after: Int?)
  /// A number of rounds of a loop is skipped, which takes a number of seconds.
  case skips(rounds: Int, seconds: Double)
  /// A triggered run is over, or a loop whose rounds last no time stops.
  case ends
}

extension PhaseClock {
  /// Rounds that are counted: beyond, the origin moves. Only speeds above 1 lead there.
  private static let mostRounds = 0x1p53

  /// Goes on to the next event up to a time; nil without one.
  ///
  /// - Parameter isExact: Whether the motion after rounds that are skipped is computed. Otherwise nothing is left of it after
  ///   the rounds that are still to come then.
  @inline(__always)
  mutating func goOn(
    in sequence: borrowing PhaseSequence, _ playback: PhasePlayback, until seconds: Double, isExact: Bool
  ) -> PhaseEvent? {
    guard next <= seconds else { return nil }
    if returns {
      return returnToFirst(in: sequence)
    }
    if phase == 0, cycle > 0 {
      let duration = sequence.cycleDuration / speed
      guard playback == .loops, duration > 0 else {
        next = .infinity
        isRunning = false
        return .ends
      }
      // Only tracks that may have waited for long take the quotient.
      var rounds = seconds - next >= duration ? ((seconds - next) / duration).rounded(.down) - 1 : 0
      if rounds >= Double(PhaseSequence.longestCatchUp) {
        if !isExact { rounds -= Double(PhaseSequence.longestCatchUp - 1) }
        let before = next
        if Double(cycle) + rounds < Self.mostRounds {
          cycle += Int64(rounds)
        } else {
          origin += rounds * duration
        }
        next = origin + sequence.stepStart(to: 1, cycle: cycle) / speed
        return .skips(rounds: Int(clamping: Int64(min(rounds, Self.mostRounds))), seconds: next - before)
      }
    }
    let (moment, last) = (next, Int(phase))
    let phase = last + 1 == sequence.phaseCount ? 0 : last + 1
    let event = setOut(phase, isStill: sequence.stillSteps[phase], at: moment)
    if phase == 0 {
      cycle += 1
    }
    next = origin + sequence.stepStart(to: phase + 1 == sequence.phaseCount ? 0 : phase + 1, cycle: cycle) / speed
    return event
  }

  /// Takes the step back to phase 0 of a run that is triggered again, from wherever it is.
  @inline(__always)
  private mutating func returnToFirst(in sequence: PhaseSequence) -> PhaseEvent {
    let moment = next
    let isStill = sequence.stillReturns[Int(phase)]
    isOnSchedule = false
    let event = setOut(0, isStill: isStill, at: moment)
    // If the step to phase 0 on schedule changes nothing, its duration is not that of this motion.
    isOnSchedule = isOnSchedule && !sequence.stillSteps[0]
    returns = false
    cycle = 0
    origin = moment + (isStill ? 0 : sequence.returnDuration / speed)
    next = origin
    return event
  }

  private mutating func setOut(_ phase: Int, isStill: Bool, at moment: Double) -> PhaseEvent {
    let event = PhaseEvent.setsOut(
      phase: phase, isStill: isStill, moment: moment, after: isOnSchedule ? Int(self.phase) : nil)
    self.phase = Int32(truncatingIfNeeded: phase)
    if !isStill {
      isOnSchedule = true
    }
    return event
  }
}
