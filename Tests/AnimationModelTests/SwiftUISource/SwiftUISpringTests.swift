// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

// Code as users of SwiftUI write it, which computes values with springs and curves. Only its import differs. The test is
// that it compiles; other tests check its results.

/// A ball that follows a finger.
private struct Follower {
  var spring = Spring(duration: 0.4, bounce: 0.2)
  var position = 0.0
  var velocity = 0.0

  mutating func step(to target: Double, deltaTime: Double) {
    spring.update(value: &position, velocity: &velocity, target: target, deltaTime: deltaTime)
  }
}

private func springs() -> [Spring] {
  [
    Spring(), Spring(duration: 0.4), Spring(bounce: 0.3), Spring(duration: 0.6, bounce: 0.2),
    Spring(response: 0.5, dampingRatio: 0.7), Spring(stiffness: 170, damping: 26),
    Spring(mass: 2.0, stiffness: 100.0, damping: 10.0, allowOverDamping: true),
    Spring(settlingDuration: 1, dampingRatio: 0.8), Spring(settlingDuration: 1, dampingRatio: 0.8, epsilon: 0.01),
    .smooth, .snappy, .bouncy, .smooth(duration: 0.4), .snappy(extraBounce: 0.1),
    .bouncy(duration: 0.4, extraBounce: 0.2),
  ]
}

private func describe(_ spring: Spring) -> [Double] {
  [
    spring.duration, spring.bounce, spring.response, spring.dampingRatio, spring.mass, spring.stiffness, spring.damping,
    spring.settlingDuration,
    spring.value(target: 100, time: 0.1),
    spring.value(target: 100, initialVelocity: 40, time: 0.1),
    spring.velocity(target: 100, initialVelocity: 40, time: 0.1),
    spring.force(target: 100, position: 20, velocity: 3),
    spring.settlingDuration(target: 100, initialVelocity: 40, epsilon: 0.01),
    spring.value(fromValue: 10.0, toValue: 20, initialVelocity: 0, time: 0.1),
    spring.velocity(fromValue: 10.0, toValue: 20, initialVelocity: 0, time: 0.1),
    spring.force(fromValue: 10.0, toValue: 20, position: 12, velocity: 1),
    spring.settlingDuration(fromValue: 10.0, toValue: 20, initialVelocity: 0, epsilon: 0.001),
  ]
}

private func curves() -> [UnitCurve] {
  let custom = UnitCurve.bezier(
    startControlPoint: UnitPoint(x: 0.25, y: 0.1), endControlPoint: UnitPoint(x: 0.75, y: 0.9))
  return [
    .linear, .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseOut, .circularEaseInOut, custom,
    custom.inverse,
  ]
}

/// A shape's parameters, with a generic function over its data.
private struct Wave: Animatable, Hashable {
  var amplitude: Double
  var phase: Angle

  var animatableData: AnimatablePair<Double, Angle.AnimatableData> {
    get { AnimatablePair(amplitude, phase.animatableData) }
    set {
      amplitude = newValue.first
      phase.animatableData = newValue.second
    }
  }
}

private func mixed<V: Animatable>(_ from: V, _ to: V, by progress: Double) -> V {
  var result = from
  var difference = to.animatableData - from.animatableData
  difference.scale(by: progress)
  result.animatableData += difference
  return result
}

struct SwiftUISpringTests {
  @Test func codeForSwiftUICompilesAndRuns() {
    var follower = Follower()
    for _ in 0..<300 { follower.step(to: 5, deltaTime: 1.0 / 60) }
    #expect((follower.position - 5).magnitude < 1e-6)
    let numbers = springs().flatMap { describe($0) }
    #expect(numbers.allSatisfy { $0.isFinite })
    #expect(Set(springs()).contains(.smooth), "the default spring")
    #expect(curves().allSatisfy { $0.value(at: 0.5).isFinite && !$0.velocity(at: 0.5).isNaN })
    let wave = mixed(Wave(amplitude: 0, phase: .zero), Wave(amplitude: 2, phase: .radians(1)), by: 0.5)
    #expect(wave == Wave(amplitude: 1, phase: .radians(0.5)))
  }

  @Test func anglesAreMultipliedAndDivided() {
    var angle = -Angle.degrees(30) * 4 + .degrees(180) / 2
    #expect((angle.degrees + 30).magnitude < 1e-12)
    angle *= 3
    angle /= 2
    angle -= .degrees(15)
    #expect((angle.degrees + 60).magnitude < 1e-12)
  }
}
