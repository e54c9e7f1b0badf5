// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@Suite struct AnimationModifierTests {
  /// Animations of about one second, and one that is defined outside the package.
  static let bases: [Animation] = [
    .linear(duration: 1), .easeInOut(duration: 1), .bouncy(duration: 0.6), .interpolatingSpring(duration: 0.5),
    Animation(Ramp(duration: 1)),
  ]
  static let times = (0...80).map { Double($0) * 0.03125 }

  /// A custom animation at constant speed.
  struct Ramp: CustomAnimation {
    let duration: Double
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time <= duration ? value.scaled(by: time / duration) : nil
    }
    func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
      value.scaled(by: 1 / duration)
    }
  }

  @Test("A delay shifts time", arguments: bases)
  func delayShiftsTime(_ base: Animation) {
    let delayed = base.delay(0.5)
    for time in Self.times {
      #expect(delayed.share(at: time) == base.share(at: max(0, time - 0.5)))
      #expect(delayed.pace(at: time) == (time < 0.5 ? 0 : base.pace(at: time - 0.5)))
    }
    #expect(delayed.length == base.length + 0.5)
    #expect(delayed.logicalLength == base.logicalLength + 0.5)
    #expect(base.delay(-0.25).share(at: 0.125) == base.share(at: 0.375))
    #expect(base.delay(0.25).delay(0.25).share(at: 0.75) == delayed.share(at: 0.75))
  }

  @Test("A speed scales time", arguments: bases)
  func speedScalesTime(_ base: Animation) {
    let fast = base.speed(2)
    for time in Self.times {
      #expect(fast.share(at: time) == base.share(at: 2 * time))
      #expect(fast.pace(at: time) == base.pace(at: 2 * time).map { 2 * $0 })
    }
    #expect(fast.length == base.length / 2)
    #expect(fast.logicalLength == base.logicalLength / 2)
    #expect(base.speed(0).share(at: 1e9) == base.share(at: 0) && base.speed(0).length == .infinity)
    #expect(base.speed(-1).length == .infinity)
  }

  @Test func orderOfDelayAndSpeedMatters() {
    let base = Animation.linear(duration: 1)
    #expect(base.delay(1).speed(2).share(at: 0.75) == 0.5)
    #expect(base.speed(2).delay(1).share(at: 1.25) == 0.5)
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

  @Test func boundariesShowTheEndOfTheEarlierLeg() {
    let base = Animation.linear(duration: 0.25)
    let plain = base.repeatCount(4, autoreverses: false)
    #expect([0, 0.25, 0.5, 0.75, 1].map { plain.share(at: $0) } == [0, 1, 1, 1, 1])
    #expect(plain.share(at: 0.25.nextUp).map { $0 < 1e-9 } == true)
    let back = base.repeatCount(4)
    #expect([0, 0.25, 0.5, 0.75, 1].map { back.share(at: $0) } == [0, 1, 0, 1, 0])
    // An even number of legs ends where it began, and then jumps to the target.
    #expect(back.share(at: 1.0.nextUp) == nil)
  }

  /// 0.1 has no exact form: some of these products, divided by it, are a rounding above a whole number.
  @Test func boundariesHoldInSpiteOfRounding() {
    let animation = Animation.linear(duration: 0.1).repeatForever(autoreverses: false)
    for leg in 1...1000 {
      let boundary = Double(leg) * 0.1
      #expect(animation.share(at: boundary) == 1, "leg \(leg)")
      #expect((animation.share(at: boundary.nextUp) ?? .nan) < 1e-9, "leg \(leg)")
    }
  }

  /// A repeat within a repeat ends where its last leg does, also if that is its start.
  @Test func aLegEndsWhereTheRepeatWithinItEnds() {
    let back = Animation.linear(duration: 0.25).repeatCount(2).delay(0.5).speed(2)
    let twice = back.repeatCount(2, autoreverses: false)
    #expect([0.3125, 0.375, 0.5, 0.501].map { twice.share(at: $0) } == [0.5, 1, 0, 0])
    #expect(back.repeatCount(3).share(at: 1) == 1, "the second leg, which runs backwards, ends at the target")
    #expect(twice.share(at: 1) == 0 && twice.share(at: 1.001) == nil)
    let thrice = Animation.linear(duration: 0.25).repeatCount(3).repeatCount(2, autoreverses: false)
    #expect(thrice.share(at: 0.75) == 1)
  }

  @Test func delaysInsideOfARepeatArePaidOnEachLeg() {
    let inside = Animation.linear(duration: 1).delay(1).repeatForever(autoreverses: false)
    let outside = Animation.linear(duration: 1).repeatForever(autoreverses: false).delay(1)
    #expect([1.5, 2.5, 3.5].map { inside.share(at: $0) } == [0.5, 0, 0.5])
    #expect([1.5, 2.5, 3.5].map { outside.share(at: $0) } == [0.5, 0.5, 0.5])
  }

  @Test func repeatsOfNothingAreOver() {
    let nothing = Animation.linear(duration: 0)
    #expect(nothing.repeatForever().share(at: 3) == 1)
    #expect(nothing.repeatCount(5).share(at: 3) == nil)
  }

  @Test func timesFarAwayAreReachedAtOnce() {
    let forever = Animation.linear(duration: 0.25).repeatForever(autoreverses: false)
    #expect(forever.share(at: 1e9 + 0.0625) == 0.25)
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
