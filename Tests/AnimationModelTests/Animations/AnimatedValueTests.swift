// SPDX-License-Identifier: MIT
import Murmuration
import AnimationModel
import TestSupport
import Testing

@Suite struct AnimatedValueTests {
  /// Animations that take over the motion under way, and animations that add to it.
  static let takingOver: [Animation] = [.smooth, .bouncy, .spring(Spring(duration: 0.6, bounce: -0.4))]
  static let adding: [Animation] = [
    .linear(duration: 0.8), .easeInOut(duration: 1), .interpolatingSpring(duration: 0.5, bounce: 0.3),
    .bouncy.delay(0.1), .easeIn(duration: 1).speed(1.5), .linear(duration: 0.3).repeatForever(),
    .linear(duration: 0.4).repeatCount(3, autoreverses: false), .smooth.logicallyComplete(after: 0.1),
    Animation(AnimationModifierTests.Ramp(duration: 0.7)),
  ]

  @Test("Values are continuous when the target changes", arguments: takingOver + adding, takingOver + adding)
  func valuesAreContinuous(_ first: Animation, _ second: Animation) {
    var value = AnimatedValue(1.0)
    value.retarget(to: 11, with: first, at: 2)
    let before = value
    value.retarget(to: -4, with: second, at: 2.2)
    #expect(abs(value.value(at: 2.2) - before.value(at: 2.2)) < 1e-12)
    #expect(abs(value.value(at: 2.2 + 1e-9) - before.value(at: 2.2)) < 1e-6)
    // A spring takes over the velocity exactly; other animations add theirs over the distance that is left.
    let own = Self.takingOver.contains(second) ? 0 : second.velocityFromRest(towards: -4 - before.value(at: 2.2))
    #expect(isClose(value.velocity(at: 2.2), before.velocity(at: 2.2) + own, relative: 1e-9, absolute: 1e-9))
  }

  @Test("Velocity is the derivative of the value", arguments: takingOver + adding, takingOver + adding)
  func velocityIsTheDerivative(_ first: Animation, _ second: Animation) {
    var value = AnimatedValue(SIMD2(1.0, 5))
    value.retarget(to: SIMD2(11, -3), with: first, at: 0)
    value.retarget(to: SIMD2(-4, 0), with: second, at: 0.15)
    value.retarget(to: SIMD2(2, 2), with: .easeInOut(duration: 0.5), at: 0.25)
    let step = 1e-7
    for index in 0..<40 {
      // The times avoid the corners at the ends of legs and curves.
      let time = 0.250_37 + Double(index) * 0.013
      let difference = (value.value(at: time + step) - value.value(at: time - step)) / (2 * step)
      let error = value.velocity(at: time) - difference
      #expect(error.x.magnitude < 2e-6 * 100 && error.y.magnitude < 2e-6 * 100, "at \(time) s")
    }
  }

  @Test("A chain of springs is the chain of their updates", arguments: [1, 2, 3] as [UInt64])
  func springChains(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var value = AnimatedValue(0.0)
    var (position, velocity, target, time) = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<20 {
      let spring = Spring(
        duration: .random(in: 0.2...1, using: &random), bounce: .random(in: -0.5...0.8, using: &random))
      target = .random(in: -100...100, using: &random)
      value.retarget(to: target, with: .spring(spring), at: time)
      for _ in 0..<3 {
        // Short enough to be interrupted before it has come to rest.
        let step = Double.random(in: 0.001...0.03, using: &random)
        spring.update(value: &position, velocity: &velocity, target: target, deltaTime: step)
        time += step
        #expect(abs(value.value(at: time) - position) < 1e-9, "seed \(seed)")
        #expect(abs(value.velocity(at: time) - velocity) < 1e-7, "seed \(seed)")
      }
    }
  }

  @Test func goldenChainsOfRetargetsHold() throws {
    var count = 0
    for chain in try GoldenSprings.load().retarget where chain.initial.v == 0 {
      var value = AnimatedValue(chain.initial.x)
      var events = chain.events[...]
      samples: for sample in chain.samples {
        while let event = events.first, event.t < sample[0] {
          // Past its end a spring is exactly at its target, where the chain of the vectors still moves.
          if value.endTime > -.infinity && value.isFinished(at: event.t) { break samples }
          value.retarget(
            to: event.target, with: .spring(duration: event.duration, bounce: event.bounce), at: event.t)
          events.removeFirst()
        }
        if value.isFinished(at: sample[0]) { break }
        count += 1
        #expect(isClose(value.value(at: sample[0]), sample[1], relative: 1e-9, absolute: 1e-7))
        #expect(isClose(value.velocity(at: sample[0]), sample[2], relative: 1e-9, absolute: 1e-6))
      }
    }
    #expect(count > 100)
  }

  @Test func valuesAreReadInAnyOrder() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .linear(duration: 1), at: 5)
    #expect(value.value(at: 5.75) == 7.5 && value.value(at: 5.25) == 2.5 && value.value(at: 5.75) == 7.5)
    #expect(value.value(at: 1) == 0 && value.value(at: 6) == 10 && value.value(at: .infinity) == 10)
    #expect(value.value(at: .nan) == 10)
  }

  @Test("A value ends exactly at its target", arguments: takingOver + adding)
  func endsAreExact(_ animation: Animation) {
    var value = AnimatedValue(0.1)
    #expect(value.endTime == -.infinity && value.isFinished(at: 0))
    value.retarget(to: 0.3, with: animation, at: 1)
    guard value.endTime < .infinity else {
      #expect(!value.isFinished(at: 1e6))
      return
    }
    #expect(!value.isFinished(at: value.endTime - 1e-6))
    #expect(value.isFinished(at: value.endTime + 1e-6))
    #expect(value.value(at: value.endTime + 1e-6) == 0.3 && value.velocity(at: value.endTime + 1e-6) == 0)
    #expect(value.logicalEndTime <= value.endTime && value.logicalEndTime > 1)
  }

  @Test func onlyTheAnimatablePartMoves() {
    struct Light: Animatable {
      var level: Double, name: String
      var animatableData: Double {
        get { level }
        set { level = newValue }
      }
    }
    var value = AnimatedValue(Light(level: 0, name: "off"))
    value.retarget(to: Light(level: 8, name: "on"), with: .linear(duration: 1), at: 0)
    #expect(value.value(at: 0.5).level == 4 && value.value(at: 0.5).name == "on")
  }

  // MARK: Special changes

  @Test func aChangeWithoutAnimationJumpsAndStops() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .linear(duration: 1), at: 0)
    value.retarget(to: 3, with: nil, at: 0.5)
    #expect(value.value(at: 0.5) == 3 && value.velocity(at: 0.5) == 0 && value.endTime == 0.5)
    value.retarget(to: 4, with: .linear(duration: 1), at: 0.5)
    #expect(value.value(at: 1) == 3.5)
  }

  @Test func aChangeToTheSameTargetIsNone() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .linear(duration: 1), at: 0)
    value.retarget(to: 10, with: .bouncy, at: 0.5)
    #expect(value.value(at: 0.75) == 7.5)
  }

  @Test func aChangeAtTheSameMomentReplaces() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .linear(duration: 1), at: 0)
    value.retarget(to: 4, with: .linear(duration: 2), at: 0)
    #expect(value.value(at: 1) == 2 && value.endTime == 2)
  }

  @Test func earlierTimesCountAsTheLastChange() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .linear(duration: 1), at: 5)
    value.retarget(to: 20, with: .smooth, at: 5.5)
    var same = value
    value.retarget(to: 0, with: .bouncy, at: 5.2)
    same.retarget(to: 0, with: .bouncy, at: 5.5)
    #expect(value.value(at: 5.7) == same.value(at: 5.7) && value.value(at: 1) == 5)
    value.retarget(to: 1, with: .smooth, at: .nan)
    #expect(value.value(at: 5.7).isFinite)
  }

  @Test func aChangeAfterTheEndStartsAnew() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .linear(duration: 1), at: 0)
    value.retarget(to: 0, with: .smooth, at: 3)
    #expect(value.velocity(at: 3) == 0)
    #expect(value.value(at: 3.2) == 10 + Spring.smooth.value(target: -10, time: 3.2 - 3))
    value.retarget(to: 5, with: .linear(duration: 1), at: 9)
    #expect(value.value(at: 9.5) == 2.5 && value.activeAnimationCount == 1)
  }
}

extension Animation {
  /// The velocity at the start of an animation over a distance, for an animation that knows it.
  func velocityFromRest(towards distance: Double) -> Double {
    velocity(value: distance, time: 0, context: AnimationContext()) ?? .nan
  }
}
