// SPDX-License-Identifier: MIT
package import Murmuration

extension ReferenceTrack {
  // MARK: - To targets

  /// Lets the track set out from given values and velocities to a goal, on a spring.
  package mutating func setOut(from samples: [MotionSample], to goal: [MotionSample], on spring: Spring, change: Int) {
    // An error of the goal is one of the way to it.
    let starts = zip(samples, goal).map {
      let error = ErrorBound(value: $0.bound.value + 2 * $1.bound.value, velocity: $0.bound.velocity)
      return MotionSample(value: $0.value, velocity: $0.velocity, bound: error)
    }
    begin(SpringMotion(spring, from: starts, to: goal.map(\.value), at: clock.time), to: goal, at: clock.time, change)
    found = nil
  }

  /// Sends the track to a target, at once or after a delay.
  ///
  /// - Parameter animation: The animation, or a jump; nil for the spring that the track follows then, or `Spring()`.
  package mutating func animate(to target: [Float], with animation: Animation??, delay: Double? = nil, change: Int) {
    let call = Call(moment: clock.time + (delay ?? 0), target: target, animation: animation, change: change)
    // What a call finds that comes after a step of which a batch may be on the other side is not said.
    if isAtStep { isUndecided = true }
    guard delay != nil else { return perform(call) }
    decidePause()
    waiting = call
  }

  /// Forgets the waiting call, which a batch may have begun at its very moment.
  package mutating func cancelDelay() {
    if isAtStep { isUndecided = true }
    waiting = nil
  }

  /// Makes a call at its moment.
  mutating func perform(_ call: Call) {
    // A motion that leads to the target, and is not one step of many.
    let leadsThere =
      (motion as? StillMotion)?.states.allSatisfy { $0.velocity == 0 } ?? (clip == nil && follower == nil)
    let isThere = schedule == nil && call.target == target && leadsThere
    // Whether a paused track that a hand moves stands at its value is not said.
    if isPaused, !isThere, motion is StillMotion, call.target == target { isUndecided = true }
    endOthers()
    if !isThere || call.animation == .some(nil) { leave(call) }
  }

  // MARK: - By hand

  /// Sets the track's value and velocity. With `goesOn` it goes on to its target from there if it follows a spring or
  /// slides; otherwise it stays there.
  package mutating func set(_ values: [Float], velocities: [Float], goesOn: Bool = false, change: Int) {
    endOthers()
    put(MotionSample.exact(values, velocities: velocities), goesOn: goesOn, change: change)
  }

  /// Adds to the velocities of the track, which goes on from the value that it shows.
  package mutating func push(_ velocities: [Float], change: Int) {
    endOthers()
    var shown = shown(at: clock.time)
    for (index, velocity) in velocities.enumerated() {
      shown[index].velocity += Double(velocity)
      shown[index].bound.velocity += ErrorBound.rounding(of: abs(shown[index].velocity) + shown[index].bound.velocity)
    }
    put(shown, goesOn: true, change: change)
  }

  private mutating func put(_ samples: [MotionSample], goesOn: Bool, change: Int) {
    if follower != nil, let spring = motion.successor {
      motion = FollowMotion(spring, from: samples, at: clock.time)
      (self.change, isUndecided) = (change, false)
    } else if goesOn, let spring = motion.successor {
      setOut(from: samples, to: goal, on: spring, change: change)
    } else {
      // A state that is shown, and not given, has an error, and its target is a Float.
      let targets = samples.map { $0.bound.value == 0 ? $0.standing : $0.rounded }
      begin(StillMotion(states: samples), to: targets, at: clock.time, change)
      // Whether a track goes on depends on what it does.
      if !goesOn { isUndecided = false }
    }
    found = nil
  }

  /// Lets the track slide to its projected end, with given velocities or its own, or spring to a point near that end.
  ///
  /// - Parameter bounds: The bounds that it does not leave, and the points.
  package mutating func decelerate(
    _ deceleration: Deceleration, velocities: [Float], within bounds: SlideBounds? = nil, change: Int
  ) {
    endOthers()
    var shown = shown(at: clock.time)
    for (index, velocity) in velocities.enumerated() {
      (shown[index].velocity, shown[index].bound.velocity) = (Double(velocity), 0)
    }
    // What comes after the velocity of a vertical curve is not said.
    if !shown.allSatisfy({ $0.value.isFinite && $0.velocity.isFinite }) {
      (shown, isUndecided) = (shown.map(\.standing), true)
    }
    defer { if !velocities.isEmpty { found = nil } }
    let slide = SlideMotion(deceleration, from: shown, at: clock.time)
    if let bounds, let points = bounds.points {
      let (end, isCertain) = bounds.nearest(of: points, to: slide.ends)
      begin(
        SpringMotion(bounds.spring, from: shown, to: end.map(Double.init), at: clock.time), to: MotionSample.exact(end),
        at: clock.time, change)
      // A batch may have it end at another point.
      if !isCertain { isUndecided = true }
      return
    }
    let bounded = bounds.map { BoundedMotion(deceleration, from: shown, within: $0, at: clock.time, restTolerance) }
    if let bounded, bounded.mayMeetBound {
      let ends = bounded.slides.map {
        MotionSample(Float($0.end), error: bounded.endError + 2 * ErrorBound.rounding(of: $0.end))
      }
      begin(bounded, to: ends, at: clock.time, change)
      // A batch may have it end just within its bounds.
      if !bounded.meetsBound { isUndecided = true }
      return
    }
    begin(slide, to: slide.ends.map { MotionSample(Float($0.value), error: $0.bound.value) }, at: clock.time, change)
  }

  /// Ends the motion, the schedule and a waiting call; the track stands at the value that it shows.
  package mutating func stop() {
    endOthers()
    standStill(at: clock.time, shown(at: clock.time).map(\.standing))
  }

  /// Stands still from a time on, as shown there; nothing is reported of that.
  mutating func standStill(at time: Double, _ shown: [MotionSample]) {
    begin(StillMotion(states: shown), to: shown.map(\.rounded), at: time, change)
    (found, reported) = (nil, ReferenceEvent.completion)
  }

  // MARK: - Following

  /// Lets the track follow its goal, which is its value if it did not follow before.
  package mutating func follow(with spring: Spring, leader: Int?, offset: [Float], change: Int) {
    endOthers()
    if let old = follower {
      motion = FollowMotion(spring, from: old.samples(at: clock.time), at: clock.time, mayRest: old.mayRest)
      self.change = change
    } else {
      let shown = shown(at: clock.time)
      begin(FollowMotion(spring, from: shown, at: clock.time), to: shown.map(\.rounded), at: clock.time, change)
      (found, isLost) = (nil, false)
    }
    self.leader = leader.map { ($0, offset) }
  }

  /// Sets the goal of a track that follows. Unless it goes on to be led, no other track leads it any more.
  package mutating func setGoal(_ goal: [MotionSample], isLed: Bool = false) {
    guard follower != nil else { return }
    (self.goal, leader) = (goal, isLed ? leader : nil)
  }

  // MARK: - Time and rest

  /// Stops the track, if it moves: no time passes for it until it goes on.
  package mutating func pause() {
    let (time, stands) = (clock.time, standing(at: clock.time) == .stands)
    // What has just come to rest, up to the error of its start, may be at rest or be paused. Tracks of one call may come
    // to rest together.
    if motion.successor != nil || sum != nil, stands, !reported.contains(.settled) { isUndecided = true }
    if rested, !isPaused { isUndecided = true }
    guard !isPaused, clip != nil || schedule != nil || waiting != nil || !stands else { return }
    // A clip of no length keeps showing the instant that it is at, until it goes on.
    if clip?.content.duration != 0 { clip?.clock.anchor(at: time) }
    // A motion that leads nowhere may be over already.
    if leadsNowhere, sum != nil { endOfRunIsUndecided = true }
    isLost = false
    clock.pause()
  }

  /// Lets a paused track go on. At this very moment a clip still shows where it was, also an instant.
  package mutating func resume() { endPause { $0.anchor(at: $1) } }

  /// Sets the tolerance of rest.
  package mutating func setRestTolerance(_ tolerance: RestTolerances) {
    decidePause()
    rested = mayRest
    restTolerance = tolerance
  }

  /// Notes a call that makes a difference to a track which was paused near rest: a batch may have had it at rest.
  private mutating func decidePause() { if isPaused, standing(at: clock.time) == .unknown { isUndecided = true } }

  // MARK: - Clips

  /// Plays a clip.
  package mutating func play(
    _ content: ClipContent, _ playback: Playback, start: ClipStart = .firstValue, change: Int
  ) throws(ClipError) {
    let (time, old, wasPaused) = (clock.time, clip, isPaused)
    endOthers()
    var shown = old != nil && !wasPaused ? samples(at: time) : shown(at: time)
    if wasPaused, old == nil { shown = shown.map(\.standing) }
    // The value stands in for a goal that is no number.
    if follower != nil { goal = zip(goal, shown).map { $0.isNumber ? $0 : $1.rounded } }
    let (own, variation) = (old?.own ?? goal, old?.variation)
    // A playback may have a start, on the batch's clock.
    var local = playback
    local.start = playback.start.map { $0 - clock.now + time }
    var fromShown = start == .shownValue
    if start == .automatic, playback.speed > 0, content.clip.isRestartable {
      let standing = standing(at: time)
      fromShown = standing == .moves
      // A smaller tolerance wakes a track with the next frame. A motion that leads nowhere may be over with its call.
      let moves = fromShown && !rested && !(sum != nil && leadsNowhere)
      // Tracks of one call may come to rest together. Whether a paused track that only waits is on its way is not said.
      let stands = standing == .stands && !wasPaused && (reported.contains(.settled) || motion.successor == nil)
      if !moves, !stands { isUndecided = true }
    }
    // Whether a paused clip has a velocity is not said, nor what comes after the velocity of a vertical curve, nor which
    // value of a clip shows as nothing but its offset.
    if fromShown, old != nil, wasPaused { isUndecided = true }
    // Nor which velocity shows where a curve begins now, and the length of a clip may depend on it.
    if fromShown, sum?.stood ?? false, changedAt == time, shown.contains(where: { $0.velocity != 0 }) {
      isUndecided = true
    }
    // Nor how long springs without durations last from a velocity that is not known.
    if fromShown, shown.contains(where: { $0.bound.velocity > 0.01 * (1 + abs($0.velocity)) }) { isUndecided = true }
    if fromShown, variation?.scales.contains(0) ?? false || !shown.allSatisfy(\.velocity.isFinite) {
      (fromShown, isUndecided) = (false, true)
    }
    let next = try ClipMotion(content, local, from: fromShown ? shown : nil, own: own, variation: variation, at: time)
    begin(next, to: goal, at: time, change)
  }

  /// Sets the factors and offsets of the playing clip.
  package mutating func setVariation(scales: [Float], offsets: [Float]) {
    find(at: clock.time)
    clip?.variation = (scales, offsets)
  }

  /// Changes the course of the playing clip, if there is one, from now on.
  ///
  /// - Parameter body: Sets another speed or another time of the clip, at the time now.
  package mutating func turnClip(_ body: (inout PlaybackClock, Double) -> Void) {
    guard var clip else { return }
    find(at: clock.time)
    body(&clip.clock, clock.time)
    (motion, changedAt) = (clip, clock.time)
  }

  /// Goes on at a speed from the state that it shows.
  package mutating func setSpeed(_ speed: Double) {
    if isAtStep { isUndecided = true }
    if clip != nil { turnClip { $0.setSpeed(speed, at: $1) } } else { setPace(speed, at: clock.time) }
    if speed > 0 { schedule?.phases.setSpeed(speed, at: clock.time) }
  }

  /// The speed of the motion.
  var speed: Double { pace?.change == change ? pace?.speed ?? 1 : 1 }

  /// Lets the motion go on at a speed from a time on, unless it is over.
  mutating func setPace(_ speed: Double, at time: Double) {
    guard !(motion is StillMotion) else { return }
    switch follower == nil ? standing(at: time) : .moves {
    case .stands: return
    // A batch that has it at rest leaves it alone.
    case .unknown: isUndecided = true
    case .moves: if rested, follower == nil { isUndecided = true }
    }
    // A batch that accepts such a speed has the track at rest.
    guard speed > 0 else {
      isUndecided = true
      return
    }
    let ratio = speed / self.speed
    motion = motion.paced(by: ratio, at: time)
    changedAt = time.paced(changedAt, by: ratio)
    // A goal that is no number is reported again.
    isLost = false
    if let found { self.found?.state = found.state.map { $0.paced(by: ratio) } }
    pace = (change, speed)
  }

  // MARK: - Phases

  /// Goes through phases, in a loop from a time on the batch's clock, or once for each trigger.
  ///
  /// - Parameter call: What the call says of this track: its variation, and the time.
  package mutating func play(_ plan: PhasePlan, _ playback: PhasePlayback, as call: BatchCall, change: Int) {
    // Whether a paused clip goes on until the first step is not said.
    if isPaused, clip != nil { isUndecided = true }
    endOthers()
    let loops = playback == .loops
    let start = clock.time + (loops ? (call.numbers.first ?? clock.now) - clock.now : 0)
    schedule = Schedule(
      phases: PhaseSchedule(plan, startingAt: start, loops: loops), sequence: call.sequences[0],
      targets: plan.targets(scales: call.scales, offsets: call.offsets), change: change, playedAt: clock.time)
    lastSchedule = schedule
  }

  /// Forgets a sequence that the track played: a trigger does not begin it again.
  mutating func forgetPhases(_ sequence: Int) { if lastSchedule?.sequence == sequence { lastSchedule = nil } }

  /// Starts the phases, or starts them again, unless the track is paused.
  package mutating func trigger(change: Int) {
    decidePause()
    guard !isPaused, var next = schedule ?? lastSchedule, next.phases.plan.count > 1 else { return }
    let begins = schedule == nil
    if begins {
      endOthers()
      next.phases = PhaseSchedule(next.phases.plan, startingAt: clock.time, loops: next.phases.loops)
      // The clock may have gone back since.
      next.playedAt = clock.time
    }
    // A loop sets out by itself.
    if begins && next.phases.loops || next.phases.trigger(at: clock.time) { (waiting, next.change) = (nil, change) }
    schedule = next
  }
}
