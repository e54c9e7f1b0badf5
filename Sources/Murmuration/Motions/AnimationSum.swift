// SPDX-License-Identifier: MIT

/// Effects that add up in a track: curves and interpolating springs, modified or not, each on top of those before it,
/// and the spring that was under way when the first of them began.
///
/// It has the same meaning as `AnimatedValue`, for fewer kinds of motion: each effect covers a part of its way that
/// depends on the time alone, so one number serves all dimensions.
struct AnimationSum: Sendable {
  /// The values where the run began, and the target.
  private var origin: [Double]
  private var target: [Double]
  /// The motions that still have an effect, in the order in which they began.
  private var entries: [CurveEntry] = []
  /// When the first motion began from a track that stood. Another change at that very moment replaces the motion.
  private var runStart = -Double.infinity

  /// A value that stands.
  init(at value: [Double]) { (origin, target) = (value, value) }

  /// A value that a spring moves from a moment on, with velocities at that moment. Changes at that very moment add up.
  init(from origin: [Double], _ velocities: [Double], to target: [Double], _ spring: Spring, at moment: Double) {
    (self.origin, self.target) = (origin, target)
    // The end of the spring does not matter: a motion is added while it moves, and then the end of that motion counts.
    entries = [CurveEntry(.spring(TakenOver(spring, velocities: velocities, end: .infinity)), start: moment)]
  }

  /// Adds the effect of a motion from a moment on, or replaces what began at that very moment.
  mutating func add(_ progress: Progress, to newTarget: [Double], at moment: Double) {
    let last = entries.last?.span
    let hasArrived = last.map { $0.start < moment && $0.arrives(at: moment) } ?? false
    if hasArrived || last?.isFinished(at: moment) ?? true {
      origin = target
      entries.removeAll()
      if !hasArrived { runStart = moment }
    } else if moment == runStart {
      entries.removeAll()
    } else {
      entries[entries.count - 1].targets = target.map { Float($0) }
      // Motions before one that has finished have no effect any more.
      if let finished = entries.lastIndex(where: { $0.span.isFinished(at: moment) }) {
        entries.removeSubrange(..<finished)
      }
    }
    target = newTarget
    entries.append(CurveEntry(.progress(progress), start: moment))
  }

  /// Delays all motions, as after a pause.
  mutating func delay(by seconds: Double) {
    runStart += seconds
    for index in entries.indices { entries[index].span.start += seconds }
  }

  /// The number of motions that still have an effect, or had one at the last change.
  var effectCount: Int { entries.count }

  // MARK: - When

  /// The first moment from which on the sum shows its target for good.
  var restTime: Double {
    guard let last = entries.last else { return -.infinity }
    if case .progress(let progress) = last.motion, progress.endsAtTarget { return last.span.end }
    return last.span.end.nextUp
  }

  /// When the last motion ends, and when it is logically complete.
  var endTime: Double { entries.last?.span.end ?? -.infinity }
  var logicalEndTime: Double {
    guard let last = entries.last else { return -.infinity }
    switch last.motion {
    case .progress(let progress): return last.span.start + progress.logicalEnd
    case .spring(let start): return last.span.start + min(start.spring.duration, start.end)
    }
  }

  // MARK: - What

  /// Writes the value and the velocity of each dimension at a time.
  func state(at time: Double, _ shared: inout SharedProgress, _ values: inout [Double], _ velocities: inout [Double]) {
    guard time < restTime else {
      for dimension in target.indices { (values[dimension], velocities[dimension]) = (target[dimension], 0) }
      return
    }
    for dimension in origin.indices { (values[dimension], velocities[dimension]) = (origin[dimension], 0) }
    for entry in entries {
      let local = entry.span.local(time)
      let isLast = entry.targets.isEmpty
      switch entry.motion {
      case .progress(let progress):
        let (covered, rate) = shared.state(progress, at: local)
        for dimension in target.indices {
          let goal = isLast ? target[dimension] : Double(entry.targets[dimension])
          let way = goal - values[dimension]
          velocities[dimension] =
            local > progress.end ? 0 : velocities[dimension] * (1 - covered) + way * rate
          values[dimension] = covered == 1 ? goal : values[dimension] + way * covered
        }
      case .spring(let start):
        let basis = shared.basis(start.spring, at: local)
        for dimension in target.indices {
          let goal = isLast ? target[dimension] : Double(entry.targets[dimension])
          let (way, velocity) = (values[dimension] - goal, start.velocities[dimension])
          values[dimension] = goal + (basis.valueFromDisplacement * way + basis.valueFromVelocity * velocity)
          velocities[dimension] = basis.velocityFromDisplacement * way + basis.velocityFromVelocity * velocity
        }
      }
    }
  }

  /// The same motions as a value of the model, to which animations of any kind can be added.
  var model: AnimatedValue<Components> {
    guard let first = entries.first else { return AnimatedValue(Components(target)) }
    var value = AnimatedValue(Components(origin))
    for entry in entries {
      let goal = Components(entry.targets.isEmpty ? target : entry.targets.map { Double($0) })
      switch entry.motion {
      case .progress(let progress): value.retarget(to: goal, with: progress.animation, at: entry.span.start)
      case .spring(let start):
        value = AnimatedValue(
          Components(origin), velocity: Components(start.velocities), target: goal, with: start.spring,
          at: first.span.start)
      }
    }
    return value
  }
}

/// The progress and the basis that were computed last. Tracks that began to move with one call share them.
struct SharedProgress {
  private var form: ProgressForm?
  private var duration = 0.0
  private var progressTime = 0.0
  private var progress = (progress: 0.0, velocity: 0.0)
  private var spring: Spring?
  private var springTime = 0.0
  private var springBasis: SpringBasis?

  /// The progress of a motion at a time.
  mutating func state(_ progress: Progress, at time: Double) -> (progress: Double, velocity: Double) {
    if form !== progress.form || duration != progress.duration || progressTime != time {
      (form, duration, progressTime) = (progress.form, progress.duration, time)
      self.progress = progress.state(at: time)
    }
    return self.progress
  }

  /// The basis of a spring at a time.
  mutating func basis(_ spring: Spring, at time: Double) -> SpringBasis {
    if let springBasis, springTime == time, self.spring == spring { return springBasis }
    let basis = spring.basis(at: time)
    (self.spring, springTime, springBasis) = (spring, time, basis)
    return basis
  }
}

/// The motion of a called track: a sum, which is quick to evaluate, or a value that only the model can evaluate.
struct CalledValue: Sendable {
  /// The sum; it says nothing where there is a model.
  private var sum = AnimationSum(at: [])
  private(set) var model: AnimatedValue<Components>?

  init(_ sum: AnimationSum) { self.sum = sum }
  init(_ model: AnimatedValue<Components>) { self.model = model }

  /// Adds the effect of a motion to a target.
  mutating func add(_ progress: Progress, to target: [Double], at moment: Double) {
    guard model != nil else { return sum.add(progress, to: target, at: moment) }
    model?.retarget(to: Components(target), with: progress.animation, at: moment)
  }

  /// Sends the value to a target with an animation.
  mutating func retarget(to target: [Double], with animation: Animation, at moment: Double) {
    if model == nil {
      if let progress = Progress(animation) { return sum.add(progress, to: target, at: moment) }
      self = CalledValue(sum.model)
    }
    model?.retarget(to: Components(target), with: animation, at: moment)
  }

  /// The number of motions whose effects add up.
  var effectCount: Int { model?.activeAnimationCount ?? sum.effectCount }

  /// Delays all motions, as after a pause.
  mutating func delay(by seconds: Double) {
    sum.delay(by: seconds)
    model?.delay(by: seconds)
  }

  /// Advances animations that step from frame to frame.
  mutating func advance(to time: Double) { model?.advance(to: time) }

  /// Whether the value is at its target for good.
  func isFinished(at time: Double) -> Bool { model?.hasArrived(at: time) ?? (time >= sum.restTime) }

  /// The first moment from which on the value is at its target for good; infinite if never.
  var restTime: Double {
    guard let model else { return sum.restTime }
    let end = model.endTime
    return !end.isFinite || model.hasArrived(at: end) ? end : end.nextUp
  }

  /// Whether it shows its target at its end, and not only after it.
  var endsAtTarget: Bool {
    guard let model else { return sum.restTime <= sum.endTime }
    // A rounded clock may show a curve of steps just before its last step.
    return model.latestAnimation.flatMap { Progress($0)?.endsAtTarget } ?? model.hasArrived(at: model.endTime)
  }

  /// When the last motion ends, and when it is logically complete.
  var endTime: Double { model?.endTime ?? sum.endTime }
  var logicalEndTime: Double { model?.logicalEndTime ?? sum.logicalEndTime }

  /// Writes the value and the velocity of each dimension at a time.
  ///
  /// - Returns: Whether the value is at its target for good, and whether its motion is logically complete.
  func state(
    at time: Double, _ shared: inout SharedProgress, _ values: inout [Double], _ velocities: inout [Double]
  ) -> (isFinished: Bool, isLogicallyComplete: Bool) {
    guard let model else {
      sum.state(at: time, &shared, &values, &velocities)
      return (time >= sum.restTime, time >= sum.logicalEndTime)
    }
    let moment = model.moment(at: time)
    for dimension in values.indices {
      (values[dimension], velocities[dimension]) = (moment.value[dimension], moment.velocity[dimension])
    }
    return (moment.hasArrived, moment.isLogicallyComplete)
  }
}
