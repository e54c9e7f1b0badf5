// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// The springs against our own vectors, derived with 60 digits by `Scripts/derive-model-vectors`.
struct SpringVectorTests {
  @Test func everyRowIsWithinThePromise() {
    var check = SpringVectorCheck()
    let rows = numberTable(springVectors)
    #expect(rows.count == 208 && rows.allSatisfy { $0.count == 7 })
    for row in rows { check.add(GoldenSprings.Row(row)) }
    #expect(check.worst <= 0.5, "worst: \(check.worstRow)")
  }

  @Test(arguments: numberTable(restTimeVectors))
  func restTimesAreExact(row: [Double]) throws {
    try #require(row.count == 7)
    let (duration, bounce, start, velocity, tolerance) = (row[0], row[1], row[2], row[3], row[4])
    let spring = Spring(duration: duration, bounce: bounce)
    func rest(_ tolerance: Double, _ velocityTolerance: Double?) -> Double {
      spring.restTime(
        target: -start, initialVelocity: velocity, tolerance: tolerance, velocityTolerance: velocityTolerance)
    }
    let inValue = rest(tolerance, 1e300)
    let inSpeed = rest(1e300, tolerance * 2 * .pi / duration)
    #expect(isClose(inValue, row[5], relative: 1e-10), "value")
    #expect(isClose(inSpeed, row[6], relative: 1e-10), "speed")
    #expect(inValue >= row[5] * (1 - 1e-14) && inSpeed >= row[6] * (1 - 1e-14), "never early")
    #expect(rest(tolerance, nil) == max(inValue, inSpeed))
  }

  /// The limits that the batches promise too.
  @Test func limitsHold() {
    func state(_ spring: Spring, at time: Double) -> [Double] {
      var (value, velocity) = (5.0, 100.0)
      spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: time)
      return [value, velocity]
    }
    for bounce in [-0.5, 0, 0.3, 1] {
      #expect(state(Spring(duration: 0, bounce: bounce), at: 0.001) == [0, 0])
      #expect(state(Spring(duration: 0, bounce: bounce), at: 0) == [5, 100])
    }
    #expect(state(Spring(duration: 0.5, bounce: -1), at: 10) == [5, 0])
    #expect(state(Spring(duration: 0.5, bounce: -1), at: 0) == [5, 100])
    for bounce in [-0.999, -0.5, 0, 0.3, 0.999] {
      #expect(state(Spring(duration: 0.5, bounce: bounce), at: .infinity) == [0, 0])
    }
    #expect(Spring(duration: 0.5, bounce: 0.3).value(target: 0.0, time: 1) == 0)
    #expect(state(Spring(duration: .infinity, bounce: 0), at: 2) == [205, 100], "no force: a straight line")
    #expect(Spring(duration: .nan).value(target: 1.0, time: 1).isNaN)
    #expect(Spring(bounce: .nan).value(target: 1.0, time: 1).isNaN)
  }
}
