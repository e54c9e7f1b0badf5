// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// SwiftUI's and Core Animation's settling durations, and springs made from them, beside those that `SpringRecordedTests`
/// reads. The expected numbers were printed by these frameworks, or published as the numbers that they use.
struct SpringSettlingTests {
  @Test(arguments: [
    (0.4, 0.3, 0.854188), (0.4, -0.3, 1.2), (1, 0.3, 1.953928), (0.2, 0.7, 0.981661),
  ])
  func settlingDurationIsSwiftUIs(duration: Double, bounce: Double, expected: Double) {
    #expect(isClose(Spring(duration: duration, bounce: bounce).settlingDuration, expected, absolute: 6e-7))
  }

  @Test func settlingDurationSumsItsSamples() {
    let expected = [(Spring.smooth, 1.0), (.snappy, 1.092396), (.bouncy, 1.306476)]
    for (spring, time) in expected {
      #expect(isClose(spring.settlingDuration(target: 1.0, epsilon: 1e-4), time, absolute: 6e-7))
    }
    let keyframe = Spring(duration: 0.4, bounce: 0.3).settlingDuration(target: 10, epsilon: 1e-4)
    #expect(isClose(keyframe, 1.273009, absolute: 6e-7))
  }

  @Test func aMotionThatLeavesItsTargetAgainHasNotSettled() {
    // The motion starts at its target, and is within epsilon for the first two samples.
    let spring = Spring(duration: 10, bounce: 0)
    #expect(spring.settlingDuration(target: 0, initialVelocity: 0.005) == 5.1999999999999975)
  }

  @Test func settlingDurationAtTheLimits() {
    #expect(Spring(duration: 0.5, bounce: 1).settlingDuration == .infinity)
    #expect(Spring(duration: 0.5, bounce: -0.999999).settlingDuration == 0, "never within the scan")
    #expect(Spring(duration: 0.5, bounce: -1).settlingDuration == 0)
    #expect(Spring(duration: 0).settlingDuration == 0)
    #expect(Spring.smooth.settlingDuration(target: Double.nan) == 0)
    #expect(Spring.bouncy.settlingDuration(target: 0.0) == 0)
  }

  /// Dampings that no recording has.
  @Test(arguments: [(1, 13.91321015404625), (5, 2.854974609888761), (100, 1), (0, .infinity)])
  func coreAnimationSettlesAnyDamping(_ damping: Double, _ expected: Double) {
    let spring = Spring(mass: 1, stiffness: 100, damping: damping)
    #expect(isClose(spring.coreAnimationSettlingDuration(), expected, absolute: damping == 100 ? 1e-9 : 1e-12))
  }

  @Test(arguments: [(Double.nan, 0.5), (1, .nan)])
  func springsBySettlingDurationThatAreNotNumbers(_ duration: Double, _ ratio: Double) {
    let spring = Spring(settlingDuration: duration, dampingRatio: ratio)
    #expect(spring.angularFrequency.isNaN && spring.decayConstant.isNaN)
  }

  @Test func aSpringBySettlingDurationSettlesAboutThen() {
    for ratio in [0.2, 0.5, 0.8, 1] {
      let rest = Spring(settlingDuration: 2, dampingRatio: ratio).restTime(velocityTolerance: .infinity)
      // The equation's envelope leaves out the part in phase with the start, so the motion rests a little later.
      #expect(rest > 1 && rest < 2.7)
    }
  }
}
