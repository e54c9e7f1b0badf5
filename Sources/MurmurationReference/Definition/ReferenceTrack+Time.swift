// SPDX-License-Identifier: MIT
import Murmuration

extension ReferenceTrack {
  /// Moves the clock on, or back, and lists the events that a batch must report, or may, in the order of their moments.
  ///
  /// An event that need not be reported yet is listed again next time, until ``note(_:)`` is told of it. A change that
  /// is replaced before its motion was complete has no events.
  package mutating func advance(to now: Double) -> [ReferenceEvent] {
    let (hasMoved, wasClip) = (now != clock.now, clip != nil)
    // A batch that is on the other side of a step goes back from there.
    if isAtStep, now < clock.now { isUndecided = true }
    (clock.now, events) = (now, [])
    eventsAreUndecided = isUndecided || endOfRunIsUndecided || isAtStep
    isAtStep = false
    if !isPaused { play(to: clock.time) }
    // A frame shows motions that have begun, also at its very moment.
    if !isPaused || clip != nil { found?.show(hasMoved || wasClip) }
    (shownAt, rested) = (clock.time, rested && !hasMoved)
    return events
  }

  /// Makes the waiting call and takes the steps of phases that are due until a time, each at its moment.
  private mutating func play(to end: Double) {
    var skipsRounds = false
    while true {
      let call = waiting?.moment ?? .infinity
      // After a pause a batch may have it on the other side of the frame.
      if clock.wasPaused, abs(call - end) <= 16 * clock.now.ulp { isAtStep = true }
      if schedule?.phases.skipRounds(until: min(end, call)) ?? false { skipsRounds = true }
      if skipsRounds, !(schedule?.phases.plan.forgets ?? true) { isUndecided = true }
      let step = schedule?.phases.next ?? .infinity
      let moment = min(step, call)
      guard moment <= end else { break }
      // A waiting call, or a step, finds the motion at its own moment, if the motion takes over value and velocity.
      if clip != nil || motion.successor != nil { found = nil }
      let (old, started) = (change, changedAt)
      pass(to: moment)
      if call < step, let waiting {
        perform(waiting)
      } else {
        takeStep(at: moment, until: end, skipsRounds: skipsRounds)
      }
      // What follows after the moment of the last frame finds the motion at its own moment.
      if moment > shownAt { found?.show(true) }
      guard change != old || changedAt != started else { continue }
      // When another motion takes over, events of the old one that were not certain yet are dropped.
      for (index, event) in events.enumerated()
      where event.change == old && event.kind != .phase && event.moment.upperBound > clock.moment(of: moment) {
        events[index].moment = event.moment.lowerBound ... .infinity
      }
    }
    pass(to: end)
    if let schedule, schedule.phases.isNearStep(end, clock.now) { isAtStep = true }
  }

  /// Notes that an event of the present motion was reported.
  package mutating func note(_ event: ReferenceEvent) {
    guard event.change == change else { return }
    reported.insert(event.kind)
    if event.kind == .settled { clip?.clock.isEndReported = true }
    if event.kind == .iteration { clip?.clock.reportedIteration = Double(event.number) }
  }

  /// Moves the current motion on to a time, and lists its events.
  private mutating func pass(to time: Double) {
    if let clip { return pass(clip, to: time) }
    motion.advance(to: time)
    if var follower, time > follower.time {
      follower.step(to: goal, at: time, restTolerance)
      motion = follower
      // It may arrive now, and may have been there.
      if follower.mayRest { list(.settled, clock.now...Double.infinity) }
      let isStray = !goal.allSatisfy(\.isNumber)
      // Not where another motion takes over before the frame.
      if isStray, !isLost, min(waiting?.moment ?? .infinity, schedule?.phases.next ?? .infinity) > time {
        list(.invalidGoal, clock.now...clock.now)
      }
      isLost = isStray
    }
    let (logical, settled) = completion(at: time)
    for (kind, window) in [(AnimationEvent.Kind.logicallyComplete, logical), (.settled, settled)]
    where !reported.contains(kind) && window.lowerBound <= time { list(kind, clock.moments(of: window)) }
  }

  /// Lists an event of the motion, unless it is listed already.
  private mutating func list(_ kind: AnimationEvent.Kind, number: Int = 0, _ moment: ClosedRange<Double>) {
    let isListed = events.contains { $0.kind == kind && $0.number == number && $0.change == change }
    if !isListed { events.append(ReferenceEvent(kind: kind, number: number, change: change, moment: moment)) }
  }

  /// Lists each iteration of a clip and its end, once.
  private mutating func pass(_ clip: ClipMotion, to time: Double) {
    let position = clip.clock.position(at: time)
    let (margin, error) = (clip.clock.margin(at: time), clip.content.durationError)
    let pace = clip.clock.speed == 0 ? 0 : 1 / abs(clip.clock.speed)
    // Iterations are longer or shorter too.
    func lag(after count: Double) -> Double { margin + ErrorBound.passed(error, by: count) }
    func slack(after count: Double) -> Double { ErrorBound.passed(lag(after: count), by: pace) }
    // Events before the call that played the clip happen with the call. A batch may report the next number.
    func moments(_ moment: Double, after count: Double) -> ClosedRange<Double> {
      let (moment, slack) = (max(moment, changedAt), slack(after: count))
      return clock.moments(of: moment - slack...moment + slack + moment.ulp)
    }
    // After many iterations, each a little too long or too short, a batch may be in another one, or at the end.
    if ErrorBound.passed(error, by: position.iteration + 1) > clip.content.duration / 2 { eventsAreUndecided = true }
    // A batch may be in an iteration a little before.
    let iteration = clip.clock.position(at: time, nudge: lag(after: position.iteration)).iteration
    if clip.clock.duration > 0, position.phase != .waiting, iteration > clip.clock.reportedIteration {
      // It began before now, also if the clip stands since.
      let start = min(clip.clock.start(ofIteration: iteration), time)
      let moments = moments(start, after: iteration)
      list(.iteration, number: Int(iteration), moments)
      // Not where another motion takes over before the frame, at a moment that may be that of the boundary.
      if moments.upperBound <= min(clock.now, clock.moment(of: time)) {
        self.clip?.clock.reportedIteration = iteration
      } else if iteration - 1 > clip.clock.reportedIteration {
        // A batch that does not have it yet reports the one before.
        list(.iteration, number: Int(iteration) - 1, -.infinity ... .infinity)
      }
    }
    let count = clip.clock.lastIteration + 1
    if !clip.clock.isEndReported, position.phase == .over || clip.clock.end - slack(after: count) <= time {
      // At its end a playback is over only if its end shows what follows; else it is over right after its end.
      let isCertain = pace == 0 || clip.clock.end + slack(after: count) + time.ulp < time
      var end = moments(min(clip.clock.end, time), after: count)
      end = isCertain ? end.clamped(to: -.infinity...clock.now) : end.lowerBound ... .infinity
      list(.logicallyComplete, end)
      list(.settled, end)
      // Until the end is certain, or was reported, it is listed again.
      self.clip?.clock.isEndReported = isCertain
    }
  }

  private mutating func takeStep(at moment: Double, until end: Double, skipsRounds: Bool) {
    let due = clock.moment(of: moment)
    guard let rounding = schedule?.phases.rounding(at: due), let step = schedule?.phases.step(until: moment),
      let schedule
    else { return }
    let plan = schedule.phases.plan
    var window = due - rounding...due + rounding
    switch step {
    case .setsOut(let phase, let isStill, _):
      // A frame that passes many rounds need not report their steps.
      if skipsRounds, end - moment > plan.cycle { window = window.lowerBound ... .infinity }
      events.append(ReferenceEvent(kind: .phase, number: phase, change: schedule.change, moment: window))
      guard !isStill else { return }
      // Which of two effects of one moment counts is not said.
      if schedule.phases.followsAtOnce { isUndecided = true }
      // A step changes nothing too if only the track's own variation makes the targets equal; what its events are then,
      // and how an animation without a duration ends, is not said.
      if schedule.playedAt == nil, plan.animations[phase] != nil, schedule.targets[phase] == target {
        isUndecided = true
        return
      }
      if let played = schedule.playedAt, moment < played {
        eventsAreUndecided = true
        standStill(at: played, shown(at: played))
      }
      self.schedule?.playedAt = nil
      let target = schedule.targets[phase]
      // A step takes over the motion as it is on the clock of the plan.
      if schedule.phases.speed != 1 {
        // What a velocity counts that is shown where no motion is under way is not said.
        if standing(at: moment) != .moves, shown(at: moment).contains(where: { $0.velocity != 0 }) {
          isUndecided = true
        }
        setPace(speed / schedule.phases.speed, at: moment)
      }
      leave(Call(moment: moment, target: target, animation: plan.animations[phase], change: schedule.change))
      pace = nil
      if schedule.phases.speed != 1 { setPace(schedule.phases.speed, at: moment) }
      // A single step completes in silence.
      reported = ReferenceEvent.completion
    case .ends:
      events.append(ReferenceEvent(kind: .logicallyComplete, change: schedule.change, moment: window))
      // What happens then to a motion that is no step is not said.
      if schedule.playedAt != nil { (eventsAreUndecided, endOfRunIsUndecided) = (true, true) }
      // Only the rest of its last step is still to come, if it had one.
      guard clip == nil, schedule.playedAt == nil || standing(at: moment) != .moves else { return }
      change = schedule.change
      reported.remove(.settled)
    }
  }

  /// When the motion of the last change is logically complete, and when it is at rest, in the track's time, as far as
  /// it is known at a time.
  private func completion(at time: Double) -> (logical: ClosedRange<Double>, settled: ClosedRange<Double>) {
    let never = Double.infinity ... .infinity
    switch motion {
    // A batch may report a jump or not.
    case is StillMotion: return (-.infinity ... .infinity, -.infinity ... .infinity)
    case let spring as SpringMotion:
      let logical = around(spring.start + spring.spring.duration)
      // Rest may come earlier; it is not known when it must come.
      guard spring.mayRest(at: time, restTolerance) else { return (logical, never) }
      let settled = spring.spring.duration == 0 ? changedAt...around(changedAt).upperBound : changedAt ... .infinity
      return (min(changedAt, logical.lowerBound)...logical.upperBound, settled)
    case let slide as SlideMotion:
      let rest = around(slide.earliestRest(restTolerance)).lowerBound
      return (rest ... .infinity, rest ... .infinity)
    case let slide as BoundedMotion: return (slide.completion, slide.completion)
    case is SumMotion where leadsNowhere: return (changedAt ... .infinity, changedAt ... .infinity)
    case let sum as SumMotion:
      return (around(max(changedAt, sum.value.logicalEndTime)), around(max(changedAt, sum.value.endTime)))
    default: return (never, never)
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
