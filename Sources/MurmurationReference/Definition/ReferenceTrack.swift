// SPDX-License-Identifier: MIT
import AnimationModel
package import Murmuration

/// One track as the documentation describes it: it takes the calls of a batch, has the state that the batch must show
/// at any time, and knows the events that must be reported.
///
/// Motions hand over to each other as follows. A call finds the state that the track shows at its moment.
///
/// | call | from the shown state |
/// |---|---|
/// | a spring, a deceleration | takes value and velocity |
/// | a curve, and any other animation | adds to a spring, a deceleration or a sum, which go on to their own targets; else starts at the value |
/// | a clip | its first value, or the value and the velocity shown |
/// | phases | each step as its animation |
/// | no animation | jumps |
///
/// - Sending the track to the target that it heads for already changes nothing but a pause and a waiting call, which
///   end. A jump ends the motion all the same. A track that plays a clip or phases, or that a hand moves, heads for no
///   target.
/// - Of two calls at one moment, the second finds the state that the first one found; a call that waited, and a step of
///   phases, finds the motion at its moment. A curve that follows at the very
///   moment at which a curve began replaces it, if the track stood before.
/// - At most one call waits for its moment; any other call that changes the motion takes its place.
/// - A paused track stands still, and no time passes for it, nor for a waiting call. The next motion ends a pause.
/// - A clock before the last change shows the track as it was then. Nothing is reported twice.
///
/// Each hand-over adds the error of one motion to the error that the track has; no answer of the batch changes either.
/// Near rest a batch may have the track at its target or still on its way, within its tolerance: both are right.
package struct ReferenceTrack: Sendable {
  package enum Motion: Sendable {
    /// The track stands where it is, or a hand that moves with a velocity holds it there.
    case still([MotionSample])
    case spring(SpringMotion)
    case slide(SlideMotion)
    case sum(SumMotion)
    case clip(ClipMotion)
  }

  /// A call that waits for its moment; an animation of nil jumps.
  struct Waiting: Sendable {
    let moment: Double
    let target: [Float]
    /// The animation; nil for the spring that the track follows.
    let animation: Animation??
    let change: Int
  }

  /// Phases, and the targets that are the track's own.
  struct Schedule: Sendable {
    var phases: PhaseSchedule
    /// The number of the sequence.
    let sequence: Int
    let targets: [[Float]]
    /// The number of the call that played or triggered them.
    var change: Int
    let loops: Bool
    /// When that call was made, in the track's time, until the first step: it may lie in the past.
    var playedAt: Double?
  }

  /// The tolerance of rest.
  private(set) var restTolerance: RestTolerances
  /// The tolerance of curves, as a share of their way.
  let curveTolerance: Double
  package internal(set) var motion: Motion
  /// The number of the change that began the motion.
  package private(set) var change = 0
  /// Whether the events of the motion were reported.
  var isLogicalReported = true
  var isSettledReported = true
  private(set) var clock = TrackClock()
  /// When the motion was last changed, in the track's time.
  private(set) var changedAt: Double
  /// The latest call about the track on the batch's clock: the clock does not go back before it.
  package internal(set) var latestCall: Double
  /// What the track showed when the latest call found it; nil if a call gave the track another state.
  struct Found: Sendable {
    /// The moment in the track's time.
    let time: Double
    var state: [MotionSample]
    /// Whether a frame of the same moment came after the call: the next call may find that frame.
    private(set) var mayBeOver = false
    /// Whether the clock has moved since: the next call finds what the frame shows.
    private(set) var isOver = false

    init(time: Double, state: [MotionSample]) { (self.time, self.state) = (time, state) }

    /// Notes that a frame shows what the call began.
    mutating func show(_ hasMoved: Bool) { if hasMoved { isOver = true } else { mayBeOver = true } }
  }
  /// Until a frame shows what a call began, the next call finds the same.
  var found: Found?
  /// Whether what the track does depends on more than the documentation decides, so that its values and events cannot be
  /// judged: until it jumps or is set.
  package private(set) var isUndecided = false { didSet { if isUndecided { eventsAreUndecided = true } } }
  /// Whether that was so at some time since the frame before.
  package internal(set) var eventsAreUndecided = false
  /// Whether a run of phases ended before a motion that is no step: it is not said which events are reported then.
  var endOfRunIsUndecided = false
  /// Whether it may have rested in the last frame, with the tolerance of then.
  var rested = false
  /// The track's time in the last frame.
  var shownAt: Double
  /// When effects were added to a motion of which it is not known whether it was at rest, in the track's time.
  private var mayHaveStoodAt = Double.nan
  /// Whether the motion leads to the target that the track had: it need not be reported then.
  private(set) var leadsNowhere = false
  /// The target of the track, unless a clip moves it: its value when all motion is over.
  package internal(set) var target: [Float]
  /// How far the target of a batch may be from it, by dimension: the end of a slide follows from its start.
  package private(set) var targetErrors: [Double]
  var waiting: Waiting?
  var schedule: Schedule?
  /// The schedule that the track had last; a trigger begins it again.
  private var lastSchedule: Schedule?

  /// A track that has stood still since a time of the clock.
  package init(
    _ values: [Float], at now: Double, restTolerance: RestTolerances = RestTolerances(),
    curveTolerance: Double = 0x1p-16
  ) {
    self.restTolerance = restTolerance
    self.curveTolerance = curveTolerance
    target = values
    targetErrors = values.map { _ in 0 }
    motion = .still(values.map { MotionSample(value: Double($0), velocity: 0) })
    changedAt = now
    latestCall = now
    shownAt = now
  }

  package var dimensions: Int { target.count }

  package var isPaused: Bool { clock.isPaused }

  // MARK: - Calls

  /// Moves the track, which has just been added, to a target.
  package mutating func setOut(
    velocities: [Float], to target: [Float], on spring: Spring, at now: Double, change: Int
  ) {
    let motion = SpringMotion(spring, values: self.target, velocities: velocities, targets: target, at: now)
    begin(.spring(motion), to: target, localTime: now, change)
    found = nil
  }

  /// Sends the track to a target; nil jumps.
  package mutating func animate(to target: [Float], with animation: Animation?, at now: Double, change: Int) {
    let isThere = headsFor(target)
    endOthers(at: now)
    if !isThere || animation == nil { animate(to: target, with: animation, localTime: clock.time(at: now), change) }
  }

  /// Sends the track to a target with the spring that it follows, or `Spring()`.
  package mutating func retarget(to target: [Float], at now: Double, change: Int) {
    let isThere = headsFor(target)
    endOthers(at: now)
    if !isThere { follow(spring(ofMotion: motion), to: target, localTime: clock.time(at: now), change) }
  }

  /// Sends the track to a target after a delay, with an animation or, if that is nil, the spring that it follows then.
  package mutating func wait(
    _ delay: Double, to target: [Float], with animation: Animation??, at now: Double, change: Int
  ) {
    decidePause(at: now)
    waiting = Waiting(moment: clock.time(at: now) + delay, target: target, animation: animation, change: change)
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

  /// Forgets a waiting call.
  package mutating func cancelDelay() { waiting = nil }

  /// Sets the track's value and velocity. With `goesOn` it goes on to its target from there if it follows a spring or
  /// slides; otherwise it stays there.
  package mutating func set(
    _ values: [Float], velocities: [Float], goesOn: Bool = false, at now: Double, change: Int
  ) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let samples = values.indices.map {
      MotionSample(value: Double(values[$0]), velocity: velocities.isEmpty ? 0 : Double(velocities[$0]))
    }
    if goesOn, followsSpring {
      // An error of the target is one of the way to it.
      let starts = zip(samples, targetErrors).map {
        MotionSample(value: $0.value, velocity: $0.velocity, bound: ErrorBound(value: 2 * $1))
      }
      let spring = SpringMotion(spring(ofMotion: motion), from: starts, to: target.map(Double.init), at: time)
      begin(.spring(spring), to: target, errors: targetErrors, localTime: time, change)
    } else {
      begin(.still(samples), to: values, localTime: time, change)
      // Whether a track goes on depends on what it does.
      if !goesOn { isUndecided = false }
    }
    found = nil
  }

  /// Lets the track slide to its projected end, with given velocities or its own.
  package mutating func decelerate(
    _ deceleration: Deceleration, velocities: [Float]? = nil, at now: Double, change: Int
  ) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let slide = SlideMotion(deceleration, from: shown(localTime: time), velocities: velocities, at: time)
    let ends = (0..<dimensions).map(slide.end)
    begin(
      .slide(slide), to: ends.map { Float($0.value) }, errors: ends.map(\.bound.value), localTime: time, change)
    if velocities != nil { found = nil }
  }

  /// Ends the motion, the schedule and a waiting call; the track stands at the value that it shows.
  package mutating func stop(at now: Double) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let shown = shown(localTime: time).map(\.standing)
    begin(
      .still(shown), to: shown.map { Float($0.value) },
      errors: shown.map { $0.bound.value + ErrorBound.rounding(of: $0.value) }, localTime: time, change)
    (isLogicalReported, isSettledReported) = (true, true)
    found = nil
  }

  /// Stops the track, if it moves: no time passes for it until it goes on.
  package mutating func pause(at now: Double) {
    let time = clock.time(at: now)
    latestCall = now
    guard !isPaused, isClip || schedule != nil || waiting != nil || standing(localTime: time) != .stands else { return }
    // A clip of no length keeps showing the instant that it is at, until it goes on.
    changeClip { if $0.content.duration > 0 { $0.clock.anchor(at: time) } }
    // A motion that leads nowhere may be over already.
    if leadsNowhere, case .sum = motion { endOfRunIsUndecided = true }
    clock.pause(at: now)
  }

  package mutating func resume(at now: Double) {
    let time = clock.time(at: now)
    latestCall = now
    if isPaused { changeClip { $0.clock.anchor(at: time) } }
    clock.resume(at: now)
  }
}

// MARK: - Clips and phases

extension ReferenceTrack {
  /// Plays a clip.
  package mutating func play(
    _ content: ClipContent, _ playback: Playback, start: ClipStart = .firstValue, at now: Double, change: Int
  ) throws(ClipError) {
    let wasPaused = isPaused
    endOthers(at: now)
    let time = clock.time(at: now)
    let shown = isClip && !wasPaused ? samples(localTime: time) : shown(localTime: time)
    var own = zip(target, targetErrors).map {
      MotionSample(value: Double($0), velocity: 0, bound: ErrorBound(value: $1))
    }
    var variation: (scales: [Float], offsets: [Float])?
    if case .clip(let old) = motion { (own, variation) = (old.own, old.variation) }
    // A playback may have a start, on the batch's clock.
    var local = playback
    local.start = playback.start.map { $0 - now + time }
    var fromShown = start == .shownValue
    if start == .automatic, playback.speed > 0, content.clip.isRestartable {
      switch standing(localTime: time) {
      case .moves: fromShown = true
      // Tracks of one call may come to rest together.
      case .stands where isSettledReported || !followsSpring: break
      case .stands, .unknown: isUndecided = true
      }
    }
    // Whether a paused clip has a velocity is not said, nor what comes after the velocity of a vertical curve.
    if fromShown, isClip, wasPaused { isUndecided = true }
    if fromShown, !shown.allSatisfy({ $0.velocity.isFinite }) { (fromShown, isUndecided) = (false, true) }
    var next =
      fromShown
      ? try ClipMotion(content, local, from: shown, own: own, variation: variation, at: time)
      : ClipMotion(content, local, own: own, at: time)
    next.variation = variation
    begin(.clip(next), to: target, errors: targetErrors, localTime: time, change)
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
    if let time {
      changedAt = time
      latestCall = max(latestCall, clock.moment(of: time))
    }
  }

  /// Goes through phases, in a loop from a time on the batch's clock, or once for each trigger.
  package mutating func play(
    _ plan: PhasePlan, _ sequence: Int, targets: [[Float]], loops: Bool, startingAt start: Double?, at now: Double,
    change: Int
  ) {
    // Whether a paused clip goes on until the first step is not said.
    if isPaused, isClip { isUndecided = true }
    endOthers(at: now)
    latestCall = now
    let local = clock.time(at: now) + (loops ? (start ?? now) - now : 0)
    schedule = Schedule(
      phases: PhaseSchedule(plan, startingAt: local, loops: loops), sequence: sequence, targets: targets,
      change: change, loops: loops,
      playedAt: clock.time(at: now))
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
        latestCall = now
        return
      }
    }
    guard schedule?.phases.trigger(at: time) == true else { return }
    waiting = nil
    schedule?.change = change
    latestCall = now
  }

  /// The phase that is shown or headed for; nil without phases.
  package var phase: Int? { schedule?.phases.phase }
}

// MARK: - Hand-over

extension ReferenceTrack {
  /// Whether a track is known to stand at its target, or to move.
  enum Standing { case stands, moves, unknown }

  /// Whether something moves the track at a time.
  func standing(localTime time: Double) -> Standing {
    switch motion {
    case .still: .stands
    case .spring(let spring):
      !spring.mayRest(at: time, restTolerance)
        ? .moves : spring.stands(at: time) && spring.start < time ? .stands : .unknown
    case .slide(let slide):
      time < slide.earliestRest(restTolerance)
        ? .moves : slide.stands && slide.start < time ? .stands : .unknown
    case .sum(let sum):
      sum.isFinished(at: time) ? .stands : sum.isFinished(at: time + 8 * time.ulp) ? .unknown : .moves
    case .clip(let clip): clip.clock.position(at: time).phase == .playing ? .moves : .stands
    }
  }

  /// The track's state, from which a motion takes over.
  private func shown(localTime time: Double) -> [MotionSample] {
    let samples = samples(localTime: max(time, changedAt))
    guard let found, found.time == time, !found.isOver else { return samples }
    guard found.mayBeOver else { return found.state }
    return zip(found.state, samples).map { state, sample in
      var state = state
      state.allow(sample)
      return state
    }
  }

  /// Notes what a call finds.
  private mutating func find(at time: Double) {
    // Whether a jump by a spring shows at its very moment is not said.
    if case .spring(let spring) = motion, spring.spring.duration == 0, spring.start >= time { isUndecided = true }
    found = Found(time: time, state: shown(localTime: time))
  }

  /// Ends a schedule and a pause, and takes the place of a waiting call.
  private mutating func endOthers(at now: Double) {
    latestCall = max(latestCall, now)
    schedule = nil
    waiting = nil
    // A paused clip stands until something takes its place, which finds the clip's velocity, or none.
    let time = clock.time(at: now)
    if isPaused, isClip {
      let state = shown(localTime: time).map { sample in
        var sample = sample
        sample.allow(sample.standing)
        return sample
      }
      changeClip { $0.clock.stand(at: time) }
      found = Found(time: time, state: state)
    }
    clock.resume(at: now)
  }

  /// Begins the motion of a change.
  private mutating func begin(
    _ next: Motion, to target: [Float], errors: [Double]? = nil, localTime time: Double, _ change: Int
  ) {
    find(at: time)
    leadsNowhere = target == self.target
    // A batch, whose target has an error, may head for it already.
    let mayHeadFor = (0..<dimensions).allSatisfy {
      abs(Double(target[$0]) - Double(self.target[$0])) <= targetErrors[$0]
    }
    isUndecided = isUndecided || !leadsNowhere && mayHeadFor
    motion = next
    self.target = target
    targetErrors = errors ?? target.map { _ in 0 }
    changedAt = time
    latestCall = max(latestCall, clock.moment(of: time))
    self.change = change
    isLogicalReported = false
    isSettledReported = false
    (endOfRunIsUndecided, rested) = (false, false)
  }

  /// The spring that a track keeps.
  private func spring(ofMotion motion: Motion) -> Spring {
    switch motion {
    case .spring(let motion): motion.spring
    case .slide(let motion): motion.successor
    case .still, .sum, .clip: Spring()
    }
  }

  var isClip: Bool { if case .clip = motion { true } else { false } }

  var followsSpring: Bool {
    switch motion {
    case .spring, .slide: true
    case .still, .sum, .clip: false
    }
  }

  /// Whether the track heads for a target, by a motion that leads there and is not one step of many.
  private func headsFor(_ target: [Float]) -> Bool {
    guard schedule == nil, target == self.target else { return false }
    return switch motion {
    case .clip: false
    case .still(let samples): samples.allSatisfy { $0.velocity == 0 }
    case .spring, .slide, .sum: true
    }
  }

  mutating func animate(to target: [Float], with animation: Animation?, localTime time: Double, _ change: Int) {
    guard let animation else {
      begin(.still(target.map { MotionSample(value: Double($0), velocity: 0) }), to: target, localTime: time, change)
      found = nil
      isUndecided = false
      return
    }
    if case .spring(let spring) = animation.structure { return follow(spring, to: target, localTime: time, change) }
    add(animation, to: target, localTime: time, change)
  }

  private mutating func follow(_ spring: Spring, to target: [Float], localTime time: Double, _ change: Int) {
    let targets = target.map(Double.init)
    let next = SpringMotion(spring, from: shown(localTime: time), to: targets, at: time)
    begin(.spring(next), to: target, localTime: time, change)
  }

  /// Adds an animation to the current motion, or starts it where the track stands.
  private mutating func add(_ animation: Animation, to target: [Float], localTime time: Double, _ change: Int) {
    let shown = shown(localTime: time)
    let goal = zip(self.target, targetErrors).map {
      MotionSample(value: Double($0), velocity: 0, bound: ErrorBound(value: $1))
    }
    // A track that may or may not be at rest counts as moving, and as at its target from now on.
    let mayRest = standing(localTime: time) != .moves
    func continuing(_ other: any ReferenceMotion, mayEndAt end: Double) -> SumMotion {
      SumMotion(
        continuing: other, since: time.nextDown, to: goal, mayEndAt: mayRest ? time : end, at: time,
        curveTolerance: curveTolerance)
    }
    var sum = SumMotion(at: shown.map(\.standing), curveTolerance: curveTolerance)
    switch motion {
    case .sum(let running):
      sum = running
      // Whether it adds to an effect of this very moment, or takes its place.
      isUndecided = isUndecided || !running.stood && running.latestStart == time
    case .spring(let spring) where !spring.stands(at: time):
      sum = continuing(spring, mayEndAt: spring.earliestModelRest)
      // Whether it adds to a spring of this very moment, or takes its place, depends on whether the track stood.
      isUndecided = isUndecided || spring.start == time
    case .slide(let slide) where !slide.stands:
      sum = continuing(slide, mayEndAt: .infinity)
      isUndecided = isUndecided || slide.start == time
    case .still, .clip, .spring, .slide: break
    }
    isUndecided = isUndecided || mayHaveStoodAt == time
    if !sum.stood, standing(localTime: time) == .unknown { mayHaveStoodAt = time }
    sum.animate(to: target.map(Double.init), with: animation, at: time)
    begin(.sum(sum), to: target, localTime: time, change)
    // Whether an effect to the same target changes a motion is not said.
    if leadsNowhere, !sum.stood || sum.effectCount > 1 { isUndecided = true }
    // A motion that leads nowhere may be over with its call, and one that takes no time is.
    if leadsNowhere { found?.show(false) }
    if sum.isFinished(at: time) { found = nil }
  }

  /// Notes that a run of phases is over: only the rest of its last step is still to come, if it had one.
  mutating func endSchedule(localTime time: Double) {
    guard let schedule, !isClip, schedule.playedAt == nil || standing(localTime: time) != .moves else { return }
    change = schedule.change
    isSettledReported = false
  }

  /// Stands where it was when phases were played that set out in the past.
  mutating func standStill(localTime time: Double) {
    let shown = shown(localTime: time)
    begin(.still(shown), to: shown.map { Float($0.value) }, localTime: time, change)
    found = nil
  }

  /// When a waiting call is due, in the track's time.
  var waitingMoment: Double { waiting?.moment ?? .infinity }

  /// Makes the waiting call.
  mutating func performWaiting() {
    guard let call = waiting else { return }
    let isThere = headsFor(call.target)
    schedule = nil
    waiting = nil
    switch call.animation {
    case .some(let animation):
      if !isThere || animation == nil {
        animate(to: call.target, with: animation, localTime: call.moment, call.change)
      }
    case nil: if !isThere { follow(spring(ofMotion: motion), to: call.target, localTime: call.moment, call.change) }
    }
  }
}
