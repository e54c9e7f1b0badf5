// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing
import TestSupport

/// A spring and a motion drawn at random, over all regimes.
struct SpringDraw: CustomStringConvertible {
  var duration, bounce, start, velocity: Double

  init(using generator: inout SplitMix64) {
    func exp2(_ x: Double) -> Double {
      // Linear between powers of two, which is even enough for drawing numbers.
      let whole = x.rounded(.down)
      return Double(sign: .plus, exponent: Int(whole), significand: 1 + (x - whole))
    }
    duration = exp2(Double.random(in: -4...3, using: &generator))
    let size = exp2(-Double.random(in: 0...30, using: &generator))
    // Near critical, near undamped, near infinitely damped, and anything between.
    bounce =
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: size
      case 1: -size * 0.999
      case 2: 1 - size * 0.5
      case 3: -1 + size * 0.5
      default: Double.random(in: -0.99...0.99, using: &generator)
      }
    start = Double.random(in: -100...100, using: &generator)
    velocity = Double.random(in: -1...1, using: &generator) * 1000 / duration
  }

  var spring: Spring { Spring(duration: duration, bounce: bounce) }
  var naturalFrequency: Double { 2 * .pi / duration }

  /// S, the natural scale of positions.
  var scale: Double { max(start.magnitude, velocity.magnitude / naturalFrequency) }

  var description: String { "duration \(duration), bounce \(bounce), from \(start) with velocity \(velocity)" }

  /// The displacement from a target at 0 and the velocity.
  func state(at time: Double) -> (value: Double, velocity: Double) {
    spring.state(from: start, velocity: velocity, at: time)
  }

  static func draws(_ count: Int, seed: UInt64) -> [SpringDraw] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in SpringDraw(using: &generator) }
  }
}

/// Properties of springs that golden motions do not have: tiny bounces, and vectors.
struct SpringPropertyTests {
  /// The two rates of such a spring are equal in Double, so it moves as a critical one.
  @Test(arguments: [1e-32, 1e-40, 1e-300, Double.leastNonzeroMagnitude]) func aBounceBelowAllDigitsIsNone(
    _ bounce: Double
  ) {
    let critical = Spring(duration: 0.8, bounce: 0)
    for spring in [Spring(duration: 0.8, bounce: bounce), Spring(duration: 0.8, bounce: -bounce)] {
      for time in [1e-9, 0.1, 0.5, 2, 40] {
        let state = spring.state(from: 1, velocity: -30, at: time)
        let expected = critical.state(from: 1, velocity: -30, at: time)
        #expect(isClose(state.value, expected.value, absolute: 1e-14))
        #expect(isClose(state.velocity, expected.velocity, absolute: 1e-13))
      }
      for (tolerance, velocityTolerance) in [(0.001, 1e9), (1e9, 0.001)] {
        let rest = spring.restTime(tolerance: tolerance, velocityTolerance: velocityTolerance)
        let expected = critical.restTime(tolerance: tolerance, velocityTolerance: velocityTolerance)
        #expect(isClose(rest, expected, relative: 1e-9))
      }
    }
  }

  @Test func vectorsMoveLaneByLane() {
    for draw in SpringDraw.draws(200, seed: 20) {
      let (target, velocity) = (SIMD3(draw.start, -2 * draw.start, 0), SIMD3(draw.velocity, 0, 3))
      func value<V: VectorArithmetic>(_ target: V, _ velocity: V) -> V {
        draw.spring.value(target: target, initialVelocity: velocity, time: draw.duration)
      }
      let together = value(target, velocity)
      for lane in 0..<3 { #expect(together[lane] == value(target[lane], velocity[lane])) }
    }
  }
}
