// SPDX-License-Identifier: MIT
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
/// - An animation to the target that the track heads for already changes nothing.
/// - A curve that follows at the very moment at which the track left where it stood replaces the motion that began
///   then.
/// - At most one call waits for its moment; any other call that changes the motion takes its place.
/// - A paused track stands still, and no time passes for it, nor for a waiting call. The next motion ends a pause.
/// - A clock before the last change shows the track as it was then. Nothing is reported twice.
package struct ReferenceTrack: Sendable {
  package enum Motion: Sendable {
    /// The track stands where it is, or a hand that moves with a velocity holds it there.
    case still([MotionSample])
    case spring(SpringMotion)
    case slide(SlideMotion)
    case sum(SumMotion)
    case clip(ClipMotion)
  }

  /// A call that waits for its moment.
  private enum Call: Sendable {
    case animate([Float], Animation?)
    case retarget([Float])
  }

  package var rules: ReferenceRules
  package internal(set) var motion: Motion
  /// The number of the last change.
  package private(set) var change = 0
  /// Whether the events of the last change were reported.
  var isLogicalReported = true
  var isSettledReported = true
  private(set) var clock = TrackClock()
  /// When the motion was last changed, in the track's time.
  private(set) var changedAt: Double
  /// When the track left where it stood, in the track's time.
  private var leftAt: Double
  /// The track's state when the last effect was added; until time passes, any other motion takes over from it.
  var shownBefore: [MotionSample]?
  /// The target of the track, unless a clip moves it: its value when all motion is over.
  package internal(set) var target: [Float]
  /// The last spring that it followed.
  package private(set) var spring = Spring()
  private var waiting: (moment: Double, call: Call)?
  /// Whether the batch has the track moving at the next call, and not at rest; nil if it is not known.
  package var isKnownToMove: Bool?
  var schedule: (phases: PhaseSchedule, targets: [[Float]])?

  /// A track that has stood still since a time of the clock.
  package init(_ values: [Float], at now: Double, _ rules: ReferenceRules) {
    self.rules = rules
    target = values
    motion = .still(values.map { MotionSample(value: Double($0), velocity: 0) })
    changedAt = now
    leftAt = now
  }

  /// A track that is added in motion, on a spring.
  package init(
    _ values: [Float], velocities: [Float], to target: [Float], on spring: Spring, at now: Double,
    _ rules: ReferenceRules
  ) {
    self.init(values, at: now, rules)
    begin(
      .spring(SpringMotion(spring, values: values, velocities: velocities, targets: target, at: now)), localTime: now)
    self.target = target
    self.spring = spring
  }

  package var dimensions: Int { target.count }

  package var isPaused: Bool { clock.isPaused }

  // MARK: - Calls

  /// Sends the track to a target; nil jumps.
  package mutating func animate(to target: [Float], with animation: Animation?, at now: Double) {
    endOthers(at: now)
    animate(to: target, with: animation, localTime: clock.time(at: now))
  }

  /// Sends the track to a target with a spring, even to its current target.
  package mutating func follow(_ spring: Spring, to target: [Float], at now: Double) {
    endOthers(at: now)
    follow(spring, to: target, localTime: clock.time(at: now))
  }

  /// Sends the track to a target with the spring that it follows, or followed last.
  package mutating func retarget(to target: [Float], at now: Double) {
    let isThere = headsFor(target)
    endOthers(at: now)
    if !isThere { follow(spring(ofMotion: motion), to: target, localTime: clock.time(at: now)) }
  }

  /// Whether the track heads for a target, by a motion that leads there and is not one step of many.
  private func headsFor(_ target: [Float]) -> Bool {
    if schedule != nil { return false }
    switch motion {
    case .clip: return false
    case .still(let samples): return target == self.target && samples.allSatisfy { $0.velocity == 0 }
    case .spring, .slide, .sum: return target == self.target
    }
  }

  /// The same after a delay.
  package mutating func animate(to target: [Float], with animation: Animation?, after delay: Double, at now: Double) {
    waiting = (clock.time(at: now) + delay, .animate(target, animation))
  }

  /// The same after a delay.
  package mutating func retarget(to target: [Float], after delay: Double, at now: Double) {
    waiting = (clock.time(at: now) + delay, .retarget(target))
  }

  /// Forgets a waiting call.
  package mutating func cancelDelay() { waiting = nil }

  /// Sets the track's value and velocity.
  package mutating func set(_ values: [Float], velocities: [Float], at now: Double) {
    put(values, velocities, goesOn: rules.hands == .release, at: now)
  }

  /// Sets the track's value and velocity. From there it goes on to its target if it follows a spring or slides.
  package mutating func displace(_ values: [Float], velocities: [Float], at now: Double) {
    put(values, velocities, goesOn: followsSpring, at: now)
  }

  private mutating func put(_ values: [Float], _ velocities: [Float], goesOn: Bool, at now: Double) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let samples = values.indices.map {
      MotionSample(value: Double(values[$0]), velocity: velocities.isEmpty ? 0 : Double(velocities[$0]))
    }
    if goesOn {
      begin(
        .spring(SpringMotion(spring(ofMotion: motion), from: samples, to: target.map(Double.init), at: time)),
        localTime: time)
    } else {
      begin(.still(rules.hands == .place ? samples.map(\.standing) : samples), localTime: time)
      target = values
    }
  }

  /// Lets the track slide to its projected end, with given velocities or its own.
  package mutating func decelerate(_ deceleration: Deceleration, velocities: [Float]? = nil, at now: Double) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let slide = SlideMotion(deceleration, from: shown(localTime: time), velocities: velocities, at: time)
    leave(localTime: time)
    begin(.slide(slide), localTime: time)
    target = (0..<dimensions).map { Float(slide.end($0).value) }
    spring = slide.successor
  }

  /// Stops the track, if it moves: no time passes for it until it goes on.
  package mutating func pause(at now: Double) {
    let time = clock.time(at: now)
    guard !isPaused, schedule != nil || waiting != nil || !stands(localTime: time) else { return }
    // A clip of no length keeps showing the instant that it is at, until it goes on.
    changeClip { if $0.content.duration > 0 { $0.clock.anchor(at: time) } }
    clock.pause(at: now)
  }

  package mutating func resume(at now: Double) {
    let time = clock.time(at: now)
    if isPaused { changeClip { $0.clock.anchor(at: time) } }
    clock.resume(at: now)
  }

  // MARK: - Clips

  /// Plays a clip from its first value, or from the current value if the clip can be made anew.
  package mutating func play(
    _ content: ClipContent, _ playback: Playback, fromShown: Bool = false, at now: Double
  ) throws(ClipError) {
    let wasPaused = isPaused
    endOthers(at: now)
    let time = clock.time(at: now)
    let shown = shown(localTime: time).map { wasPaused ? $0.standing : $0 }
    var own = target.map { MotionSample(value: Double($0), velocity: 0) }
    var variation: (scales: [Float], offsets: [Float])?
    if case .clip(let old) = motion { (own, variation) = (old.own, old.variation) }
    // A playback may have a start, on the batch's clock.
    var local = playback
    local.start = playback.start.map { $0 - now + time }
    var next =
      fromShown
      ? try ClipMotion(content, local, from: shown, own: own, variation: variation, at: time)
      : ClipMotion(content, local, own: own, at: time)
    next.variation = variation
    leave(localTime: time)
    begin(.clip(next), localTime: time)
  }

  /// Sets the factors and offsets of the playing clip.
  package mutating func setVariation(scales: [Float], offsets: [Float]) {
    changeClip { $0.variation = (scales, offsets) }
  }

  /// Continues the clip at another speed.
  package mutating func setSpeed(_ speed: Double, at now: Double) {
    let time = clock.time(at: now)
    changeClip(localTime: time) { $0.clock.setSpeed(speed, at: time) }
  }

  /// Continues the clip from one of its times.
  package mutating func seek(to local: Double, at now: Double) {
    let time = clock.time(at: now)
    changeClip(localTime: time) { $0.clock.seek(to: local, at: time) }
  }

  /// Changes the playing clip, if there is one.
  private mutating func changeClip(localTime time: Double? = nil, _ body: (inout ClipMotion) -> Void) {
    guard case .clip(var clip) = motion else { return }
    body(&clip)
    motion = .clip(clip)
    if let time { changedAt = time }
  }

  // MARK: - Phases

  /// Goes through phases in a loop, or once; the first step leads to phase 1.
  ///
  /// - Parameter targets: The track's own targets in place of the plan's; nil for the plan's.
  package mutating func play(
    _ plan: PhasePlan, targets: [[Float]]? = nil, startingAt start: Double? = nil, at now: Double
  ) {
    endOthers(at: now)
    let start = clock.time(at: now) + (start ?? now) - now
    schedule = (PhaseSchedule(plan, startingAt: start, loops: true), targets ?? plan.targets)
  }

  /// Prepares phases that a trigger starts.
  package mutating func prepare(_ plan: PhasePlan, targets: [[Float]]? = nil, at now: Double) {
    endOthers(at: now)
    schedule = (PhaseSchedule(plan, startingAt: clock.time(at: now), loops: false), targets ?? plan.targets)
  }

  /// Starts the phases, or starts them again, unless the track is paused.
  package mutating func trigger(at now: Double) {
    guard !isPaused else { return }
    schedule?.phases.trigger(at: clock.time(at: now))
  }

  /// The phase that is shown or headed for; nil without phases.
  package var phase: Int? { schedule?.phases.phase }
}

// MARK: - Hand-over

extension ReferenceTrack {
  /// The track's state, from which a motion takes over.
  private func shown(localTime time: Double) -> [MotionSample] {
    if case .sum = motion, time <= changedAt, let shownBefore { return shownBefore }
    return (0..<dimensions).map { sample($0, localTime: max(time, changedAt)) }
  }

  /// Ends a schedule and a pause, and takes the place of a waiting call.
  private mutating func endOthers(at now: Double) {
    schedule = nil
    waiting = nil
    // A paused clip stands until something takes its place.
    let time = clock.time(at: now)
    if isPaused { changeClip { $0.clock.stand(at: time) } }
    clock.resume(at: now)
  }

  /// Begins the motion of the next change.
  private mutating func begin(_ next: Motion, localTime time: Double) {
    motion = next
    changedAt = time
    change += 1
    isLogicalReported = false
    isSettledReported = false
    isKnownToMove = nil
    shownBefore = nil
  }

  /// Whether nothing moves the track at a time.
  private func stands(localTime time: Double) -> Bool {
    switch motion {
    case .still: true
    case .spring(let spring): !(isKnownToMove ?? !spring.mayRest(at: time, rules.restTolerance))
    case .slide(let slide): !(isKnownToMove ?? (time < slide.earliestRest(rules.restTolerance)))
    case .sum(let sum): sum.isFinished(at: time)
    case .clip: false
    }
  }

  /// Notes when the track leaves a clip, or the value where it stood.
  private mutating func leave(localTime time: Double) {
    if case .clip = motion { leftAt = time } else if stands(localTime: time) { leftAt = time }
  }

  /// The spring that a track keeps.
  private func spring(ofMotion motion: Motion) -> Spring {
    switch motion {
    case .spring(let motion): motion.spring
    case .slide(let motion): motion.successor
    case .still, .sum, .clip: rules.keepsSprings ? spring : Spring()
    }
  }

  var followsSpring: Bool {
    switch motion {
    case .spring, .slide: true
    case .still, .sum, .clip: false
    }
  }

  private mutating func follow(_ spring: Spring, to target: [Float], localTime time: Double) {
    let targets = target.map(Double.init)
    leave(localTime: time)
    if case .spring(var old) = motion {
      if old.mayRest(at: time, rules.restTolerance) { old.allowRest(at: time) }
      old.retarget(to: targets, spring, at: time)
      begin(.spring(old), localTime: time)
    } else {
      begin(.spring(SpringMotion(spring, from: shown(localTime: time), to: targets, at: time)), localTime: time)
    }
    self.target = target
    self.spring = spring
  }

  func spring(of animation: Animation) -> Spring? {
    if case .spring(let spring) = animation.structure { spring } else { nil }
  }

  mutating func animate(to target: [Float], with animation: Animation?, localTime time: Double) {
    guard let animation else {
      begin(.still(target.map { MotionSample(value: Double($0), velocity: 0) }), localTime: time)
      leftAt = time
      self.target = target
      return
    }
    if case .clip = motion {} else if target == self.target { return }
    if let spring = spring(of: animation), !rules.springsJoinSums { return follow(spring, to: target, localTime: time) }
    add(animation, to: target, localTime: time)
  }

  /// Adds an animation to the current motion, or starts it where the track stands.
  private mutating func add(_ animation: Animation, to target: [Float], localTime time: Double) {
    let shown = shown(localTime: time)
    // A motion that took over the velocity of another is not replaced, even at the time of its start.
    let (goal, origin) = (self.target.map(Double.init), min(leftAt, time.nextDown))
    // A track that may or may not be at rest counts as moving, and as at its target from now on.
    let mayRest = stands(localTime: time)
    leave(localTime: time)
    func continuing(_ other: any ReferenceMotion, mayEndAt end: Double) -> SumMotion {
      SumMotion(
        continuing: other, since: origin, to: goal, mayEndAt: mayRest ? time : end, at: time,
        curveTolerance: rules.curveTolerance)
    }
    // Whether a motion has just left where the track stood.
    func setsOut(_ other: any ReferenceMotion, _ start: Double) -> Bool {
      time == start && other.samples(at: time).allSatisfy { $0.velocity == 0 }
    }
    var sum = SumMotion(at: shown.map(\.standing), curveTolerance: rules.curveTolerance)
    switch motion {
    case .sum(let running): sum = running
    case .spring(let spring) where !spring.stands(at: time) && !setsOut(spring, spring.start):
      sum = continuing(spring, mayEndAt: spring.earliestModelRest)
    case .slide(let slide) where !setsOut(slide, slide.start): sum = continuing(slide, mayEndAt: .infinity)
    case .still, .clip, .spring, .slide: break
    }
    sum.animate(to: target.map(Double.init), with: animation, at: time)
    begin(.sum(sum), localTime: time)
    shownBefore = shown
    self.target = target
  }

  /// When a waiting call is due, in the track's time.
  var waitingMoment: Double { waiting?.moment ?? .infinity }

  /// Makes the waiting call.
  mutating func performWaiting() {
    guard let (moment, call) = waiting else { return }
    let isThere = if case .retarget(let target) = call { headsFor(target) } else { false }
    schedule = nil
    waiting = nil
    if isThere { return }
    switch call {
    case .animate(let target, let animation): animate(to: target, with: animation, localTime: moment)
    case .retarget(let target): follow(spring(ofMotion: motion), to: target, localTime: moment)
    }
  }
}
