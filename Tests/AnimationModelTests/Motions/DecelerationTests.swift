// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing
import TestSupport

/// Motions that slow down, against vectors derived with 60 digits, and in relation to themselves.
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

  @Test(arguments: try ModelVectors.load().decelerations)
  func everyRowIsWithinThePromise(row: [Double]) throws {
    try #require(row.count == 7)
    let motion = Deceleration(rate: row[0])
    let (start, velocity, time) = (row[1], row[2], row[3])
    let value = motion.value(from: start, initialVelocity: velocity, time: time)
    let end = motion.projectedEnd(from: start, initialVelocity: velocity)
    for (number, expected) in [(value, row[4]), (end, row[6])] {
      #expect(isClose(number, expected, absolute: 16 * Self.u * (start.magnitude + (expected - start).magnitude)))
    }
    let speed = motion.velocity(initialVelocity: velocity, time: time)
    #expect(isClose(speed, row[5], absolute: 8 * Self.u * velocity.magnitude))
  }

  @Test(arguments: try ModelVectors.load().decelerationRestTimes)
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
    #expect(Deceleration.normal.restTime(initialVelocity: 0.0) == 0)
  }

  @Test func vectorsMoveLaneByLane() {
    for draw in Self.draws.prefix(100) {
      let value = draw.motion.value(
        from: SIMD2(draw.start, 3), initialVelocity: SIMD2(draw.velocity, -draw.velocity), time: draw.time)
      #expect(value.x == draw.value)
      #expect(value.y == draw.motion.value(from: 3, initialVelocity: -draw.velocity, time: draw.time))
    }
  }

  /// The limits and what lies beyond them, from 5 with a velocity of 7.
  @Test(
    arguments: [
      (0, 0, 5, 7, 5, 0), (0, 1e-300, 5, 0, 5, 0), (1, 3, 26, 7, .infinity, .infinity),
      (1, .infinity, .infinity, 7, .infinity, .infinity), (-0.5, 1, .nan, .nan, nil, .nan),
      (.nan, 1, .nan, .nan, nil, .nan),
    ] as [(Double, Double, Double, Double, Double?, Double)])
  func ratesOutsideTheirRangeAnswerAsDocumented(
    rate: Double, time: Double, value: Double, velocity: Double, end: Double?, rest: Double
  ) {
    let motion = Deceleration(rate: rate)
    #expect(isClose(motion.value(from: 5.0, initialVelocity: 7, time: time), value))
    #expect(isClose(motion.velocity(initialVelocity: 7.0, time: time), velocity))
    if let end { #expect(motion.projectedEnd(from: 5.0, initialVelocity: 7) == end) }
    #expect(isClose(motion.restTime(initialVelocity: 7.0), rest))
  }

  @Test func whatNeverRestsAndWhatIsNoNumber() {
    let (normal, lasting, growing) = (Deceleration.normal, Deceleration(rate: 1), Deceleration(rate: 1.001))
    #expect(lasting.projectedEnd(from: 5.0, initialVelocity: -7) == -.infinity)
    #expect(lasting.restTime(initialVelocity: 0.0) == 0)
    // What stands still ends where it is, also beside what moves.
    for motion in [lasting, growing] {
      let end = motion.projectedEnd(from: SIMD3(5.0, 6, 7), initialVelocity: SIMD3(1e-3, 0, -1e-300))
      #expect(end == SIMD3(.infinity, 6, -.infinity))
    }
    #expect(growing.velocity(initialVelocity: 7.0, time: 1) > 7)
    #expect(growing.projectedEnd(from: 5.0, initialVelocity: 7) == .infinity)
    let never = [
      growing.restTime(initialVelocity: 7.0), normal.restTime(initialVelocity: 1.0, tolerance: 0),
      normal.restTime(initialVelocity: 1.0, velocityTolerance: -1),
    ]
    #expect(never.allSatisfy { $0 == .infinity }, "\(never)")
    let unknown = [
      normal.restTime(initialVelocity: 1.0, tolerance: .nan), normal.restTime(initialVelocity: Double.nan),
      normal.restTime(initialVelocity: 1.0, velocityTolerance: .nan),
    ]
    #expect(unknown.allSatisfy { $0.isNaN }, "\(unknown)")
  }
}
