// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing
import TestSupport

/// Rest times: never early, and the moment before is not at rest.
struct SpringRestTimeTests {
  @Test(arguments: try ModelVectors.load().restTimes) func restTimesAreExact(row: [Double]) throws {
    try #require(row.count == 7)
    let (duration, tolerance) = (row[0], row[4])
    let spring = Spring(duration: duration, bounce: row[1])
    func rest(_ tolerance: Double, _ velocityTolerance: Double?) -> Double {
      spring.restTime(
        target: -row[2], initialVelocity: row[3], tolerance: tolerance, velocityTolerance: velocityTolerance)
    }
    let inValue = rest(tolerance, 1e300)
    let inSpeed = rest(1e300, tolerance * 2 * .pi / duration)
    for (time, expected) in [(inValue, row[5]), (inSpeed, row[6])] {
      #expect(isClose(time, expected, relative: 1e-10) && time >= expected * (1 - 1e-14))
    }
    #expect(rest(tolerance, nil) == max(inValue, inSpeed))
  }

  @Test func theMotionStaysWithinItsTolerancesFromTheRestTimeOn() {
    for draw in SpringDraw.draws(1500, seed: 21) {
      let tolerance = draw.scale * 1e-3
      let speed = tolerance * draw.naturalFrequency
      let rest = draw.spring.restTime(
        target: -draw.start, initialVelocity: draw.velocity, tolerance: tolerance, velocityTolerance: speed)
      #expect(rest.isFinite && rest > 0, "\(draw)")
      for step in 0..<400 {
        // The times are dense over the next three periods, and then far apart.
        let time = rest + draw.duration * (step < 300 ? Double(step) / 100 : Double(step - 299) * 5)
        let state = draw.state(at: time)
        #expect(state.value.magnitude <= tolerance && state.velocity.magnitude <= speed, "\(draw) at \(time)")
      }
      let before = draw.state(at: rest - min(rest * 1e-9, draw.duration * 1e-6))
      #expect(
        before.value.magnitude > tolerance * (1 - 1e-10) || before.velocity.magnitude > speed * (1 - 1e-10),
        "\(draw): at rest before \(rest)")
    }
  }

  @Test func vectorsAreMeasuredByTheirLength() {
    var generator = SplitMix64(seed: 22)
    for draw in SpringDraw.draws(300, seed: 23) {
      let target = SIMD2(draw.start, Double.random(in: -100...100, using: &generator))
      let velocity = SIMD2(draw.velocity, Double.random(in: -100...100, using: &generator) / draw.duration)
      let (tolerance, speed) = (0.01, 0.01 * draw.naturalFrequency)
      func excess(at time: Double) -> Double {
        let away = draw.spring.value(target: target, initialVelocity: velocity, time: time) - target
        let motion = draw.spring.velocity(target: target, initialVelocity: velocity, time: time)
        return max((away * away).sum() / (tolerance * tolerance), (motion * motion).sum() / (speed * speed))
      }
      let rest = draw.spring.restTime(
        target: target, initialVelocity: velocity, tolerance: tolerance, velocityTolerance: speed)
      // A position is a sum with the target, so the tolerance cannot be finer than the target's last place.
      for step in 0..<300 { #expect(excess(at: rest + draw.duration * Double(step) / 100) <= 1 + 1e-9, "\(draw)") }
      #expect(excess(at: rest - min(rest * 1e-7, draw.duration * 1e-6)) > 1 - 1e-9, "\(draw)")
    }
    let (from, to) = (Angle.degrees(10), Angle.degrees(70))
    let rest = Spring.bouncy.restTime(fromValue: from, toValue: to, initialVelocity: .zero)
    #expect(rest == Spring.bouncy.restTime(target: to.radians - from.radians))
  }

  @Test func motionsThatNeverRestOrAlwaysDo() {
    let (undamped, still) = (Spring(duration: 0.5, bounce: 1), Spring(duration: 0.5, bounce: -1))
    let never = [
      undamped.restTime(), still.restTime(), Spring(response: 0.5, dampingRatio: -0.1).restTime(),
      Spring.bouncy.restTime(tolerance: 0), Spring(stiffness: 0, damping: 2, allowOverDamping: true).restTime(),
    ]
    #expect(never.allSatisfy { $0 == .infinity }, "\(never)")
    // The smallest tolerances are met as well.
    let smallest = Spring.bouncy.restTime(tolerance: .leastNonzeroMagnitude, velocityTolerance: 1)
    #expect(smallest >= Spring.bouncy.restTime(tolerance: 1e-300) && smallest < 100)
    // An undamped oscillation within the tolerance, and motions at rest from the start.
    let always = [
      undamped.restTime(target: 1e-4, tolerance: 0.001), still.restTime(target: 1e-4),
      Spring.bouncy.restTime(target: 0.0, tolerance: 0), Spring(duration: 0).restTime(),
    ]
    #expect(always.allSatisfy { $0 == 0 }, "\(always)")
    let unknown = [
      Spring(duration: .nan).restTime(), Spring.bouncy.restTime(target: Double.nan),
      Spring.bouncy.restTime(tolerance: .nan), Spring.bouncy.restTime(velocityTolerance: .nan),
      still.restTime(tolerance: .nan), Spring(duration: 0).restTime(target: Double.nan),
    ]
    #expect(unknown.allSatisfy { $0.isNaN }, "\(unknown)")
  }
}

/// SwiftUI's and Core Animation's settling durations, and springs made from them, beside those that `SpringRecordedTests`
/// reads. The expected numbers were printed by these frameworks, or published as the numbers that they use.
struct SpringSettlingTests {
  @Test(arguments: [
    (Spring(duration: 0.4, bounce: 0.3).settlingDuration, 0.854188),
    (Spring(duration: 0.4, bounce: -0.3).settlingDuration, 1.2),
    (Spring(duration: 1, bounce: 0.3).settlingDuration, 1.953928),
    (Spring(duration: 0.2, bounce: 0.7).settlingDuration, 0.981661),
    (Spring.smooth.settlingDuration(target: 1.0, epsilon: 1e-4), 1.0),
    (Spring.snappy.settlingDuration(target: 1.0, epsilon: 1e-4), 1.092396),
    (Spring.bouncy.settlingDuration(target: 1.0, epsilon: 1e-4), 1.306476),
    (Spring(duration: 0.4, bounce: 0.3).settlingDuration(target: 10, epsilon: 1e-4), 1.273009),
  ])
  func settlingDurationIsSwiftUIs(duration: Double, expected: Double) {
    #expect(isClose(duration, expected, absolute: 6e-7))
  }

  @Test func settlingDurationAtTheLimits() {
    #expect(Spring(duration: 0.5, bounce: 1).settlingDuration == .infinity)
    // The motion starts at its target, and is within epsilon for the first two samples.
    let slow = Spring(duration: 10, bounce: 0)
    #expect(slow.settlingDuration(target: 0, initialVelocity: 0.005) == 5.1999999999999975)
    let none = [
      Spring(duration: 0.5, bounce: -0.999999).settlingDuration, Spring(duration: 0.5, bounce: -1).settlingDuration,
      Spring(duration: 0).settlingDuration, Spring.smooth.settlingDuration(target: Double.nan),
      Spring.bouncy.settlingDuration(target: 0.0),
    ]
    #expect(none.allSatisfy { $0 == 0 }, "\(none)")
  }

  /// Dampings that no recording has.
  @Test(arguments: [(1, 13.91321015404625), (5, 2.854974609888761), (100, 1), (0, .infinity)])
  func coreAnimationSettlesAnyDamping(_ damping: Double, _ expected: Double) {
    let spring = Spring(mass: 1, stiffness: 100, damping: damping)
    #expect(isClose(spring.coreAnimationSettlingDuration(), expected, absolute: damping == 100 ? 1e-9 : 1e-12))
  }
}
