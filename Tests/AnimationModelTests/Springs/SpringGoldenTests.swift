// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

extension Spring {
  /// The displacement from a target at 0, and the velocity, after some time.
  func state(from value: Double, velocity: Double, at time: Double) -> (value: Double, velocity: Double) {
    var state = (value: value, velocity: velocity)
    update(value: &state.value, velocity: &state.velocity, target: 0, deltaTime: time)
    return state
  }
}

/// Springs against motions computed with 50 and 60 digits.
struct SpringGoldenTests {
  /// Errors as shares of the promise, (64 + 8·ω₀·t)·2⁻⁵³·S.
  @Test func everyRowIsWithinThePromise() throws {
    let rows = try GoldenSprings.load().rows + ModelVectors.load().springs.map(GoldenSprings.Row.init)
    #expect(rows.count == 5062 + 208)
    for row in rows where row.scale > 0 {
      let spring = Spring(duration: row.duration, bounce: row.bounce)
      let state = spring.state(from: row.start, velocity: row.velocity, at: row.time)
      // The form that starts at zero, seen from its target.
      let fromZero = spring.value(target: -row.start, initialVelocity: row.velocity, time: row.time) + row.start
      let speed = spring.velocity(target: -row.start, initialVelocity: row.velocity, time: row.time)
      let bar = 0.5 * (64 + 8 * row.naturalFrequency * row.time) * 0x1p-53 * row.scale
      for value in [state.value, fromZero] { #expect(abs(value - row.expectedValue) <= bar, "\(row)") }
      for velocity in [state.velocity, speed] {
        #expect(abs(velocity - row.expectedVelocity) <= bar * row.naturalFrequency, "\(row)")
      }
    }
  }

  @Test func goldenLimitsHold() throws {
    let limits = try GoldenSprings.load().limits
    #expect(limits.count == 6)
    for limit in limits {
      func number(_ name: String) throws -> Double { try #require(limit[name]?.number) }
      let spring = Spring(duration: try number("duration"), bounce: try number("bounce"))
      let state = spring.state(from: try number("x0"), velocity: try number("v0"), at: try number("t"))
      let expected = (value: try number("y"), velocity: try number("v"))
      #expect(state == expected, "\(limit)")
    }
  }

  /// The limits that the batches promise too.
  @Test func limitsHold() {
    func expect(_ spring: Spring, at time: Double, _ value: Double, _ velocity: Double) {
      #expect(spring.state(from: 5, velocity: 100, at: time) == (value, velocity), "\(spring) at \(time)")
    }
    for bounce in [-0.5, 0, 0.3, 1] {
      expect(Spring(duration: 0, bounce: bounce), at: 0.001, 0, 0)
      expect(Spring(duration: 0, bounce: bounce), at: 0, 5, 100)
    }
    expect(Spring(duration: 0.5, bounce: -1), at: 10, 5, 0)
    expect(Spring(duration: 0.5, bounce: -1), at: 0, 5, 100)
    for bounce in [-0.999, -0.5, 0, 0.3, 0.999] { expect(Spring(duration: 0.5, bounce: bounce), at: .infinity, 0, 0) }
    // No force: a straight line.
    expect(Spring(duration: .infinity, bounce: 0), at: 2, 205, 100)
    #expect(Spring(duration: 0.5, bounce: 0.3).value(target: 0.0, time: 1) == 0)
    #expect(Spring(duration: .nan).value(target: 1.0, time: 1).isNaN)
    #expect(Spring(bounce: .nan).value(target: 1.0, time: 1).isNaN)
  }
}
