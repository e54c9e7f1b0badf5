// SPDX-License-Identifier: MIT

/// A value on its way to a target, through any number of changes of that target.
///
/// ```swift
/// var height = AnimatedValue(0.0)
/// height.retarget(to: 100, with: .smooth, at: 0)
/// height.retarget(to: 40, with: .bouncy, at: 0.2)  // keeps position and velocity
/// print(height.value(at: 0.3))
/// ```
///
/// Time is an argument, in seconds on any clock of yours; there is no hidden one. The value can be read at any time from
/// the last change on, in any order. An earlier time reads as the time of the last change, NaN as the end of the motion.
public struct AnimatedValue<Value: Animatable> {
  /// Where the value is heading; at the end it is exactly this.
  public private(set) var target: Value

  package private(set) var run: Run?

  /// When the target was last changed.
  package private(set) var changeTime = -Double.infinity

  /// One run: from its first change until the animations of all its changes have finished.
  package struct Run: Sendable {
    package var animation: Animation
    package var context: AnimationContext<Value.AnimatableData>
    /// The way from the value at the start to the target.
    package var interval: Value.AnimatableData
    package var start: Double
    /// Whether the value moved before the run.
    package var continues = false

    package init(
      animation: Animation, context: AnimationContext<Value.AnimatableData>, interval: Value.AnimatableData,
      start: Double, continues: Bool = false
    ) {
      (self.animation, self.context, self.interval) = (animation, context, interval)
      (self.start, self.continues) = (start, continues)
    }
  }

  /// A value with its run, as another one told them.
  package init(target: Value, run: Run?, changeTime: Double) {
    (self.target, self.run, self.changeTime) = (target, run, changeTime)
  }

  /// A value at rest.
  public init(_ value: Value) { target = value }

  /// A value that a spring moves from `time` on, with a velocity at that time in units per second. A change at that very
  /// time adds to the motion instead of replacing it.
  package init(
    _ value: Value, velocity: Value.AnimatableData, target: Value, with spring: Spring, at time: Double
  ) {
    self.target = target
    changeTime = time
    var context = AnimationContext<Value.AnimatableData>()
    context.state.springStart = SpringStart(time: 0, offset: .zero, velocity: velocity)
    run = Run(
      animation: .spring(spring), context: context, interval: target.animatableData - value.animatableData,
      start: time, continues: true)
  }
}

extension AnimatedValue {
  /// A value that an animation moves from `time` on, also if it comes back to where it is.
  init(_ value: Value, target: Value, at time: Double, with animation: Animation) {
    self.target = target
    changeTime = time
    run = Run(
      animation: animation, context: AnimationContext(), interval: target.animatableData - value.animatableData,
      start: time, continues: true)
  }
}

extension AnimatedValue: Sendable where Value: Sendable {}

// MARK: - Changes

extension AnimatedValue {
  /// Changes the target at a time. The value gets there with `animation`, or at once if that is nil.
  ///
  /// A spring continues the motion under way with its position and velocity. Curves, interpolating springs and modified
  /// animations of another kind add their effect to it. A change at the moment at which the motion began replaces the
  /// animation. A target whose animatable part stays the same changes nothing, except that an animation of nil stops the
  /// motion. A time before the last change counts as the time of the last change.
  public mutating func retarget(to newTarget: Value, with animation: Animation? = .default, at time: Double) {
    let now = time > changeTime ? time : changeTime
    let difference = newTarget.animatableData - target.animatableData
    target = newTarget
    guard let animation else {
      changeTime = now
      run = nil
      return
    }
    guard difference != .zero else { return }
    let isIdle = isFinished(at: now)
    advance(to: now)
    changeTime = now
    guard var run, !isIdle else {
      self.run = Run(animation: animation, context: AnimationContext(), interval: difference, start: now)
      return
    }
    let elapsed = now - run.start
    if elapsed == 0, !run.continues {
      self.run = Run(
        animation: animation, context: AnimationContext(), interval: run.interval + difference, start: run.start)
      return
    }
    run.context.isLogicallyComplete = false
    let newInterval = run.interval + difference
    var merged = run.context
    if animation.shouldMerge(previous: run.animation, value: run.interval, time: elapsed, context: &merged) {
      run.animation = animation
      run.context = merged
    } else {
      run.animation = CombinedAnimation.combining(
        run.animation, towards: run.interval, with: animation, towards: newInterval, at: elapsed,
        context: &run.context)
    }
    run.interval = newInterval
    self.run = run
  }

  /// Moves all motion to a later time, as after a pause.
  package mutating func delay(by seconds: Double) {
    changeTime += seconds
    run?.start += seconds
  }

  /// Lets all motion go on at another pace from a time on, from the value that it has then.
  ///
  /// - Parameter ratio: The new pace divided by the present one, above 0.
  package mutating func pace(by ratio: Double, at time: Double) {
    changeTime = time.paced(changeTime, by: ratio)
    guard let run else { return }
    self.run?.animation = run.animation.paced(by: ratio)
    self.run?.start = time.paced(run.start, by: ratio)
  }

  /// Lets time pass for custom animations that step from one call to the next. Other animations do not need it.
  ///
  /// Reading a value never changes anything: a stepping animation starts from the last call of this method.
  public mutating func advance(to time: Double) {
    guard var run else { return }
    let covered = run.animation.animate(
      value: run.interval, time: elapsed(at: time, in: run), context: &run.context)
    // A finished run stays, so that its end can still be read.
    if covered != nil { self.run = run }
  }
}

// MARK: - Reading

extension AnimatedValue {
  /// The value at a time.
  ///
  /// - Complexity: O(n) in the number of animations whose effects add up.
  public func value(at time: Double) -> Value {
    guard let run else { return target }
    var context = run.context
    let covered = run.animation.animate(value: run.interval, time: elapsed(at: time, in: run), context: &context)
    guard let covered else { return target }
    var value = target
    value.animatableData += covered - run.interval
    return value
  }

  /// The rate of change at a time, in units per second; zero when at rest.
  ///
  /// A custom animation that does not tell its velocity counts as at rest.
  public func velocity(at time: Double) -> Value.AnimatableData {
    guard let run, !isFinished(at: time) else { return .zero }
    return run.animation.velocity(value: run.interval, time: elapsed(at: time, in: run), context: run.context)
      ?? .zero
  }

  /// Whether the value has reached its target for good.
  public func isFinished(at time: Double) -> Bool {
    guard let run else { return true }
    var context = run.context
    return run.animation.animate(value: run.interval, time: elapsed(at: time, in: run), context: &context) == nil
  }

  /// Whether the value is exactly its target from a time on: also at its last moment, if that shows the target already.
  package func hasArrived(at time: Double) -> Bool { moment(at: time).hasArrived }

  /// All that a value shows at a time.
  package struct Moment {
    package var value: Value.AnimatableData
    /// Per second.
    package var velocity = Value.AnimatableData.zero
    /// Whether the value is exactly its target from then on.
    package var hasArrived = true
    /// Whether the motion is over as far as the user can tell.
    package var isLogicallyComplete = true
  }

  /// Evaluates the animation once. The result has ``value(at:)``, and ``velocity(at:)`` until the value arrives.
  package func moment(at time: Double) -> Moment {
    guard let run else { return Moment(value: target.animatableData) }
    var context = run.context
    let elapsed = elapsed(at: time, in: run)
    let covered = run.animation.animate(value: run.interval, time: elapsed, context: &context)
    guard let covered else { return Moment(value: target.animatableData) }
    var moment = Moment(value: target.animatableData + (covered - run.interval))
    moment.hasArrived =
      covered == run.interval && elapsed >= run.animation.endTime(value: run.interval, context: run.context)
    // An animation that knows its end by a formula need not be asked.
    moment.isLogicallyComplete =
      run.animation.knowsItsEnd ? time >= logicalEndTime : moment.hasArrived || context.isLogicallyComplete
    if !moment.hasArrived {
      moment.velocity =
        run.animation.velocity(value: run.interval, time: elapsed, context: run.context) ?? .zero
    }
    return moment
  }

  /// The time after which the value is exactly its target: infinite if it never is, minus infinity if it always was.
  public var endTime: Double {
    guard let run else { return changeTime }
    return run.start + run.animation.endTime(value: run.interval, context: run.context)
  }

  /// The time from which on the motion is over as far as the user can tell, although it may still settle.
  ///
  /// The last change decides: a spring is complete after its duration, a curve at its end. Infinite if never, and minus
  /// infinity if the value has never moved.
  public var logicalEndTime: Double {
    guard let run else { return changeTime }
    return run.start + run.animation.logicalEndTime(value: run.interval, context: run.context)
  }

  /// The animation that began last, which decides when the motion ends; nil before the first.
  package var latestAnimation: Animation? {
    guard let run, case .combined(let combined) = run.animation.form else { return run?.animation }
    return combined.entries.last?.animation
  }

  /// The number of animations whose effects add up: 1 for a spring, however often it was retargeted, and 0 before the
  /// first change. An animation that a change has found finished no longer counts.
  package var activeAnimationCount: Int {
    guard let run else { return 0 }
    guard case .combined(let combined) = run.animation.form else { return 1 }
    return combined.entries.count
  }

  private func elapsed(at time: Double, in run: Run) -> Double { max(time, changeTime) - run.start }
}

extension AnimatedValue<TrackVector> {
  /// Lets time pass as ``advance(to:)`` does, and returns the state that the value shows then.
  ///
  /// This is compiled for one type of vector, as code for any type looks up that type's operations at run time. With it, and
  /// without memory from the heap, a custom animation of two components takes 0.22 µs a frame in place of 0.81 (Zen 5).
  package mutating func step(to time: Double) -> Moment {
    advance(to: time)
    return moment(at: time)
  }
}
