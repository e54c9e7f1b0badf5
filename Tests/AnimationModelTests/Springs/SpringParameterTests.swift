// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// Parameters, the ways between them, and presets.
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
    let others = [
      Spring(response: duration, dampingRatio: spring.dampingRatio),
      Spring(stiffness: spring.stiffness, damping: spring.damping, allowOverDamping: true),
      Spring(mass: 3, stiffness: 3 * spring.stiffness, damping: 3 * spring.damping, allowOverDamping: true),
    ]
    for other in others {
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
  }

  /// SwiftUI's documentation: 0.63 and 0.5.
  @Test func documentedExampleHolds() {
    let spring = Spring(mass: 1, stiffness: 100, damping: 10)
    #expect(isClose(spring.duration, 2 * .pi / 10, relative: 1e-15))
    #expect(isClose(spring.bounce, 0.5, relative: 1e-15))
  }

  @Test func limitsReadBackAsInSwiftUI() {
    let still = Spring(duration: 0.7, bounce: -1.2)
    #expect(still.angularFrequency == -.infinity && still.decayConstant == .infinity && still.mass == 1)
    #expect(still.duration.isNaN && still.bounce.isNaN)
    #expect(still == Spring(duration: 0.7, bounce: -1))
    #expect(Spring(duration: 0.3, bounce: 1.2) == Spring(duration: 0.3, bounce: 1))
    for bounce in [-0.5, 0, 0.3, 1] {
      let jump = Spring(duration: 0, bounce: bounce)
      #expect(jump == jump && jump.duration == 0 && jump.settlingDuration == 0, "no NaN within")
    }
    let massless = Spring(mass: 0, stiffness: 50, damping: 0.4)
    #expect(massless.stiffness.isNaN && massless.damping.isNaN)
    let growing = Spring(response: 1.3, dampingRatio: -0.1)
    #expect(isClose(growing.angularFrequency, 4.808992650505067, relative: 1e-14))
    #expect(isClose(growing.decayConstant, -0.483321946706122, relative: 1e-14))
    #expect(isClose(growing.dampingRatio, -0.1, relative: 1e-14) && isClose(growing.bounce, 1.1, relative: 1e-14))
  }

  @Test func aFastGrowingSpringGrowsAsItsEquationSays() {
    // x″ − 3x′ + 2x = 0 has the solutions e^t and e^2t.
    let spring = Spring(stiffness: 2, damping: -3, allowOverDamping: true)
    var (value, velocity) = (1.0, 1.0)
    spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: 1)
    #expect(isClose(value, 2.718281828459045, relative: 1e-14) && isClose(velocity, value, relative: 1e-14))
    (value, velocity) = (1, 2)
    spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: 1)
    #expect(isClose(value, 7.38905609893065, relative: 1e-14) && isClose(velocity, 2 * value, relative: 1e-14))
  }

  @Test func presetsAreSwiftUIs() {
    #expect(Spring() == .smooth && Spring.smooth == Spring(duration: 0.5, bounce: 0))
    #expect(Spring.snappy == Spring(duration: 0.5, bounce: 0.15))
    #expect(Spring.bouncy == Spring(duration: 0.5, bounce: 0.3))
    #expect(Spring.smooth(duration: 2, extraBounce: 0.1) == Spring(duration: 2, bounce: 0.1))
    #expect(Spring.snappy(duration: 2, extraBounce: 0.1) == Spring(duration: 2, bounce: 0.25))
    #expect(Spring.bouncy(extraBounce: -0.3) == Spring(duration: 0.5, bounce: 0))
  }

  @Test func forceIsThatOfTheEquation() {
    let spring = Spring(mass: 0.6, stiffness: 0.1, damping: 10, allowOverDamping: true)
    #expect(isClose(spring.force(target: 0.2, position: 1, velocity: -0.2), -0.08 + 2, relative: 1e-14))
    #expect(isClose(spring.swiftUICompatibleStiffness, 83.23333333333335, relative: 1e-14))
    let compatible = spring.swiftUICompatibleForce(target: 0.2, position: 1, velocity: -0.2)
    #expect(isClose(compatible, -64.58666666666669, relative: 1e-14))
    #expect(Spring.bouncy.swiftUICompatibleStiffness == Spring.bouncy.stiffness)
  }

  @Test func overdampedVelocityIsTheDerivativeAndSwiftUIsIsOffByTheTarget() {
    let spring = Spring(duration: 0.7, bounce: -0.2)
    #expect(isClose(spring.velocity(target: 1.2, initialVelocity: 0.1, time: 0.2), 2.718503301573137, relative: 1e-14))
    #expect(
      isClose(
        spring.swiftUICompatibleVelocity(target: 1.2, initialVelocity: 0.1, time: 0.2), 3.918503301573137,
        relative: 1e-14))
    var (value, velocity) = (1.0, 0.1)
    spring.swiftUICompatibleUpdate(value: &value, velocity: &velocity, target: 2.2, deltaTime: 0.2)
    #expect(isClose(velocity, 3.918503301573137, relative: 1e-14))
    let bouncy = Spring.bouncy
    #expect(bouncy.swiftUICompatibleVelocity(target: 1.0, time: 0.2) == bouncy.velocity(target: 1.0, time: 0.2))
  }
}
