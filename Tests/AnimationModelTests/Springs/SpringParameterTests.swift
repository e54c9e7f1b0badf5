// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// Parameters, the ways between them, and presets, beside those that `SpringRecordedTests` reads.
struct SpringParameterTests {
  @Test(arguments: [-0.9, -0.5, -0.2, -1e-3, -1e-9, 0, 1e-12, 1e-6, 0.15, 0.3, 0.9, 1], [0.05, 0.5, 7])
  func everyParameterReadsBack(bounce: Double, duration: Double) {
    let spring = Spring(duration: duration, bounce: bounce)
    #expect(isClose(spring.duration, duration, relative: 1e-15))
    #expect(isClose(spring.response, duration, relative: 1e-15))
    #expect(isClose(spring.bounce, bounce, relative: 1e-14))
    #expect(isClose(spring.dampingRatio, bounce < 0 ? 1 / (1 + bounce) : 1 - bounce, relative: 1e-14))
    #expect(spring.mass == 1)
    #expect(isClose(spring.stiffness, 4 * .pi * .pi / (duration * duration), relative: 1e-14))
    #expect(isClose(spring.damping, 4 * .pi * spring.dampingRatio / duration, relative: 1e-14))
    for other in [
      Spring(response: duration, dampingRatio: spring.dampingRatio),
      Spring(stiffness: spring.stiffness, damping: spring.damping, allowOverDamping: true),
      Spring(mass: 3, stiffness: 3 * spring.stiffness, damping: 3 * spring.damping, allowOverDamping: true),
    ] {
      let (value, expected) = (other.value(target: 1.0, time: duration), spring.value(target: 1.0, time: duration))
      #expect(isClose(value, expected, absolute: 1e-14))
    }
  }

  @Test func overdampingIsTakenAsCriticalUnlessAllowed() {
    let clamped = Spring(mass: 1, stiffness: 100, damping: 50)
    #expect(clamped.dampingRatio == 1 && clamped.bounce == 0 && clamped.angularFrequency == 0)
    let allowed = Spring(mass: 1, stiffness: 100, damping: 50, allowOverDamping: true)
    #expect(isClose(allowed.dampingRatio, 2.5, relative: 1e-15) && allowed.angularFrequency < 0)
    #expect(isClose(allowed.bounce, 1 / 2.5 - 1, relative: 1e-14))
    // The example of SwiftUI's documentation: 0.63 and 0.5.
    let spring = Spring(mass: 1, stiffness: 100, damping: 10)
    #expect(isClose(spring.duration, 2 * .pi / 10, relative: 1e-15) && isClose(spring.bounce, 0.5, relative: 1e-15))
  }

  @Test func bouncesOutsideTheirRangeAreItsEnds() {
    #expect(Spring(duration: 0.7, bounce: -1.2) == Spring(duration: 0.7, bounce: -1))
    #expect(Spring(duration: 0.3, bounce: 1.2) == Spring(duration: 0.3, bounce: 1))
    for bounce in [-0.5, 0, 0.3, 1] {
      let jump = Spring(duration: 0, bounce: bounce)
      #expect(jump == jump && jump.duration == 0 && jump.settlingDuration == 0, "no NaN within")
    }
    #expect(isClose(Spring(response: 1.3, dampingRatio: -0.1).bounce, 1.1, relative: 1e-14))
  }

  /// x″ − 3x′ + 2x = 0 has the solutions e^t and e^2t.
  @Test(arguments: [(1.0, 2.718281828459045), (2, 7.38905609893065)])
  func aFastGrowingSpringGrowsAsItsEquationSays(rate: Double, expected: Double) {
    let state = Spring(stiffness: 2, damping: -3, allowOverDamping: true).state(from: 1, velocity: rate, at: 1)
    #expect(isClose(state.value, expected, relative: 1e-14))
    #expect(isClose(state.velocity, rate * state.value, relative: 1e-14))
  }

  @Test func presetsAreSwiftUIs() {
    #expect(Spring() == .smooth && Spring.smooth == Spring(duration: 0.5, bounce: 0))
    #expect(Spring.snappy == Spring(duration: 0.5, bounce: 0.15))
    #expect(Spring.bouncy == Spring(duration: 0.5, bounce: 0.3))
    #expect(Spring.smooth(duration: 2, extraBounce: 0.1) == Spring(duration: 2, bounce: 0.1))
    #expect(Spring.snappy(duration: 2, extraBounce: 0.1) == Spring(duration: 2, bounce: 0.25))
    #expect(Spring.bouncy(extraBounce: -0.3) == Spring(duration: 0.5, bounce: 0))
  }

  /// The squares of such dampings, and of such frequencies, are beyond the largest number.
  @Test func theLargestDampingsHoldAndTheStiffestSpringsSwing() {
    for spring in [
      Spring(mass: 1, stiffness: 1, damping: 1e200, allowOverDamping: true), Spring(response: 0.5, dampingRatio: 1e160),
    ] {
      for time in [1e-3, 1, 1e9] {
        #expect(spring.value(target: 5.0, time: time).magnitude < 1e-100)
        #expect(spring.velocity(target: 5.0, time: time).magnitude < 1e-100)
      }
    }
    let stiff = Spring(mass: 1e-10, stiffness: 1e298, damping: 0)
    #expect(abs(stiff.value(target: 5.0, time: .pi / 2 * 1e-154) - 5) < 1e-12)
  }

  /// SwiftUI's force is another for overdamped springs, and its velocity is off by the target.
  @Test func forcesAndVelocitiesAreThoseOfTheEquation() {
    let overdamped = Spring(mass: 0.6, stiffness: 0.1, damping: 10, allowOverDamping: true)
    #expect(isClose(overdamped.force(target: 0.2, position: 1, velocity: -0.2), -0.08 + 2, relative: 1e-14))
    let spring = Spring(duration: 0.7, bounce: -0.2)
    let velocity = spring.velocity(target: 1.2, initialVelocity: 0.1, time: 0.2)
    #expect(isClose(velocity, 2.718503301573137, relative: 1e-14))
    let compatible = spring.swiftUICompatibleVelocity(target: 1.2, initialVelocity: 0.1, time: 0.2)
    #expect(isClose(compatible, velocity + 1.2, relative: 1e-14))
    var state = (value: 1.0, velocity: 0.1)
    spring.swiftUICompatibleUpdate(value: &state.value, velocity: &state.velocity, target: 2.2, deltaTime: 0.2)
    #expect(isClose(state.velocity, compatible, relative: 1e-14))
    let bouncy = Spring.bouncy
    #expect(bouncy.swiftUICompatibleStiffness == bouncy.stiffness)
    #expect(bouncy.swiftUICompatibleVelocity(target: 1.0, time: 0.2) == bouncy.velocity(target: 1.0, time: 0.2))
  }
}
