// SPDX-License-Identifier: MIT

/// The progress of an animation whose effect adds to others, as a function of time: 0 at its start, 1 at its end.
///
/// Curves and interpolating springs, with any modifiers, cover a part of their interval that depends on the time alone. So
/// one function serves values of all dimensions. Times are in seconds from the start of the animation.
struct Progress: Sendable {
  /// A modifier of the clock.
  enum Modifier: Sendable {
    case delay(Double)
    /// A speed above 0.
    case speed(Double)
    /// Legs of a length, and when the last has ended.
    case legs(length: Double, end: Double, autoreverses: Bool)
  }

  let form: ProgressForm
  /// The duration of a curve, in seconds.
  let duration: Double
  /// The last moment before it has finished, and when it is logically complete; infinite if never.
  let end: Double
  let logicalEnd: Double
  /// Whether it shows its target at its end, and not only after it.
  private(set) var endsAtTarget = true

  var modifiers: [Modifier] { form.modifiers }

  var animation: Animation {
    if let source = form.source { return source }
    guard case .curve(let curve) = form.base else { return .default }
    return .timingCurve(curve, duration: duration)
  }

  /// The progress of a plain curve with a form and a duration in seconds.
  init(_ form: ProgressForm, duration: Double) {
    self.form = form
    self.duration = duration
    (end, logicalEnd) = (max(0, duration), max(0, duration))
  }

  /// The duration of the curve or spring, in seconds of its own clock.
  var clockLength: Double {
    if case .spring(_, _, let end) = form.base { end } else { duration }
  }

  /// Seconds since a start at a moment, both on the batch's clock.
  ///
  /// A moment that differs from the end only by rounding counts as the end. So a motion that follows on schedule either
  /// always takes over the velocity of a curve that ends in motion, or never does.
  func local(_ moment: Double, since start: Double) -> Double {
    let local = moment - start
    return abs(local - end) <= 2 * (moment.ulp + start.ulp) ? end : local
  }

  /// Whether this is a curve that runs once, and so ends at its target, however its clock is rounded.
  private var endsAsCurve: Bool {
    guard case .curve = form.base else { return false }
    return !modifiers.contains { if case .legs = $0 { true } else { false } }
  }

  /// The progress of an animation that is computed track by track, in Double: one whose clock kernels do not follow, or whose
  /// curve has no table.
  init(computing animation: Animation) {
    form = ProgressForm(.curve(Self.computedCurve), source: animation, isComputed: true)
    duration = 1
    end = animation.endTime(value: 1.0, context: AnimationContext())
    logicalEnd = animation.logicalEndTime(value: 1.0, context: AnimationContext())
    if end.isFinite { endsAtTarget = state(at: end).progress == 1 }
  }

  /// The progress of a modified spring that took over from its like: none until it ends, as a spring moves the track.
  ///
  /// - Parameters:
  ///   - elapsed: When it took over, in seconds from the start of the run.
  ///   - logicalEnd: When it is logically complete, in seconds from when it took over.
  ///   - end: When it ends.
  init(continuing animation: Animation, elapsed: Double, logicalEnd: Double, end: Double) {
    let wait = Modifier.delay(min(end.nextUp, 4 * BatchLimits.maximumTime))
    form = ProgressForm(.curve(.linear), [wait], source: animation, elapsed: elapsed)
    (duration, self.end, self.logicalEnd, endsAtTarget) = (1, end, logicalEnd, false)
  }

  /// The progress of an animation; nil for a spring that takes over, a custom animation, and an animation whose time
  /// stands still or runs backwards.
  ///
  /// - Parameter includesSprings: Whether a modified spring has a progress. It takes over only from a spring with the
  ///   same modifiers that alone moves the track; otherwise it adds its way from rest to the target.
  init?(_ animation: Animation, includesSprings: Bool = false) {
    var modifiers: [Modifier] = []
    var inner = animation
    var base: ProgressForm.Base?
    var duration = 0.0
    while base == nil {
      switch inner.structure {
      case .curve(let curve, let seconds):
        (base, duration) = (.curve(curve), seconds)
      case .interpolatingSpring(let spring, let velocity):
        let end = inner.endTime(value: 1.0, context: AnimationContext())
        base = .spring(spring, initialVelocity: velocity, end: end)
      case .delay(let next, let seconds):
        modifiers.append(.delay(seconds))
        inner = next
      case .speed(let next, let speed):
        guard speed > 0 else { return nil }
        modifiers.append(.speed(speed))
        inner = next
      case .repeat(let next, let count, let autoreverses):
        let length = next.endTime(value: 1.0, context: AnimationContext())
        let end = count.map { Double($0) * length } ?? .infinity
        modifiers.append(.legs(length: length, end: end, autoreverses: autoreverses))
        inner = next
      case .logicallyComplete(let next, _):
        inner = next
      case .spring(let spring):
        guard includesSprings, spring.duration > 0 else { return nil }
        let end = inner.endTime(value: 1.0, context: AnimationContext())
        base = .spring(spring, initialVelocity: 0, end: end)
      case .custom:
        return nil
      }
    }
    guard let base else { return nil }
    let isPlain = if case .curve = animation.structure { true } else { false }
    form = ProgressForm(base, modifiers, source: isPlain ? nil : animation)
    self.duration = duration
    end = animation.endTime(value: 1.0, context: AnimationContext())
    logicalEnd = animation.logicalEndTime(value: 1.0, context: AnimationContext())
    if end.isFinite, !endsAsCurve {
      // A negative delay may lead beyond the end of a way back: then the animation is over before it begins.
      endsAtTarget = state(at: end).progress == 1 || computed(at: end).progress == 1
    }
  }
}

// MARK: - Legs

/// A span of time in which the clock of an animation's base runs evenly.
struct CurveLeg {
  /// Added to the base's progress after its multiplication by `scale`.
  var offset = 0.0
  /// 1, or −1 on a way back.
  var scale = 1.0
  /// When the base's clock shows 0.
  var zero = 0.0
  /// Seconds of the base's clock per second, while it runs.
  var rate = 1.0
  /// The last moment that belongs to it.
  var until = Double.infinity
  /// Whether the base waits at its start.
  var waits = false
  /// Whether the base is at its end, though rounding may leave its clock just short of it.
  var isOver = false

  /// Enters the leg of a repeat that a time of its clock belongs to.
  fileprivate mutating func enter(_ local: Double, length: Double, end: Double, autoreverses: Bool) {
    guard isOver || !waits else { return }
    guard length > 0 else {
      isOver = true
      return
    }
    guard length < .infinity else { return }
    // Where a leg around this one is over, this is the last one, at its end.
    let isPast = isOver || local > end
    let local = isPast ? end : local
    var index = 0.0
    if local > length {
      index = (local / length).rounded(.up) - 1
      // The quotient is rounded. The boundaries, which are products, decide.
      if index * length >= local {
        index -= 1
      } else if (index + 1) * length < local {
        index += 1
      }
    }
    if !isPast { until = min(until, zero + (index + 1) * length / rate) }
    zero += index * length / rate
    isOver = local >= (index + 1) * length
    if autoreverses, index.truncatingRemainder(dividingBy: 2) != 0 {
      offset += scale
      scale = -scale
    }
  }

  /// The time that the base's clock shows.
  func local(_ time: Double) -> Double { waits ? 0 : max(0, (time - zero) * rate) }
}

extension Progress {
  /// The leg that a time belongs to; the moment between two belongs to the earlier one.
  func leg(at time: Double) -> CurveLeg {
    var leg = CurveLeg()
    for modifier in form.modifiers {
      let local = leg.waits ? 0 : (time - leg.zero) * leg.rate
      switch modifier {
      case .delay(let seconds):
        leg.zero += seconds / leg.rate
        if !leg.waits, local < seconds {
          leg.waits = true
          leg.until = min(leg.until, leg.zero)
        }
      case .speed(let speed):
        leg.rate *= speed
      case .legs(let length, let end, let autoreverses):
        leg.enter(local, length: length, end: end, autoreverses: autoreverses)
      }
    }
    return leg
  }

  /// The progress at a time, and its rate of change per second.
  func state(at time: Double) -> (progress: Double, velocity: Double) {
    guard time <= end else { return (1, 0) }
    if form.isComputed { return computed(at: time) }
    let leg = leg(at: time)
    let local = leg.local(time)
    // Nothing of the base shows before the wait is over.
    if leg.waits { return (leg.offset + (leg.isOver ? leg.scale : 0), 0) }
    var (covered, velocity) = (1.0, 0.0)
    switch form.base {
    case .curve(let curve):
      if duration > 0, local < duration, !leg.isOver {
        covered = curve.value(at: local / duration)
      }
      if leg.rate > 0, duration > 0, time >= leg.zero {
        let slope = curve.velocity(at: min(local / duration, 1)) / duration
        // No motion could go on with the infinite velocity of an upright end.
        velocity = slope.isFinite ? slope : 0
      }
    case .spring(let spring, let initialVelocity, let end):
      if local < end, !leg.isOver {
        covered = spring.value(target: 1.0, initialVelocity: initialVelocity, time: local)
      }
      if leg.rate > 0, local < end {
        velocity = spring.velocity(target: 1.0, initialVelocity: initialVelocity, time: local)
      }
    }
    return (leg.offset + leg.scale * covered, leg.scale * leg.rate * velocity)
  }
}

// MARK: - Without a table

extension Progress {
  /// A line from −1 to 3.
  static let computedCurve = UnitCurve.linear(points: [.init(output: -1), .init(output: 3)])

  /// The progress at a time, and its rate of change, as the animation tells them.
  private func computed(at time: Double) -> (progress: Double, velocity: Double) {
    // A vector of one, as the model's code for vectors is there already.
    let (way, context) = (TrackVector(count: 1) { _ in 1 }, AnimationContext<TrackVector>())
    var changed = context
    let covered = animation.animate(value: way, time: time, context: &changed)
    let velocity = animation.velocity(value: way, time: time, context: context)?[0] ?? 0
    // No motion could go on with the infinite velocity of an upright end.
    return (covered?[0] ?? 1, velocity.isFinite ? max(-1e20, min(velocity, 1e20)) : 0)
  }
}

/// The parts of a progress, except for the duration of its curve. Plain curves of one shape share a form, so a track
/// that sets out along one takes no memory for it.
final class ProgressForm: Sendable {
  enum Base: Hashable, Sendable {
    case curve(UnitCurve)
    case spring(Spring, initialVelocity: Double, end: Double)
  }

  let base: Base
  let modifiers: [Progress.Modifier]
  /// The animation, if it is modified or a spring. The animation of a plain curve is made when it is asked for.
  let source: Animation?
  /// Whether its animation is asked for the progress in each frame, as no table has it.
  let isComputed: Bool
  /// For a modified spring that took over from its like: when it did, in seconds from the start of the run. A spring shows
  /// the motion, and the progress is 0 until its end.
  let elapsed: Double?

  init(
    _ base: Base, _ modifiers: [Progress.Modifier] = [], source: Animation? = nil, isComputed: Bool = false,
    elapsed: Double? = nil
  ) {
    (self.base, self.modifiers, self.source) = (base, modifiers, source)
    (self.isComputed, self.elapsed) = (isComputed, elapsed)
  }
}

/// A modified animation, shared by the tracks of one call.
final class CurveProgram: Sendable {
  let progress: Progress
  init(_ progress: Progress) { self.progress = progress }
}

extension CurveProgram {
  /// The program of an animation that is modified, or an interpolating spring; nil for a custom animation.
  convenience init?(_ animation: Animation) {
    guard !animation.isCustom else { return nil }
    let progress = Progress(animation, includesSprings: true)
    if let progress, CurveProgram(progress).isSteady { self.init(progress) } else { self.init(computing: animation) }
  }

  /// The program of an animation that is computed track by track.
  convenience init(computing animation: Animation) { self.init(Progress(computing: animation)) }

  /// Whether kernels can follow it: its clock takes time, and so does each of its legs. While it waits, kernels show the
  /// start of its curve, which then must be the start of the way.
  fileprivate var isSteady: Bool {
    // An animation that begins in the middle, and is modified further.
    let skips = progress.modifiers.dropFirst().contains { if case .delay(..<0) = $0 { true } else { false } }
    if skips { return false }
    if case .curve(let curve) = progress.form.base, curve.value(at: 0) != 0,
      progress.modifiers.contains(where: { if case .delay(0.nextUp...) = $0 { true } else { false } })
    {
      return false
    }
    var shortest = progress.clockLength
    for modifier in progress.modifiers.reversed() {
      switch modifier {
      case .delay: break
      case .speed(let speed): shortest /= speed
      case .legs(let length, _, _): shortest = min(shortest, length)
      }
    }
    return shortest >= CurveMotions.shortest && progress.clockLength < .infinity
  }

  /// Whether it takes over from another one, as a modified spring does from one with the same modifiers.
  func takesOver(from other: CurveProgram) -> Bool {
    var context = AnimationContext<TrackVector>()
    let way = TrackVector(count: 1) { _ in 1 }
    return progress.animation.shouldMerge(previous: other.progress.animation, value: way, time: 0, context: &context)
  }
}
