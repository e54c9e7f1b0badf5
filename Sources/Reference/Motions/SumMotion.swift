// SPDX-License-Identifier: MIT
package import Murmuration

/// A track whose target is changed by animations of any kind, as the model's ``AnimatedValue`` has it: effects add up, and
/// springs take over. With the error that a batch may show beside it.
package struct SumMotion: ReferenceMotion {
  /// How a batch evaluates the track, which its error follows from.
  package enum Evaluation: Sendable {
    /// By kernels: curves as fitted pieces, and effects added in Float.
    case fitted
    /// By the model, in Double: what is shown is rounded, and so is the place from which a spring takes over.
    case called
    /// By either: the batch does not tell.
    case either
  }

  /// An animation under way.
  private struct Entry {
    let animation: Animation
    /// By how much it changed the target.
    let way: [Double]
    let start: Double
  }

  package let dimensions: Int
  package var evaluation = Evaluation.fitted
  /// The tolerance with which curves are fitted, as a share of the way.
  private let curveTolerance: Double
  private var value: AnimatedValue<DoubleVector>
  /// The animations since the track stood still.
  private var entries: [Entry] = []
  /// The errors in value that the batch started with.
  private var inherited: [Double]
  /// The motion to which effects are added, what it heads for, and from when on the model may have it there; nil if the track
  /// stood still.
  private var continued: (motion: any ReferenceMotion, target: [Double], mayEndAt: Double)?
  /// Components of targets behind those of the track.
  private var tail: [Double] = []
  /// The largest magnitude of a value or a target so far.
  private var largest: Double
  /// The springs that took over since the track stood still, and the largest natural frequency and velocity of one.
  private var takeovers = 0
  private var fastest = 0.0
  private var speed = 0.0

  /// A track that stands still.
  package init(_ values: [Float], curveTolerance: Double) {
    self.init(at: values.map { MotionSample(value: Double($0), velocity: 0) }, curveTolerance: curveTolerance)
  }

  /// A track that stands still where others have brought it.
  package init(at samples: [MotionSample], curveTolerance: Double) {
    value = AnimatedValue(DoubleVector(samples.map(\.value)))
    inherited = samples.map(\.bound.value)
    self.curveTolerance = curveTolerance
    dimensions = samples.count
    largest = samples.reduce(0) { max($0, abs($1.value)) }
  }

  /// A track that goes on with another motion, to which effects can be added.
  ///
  /// - Parameters:
  ///   - origin: When the track left where it stood, which is before `time`.
  ///   - target: What the other motion heads for.
  ///   - end: When a batch may first have the other motion at its target, for good.
  package init(
    continuing other: any ReferenceMotion, since origin: Double, to target: [Double], mayEndAt end: Double,
    at time: Double, curveTolerance: Double
  ) {
    let base = other.samples(at: time).map(\.value)
    self.init(at: base.map { MotionSample(value: $0, velocity: 0) }, curveTolerance: curveTolerance)
    let motion = ContinuedMotion(motion: other, base: base, origin: origin)
    // A component more: what ends where it began is a motion too.
    tail = [1]
    value = AnimatedValue(DoubleVector(base))
    value.retarget(to: DoubleVector(target + tail), with: Animation(motion), at: origin)
    continued = (other, target, end)
  }

  // MARK: - Changes

  /// Sends the track to a target; nil jumps.
  package mutating func animate(to target: [Double], with animation: Animation?, at time: Double) {
    // A change at the end of a curve finds it finished, whatever the two moments are rounded to.
    let isAtEnd = abs(value.endTime - time) <= 8 * time.ulp
    // One that has not begun yet starts from what it was given.
    if animation == nil || !entries.isEmpty && (isAtEnd || value.isFinished(at: time)) {
      entries = []
      takeovers = 0
      continued = nil
      inherited = inherited.map { _ in 0 }
    }
    note(at: time)
    var way = target.indices.map { abs(target[$0] - value.target[$0]) }
    if continued == nil, entries.first?.start == time {
      // What begins at the very moment of the first takes its place, and covers both ways.
      for entry in entries { way = zip(way, entry.way).map(+) }
      entries = []
    }
    value.retarget(to: DoubleVector(target + tail), with: animation, at: time)
    guard let animation else { return note(at: time) }
    entries.append(Entry(animation: animation, way: way, start: time))
    if case .spring(let spring) = animation.structure {
      takeovers += 1
      fastest = max(fastest, spring.naturalFrequency)
    }
    note(at: time)
  }

  /// Notes how large numbers are at a time.
  private mutating func note(at time: Double) {
    let (shown, moving) = (value.value(at: time), value.velocity(at: time))
    for dimension in 0..<dimensions {
      largest = max(largest, abs(shown[dimension]), abs(value.target[dimension]))
      speed = max(speed, abs(moving[dimension]))
    }
  }

  /// Lets the time pass, for animations that step from one call to the next.
  package mutating func advance(to time: Double) { value.advance(to: time) }

  // MARK: - Reading

  package func sample(_ dimension: Int, at time: Double) -> MotionSample {
    let exact = value.value(at: time)[dimension]
    let velocity = value.velocity(at: time)[dimension]
    var bound = startBound(dimension, at: time)
    let largest = max(largest, abs(exact))
    let fitted = fittedBound(dimension, largest)
    let called = calledBound(largest, max(speed, abs(velocity)))
    switch evaluation {
    case .fitted: bound.add(fitted)
    case .called: bound.add(called)
    case .either:
      bound.add(
        ErrorBound(value: max(fitted.value, called.value), velocity: max(fitted.velocity, called.velocity)))
    }
    return MotionSample(value: exact, velocity: velocity, bound: bound)
  }

  /// The error that comes of what effects are added to.
  ///
  /// Each effect goes a share p of the way from there to its target, so that 1 − p of an error e is left, and in velocity
  /// 1 − p of its own and e · dp/dt.
  private func startBound(_ dimension: Int, at time: Double) -> ErrorBound {
    var bound = ErrorBound(value: inherited[dimension])
    if let (motion, target, end) = continued {
      var sample = motion.sample(dimension, at: time)
      if time >= end { sample.allow(MotionSample(value: target[dimension], velocity: 0)) }
      bound.add(sample.bound)
    }
    guard bound != ErrorBound() else { return bound }
    var (left, rate) = (1.0, 0.0)
    for entry in entries {
      var context = AnimationContext<Double>()
      let covered = entry.animation.animate(value: 1.0, time: time - entry.start, context: &context)
      let pace = covered.flatMap { _ in
        entry.animation.velocity(value: 1.0, time: time - entry.start, context: context)
      }
      rate = rate * (1 - (covered ?? 1)) - left * (pace ?? 0)
      left *= 1 - (covered ?? 1)
    }
    return ErrorBound(value: abs(left) * bound.value, velocity: abs(left) * bound.velocity + abs(rate) * bound.value)
  }

  private func fittedBound(_ dimension: Int, _ largest: Double) -> ErrorBound {
    var bound = ErrorBound(value: 2 * ErrorBound.rounding(of: largest))
    var way = 0.0
    for entry in entries {
      // Later animations go from where earlier ones have got to, which may be as far as these go.
      way += entry.way[dimension]
      guard let own = entry.animation.bound(way: way, tolerance: curveTolerance) else {
        return ErrorBound(value: .infinity, velocity: .infinity)
      }
      bound.add(own)
    }
    return bound
  }

  private func calledBound(_ largest: Double, _ speed: Double) -> ErrorBound {
    let rounding = ErrorBound.rounding(of: largest)
    // Double has 29 digits more, and hardly loses ten of them.
    return ErrorBound(
      value: Double(takeovers + 1) * rounding + 1e-12 * largest,
      velocity: Double(takeovers) * rounding * fastest + ErrorBound.rounding(of: speed) + 1e-12 * speed)
  }

  /// What a dimension heads for.
  package func target(_ dimension: Int) -> Float { Float(value.target[dimension]) }

  /// Whether the track is at its target for good.
  package func isFinished(at time: Double) -> Bool { value.isFinished(at: time) }

  /// When the last animation is logically complete.
  package var logicalEnd: Double { value.logicalEndTime }

  /// When the track is at its target.
  package var end: Double { value.endTime }
}

/// A motion of a track as an animation, so that the effects of others add to it. It goes its own way, whatever it is asked
/// to cover.
private struct ContinuedMotion: CustomAnimation {
  let motion: any ReferenceMotion
  /// The value from which the animation counts.
  let base: [Double]
  /// The clock's time from which it counts.
  let origin: Double

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    DoubleVector(base.indices.map { motion.sample($0, at: origin + time).value - base[$0] }) as? V ?? .zero
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    DoubleVector(base.indices.map { motion.sample($0, at: origin + time).velocity }) as? V ?? .zero
  }

  static func == (a: ContinuedMotion, b: ContinuedMotion) -> Bool {
    a.base == b.base && a.origin == b.origin
  }

  func hash(into hasher: inout Hasher) { hasher.combine(origin) }
}
