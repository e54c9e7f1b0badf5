// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing
import TestSupport

/// Motions that slow down, against vectors derived with 60 digits by `Scripts/derive-model-vectors`, and in relation to
/// themselves.
struct DecelerationTests {
  /// 2⁻⁵³, the rounding unit of Double.
  private static let u = 0x1p-53

  /// A motion of any rate, drawn from a seed, at a time of up to three times 1/k.
  private struct Draw: CustomStringConvertible {
    let motion: Deceleration
    let start, velocity, time: Double

    init(_ random: inout SplitMix64) {
      // The share of the velocity that is lost in a millisecond, from nearly all of it to 2⁻³¹.
      let loss = Double(sign: .plus, exponent: -Int(random.next() % 31), significand: random.uniform(0.5...0.999))
      motion = Deceleration(rate: 1 - loss)
      (start, velocity) = (random.uniform(-100...100), random.uniform(-5000...5000))
      time = random.uniform(0...3) / motion.decayConstant
    }

    var value: Double { motion.value(from: start, initialVelocity: velocity, time: time) }
    var description: String { "rate \(motion.rate), \(start), \(velocity) at \(time)" }
  }

  private static let draws = {
    var random = SplitMix64(seed: 8)
    return (0..<2000).map { _ in Draw(&random) }
  }()

  @Test(arguments: numberTable(decelerationVectors))
  func everyRowIsWithinThePromise(row: [Double]) throws {
    try #require(row.count == 7)
    let motion = Deceleration(rate: row[0])
    let (start, velocity, time) = (row[1], row[2], row[3])
    let value = motion.value(from: start, initialVelocity: velocity, time: time)
    let end = motion.projectedEnd(from: start, initialVelocity: velocity)
    let speed = motion.velocity(initialVelocity: velocity, time: time)
    let bound = 16 * Self.u * (start.magnitude + (row[4] - start).magnitude)
    #expect(isClose(value, row[4], absolute: bound))
    #expect(isClose(speed, row[5], absolute: 8 * Self.u * velocity.magnitude))
    #expect(isClose(end, row[6], absolute: 16 * Self.u * (start.magnitude + (row[6] - start).magnitude)))
  }

  @Test(arguments: numberTable(decelerationRestTimeVectors))
  func restTimesAreExact(row: [Double]) throws {
    try #require(row.count == 5)
    let motion = Deceleration(rate: row[0])
    let rest = motion.restTime(initialVelocity: row[1], tolerance: row[2], velocityTolerance: row[3])
    #expect(rest >= row[4], "never early")
    #expect(rest <= row[4] + 2e-12 / motion.decayConstant, "by no more than it shrinks by 2e-12 in")
  }

  @Test func theDefaultToleranceOfVelocityIsReachedWithThatOfDistance() {
    for draw in Self.draws {
      let (motion, velocity) = (draw.motion, SIMD2(draw.velocity, 7))
      let rest = motion.restTime(initialVelocity: velocity, tolerance: 0.5)
      let end = motion.projectedEnd(from: .zero, initialVelocity: velocity)
      let value = motion.value(from: .zero, initialVelocity: velocity, time: rest)
      let rounding = 32 * Self.u * (end.magnitudeSquared.squareRoot())
      #expect((end - value).magnitudeSquared.squareRoot() <= 0.5 + rounding, "\(draw)")
      let speed = motion.velocity(initialVelocity: velocity, time: rest).magnitudeSquared.squareRoot()
      #expect(speed <= 0.5 * motion.decayConstant, "\(draw)")
      #expect(rest == 0 || speed > 0.5 * motion.decayConstant * (1 - 1e-11), "\(draw)")
      // A tolerance of velocity that is met before that of distance changes nothing; a stricter one delays rest.
      let faster = motion.restTime(initialVelocity: velocity, tolerance: 0.5, velocityTolerance: .infinity)
      let slower = motion.restTime(
        initialVelocity: velocity, tolerance: 0.5, velocityTolerance: 0.1 * motion.decayConstant)
      #expect(faster == rest && (slower > rest || slower == 0), "\(draw)")
    }
  }

  @Test func knownNumbers() {
    #expect(isClose(Deceleration.normal.decayConstant, 2.002002670673079, relative: 4 * Self.u))
    #expect(Deceleration.normal == Deceleration(rate: 0.998) && Deceleration.fast.rate == 0.99)
    #expect(isClose(Deceleration.normal.velocity(initialVelocity: 1000.0, time: 0.001), 998, relative: 4 * Self.u))
    #expect(isClose(Deceleration.fast.velocity(initialVelocity: 1000.0, time: 0.002), 980.1, relative: 4 * Self.u))
    #expect(Deceleration.normal.restTime(initialVelocity: 0.0) == 0)
  }

  @Test func velocityIsTheDerivative() {
    for draw in Self.draws {
      let step = 1e-5 / draw.motion.decayConstant
      let (before, after) = (
        draw.motion.value(from: 0, initialVelocity: draw.velocity, time: draw.time - step),
        draw.motion.value(from: 0, initialVelocity: draw.velocity, time: draw.time + step)
      )
      let velocity = draw.motion.velocity(initialVelocity: draw.velocity, time: draw.time)
      #expect(isClose((after - before) / (2 * step), velocity, absolute: 1e-9 * draw.velocity.magnitude), "\(draw)")
    }
  }

  @Test func goingOnFromAnyMomentIsTheSameMotion() {
    for draw in Self.draws {
      let motion = draw.motion
      for part in [0, 0.1, 0.5, 1] {
        let time = draw.time * part
        let middle = motion.value(from: draw.start, initialVelocity: draw.velocity, time: time)
        let velocity = motion.velocity(initialVelocity: draw.velocity, time: time)
        let value = motion.value(from: middle, initialVelocity: velocity, time: draw.time - time)
        let rest = motion.velocity(initialVelocity: velocity, time: draw.time - time)
        let bound = 48 * Self.u * (draw.start.magnitude + draw.velocity.magnitude / motion.decayConstant)
        #expect(isClose(value, draw.value, absolute: bound), "\(draw)")
        #expect(
          isClose(
            rest, motion.velocity(initialVelocity: draw.velocity, time: draw.time),
            absolute: 24 * Self.u * draw.velocity.magnitude), "\(draw)")
        let end = motion.projectedEnd(from: middle, initialVelocity: velocity)
        #expect(isClose(end, motion.projectedEnd(from: draw.start, initialVelocity: draw.velocity), absolute: bound))
      }
    }
  }

  @Test func theWayGrowsAndNeverPassesItsEnd() {
    for draw in Self.draws where draw.velocity > 0 {
      let end = draw.motion.projectedEnd(from: draw.start, initialVelocity: draw.velocity)
      var last = draw.start
      for step in 0..<60 {
        let value = draw.motion.value(
          from: draw.start, initialVelocity: draw.velocity, time: Double(step) / draw.motion.decayConstant)
        #expect(value >= last && value <= end, "\(draw), step \(step)")
        last = value
      }
      #expect(last == end, "\(draw)")
    }
  }

  @Test func vectorsMoveLaneByLane() {
    for draw in Self.draws.prefix(100) {
      let value = draw.motion.value(
        from: SIMD2(draw.start, 3), initialVelocity: SIMD2(draw.velocity, -draw.velocity), time: draw.time)
      #expect(value.x == draw.value)
      #expect(value.y == draw.motion.value(from: 3, initialVelocity: -draw.velocity, time: draw.time))
    }
  }

  /// The limits and what lies beyond them.
  @Test func ratesOutsideTheirRangeAnswerAsDocumented() {
    let stopped = Deceleration(rate: 0)
    #expect(stopped.value(from: 5.0, initialVelocity: 7, time: 0) == 5)
    #expect(stopped.velocity(initialVelocity: 7.0, time: 0) == 7)
    #expect(stopped.value(from: 5.0, initialVelocity: 7, time: 1e-300) == 5)
    #expect(stopped.velocity(initialVelocity: 7.0, time: 1e-300) == 0)
    #expect(stopped.projectedEnd(from: 5.0, initialVelocity: 7) == 5)
    #expect(stopped.restTime(initialVelocity: 7.0) == 0)
    let lasting = Deceleration(rate: 1)
    #expect(lasting.value(from: 5.0, initialVelocity: 7, time: 3) == 26)
    #expect(lasting.velocity(initialVelocity: 7.0, time: .infinity) == 7)
    #expect(lasting.projectedEnd(from: 5.0, initialVelocity: 7) == .infinity)
    #expect(lasting.projectedEnd(from: 5.0, initialVelocity: -7) == -.infinity)
    #expect(lasting.restTime(initialVelocity: 7.0) == .infinity && lasting.restTime(initialVelocity: 0.0) == 0)
    let growing = Deceleration(rate: 1.001)
    #expect(growing.velocity(initialVelocity: 7.0, time: 1) > 7)
    #expect(growing.projectedEnd(from: 5.0, initialVelocity: 7) == .infinity)
    #expect(growing.restTime(initialVelocity: 7.0) == .infinity)
    for impossible in [Deceleration(rate: -0.5), Deceleration(rate: .nan)] {
      #expect(impossible.value(from: 5.0, initialVelocity: 7, time: 1).isNaN)
      #expect(impossible.velocity(initialVelocity: 7.0, time: 1).isNaN)
      #expect(impossible.restTime(initialVelocity: 7.0).isNaN)
    }
    #expect(Deceleration.normal.restTime(initialVelocity: 1.0, tolerance: 0) == .infinity)
    #expect(Deceleration.normal.restTime(initialVelocity: 1.0, velocityTolerance: -1) == .infinity)
    #expect(Deceleration.normal.restTime(initialVelocity: 1.0, tolerance: .nan).isNaN)
    #expect(Deceleration.normal.restTime(initialVelocity: 1.0, velocityTolerance: .nan).isNaN)
    #expect(Deceleration.normal.restTime(initialVelocity: Double.nan).isNaN)
  }
}
