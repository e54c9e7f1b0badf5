// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// When sums of effects end, and what custom animations can do. (Random programs compare the sums and the merges of
/// springs with batches.)
@Suite struct CombinedAnimationTests {
  @Test("The whole has finished exactly when the last has", arguments: [0.25, 0.5, 3])
  func endsWithTheLast(_ length: Double) {
    let value = AnimatedValue(from: 0, (10, .linear(duration: 2), 0), (-10, .easeInOut(duration: length), 0.5))
    #expect(value.endTime == 0.5 + length && value.logicalEndTime == 0.5 + length)
    #expect(!value.isFinished(at: 0.5 + length) && value.isFinished(at: (0.5 + length).nextUp))
    #expect(value.value(at: (0.5 + length).nextUp) == -10)
  }

  /// An effect that leads back to where the value stood takes its time, also while the first effect has not moved the
  /// value yet, and it still counts when another one is added.
  @Test(arguments: [1, 3]) func anEffectThatLeadsBackTakesItsTime(_ count: Int) {
    let spring = Animation.spring(duration: 0.5, bounce: 0.25)
    let back = spring.delay(0.25).repeatCount(count, autoreverses: false)
    var value = AnimatedValue(from: 0, (8, .timingCurve(.steps(2), duration: 1), 0), (0, back, 0.125))
    let length = spring.length + 0.25
    #expect(value.endTime == 0.125 + Double(count) * length)
    #expect(value.logicalEndTime == 0.125 + ((Double(count) - 1) * length + 0.75))
    #expect(!value.isFinished(at: 0.4375) && value.isFinished(at: value.endTime + 1e-9))
    let shown = value.value(at: 0.625)
    #expect(abs(shown) > 0.1)
    value.retarget(to: 3, with: .linear(duration: 1), at: 0.625)
    #expect(value.value(at: 0.625) == shown && value.endTime == 1.625)
  }

  @Test func endlessRepeatsAreReplacedByWhatFollows() {
    var value = AnimatedValue(from: 0, (10, .linear(duration: 0.25).repeatForever(), 0))
    #expect(value.endTime == .infinity)
    value.retarget(to: 0, with: .easeOut(duration: 0.5), at: 10.125)
    #expect(value.value(at: 10.125) == 5 && value.endTime == 10.625 && value.value(at: 11) == 0)
  }

  /// A long sequence of additions keeps only the animations that still move.
  @Test func finishedAnimationsAreForgotten() {
    var value = AnimatedValue(0.0)
    for step in 0..<1000 {
      value.retarget(to: Double(step % 7) + 1, with: .linear(duration: 0.5), at: Double(step) * 0.25)
      #expect(value.activeAnimationCount <= 4)
    }
    #expect(value.value(at: 1e6) == Double(999 % 7) + 1)
    #expect(value.endTime == 999 * 0.25 + 0.5)
  }

  // MARK: Modified animations

  /// A negative delay skips the beginning of a spring, but nothing of the spring shows before the delays around it are over.
  /// So a spring that takes over while they last takes over nothing: it sets out when they end, from where it skips to.
  @Test(arguments: [(-0.5, 0.625, 0.125), (-0.25, 0.75, 0.5), (-2, 1, 0)])
  func aSpringThatWaitsHandsOverNoMotion(_ skipped: Double, _ wait: Double, _ change: Double) {
    let (spring, start) = (Spring(duration: 0.375, bounce: 0.5), 8.0)
    let delayed = Animation.spring(spring).delay(skipped).delay(wait / 4).delay(wait * 3 / 4)
    let value = AnimatedValue(from: start, (100, delayed, 2), (-4, delayed, 2 + change))
    #expect(value.value(at: (2 + wait).nextDown) == start && value.velocity(at: (2 + wait).nextDown) == 0)
    for seconds in [0, 0.125, 1] {
      let (target, shown) = (-4 - start, -skipped + seconds)
      let end = spring.relativeRestTime(target: 1, initialVelocity: 0)
      let expected = shown > end ? target : spring.value(target: target, time: shown)
      #expect(abs(value.value(at: 2 + wait + seconds) - start - expected) < 1e-12)
    }
    #expect(abs(value.logicalEndTime - (2 + wait + max(0, 0.375 + skipped))) < 1e-12)
  }

  // MARK: Custom animations

  /// Steps a lagging pursuit, one call at a time, and continues its predecessor of the same kind.
  struct Pursuit: CustomAnimation {
    struct State<V: VectorArithmetic>: AnimationStateKey {
      var reached = V.zero
      var calls = 0
      static var defaultValue: State { State() }
    }

    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      context.state[State<V>.self].reached.interpolate(towards: value, amount: 0.5)
      context.state[State<V>.self].calls += 1
      context.isLogicallyComplete = time >= 0.5
      return time < 1 ? context.state[State<V>.self].reached : nil
    }

    func shouldMerge<V: VectorArithmetic>(
      previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
    ) -> Bool {
      previous.base is Pursuit
    }
  }

  @Test func customAnimationsStepWhenToldTo() {
    var value = AnimatedValue(from: 0, (8, Animation(Pursuit()), 0))
    // Reading changes nothing.
    #expect(value.value(at: 0.1) == 4 && value.value(at: 0.1) == 4)
    value.advance(to: 0.1)
    #expect(value.value(at: 0.2) == 6)
    // The state goes on: 4 of 8 have been covered, then 6, and the new way is 16.
    value.retarget(to: 16, with: Animation(Pursuit()), at: 0.2)
    #expect(value.value(at: 0.3) == 11)
    #expect(value.endTime == 1.0.nextDown && value.logicalEndTime == 0.5.nextDown)
    #expect(value.value(at: 1) == 16)
    #expect(value.velocity(at: 0.3) == 0)
  }

  @Test func statesAreKeptByKeyAndType() {
    var context = AnimationContext<Double>()
    context.state[Pursuit.State<Double>.self].reached = 3
    #expect(
      context.state[Pursuit.State<Float>.self].reached == 0 && context.state[Pursuit.State<Double>.self].reached == 3)
    context.isLogicallyComplete = true
    let other = context.withState(AnimationState<Float>())
    #expect(other.isLogicallyComplete && other.state[Pursuit.State<Float>.self].calls == 0)
  }

  /// A moment has the value, velocity and ends that the other reads give.
  @Test(
    arguments: [
      .bouncy(duration: 0.4), .linear(duration: 0.5), .easeInOut(duration: 0.25).delay(0.25),
      .linear(duration: 0.25).repeatForever(), .smooth(duration: 0.5).speed(2).logicallyComplete(after: 0.125),
      Animation(Pursuit()), .steady(duration: 0.5),
    ] as [Animation])
  func momentsAreWhatReadsGive(_ animation: Animation) {
    var value = AnimatedValue(from: 1, (4, .easeOut(duration: 1), 0), (10, animation, 0.25))
    for time in stride(from: 0.25, through: 2, by: 0.0625) {
      value.advance(to: time)
      let moment = value.moment(at: time)
      #expect(moment.value == value.value(at: time))
      #expect(moment.hasArrived == value.isFinished(at: time.nextUp))
      #expect(moment.velocity == (moment.hasArrived ? 0 : value.velocity(at: time)))
      #expect(moment.isLogicallyComplete == (time >= value.logicalEndTime))
    }
  }
}
