// SPDX-License-Identifier: MIT
package import Murmuration

extension ReferenceTrack {
  /// Lets the clock go on, or back, and lists what a batch has to report, or may, in the order of the moments.
  ///
  /// What may not be reported yet is listed again next time, until ``note(_:)`` is told of it. Of a change that is replaced
  /// before its motion was complete nothing comes.
  package mutating func advance(to now: Double) -> [ReferenceEvent] {
    let end = clock.time(at: now)
    var events: [ReferenceEvent] = []
    guard !clock.isPaused else {
      // No time passes, but a clip of no length is over at once.
      if case .clip(let clip) = motion { pass(clip, to: end, &events) }
      return events
    }
    while true {
      let step = schedule?.phases.next ?? .infinity
      let moment = min(step, waitingMoment)
      guard moment <= end else { break }
      pass(to: moment, &events)
      if waitingMoment <= step {
        performWaiting()
      } else {
        takeStep(at: moment, &events)
      }
    }
    pass(to: end, &events)
    return events
  }

  /// Lets the motion under way go on to a time, and lists what becomes of it.
  private mutating func pass(to time: Double, _ events: inout [ReferenceEvent]) {
    if case .clip(let clip) = motion { return pass(clip, to: time, &events) }
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

  /// Each iteration of a clip is reported, and its end; these are told once.
  private mutating func pass(_ clip: ClipMotion, to time: Double, _ events: inout [ReferenceEvent]) {
    var clip = clip
    let (iterations, ends) = clip.clock.events(until: time)
    let slack = clip.clock.speed == 0 ? 0 : clip.clock.margin(at: time) / abs(clip.clock.speed)
    for iteration in iterations.map(Array.init) ?? [] {
      let start = clip.clock.start(ofIteration: Double(iteration))
      events.append(event(.iteration(iteration), start - slack...start + slack))
    }
    if ends {
      let end = min(clip.clock.end, time)
      events.append(event(.logicallyComplete, end - slack...end))
      events.append(event(.settled, end - slack...end))
    }
    motion = .clip(clip)
  }

  private mutating func takeStep(at moment: Double, _ events: inout [ReferenceEvent]) {
    guard var (phases, targets) = schedule else { return }
    let next = phases.step(until: moment)
    schedule = (phases, targets)
    // A loop whose rounds last no time stops.
    guard let step = next else { return }
    let window = moment - 16 * moment.ulp...moment + 16 * moment.ulp
    switch step {
    case .setsOut(let phase, let isStill, _):
      events.append(event(.phase(phase), window))
      if !isStill { animate(to: targets[phase], with: phases.plan.animations[phase], localTime: moment) }
    case .ends: events.append(event(.phasesEnd, window))
    }
  }

  private func event(_ kind: ReferenceEvent.Kind, _ window: ClosedRange<Double>) -> ReferenceEvent {
    ReferenceEvent(
      kind: kind, change: change,
      moment: clock.moment(of: window.lowerBound)...clock.moment(of: window.upperBound))
  }

  /// When the motion of the last change is logically complete, and when it is at rest, in the track's time, as can be told at
  /// a time.
  private func completion(
    at time: Double
  ) -> (logical: ClosedRange<Double>, settled: ClosedRange<Double>) {
    let never = Double.infinity ... .infinity
    switch motion {
    // Whether a jump is reported at all is the batch's matter.
    case .still: return (changedAt ... .infinity, changedAt ... .infinity)
    case .spring(let spring):
      let logical = around(spring.logicalEnd)
      // Rest may come before; when it has to come is not told.
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

  /// A moment as a batch may have it: kept as a Float that counts from the change, and logical completion may come a millionth
  /// early.
  private func around(_ moment: Double) -> ClosedRange<Double> {
    guard moment < .infinity else { return .infinity ... .infinity }
    let slack = 1.5e-6 * abs(moment - changedAt) + 4 * moment.ulp
    return moment - slack...moment + slack
  }
}
