// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@Suite struct AnimationModifierTests {
  /// Animations of about one second, and one that is defined outside the package.
  static let bases: [Animation] = [
    .linear(duration: 1), .easeInOut(duration: 1), .bouncy(duration: 0.6), .interpolatingSpring(duration: 0.5),
    .steady(duration: 1),
  ]
  static let times = (0...80).map { Double($0) * 0.03125 }

  @Test("A delay shifts time, and a speed scales it", arguments: bases)
  func delaysAndSpeeds(_ base: Animation) {
    let (delayed, fast) = (base.delay(0.5), base.speed(2))
    for time in Self.times {
      #expect(delayed.share(at: time) == base.share(at: max(0, time - 0.5)))
      #expect(delayed.pace(at: time) == (time < 0.5 ? 0 : base.pace(at: time - 0.5)))
      #expect(fast.share(at: time) == base.share(at: 2 * time))
      #expect(fast.pace(at: time) == base.pace(at: 2 * time).map { 2 * $0 })
    }
    #expect(delayed.length == base.length + 0.5 && delayed.logicalLength == base.logicalLength + 0.5)
    #expect(fast.length == base.length / 2 && fast.logicalLength == base.logicalLength / 2)
    #expect(base.delay(-0.25).share(at: 0.125) == base.share(at: 0.375))
    #expect(base.delay(0.25).delay(0.25).share(at: 0.75) == delayed.share(at: 0.75))
    #expect(base.speed(0).share(at: 1e9) == base.share(at: 0) && base.speed(0).length == .infinity)
    #expect(base.speed(-1).length == .infinity)
  }

  /// On a clock that runs backwards an animation stands at its start. Turned round twice, the clock runs forwards.
  @Test(arguments: bases.dropLast() + [.interpolatingSpring(duration: 0.5, bounce: 0.3, initialVelocity: 2)])
  func clocksRunBackwards(_ base: Animation) {
    let (back, twice) = (base.speed(-1), base.speed(-0.5).speed(1).speed(-2))
    for time in Self.times {
      #expect(twice.share(at: time) == base.share(at: time) && twice.pace(at: time) == base.pace(at: time))
      #expect(back.share(at: time) == 0)
      if time > 0 { #expect(back.pace(at: time) == 0) }
    }
    #expect(twice.length == base.length && twice.logicalLength == base.logicalLength)
    #expect(back.length == .infinity && back.speed(2).length == .infinity)
    #expect(base.logicallyComplete(after: 0).speed(0).logicalLength == 0 && base.speed(0).logicalLength == .infinity)
  }

  /// An animation that a negative delay starts at its end has no length. It stands while it is repeated.
  @Test func whatIsOverBeforeItsIterationsStands() {
    let repeated = Animation.linear(duration: 0.5).delay(-0.5).repeatForever()
    for time in [0, 0.25, 3] { #expect(repeated.share(at: time) == 1 && repeated.pace(at: time) == 0) }
  }

  @Test("Legs of a repeat follow each other", arguments: bases, [true, false])
  func repeatsPlayLegs(_ base: Animation, _ autoreverses: Bool) {
    let length = base.length
    let forever = base.repeatForever(autoreverses: autoreverses)
    let thrice = base.repeatCount(3, autoreverses: autoreverses)
    for leg in 0..<6 {
      for index in 1..<16 {
        let local = length * Double(index) / 16
        let isBack = autoreverses && leg % 2 == 1
        let share = base.share(at: local) ?? 1
        let expected = isBack ? 1 - share : share
        let time = Double(leg) * length + local
        #expect(abs((forever.share(at: time) ?? .nan) - expected) < 1e-9)
        let pace = (base.pace(at: local) ?? .nan) * (isBack ? -1 : 1)
        #expect(abs((forever.pace(at: time) ?? .nan) - pace) < 1e-6)
        #expect(thrice.share(at: time) == (leg < 3 ? forever.share(at: time) : nil))
      }
    }
    #expect(forever.length == .infinity && forever.logicalLength == .infinity)
    #expect(thrice.length == 3 * length)
    #expect(abs(thrice.logicalLength - (2 * length + base.logicalLength)) < 1e-12)
    #expect(base.repeatCount(1, autoreverses: autoreverses).length == length)
    #expect(base.repeatCount(-4, autoreverses: autoreverses).length == length)
  }

  /// Shares of animations at a few times.
  @Test(
    arguments: [
      // The order of modifiers matters: delays inside of a repeat are paid on each leg.
      (line.delay(1).speed(2), [0.75], [0.5]), (line.speed(2).delay(1), [1.25], [0.5]),
      (line.delay(1).repeatForever(autoreverses: false), [1.5, 2.5, 3.5], [0.5, 0, 0.5]),
      (line.repeatForever(autoreverses: false).delay(1), [1.5, 2.5, 3.5], [0.5, 0.5, 0.5]),
      // Boundaries show the end of the earlier leg. An even number of legs ends where it began, and jumps to the target.
      (quarter.repeatCount(4, autoreverses: false), [0, 0.25, 0.5, 0.75, 1], [0, 1, 1, 1, 1]),
      (quarter.repeatCount(4), [0, 0.25, 0.5, 0.75, 1, (1.0).nextUp], [0, 1, 0, 1, 0, nil]),
      (quarter.repeatForever(autoreverses: false), [1e9 + 0.0625], [0.25]),
      // A jump after a delay, up and down in turn. Without an end it does not show its end before it starts, either, and a
      // curve that begins higher shows nothing while it waits.
      (jump.delay(1).repeatCount(3), [0, 0.5, 1, 1.5, 2, 2.5, (3.0).nextUp], [0, 0, 1, 1, 0, 0, nil]),
      (jump.repeatForever().delay(1), [0, 0.5, 1, 9], [0, 0, 1, 1]),
      (.timingCurve(.steps(4, position: .jumpStart), duration: 1).delay(1), [0, 0.99, 1, 1.3], [0, 0, 0.25, 0.5]),
      // A repeat of nothing is over.
      (jump.repeatForever(), [3], [1]),
      (jump.repeatCount(5), [3], [nil]),
      // A repeat within a repeat ends where its last leg does, also if that is its start.
      (back.repeatCount(2, autoreverses: false), [0.3125, 0.375, 0.5, 0.501, 1, 1.001], [0.5, 1, 0, 0, 0, nil]),
      (back.repeatCount(3), [1], [1]),
      (quarter.repeatCount(3).repeatCount(2, autoreverses: false), [0.75], [1]),
    ] as [(Animation, [Double], [Double?])])
  func shares(_ animation: Animation, _ times: [Double], _ shares: [Double?]) {
    #expect(times.map { animation.share(at: $0) } == shares)
  }

  private static let (line, quarter) = (Animation.linear(duration: 1), Animation.linear(duration: 0.25))
  private static let jump = Animation.linear(duration: 0)
  private static let back = quarter.repeatCount(2).delay(0.5).speed(2)

  /// 0.1 has no exact form: some of these products, divided by it, are a rounding above a whole number.
  @Test func boundariesHoldInSpiteOfRounding() {
    let animation = Animation.linear(duration: 0.1).repeatForever(autoreverses: false)
    for leg in 1...1000 {
      let boundary = Double(leg) * 0.1
      #expect(animation.share(at: boundary) == 1, "leg \(leg)")
      #expect((animation.share(at: boundary.nextUp) ?? .nan) < 1e-9, "leg \(leg)")
    }
  }

  @Test func logicalCompletionComesNoLater() {
    let spring = Animation.spring(duration: 0.5)
    #expect(spring.logicallyComplete(after: 0.2).logicalLength == 0.2)
    #expect(spring.logicallyComplete(after: 3).logicalLength == 0.5)
    #expect(spring.logicallyComplete(after: 0.2).isLogicallyComplete(at: 0.2))
    #expect(!spring.logicallyComplete(after: 0.2).isLogicallyComplete(at: 0.2.nextDown))
    #expect(spring.logicallyComplete(after: 0.2).share(at: 0.3) == spring.share(at: 0.3))
    #expect(Animation.linear(duration: 1).repeatForever().logicallyComplete(after: 2).logicalLength == 2)
  }
}
