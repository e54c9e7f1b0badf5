// SPDX-License-Identifier: MIT
import AnimationModel
package import Murmuration

// MARK: - To targets

extension ReferenceTrack {
  /// Moves the track, which has just been added, to a target.
  package mutating func setOut(
    velocities: [Float], to target: [Float], on spring: Spring, at now: Double, change: Int
  ) {
    let motion = SpringMotion(spring, values: self.target, velocities: velocities, targets: target, at: now)
    begin(.spring(motion), to: target.map { MotionSample($0) }, localTime: now, change)
    found = nil
  }

  /// Sends the track to a target, at once or after a delay.
  ///
  /// - Parameter animation: The animation, or a jump; nil for the spring that the track follows then, or `Spring()`.
  package mutating func animate(
    to target: [Float], with animation: Animation??, delay: Double? = nil, at now: Double, change: Int
  ) {
    let time = clock.time(at: now)
    if let delay {
      decidePause(at: now)
      waiting = Waiting(moment: time + delay, target: target, animation: animation, change: change)
      return
    }
    let isThere = headsFor(target)
    // Whether a paused track that a hand moves stands at its value is not said.
    if isPaused, !isThere, case .still = motion, target == self.target { isUndecided = true }
    endOthers(at: now)
    if !isThere || animation == .some(nil) { leave(for: target, with: animation, localTime: time, change) }
  }

  /// Makes the waiting call.
  mutating func performWaiting() {
    guard let call = waiting else { return }
    let isThere = headsFor(call.target)
    (schedule, waiting) = (nil, nil)
    if !isThere || call.animation == .some(nil) {
      leave(for: call.target, with: call.animation, localTime: call.moment, call.change)
    }
  }

  /// Forgets a waiting call.
  package mutating func cancelDelay() { waiting = nil }
}

// MARK: - By hand

extension ReferenceTrack {
  /// Sets the track's value and velocity. With `goesOn` it goes on to its target from there if it follows a spring or
  /// slides; otherwise it stays there.
  package mutating func set(
    _ values: [Float], velocities: [Float], goesOn: Bool = false, at now: Double, change: Int
  ) {
    let time = endOthers(at: now)
    let samples = values.indices.map { MotionSample(values[$0], velocity: velocities.isEmpty ? 0 : velocities[$0]) }
    if case .following(var motion) = motion {
      motion.set(samples, at: time)
      (self.motion, self.change, found, isUndecided) = (.following(motion), change, nil, false)
      return
    }
    if goesOn, let spring {
      // An error of the target is one of the way to it.
      let starts = zip(samples, targetErrors).map {
        MotionSample(value: $0.value, velocity: $0.velocity, bound: ErrorBound(value: 2 * $1))
      }
      let motion = SpringMotion(spring, from: starts, to: goal.map(\.value), at: time)
      begin(.spring(motion), to: goal, localTime: time, change)
    } else {
      begin(.still(samples), to: samples.map(\.standing), localTime: time, change)
      // Whether a track goes on depends on what it does.
      if !goesOn { isUndecided = false }
    }
    found = nil
  }

  /// Lets the track slide to its projected end, with given velocities or its own.
  package mutating func decelerate(
    _ deceleration: Deceleration, velocities: [Float]? = nil, at now: Double, change: Int
  ) {
    let time = endOthers(at: now)
    let slide = SlideMotion(deceleration, from: shown(localTime: time), velocities: velocities, at: time)
    let ends = (0..<dimensions).map { dimension in
      let end = slide.end(dimension)
      return MotionSample(Float(end.value), error: end.bound.value)
    }
    begin(.slide(slide), to: ends, localTime: time, change)
    if velocities != nil { found = nil }
  }

  /// Ends the motion, the schedule and a waiting call; the track stands at the value that it shows.
  package mutating func stop(at now: Double) {
    let time = endOthers(at: now)
    standStill(localTime: time, shown(localTime: time).map(\.standing))
    (isLogicalReported, isSettledReported) = (true, true)
  }

  /// Stands still from a time on, as shown there.
  mutating func standStill(localTime time: Double, _ shown: [MotionSample]) {
    let ends = shown.map { MotionSample(Float($0.value), error: $0.bound.value + ErrorBound.rounding(of: $0.value)) }
    begin(.still(shown), to: ends, localTime: time, change)
    found = nil
  }
}

// MARK: - Following

extension ReferenceTrack {
  /// Lets the track follow its goal, which is its value if it did not follow before.
  package mutating func follow(
    with spring: Spring, leader: (track: Int, offset: [Float])? = nil, at now: Double, change: Int
  ) {
    let time = endOthers(at: now)
    if case .following(var motion) = motion {
      motion.change(to: spring)
      (self.motion, self.change) = (.following(motion), change)
    } else {
      let shown = shown(localTime: time)
      let goal = shown.map { MotionSample(Float($0.value), error: $0.bound.value + ErrorBound.rounding(of: $0.value)) }
      begin(.following(FollowMotion(spring, from: shown, at: time)), to: goal, localTime: time, change)
      (found, isLost) = (nil, false)
    }
    self.leader = leader
  }

  /// Sets the goal of a track that follows, which no other track leads any more.
  package mutating func setGoal(_ goal: [Float]) { setGoal(goal.map { MotionSample($0) }, leader: nil) }

  /// Sets the goal of a track that follows, until its leader sets it again.
  mutating func writeGoal(_ goal: [Float]) { setGoal(goal.map { MotionSample($0) }, leader: leader) }

  /// Sets the goal to what the leader shows.
  mutating func setGoal(_ goal: [MotionSample], leader: (track: Int, offset: [Float])?) {
    guard case .following = motion else { return }
    (self.goal, self.leader) = (goal, leader)
  }
}

// MARK: - Time and rest

extension ReferenceTrack {
  /// Stops the track, if it moves: no time passes for it until it goes on.
  package mutating func pause(at now: Double) {
    let time = clock.time(at: now)
    // What has just come to rest, up to the error of its start, may be at rest or be paused. Tracks of one call may come
    // to rest together.
    if spring != nil || isSum, standing(localTime: time) == .stands, !isSettledReported { isUndecided = true }
    if rested, !isPaused { isUndecided = true }
    guard !isPaused, isClip || schedule != nil || waiting != nil || standing(localTime: time) != .stands else { return }
    // A clip of no length keeps showing the instant that it is at, until it goes on.
    changeClip { if $0.content.duration > 0 { $0.clock.anchor(at: time) } }
    // A motion that leads nowhere may be over already.
    if leadsNowhere, isSum { endOfRunIsUndecided = true }
    isLost = false
    clock.pause(at: now)
  }

  package mutating func resume(at now: Double) {
    let time = clock.time(at: now)
    if isPaused { changeClip { $0.clock.anchor(at: time) } }
    clock.resume(at: now)
  }

  /// Sets the tolerance of rest.
  package mutating func setRestTolerance(_ tolerance: RestTolerances, at now: Double) {
    decidePause(at: now)
    rested = mayRest(at: now)
    restTolerance = tolerance
  }

  /// Notes a call that makes a difference to a track which was paused near rest: a batch may have had it at rest.
  private mutating func decidePause(at now: Double) {
    if isPaused, standing(localTime: clock.time(at: now)) == .unknown { isUndecided = true }
  }
}

// MARK: - Clips

extension ReferenceTrack {
  /// Plays a clip.
  package mutating func play(
    _ content: ClipContent, _ playback: Playback, start: ClipStart = .firstValue, at now: Double, change: Int
  ) throws(ClipError) {
    let wasPaused = isPaused
    let time = endOthers(at: now)
    var shown = isClip && !wasPaused ? samples(localTime: time) : shown(localTime: time)
    if wasPaused, !isClip { shown = shown.map(\.standing) }
    var own = goal
    var variation: (scales: [Float], offsets: [Float])?
    if case .clip(let old) = motion { (own, variation) = (old.own, old.variation) }
    // A playback may have a start, on the batch's clock.
    var local = playback
    local.start = playback.start.map { $0 - now + time }
    var fromShown = start == .shownValue
    if start == .automatic, playback.speed > 0, content.clip.isRestartable {
      switch standing(localTime: time) {
      case .moves:
        fromShown = true
        // A smaller tolerance wakes a track with the next frame.
        if rested { isUndecided = true }
      // Whether a paused track that only waits is on its way is not said.
      case .stands where wasPaused: isUndecided = true
      // Tracks of one call may come to rest together.
      case .stands where isSettledReported || spring == nil: break
      case .stands, .unknown: isUndecided = true
      }
    }
    // Whether a paused clip has a velocity is not said, nor what comes after the velocity of a vertical curve, nor which
    // value of a clip shows as nothing but its offset.
    if fromShown, isClip, wasPaused { isUndecided = true }
    if fromShown, variation?.scales.contains(0) ?? false || !shown.allSatisfy(\.velocity.isFinite) {
      (fromShown, isUndecided) = (false, true)
    }
    var next =
      fromShown
      ? try ClipMotion(content, local, from: shown, own: own, variation: variation, at: time)
      : ClipMotion(content, local, own: own, at: time)
    next.variation = variation
    begin(.clip(next), to: goal, localTime: time, change)
  }

  /// Allows for a batch that adds the track at the clip's value as a Float.
  mutating func allowRounding() {
    guard var state = found?.state else { return }
    for dimension in state.indices {
      state[dimension].bound.value += 2 * ErrorBound.rounding(of: state[dimension].value)
    }
    found?.state = state
  }

  /// Sets the factors and offsets of the playing clip.
  package mutating func setVariation(scales: [Float], offsets: [Float], at now: Double) {
    find(at: clock.time(at: now))
    changeClip { $0.variation = (scales, offsets) }
  }

  /// Continues the clip at another speed.
  package mutating func setSpeed(_ speed: Double, at now: Double) {
    let time = clock.time(at: now)
    changeClip(localTime: time) { $0.clock.setSpeed(speed, at: time) }
  }

  /// Continues the clip from one of its times, or from a share of its duration.
  package mutating func seek(to local: Double? = nil, progress: Double = 0, at now: Double) {
    let time = clock.time(at: now)
    changeClip(localTime: time) {
      $0.clock.seek(to: local ?? min(max(progress, 0), 1) * $0.content.duration, at: time)
    }
  }

  /// Changes the playing clip, if there is one.
  mutating func changeClip(localTime time: Double? = nil, _ body: (inout ClipMotion) -> Void) {
    guard case .clip(var clip) = motion else { return }
    if let time { find(at: time) }
    body(&clip)
    motion = .clip(clip)
    if let time { changedAt = time }
  }
}

// MARK: - Phases

extension ReferenceTrack {
  /// Goes through phases, in a loop from a time on the batch's clock, or once for each trigger.
  package mutating func play(
    _ plan: PhasePlan, _ sequence: Int, targets: [[Float]], loops: Bool, startingAt start: Double?, at now: Double,
    change: Int
  ) {
    // Whether a paused clip goes on until the first step is not said.
    if isPaused, isClip { isUndecided = true }
    let time = endOthers(at: now)
    let local = time + (loops ? (start ?? now) - now : 0)
    schedule = Schedule(
      phases: PhaseSchedule(plan, startingAt: local, loops: loops), sequence: sequence, targets: targets,
      change: change, loops: loops, playedAt: time)
    lastSchedule = schedule
  }

  /// Forgets a sequence that the track played: a trigger does not begin it again.
  mutating func forgetPhases(_ sequence: Int) { if lastSchedule?.sequence == sequence { lastSchedule = nil } }

  /// Starts the phases, or starts them again, unless the track is paused.
  package mutating func trigger(at now: Double, change: Int) {
    decidePause(at: now)
    guard !isPaused, let last = schedule ?? lastSchedule, last.phases.plan.count > 1 else { return }
    let time = clock.time(at: now)
    if schedule == nil {
      endOthers(at: now)
      schedule = last
      schedule?.phases = PhaseSchedule(last.phases.plan, startingAt: time, loops: last.loops)
      if last.loops {
        schedule?.change = change
        return
      }
    }
    guard schedule?.phases.trigger(at: time) == true else { return }
    waiting = nil
    schedule?.change = change
  }
}
