// SPDX-License-Identifier: MIT
import Murmuration
import AnimationModel
import TestSupport
import Testing

extension AnimatedValue<Double> {
  /// A value that is given targets in turn: each with its animation and its moment.
  init(from start: Double, _ targets: (target: Double, animation: Animation?, moment: Double)...) {
    self.init(start)
    for (target, animation, moment) in targets { retarget(to: target, with: animation, at: moment) }
  }
}

@Suite struct AnimatedValueTests {
  /// Animations that take over the motion under way, and animations that add to it.
  static let takingOver: [Animation] = [.smooth, .bouncy, .spring(Spring(duration: 0.6, bounce: -0.4))]
  static let adding: [Animation] = [
    .linear(duration: 0.8), .easeInOut(duration: 1), .interpolatingSpring(duration: 0.5, bounce: 0.3),
    .bouncy.delay(0.1), .easeIn(duration: 1).speed(1.5), .linear(duration: 0.3).repeatForever(),
    .linear(duration: 0.4).repeatCount(3, autoreverses: false), .smooth.logicallyComplete(after: 0.1),
    .steady(duration: 0.7),
  ]

  @Test func valuesAreReadInAnyOrder() {
    let value = AnimatedValue(from: 0, (10, .linear(duration: 1), 5))
    #expect([5.75, 5.25, 5.75, 1, 6, .infinity, .nan].map { value.value(at: $0) } == [7.5, 2.5, 7.5, 0, 10, 10, 10])
  }

  /// Also for animations that take times before their start for the start.
  @Test(
    arguments: [
      .bouncy, .interpolatingSpring, .linear(duration: 1).delay(0.5), .smooth.delay(-0.1),
      .interpolatingSpring.speed(2),
      .linear.repeatCount(3),
    ] as [Animation])
  func aTimeThatIsNoNumberIsTheEnd(_ animation: Animation) {
    let value = AnimatedValue(from: 0, (10, animation, 5))
    #expect(value.value(at: .nan) == 10 && value.velocity(at: .nan) == 0 && value.isFinished(at: .nan))
  }

  @Test("A value ends exactly at its target", arguments: takingOver + adding)
  func endsAreExact(_ animation: Animation) {
    #expect(AnimatedValue(0.1).endTime == -.infinity && AnimatedValue(0.1).isFinished(at: 0))
    let value = AnimatedValue(from: 0.1, (0.3, animation, 1))
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

  @Test func specialChanges() {
    let line = Animation.linear(duration: 1)
    // Without an animation it jumps and stops.
    var value = AnimatedValue(from: 0, (10, line, 0), (3, nil, 0.5))
    #expect(value.value(at: 0.5) == 3 && value.velocity(at: 0.5) == 0 && value.endTime == 0.5)
    value.retarget(to: 4, with: line, at: 0.5)
    #expect(value.value(at: 1) == 3.5)
    // A change to the same target is none, and one at the same moment replaces the other.
    #expect(AnimatedValue(from: 0, (10, line, 0), (10, .bouncy, 0.5)).value(at: 0.75) == 7.5)
    value = AnimatedValue(from: 0, (10, line, 0), (4, .linear(duration: 2), 0))
    #expect(value.value(at: 1) == 2 && value.endTime == 2)
    // Earlier times count as the last change.
    value = AnimatedValue(from: 0, (10, line, 5), (20, .smooth, 5.5), (0, .bouncy, 5.2))
    let same = AnimatedValue(from: 0, (10, line, 5), (20, .smooth, 5.5), (0, .bouncy, 5.5))
    #expect(value.value(at: 5.7) == same.value(at: 5.7) && value.value(at: 1) == 5)
    value.retarget(to: 1, with: .smooth, at: .nan)
    #expect(value.value(at: 5.7).isFinite)
    // A change after the end starts anew.
    value = AnimatedValue(from: 0, (10, line, 0), (0, .smooth, 3))
    #expect(value.velocity(at: 3) == 0)
    #expect(value.value(at: 3.2) == 10 + Spring.smooth.value(target: -10, time: 3.2 - 3))
    value.retarget(to: 5, with: line, at: 9)
    #expect(value.value(at: 9.5) == 2.5 && value.activeAnimationCount == 1)
  }
}
