// SPDX-License-Identifier: MIT
import Murmuration
import AnimationModel
import Testing
import TestSupport

/// Rest times on seeded draws: never early, and the moment before is not at rest.
struct SpringRestTimeTests {
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
  }

  @Test func motionsThatNeverRestOrAlwaysDo() {
    let undamped = Spring(duration: 0.5, bounce: 1)
    #expect(undamped.restTime() == .infinity)
    #expect(undamped.restTime(target: 1e-4, tolerance: 0.001) == 0, "an oscillation within the tolerance")
    #expect(Spring(response: 0.5, dampingRatio: -0.1).restTime() == .infinity)
    #expect(Spring.bouncy.restTime(tolerance: 0) == .infinity)
    #expect(Spring.bouncy.restTime(target: 0.0, tolerance: 0) == 0, "at rest from the start")
    #expect(Spring(duration: 0).restTime() == 0)
    #expect(Spring(duration: 0.5, bounce: -1).restTime() == .infinity)
    #expect(Spring(duration: 0.5, bounce: -1).restTime(target: 1e-4) == 0)
    #expect(Spring(duration: .nan).restTime().isNaN)
    #expect(Spring.bouncy.restTime(target: Double.nan).isNaN)
    #expect(Spring.bouncy.restTime(tolerance: .nan).isNaN)
    #expect(Spring(stiffness: 0, damping: 2, allowOverDamping: true).restTime() == .infinity)
  }

  @Test func animatableValuesAreMeasuredByTheirData() {
    let (from, to) = (Angle.degrees(10), Angle.degrees(70))
    #expect(
      Spring.bouncy.restTime(fromValue: from, toValue: to, initialVelocity: .zero)
        == Spring.bouncy.restTime(target: to.radians - from.radians))
  }
}
