// SPDX-License-Identifier: MIT
import Murmuration

extension ReferenceTrack {
  /// Moves the clock on, or back, and lists the events that a batch must report, or may, in the order of their moments.
  ///
  /// An event that need not be reported yet is listed again next time, until ``note(_:)`` is told of it. A change that
  /// is replaced before its motion was complete has no events.
  ///
  /// - Parameter startsWaiting: Whether a waiting call is made when it is due.
  package mutating func advance(to now: Double, startsWaiting: Bool = true) -> [ReferenceEvent] {
    let end = clock.time(at: now)
    var events: [ReferenceEvent] = []
    guard !clock.isPaused else { return events }
    while true {
      let step = schedule?.phases.next ?? .infinity
      let call = startsWaiting ? waitingMoment : .infinity
      let moment = min(step, call)
      guard moment <= end else { break }
      let (old, count) = (change, events.count)
      pass(to: moment, at: now, &events)
      let passed = count..<events.count
      if call <= step {
        performWaiting()
      } else {
        takeStep(at: moment, &events)
      }
      guard change != old else { continue }
      // When another motion takes over, events that were not certain yet are dropped.
      for index in passed where events[index].moment.upperBound > clock.moment(of: moment) {
        events[index].moment = events[index].moment.lowerBound ... .infinity
      }
    }
    pass(to: end, at: now, &events)
    // A frame shows motions that have begun, also at its very moment.
    if startsWaiting { shownBefore = nil }
    return events
  }

  /// Moves the current motion on to a time, and lists its events, as the clock shows `now`.
  private mutating func pass(to time: Double, at now: Double, _ events: inout [ReferenceEvent]) {
    if case .clip(let clip) = motion { return pass(clip, to: time, at: now, &events) }
    if case .sum(var sum) = motion {
      sum.advance(to: time)
      motion = .sum(sum)
    }
    let window = completion(at: time)
    if !isLogicalReported, window.logical.lowerBound <= time {
      events.append(event(.logicallyComplete, window.logical))
    }
    if !isSettledReported, window.settled.lowerBound <= time { events.append(event(.settled, window.settled)) }
  }

  /// Lists each iteration of a clip and its end, once.
  private mutating func pass(
    _ clip: ClipMotion, to time: Double, at now: Double, _ events: inout [ReferenceEvent]
  ) {
    var clip = clip
    let slack = clip.clock.speed == 0 ? 0 : clip.clock.margin(at: time) / abs(clip.clock.speed)
    // Iterations after the first are longer or shorter too.
    let drift = clip.clock.speed == 0 ? 0 : clip.content.durationError / abs(clip.clock.speed)
    // At its end a playback is over only if its end shows what follows; else it is over right after its end.
    let isCertain = clip.clock.speed == 0 || clip.clock.end + slack + time.ulp < time
    let (iterations, ends) = clip.clock.events(until: time, isEndCertain: isCertain)
    // Events before the call that played the clip happen with the call. A batch may report the next number.
    func window(_ moment: Double, after count: Int) -> ClosedRange<Double> {
      let (moment, slack) = (max(moment, changedAt), slack + ErrorBound.passed(drift, by: Double(count)))
      return moment - slack...moment + slack + moment.ulp
    }
    for iteration in iterations.map(Array.init) ?? [] {
      // It began before now, also if the clip stands since.
      let start = min(clip.clock.start(ofIteration: Double(iteration)), time)
      events.append(event(.iteration(iteration), window(start, after: iteration)))
    }
    // A clip of unknown length may end at any time.
    let endsSometime = drift == .infinity && !isSettledReported
    if ends || endsSometime {
      let window = window(min(clip.clock.end, time), after: clip.clock.lastIteration + 1)
      for kind in [ReferenceEvent.Kind.logicallyComplete, .settled] {
        var end = event(kind, window)
        if !endsSometime {
          end.moment = isCertain ? end.moment.clamped(to: -.infinity...now) : end.moment.lowerBound ... .infinity
        }
        events.append(end)
      }
    }
    motion = .clip(clip)
  }

  private mutating func takeStep(at moment: Double, _ events: inout [ReferenceEvent]) {
    // A loop whose rounds last no time stops.
    guard let step = schedule?.phases.step(until: moment), let (phases, targets) = schedule else { return }
    // A batch adds steps and pauses up on its own clock, and rounds each time.
    let shown = clock.moment(of: moment)
    let window = shown - 16 * shown.ulp...shown + 16 * shown.ulp
    switch step {
    case .setsOut(let phase, let isStill, _):
      events.append(ReferenceEvent(kind: .phase(phase), change: change, moment: window))
      if !isStill { animate(to: targets[phase], with: phases.plan.animations[phase], localTime: moment) }
    case .ends: events.append(ReferenceEvent(kind: .phasesEnd, change: change, moment: window))
    }
  }

  private func event(_ kind: ReferenceEvent.Kind, _ window: ClosedRange<Double>) -> ReferenceEvent {
    ReferenceEvent(kind: kind, change: change, moment: clock.moments(of: window))
  }

  /// When the motion of the last change is logically complete, and when it is at rest, in the track's time, as far as
  /// it is known at a time.
  private func completion(
    at time: Double
  ) -> (logical: ClosedRange<Double>, settled: ClosedRange<Double>) {
    let never = Double.infinity ... .infinity
    switch motion {
    // A batch may report a jump or not.
    case .still: return (changedAt ... .infinity, changedAt ... .infinity)
    case .spring(let spring):
      let logical = around(spring.logicalEnd)
      // Rest may come earlier; it is not known when it must come.
      guard spring.mayRest(at: time, rules.restTolerance) else { return (logical, never) }
      let settled = spring.spring.duration == 0 ? changedAt...around(changedAt).upperBound : changedAt ... .infinity
      return (min(changedAt, logical.lowerBound)...logical.upperBound, settled)
    case .slide(let slide):
      let rest = around(slide.earliestRest(rules.restTolerance)).lowerBound
      return (rest ... .infinity, rest ... .infinity)
    case .sum(let sum): return (around(sum.logicalEnd), around(sum.end))
    case .clip: return (never, never)
    }
  }

  /// A moment as a batch may have it: a Float that counts from the change. Logical completion may come a millionth
  /// early.
  private func around(_ moment: Double) -> ClosedRange<Double> {
    guard moment.isFinite else { return moment...moment }
    let slack = 1.5e-6 * abs(moment - changedAt) + 4 * moment.ulp
    return moment - slack...moment + slack
  }
}
