// SPDX-License-Identifier: MIT
package import Murmuration

/// What holds for all tracks of a batch.
package struct ReferenceRules: Sendable {
  /// What counts as at rest.
  package var restTolerance: RestTolerances
  /// The tolerance with which curves are fitted, as a share of their way.
  package var curveTolerance = 0x1p-16
  /// What becomes of a track that is put somewhere by hand.
  package enum Hands: Sendable {
    /// It stays there until the next call, with the velocity that it was given.
    case hold
    /// It stays there, at rest.
    case place
    /// It goes on to its target from there.
    case release
    /// It goes on to its target if it follows a spring or slides; else it stays there, with the velocity that it was given.
    case releaseSprings
  }

  package var hands = Hands.hold
  /// Whether springs that take over are played as sums are, by the model.
  package var springsJoinSums = false
  /// Whether a track that follows no spring keeps the one that it followed last; else it has `Spring()`.
  package var keepsSprings = true

  package init(restTolerance: RestTolerances) { self.restTolerance = restTolerance }
}

/// One track, as the documentation has it: it takes the calls that a batch takes, shows at any time what the batch has to
/// show, and knows what has to be reported.
///
/// Motions hand over to each other as follows. What a call finds is what the track shows at its moment.
///
/// | call | from what is shown |
/// |---|---|
/// | a spring, a deceleration | takes value and velocity |
/// | a curve, and any other animation | adds to a spring, a deceleration or a sum, which go on to their own targets; else starts at the value |
/// | a clip | its first value, or the value and the velocity shown |
/// | phases | each step as its animation |
/// | no animation | jumps |
///
/// - An animation to the target that the track heads for already changes nothing.
/// - A curve that follows at the very moment at which the track left where it stood replaces what had begun then.
/// - At most one call waits for its moment; any other call that changes the motion takes its place.
/// - A track that is paused stands still, and no time passes for it: also not for what waits. The next motion ends a pause.
/// - A clock that is set to before the last change shows the track as it was then. Nothing is reported twice.
package struct ReferenceTrack: Sendable {
  package enum Motion: Sendable {
    /// The track stands where it is, or is held there by a hand that moves on with a velocity.
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
  /// What the track showed when the last effect was added: until time passes nothing else takes over.
  var shownBefore: [MotionSample]?
  /// What the track heads for, if it is no clip that moves it: what it shows when all is over.
  package private(set) var target: [Float]
  /// The spring that it followed last.
  package private(set) var spring = Spring()
  private var waiting: (moment: Double, call: Call)?
  /// Whether the batch is known not to have the track at rest when it takes the next call.
  package var isKnownToMove = false
  var schedule: (phases: PhaseSchedule, targets: [[Float]])?

  /// A track that stands still since a time of the clock.
  package init(_ values: [Float], at now: Double, _ rules: ReferenceRules) {
    self.rules = rules
    target = values
    motion = .still(values.map { MotionSample(value: Double($0), velocity: 0) })
    changedAt = now
    leftAt = now
  }

  /// A track that comes on its way, on a spring.
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

  /// The track in a few words, for reports.
  package func summary(at now: Double) -> String {
    let kind =
      switch motion {
      case .still: "still"
      case .spring(let motion): "spring \(motion.spring.duration) s bounce \(motion.spring.bounce)"
      case .slide(let motion): "slide \(motion.deceleration.rate)"
      case .sum: "sum"
      case .clip(let motion): "clip of \(motion.content.duration) s"
      }
    return "\(kind), change \(change) \(clock.time(at: now) - changedAt) s ago, to \(target)"
      + (phase.map { ", phase \($0)" } ?? "") + (isPaused ? ", paused" : "")
  }

  // MARK: - Reading

  /// The state of a dimension at a time of the clock.
  ///
  /// - Parameter moves: Whether the batch is known not to have the track at rest.
  package func sample(_ dimension: Int, at now: Double, moves: Bool = false) -> MotionSample {
    let time = max(clock.time(at: now), changedAt)
    if moves, !clock.isPaused, case .spring(let motion) = motion { return motion.sample(dimension, at: time) }
    var sample = sample(dimension, localTime: time)
    if case .sum = motion, time == changedAt, let shownBefore { sample.allow(shownBefore[dimension]) }
    return clock.isPaused ? sample.standing : sample
  }

  private func sample(_ dimension: Int, localTime time: Double) -> MotionSample {
    switch motion {
    case .still(let samples): samples[dimension]
    case .spring(let motion): motion.sample(dimension, at: time, rules.restTolerance)
    case .slide(let motion): slide(motion, dimension, at: time)
    case .sum(let motion): motion.sample(dimension, at: time)
    case .clip(let motion): motion.sample(dimension, at: time)
    }
  }

  /// A slide that a batch may take for being at rest.
  private func slide(_ motion: SlideMotion, _ dimension: Int, at time: Double) -> MotionSample {
    var sample = motion.sample(dimension, at: time)
    if time >= motion.earliestRest(rules.restTolerance) { sample.allow(motion.end(dimension)) }
    return sample
  }

  /// How far a batch is from the track in its worst dimension.
  package func excess(values: [Float], velocities: [Float]?, at now: Double, moves: Bool = false) -> Excess {
    var worst = Excess()
    for dimension in 0..<dimensions {
      let sample = sample(dimension, at: now, moves: moves)
      worst.merge(Excess(value: values[dimension], velocity: velocities?[dimension], of: sample))
    }
    return worst
  }

  package var isPaused: Bool { clock.isPaused }

  // MARK: - Calls

  /// Sends the track to a target; nil jumps.
  package mutating func animate(to target: [Float], with animation: Animation?, at now: Double) {
    endOthers(at: now)
    animate(to: target, with: animation, localTime: clock.time(at: now))
  }

  /// Sends the track to a target with a spring, also to the one that it heads for.
  package mutating func follow(_ spring: Spring, to target: [Float], at now: Double) {
    endOthers(at: now)
    follow(spring, to: target, localTime: clock.time(at: now))
  }

  /// Sends the track to a target with the spring that it follows, or followed last.
  package mutating func retarget(to target: [Float], at now: Double) {
    endOthers(at: now)
    follow(spring(ofMotion: motion), to: target, localTime: clock.time(at: now))
  }

  /// The same after a delay.
  package mutating func animate(to target: [Float], with animation: Animation?, after delay: Double, at now: Double) {
    waiting = (clock.time(at: now) + delay, .animate(target, animation))
  }

  /// The same after a delay.
  package mutating func retarget(to target: [Float], after delay: Double, at now: Double) {
    waiting = (clock.time(at: now) + delay, .retarget(target))
  }

  /// Forgets a call that waits.
  package mutating func cancelDelay() { waiting = nil }

  /// Puts the track somewhere, with a velocity.
  package mutating func set(_ values: [Float], velocities: [Float], at now: Double) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let samples = values.indices.map {
      MotionSample(value: Double(values[$0]), velocity: velocities.isEmpty ? 0 : Double(velocities[$0]))
    }
    if rules.hands == .release || rules.hands == .releaseSprings && followsSpring {
      begin(
        .spring(SpringMotion(spring(ofMotion: motion), from: samples, to: target.map(Double.init), at: time)),
        localTime: time)
    } else {
      begin(.still(rules.hands == .place ? samples.map(\.standing) : samples), localTime: time)
      target = values
    }
  }

  /// Lets the track slide to its projected end, with velocities or its own.
  package mutating func decelerate(_ deceleration: Deceleration, velocities: [Float]? = nil, at now: Double) {
    endOthers(at: now)
    let time = clock.time(at: now)
    let slide = SlideMotion(deceleration, from: shown(localTime: time), velocities: velocities, at: time)
    leave(localTime: time)
    begin(.slide(slide), localTime: time)
    target = (0..<dimensions).map { Float(slide.end($0).value) }
    spring = slide.successor
  }

  /// Stops the track, if it moves: no time passes for it any more.
  package mutating func pause(at now: Double) {
    let time = clock.time(at: now)
    guard !isPaused, schedule != nil || waiting != nil || !stands(localTime: time) else { return }
    changeClip { $0.clock.anchor(at: time) }
    clock.pause(at: now)
  }

  package mutating func resume(at now: Double) {
    let time = clock.time(at: now)
    if isPaused { changeClip { $0.clock.anchor(at: time) } }
    clock.resume(at: now)
  }

  // MARK: - Clips

  /// Plays a clip from its first value, or from what is shown where the clip can be made anew.
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
    // A playback may say when it starts, on the batch's clock.
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

  /// Gives the clip that plays factors and summands.
  package mutating func setVariation(scales: [Float], offsets: [Float]) {
    changeClip { $0.variation = (scales, offsets) }
  }

  /// Plays the clip on at another speed.
  package mutating func setSpeed(_ speed: Double, at now: Double) {
    let time = clock.time(at: now)
    changeClip(localTime: time) { $0.clock.setSpeed(speed, at: time) }
  }

  /// Plays the clip on from one of its times.
  package mutating func seek(to local: Double, at now: Double) {
    let time = clock.time(at: now)
    changeClip(localTime: time) { $0.clock.seek(to: local, at: time) }
  }

  /// Changes the clip that plays, if one does.
  private mutating func changeClip(localTime time: Double? = nil, _ body: (inout ClipMotion) -> Void) {
    guard case .clip(var clip) = motion else { return }
    body(&clip)
    motion = .clip(clip)
    if let time { changedAt = time }
  }

  // MARK: - Phases

  /// Goes through phases without end, or once; the first step leads to phase 1.
  ///
  /// - Parameter targets: What the track makes of the plan's targets; nil for just those.
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
  /// What the track shows, and a motion takes over.
  private func shown(localTime time: Double) -> [MotionSample] {
    if case .sum = motion, time <= changedAt, let shownBefore { return shownBefore }
    return (0..<dimensions).map { sample($0, localTime: max(time, changedAt)) }
  }

  /// A call ends a schedule, takes the place of what waits, and has a paused track go on.
  private mutating func endOthers(at now: Double) {
    schedule = nil
    waiting = nil
    clock.resume(at: now)
  }

  /// Begins the motion of the next change.
  private mutating func begin(_ next: Motion, localTime time: Double) {
    motion = next
    changedAt = time
    change += 1
    isLogicalReported = false
    isSettledReported = false
    isKnownToMove = false
    shownBefore = nil
  }

  /// Whether nothing moves the track at a time.
  private func stands(localTime time: Double) -> Bool {
    switch motion {
    case .still: true
    case .spring(let spring): !isKnownToMove && spring.mayRest(at: time, rules.restTolerance)
    case .slide(let slide): !isKnownToMove && time >= slide.earliestRest(rules.restTolerance)
    case .sum(let sum): sum.isFinished(at: time)
    case .clip: false
    }
  }

  /// Notes when the track leaves where it stands, or a clip.
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

  /// Adds an animation to what moves, or starts it where the track stands.
  private mutating func add(_ animation: Animation, to target: [Float], localTime time: Double) {
    let shown = shown(localTime: time)
    let (goal, origin) = (self.target.map(Double.init), leftAt)
    leave(localTime: time)
    // What only may be at rest is taken for moving, and for being at its target from now on.
    let mayRest = leftAt == time
    func continuing(_ other: any ReferenceMotion, mayEndAt end: Double) -> SumMotion {
      SumMotion(
        continuing: other, since: origin, to: goal, mayEndAt: mayRest ? time : end, at: time,
        curveTolerance: rules.curveTolerance)
    }
    var sum = SumMotion(at: shown.map(\.standing), curveTolerance: rules.curveTolerance)
    switch motion {
    case .sum(let running): sum = running
    case .spring(let spring) where origin < time && !spring.stands(at: time):
      sum = continuing(spring, mayEndAt: spring.earliestModelRest)
    case .slide(let slide) where origin < time: sum = continuing(slide, mayEndAt: .infinity)
    case .still, .clip, .spring, .slide: break
    }
    sum.animate(to: target.map(Double.init), with: animation, at: time)
    begin(.sum(sum), localTime: time)
    shownBefore = shown
    self.target = target
  }

  /// When a call that waits is due, in the track's time.
  var waitingMoment: Double { waiting?.moment ?? .infinity }

  /// Makes the call that waits.
  mutating func performWaiting() {
    guard let (moment, call) = waiting else { return }
    schedule = nil
    waiting = nil
    switch call {
    case .animate(let target, let animation): animate(to: target, with: animation, localTime: moment)
    case .retarget(let target): follow(spring(ofMotion: motion), to: target, localTime: moment)
    }
  }
}

// MARK: - What a batch says

extension ReferenceTrack {
  /// Takes note that the batch has the track at rest, at its target.
  package mutating func comeToRest(at now: Double) {
    let time = clock.time(at: now)
    switch motion {
    case .spring(var motion):
      motion.comeToRest(at: time)
      self.motion = .spring(motion)
    case .slide(let slide):
      motion = .spring(SpringMotion(slide.successor, values: target, at: time))
    case .still, .sum, .clip: break
    }
  }

  /// Has a spring or a slide that begins at this very moment begin with exactly what the batch shows, once that was compared:
  /// so that its bound is that of one motion, however long the program.
  package mutating func adopt(values: [Float], velocities: [Float], target: [Float]) {
    self.target = target
    let samples = values.indices.map { MotionSample(value: Double(values[$0]), velocity: Double(velocities[$0])) }
    switch motion {
    case .spring(let old) where old.start == changedAt:
      motion = .spring(SpringMotion(old.spring, from: samples, to: target.map(Double.init), at: old.start))
    case .slide(let old) where old.start == changedAt:
      motion = .slide(SlideMotion(old.deceleration, from: samples, at: old.start))
    default: break
    }
  }

  /// Takes note of how the batch evaluates a sum.
  package mutating func evaluateSums(as evaluation: SumMotion.Evaluation) {
    guard case .sum(var sum) = motion else { return }
    sum.evaluation = evaluation
    motion = .sum(sum)
  }

  /// Takes note that an event of the last change was reported.
  package mutating func note(_ kind: ReferenceEvent.Kind) {
    switch kind {
    case .logicallyComplete: isLogicalReported = true
    case .settled: isSettledReported = true
    default: break
    }
  }
}
