// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

extension Animation {
  /// The share of the way covered at a time, from rest; nil when finished.
  func share(at time: Double) -> Double? {
    var context = AnimationContext<Double>()
    return animate(value: 1, time: time, context: &context)
  }

  /// The rate of change of that share.
  func pace(at time: Double) -> Double? { velocity(value: 1.0, time: time, context: AnimationContext()) }

  /// Whether the animation says at a time that it is logically complete.
  func isLogicallyComplete(at time: Double) -> Bool {
    var context = AnimationContext<Double>()
    _ = animate(value: 1.0, time: time, context: &context)
    return context.isLogicallyComplete
  }

  var length: Double { endTime(value: 1.0, context: AnimationContext()) }
  var logicalLength: Double { logicalEndTime(value: 1.0, context: AnimationContext()) }
}

@Suite struct AnimationTests {
  @Test func defaultsAreSwiftUIs() {
    #expect(Animation.spring == .spring(duration: 0.5, bounce: 0))
    #expect(Animation.spring() == .spring)
    #expect(Animation.default == .spring)
    #expect(Animation.smooth == .spring(Spring(duration: 0.5, bounce: 0)))
    #expect(Animation.snappy == .spring(Spring(duration: 0.5, bounce: 0.15)))
    #expect(Animation.bouncy == .spring(Spring(duration: 0.5, bounce: 0.3)))
    #expect(Animation.bouncy(duration: 0.7, extraBounce: 0.1) == .spring(duration: 0.7, bounce: 0.3 + 0.1))
    #expect(Animation.spring(dampingFraction: 0.6) == .spring(Spring(response: 0.5, dampingRatio: 0.6)))
    #expect(Animation.spring(response: 0.3) == .spring(Spring(response: 0.3, dampingRatio: 0.825)))
    #expect(Animation.interactiveSpring == .spring(Spring(response: 0.15, dampingRatio: 0.86), blendDuration: 0.25))
    let interactive = Animation.spring(Spring(duration: 0.2, bounce: 0.15), blendDuration: 0.25)
    #expect(Animation.interactiveSpring(duration: 0.2) == interactive)
    for curve in [Animation.linear, .easeIn, .easeOut, .easeInOut, .timingCurve(0.1, 0.2, 0.3, 0.4)] {
      #expect(curve.length == 0.35)
    }
    #expect(Animation.easeInOut(duration: 1) == .timingCurve(0.42, 0, 0.58, 1, duration: 1))
    #expect(Animation.linear(duration: 2) == .timingCurve(.linear, duration: 2))
  }

  @Test func equalityAndHashesAreStructural() {
    let animations: [Animation] = [
      .linear, .easeIn, .spring, .bouncy, .interpolatingSpring, .linear.delay(1), .linear.delay(2),
      .linear.speed(1), .linear.repeatCount(2), .linear.repeatCount(2, autoreverses: false),
      .linear.repeatForever(), .linear.logicallyComplete(after: 1), .spring(blendDuration: 1),
    ]
    #expect(Set(animations).count == animations.count)
    #expect(Set(animations + animations).count == animations.count)
    #expect(Animation.linear.delay(1).speed(2) != .linear.speed(2).delay(1))
  }

  @Test("A spring ends when a ten-thousandth of the way is left, whatever the unit", arguments: [0.5, 0.15, 0, -0.4])
  func springsEnd(_ bounce: Double) throws {
    let animation = Animation.spring(duration: 0.4, bounce: bounce)
    let end = animation.length
    #expect(animation.share(at: end.nextUp) == nil)
    #expect(animation.pace(at: end.nextUp) == 0)
    // From here on the spring is within the tolerance, in value, and in velocity divided by its frequency.
    #expect(abs(try #require(animation.share(at: end)) - 1) < 0.000_100_001)
    let slowest: Double = 0.000_100_001 * 2 * .pi / 0.4
    #expect(abs(try #require(animation.pace(at: end))) < slowest)
    #expect(abs(animation.endTime(value: 1e6, context: AnimationContext()) - end) < 1e-9)
    #expect(animation.logicalLength == 0.4)
    #expect(!animation.isLogicallyComplete(at: 0.4.nextDown) && animation.isLogicallyComplete(at: 0.4))
  }

  /// `SpringSettlingTests` has the recorded durations.
  @Test("Interpolating springs last as long as Core Animation's", arguments: [10.0, 1, 20, 100])
  func interpolatingSpringsEnd(_ damping: Double) {
    let animation = Animation.interpolatingSpring(mass: 1, stiffness: 100, damping: damping)
    #expect(animation.length == Spring(mass: 1, stiffness: 100, damping: damping).coreAnimationSettlingDuration())
    #expect(animation.share(at: animation.length) == nil && animation.share(at: animation.length.nextDown) != nil)
    #expect(animation.logicalLength == min(animation.length, 2 * .pi / 10))
  }

  @Test func interpolatingSpringsAreNeverOverdamped() {
    let critical = Animation.interpolatingSpring(stiffness: 100, damping: 20)
    let over = Animation.interpolatingSpring(Spring(mass: 1, stiffness: 100, damping: 50, allowOverDamping: true))
    #expect(over.share(at: 0.1) == critical.share(at: 0.1))
    let thrown = Animation.interpolatingSpring(duration: 0.5, bounce: 0, initialVelocity: 3)
    #expect(thrown.pace(at: 0) == 3)
    var context = AnimationContext<Double>()
    #expect(thrown.animate(value: 200, time: 0.1, context: &context) == 200 * (thrown.share(at: 0.1) ?? .nan))
  }

  @Test func curvesEndAfterTheirDuration() {
    let animation = Animation.timingCurve(.easeIn, duration: 2)
    #expect(animation.share(at: 0) == 0 && animation.share(at: 2) == 1 && animation.share(at: 2.0.nextUp) == nil)
    #expect(animation.share(at: 1) == UnitCurve.easeIn.value(at: 0.5))
    #expect(animation.pace(at: 1) == UnitCurve.easeIn.velocity(at: 0.5) / 2)
    #expect(animation.share(at: -1) == 0 && animation.pace(at: -1) == 0)
    #expect(animation.length == 2 && animation.logicalLength == 2)
    for duration in [0, -1, .nan] {
      #expect(Animation.linear(duration: duration).share(at: 0) == nil)
    }
    // A curve may overshoot.
    #expect((Animation.timingCurve(0.3, -1, 0.7, 2, duration: 1).share(at: 0.2) ?? 0) < 0)
  }

  @Test(arguments: [(0, 0), (0, 1), (-1, 0), (.nan, 0), (0.5, .nan), (0.5, -2), (.infinity, 0), (0.5, 7)])
  func impossibleSpringsNeitherTrapNorGiveNaN(_ duration: Double, _ bounce: Double) {
    for animation in [
      Animation.spring(duration: duration, bounce: bounce), .interpolatingSpring(duration: duration, bounce: bounce),
    ] {
      for time in [0, 0.1, 1, 1e9] { #expect(animation.share(at: time)?.isNaN != true, "at \(time)") }
    }
  }
}
