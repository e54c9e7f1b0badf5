// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// SwiftUI's and Core Animation's settling durations, and springs made from them. The expected numbers were printed by
/// these frameworks, or published as the numbers that they use.
struct SpringSettlingTests {
  @Test(arguments: [
    (0.4, 0, 0.6), (0.4, 0.3, 0.854188), (0.4, 0.5, 1.157199), (0.4, -0.3, 1.2), (1, 0, 1.5), (1, 0.3, 1.953928),
    (0.5, 0.15, 0.876827), (0.2, 0.7, 0.981661),
  ])
  func settlingDurationIsSwiftUIs(duration: Double, bounce: Double, expected: Double) {
    #expect(isClose(Spring(duration: duration, bounce: bounce).settlingDuration, expected, absolute: 6e-7))
  }

  @Test func settlingDurationSumsItsSamples() {
    #expect(Spring.smooth.settlingDuration == 0.7999999999999999)
    #expect(Spring.smooth.settlingDuration(target: 10, initialVelocity: 1, epsilon: 0.01) == 0.7999999999999999)
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

  @Test func coreAnimationSettlesAsRecorded() {
    func settling(_ damping: Double) -> Double {
      Spring(mass: 1, stiffness: 100, damping: damping).coreAnimationSettlingDuration()
    }
    #expect(isClose(settling(10), 1.4727003346780927, absolute: 1e-12))
    #expect(isClose(settling(1), 13.91321015404625, absolute: 1e-12))
    #expect(isClose(settling(20), 1, absolute: 1e-9))
    #expect(isClose(settling(100), 1, absolute: 1e-9), "overdamped is taken as critical")
    #expect(isClose(settling(5), 2.854974609888761, absolute: 1e-12))
    #expect(isClose(settling(15), 1.0220937981854987, absolute: 1e-12))
    #expect(settling(0) == .infinity)
    let perceptual = Spring(duration: 1, bounce: 0.5)
    #expect(isClose(perceptual.coreAnimationSettlingDuration(), 2.3438753795710707, absolute: 1e-12))
  }

  /// Frequency and decay constant that SwiftUI stores, by settling duration and damping ratio.
  @Test(arguments: [
    [0.5, 0.3, 36.57363347751539, 11.501875619491353], [0.1, 0.1, 458.70864597525747, 46.10195353914841],
    [11, 0.9, 0.3696697049130908, 0.7632724197811565], [.infinity, .infinity, 0, 0.9233412892760308],
    [-.infinity, .infinity, 0, 923.3413476451434], [0, .infinity, 0, 923.3413476451434],
    [100, 1000, 0, 0.9233412892760308],
  ])
  func springsBySettlingDurationAreSwiftUIs(row: [Double]) {
    let spring = Spring(settlingDuration: row[0], dampingRatio: row[1])
    // The iteration is the same, so far more than the promised 1e-4 agrees.
    #expect(isClose(spring.angularFrequency, row[2], relative: 1e-12))
    #expect(isClose(spring.decayConstant, row[3], relative: 1e-12))
    #expect(spring.mass == 1)
  }

  @Test func springsBySettlingDurationThatAreNotNumbers() {
    for (duration, ratio) in [
      (0, 0), (Double.nan, 0.5), (1, .nan), (.infinity, 0), (.infinity, -.infinity), (-.infinity, -.infinity),
    ] {
      let spring = Spring(settlingDuration: duration, dampingRatio: ratio)
      #expect(spring.angularFrequency.isNaN && spring.decayConstant.isNaN, "\(duration), \(ratio)")
    }
  }

  @Test func aUIKitSpringIsFramers() {
    let spring = Spring(settlingDuration: 3, dampingRatio: 0.25)
    #expect(isClose(spring.stiffness, 54.83363359078326, relative: 1e-8))
    #expect(isClose(spring.damping, 3.702486785620688, relative: 1e-8))
  }

  @Test func aSpringBySettlingDurationSettlesAboutThen() {
    for ratio in [0.2, 0.5, 0.8, 1] {
      let rest = Spring(settlingDuration: 2, dampingRatio: ratio).restTime(velocityTolerance: .infinity)
      // The equation's envelope leaves out the part in phase with the start, so the motion rests a little later.
      #expect(rest > 1 && rest < 2.7)
    }
  }
}
