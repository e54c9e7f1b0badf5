// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// Properties of every spring, on seeded draws over all regimes.
struct SpringPropertyTests {
  static let seed: UInt64 = 20
  let draws = SpringDraw.draws(3000, seed: Self.seed)

  @Test func noTimeChangesNothing() {
    for draw in draws {
      let state = draw.state(at: 0)
      #expect(state.value == draw.start && state.velocity == draw.velocity)
      #expect(draw.spring.value(target: draw.start, initialVelocity: draw.velocity, time: 0) == 0)
    }
  }

  @Test func twoStepsMakeOne() {
    for draw in draws {
      for part in [0.1, 0.5, 0.9] {
        let time = draw.duration * 2
        var (value, velocity) = draw.state(at: time * part)
        draw.spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: time * (1 - part))
        let whole = draw.state(at: time)
        let bar = 2 * (64 + 8 * draw.naturalFrequency * time) * 0x1p-53 * draw.scale
        #expect(isClose(value, whole.value, absolute: bar), "\(draw)")
        #expect(isClose(velocity, whole.velocity, absolute: bar * draw.naturalFrequency), "\(draw)")
      }
    }
  }

  @Test func mirroredMotionsAndThoseOfTwiceTheSizeAreTheSameToTheBit() {
    for draw in draws {
      var (mirrored, doubled) = (draw, draw)
      (mirrored.start, mirrored.velocity) = (-draw.start, -draw.velocity)
      (doubled.start, doubled.velocity) = (2 * draw.start, 2 * draw.velocity)
      let state = draw.state(at: draw.duration)
      #expect(mirrored.state(at: draw.duration) == (-state.value, -state.velocity), "\(draw)")
      #expect(doubled.state(at: draw.duration) == (2 * state.value, 2 * state.velocity), "\(draw)")
    }
  }

  @Test func twiceTheDurationIsTheSameMotionAtHalfTheSpeedToTheBit() {
    for draw in draws {
      var slow = draw
      (slow.duration, slow.velocity) = (2 * draw.duration, draw.velocity / 2)
      let (state, slowState) = (draw.state(at: draw.duration), slow.state(at: slow.duration))
      #expect(slowState == (state.value, state.velocity / 2), "\(draw)")
    }
  }

  @Test func theRegimesMeetAtCriticalDamping() {
    let critical = Spring(duration: 0.5, bounce: 0)
    for exponent in stride(from: -10, through: -50, by: -4) {
      let bounce = Double(sign: .plus, exponent: exponent, significand: 1)
      for time in [0.01, 0.1, 0.3, 1, 3] {
        let expected = critical.value(target: 1.0, initialVelocity: 4, time: time)
        for bounce in [bounce, -bounce] {
          let value = Spring(duration: 0.5, bounce: bounce).value(target: 1.0, initialVelocity: 4, time: time)
          #expect(isClose(value, expected, absolute: bounce.magnitude + 1e-14), "bounce \(bounce) at \(time)")
        }
      }
    }
  }

  /// The two rates of such a spring are equal in Double, so it moves as a critical one.
  @Test(arguments: [1e-32, 1e-40, 1e-300, Double.leastNonzeroMagnitude]) func aBounceBelowAllDigitsIsNone(
    _ bounce: Double
  ) {
    let critical = Spring(duration: 0.8, bounce: 0)
    for spring in [Spring(duration: 0.8, bounce: bounce), Spring(duration: 0.8, bounce: -bounce)] {
      for time in [1e-9, 0.1, 0.5, 2, 40] {
        var (value, velocity) = (1.0, -30.0)
        var (expected, expectedVelocity) = (1.0, -30.0)
        spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: time)
        critical.update(value: &expected, velocity: &expectedVelocity, target: 0, deltaTime: time)
        #expect(isClose(value, expected, absolute: 1e-14) && isClose(velocity, expectedVelocity, absolute: 1e-13))
      }
      for (tolerance, velocityTolerance) in [(0.001, 1e9), (1e9, 0.001)] {
        let rest = spring.restTime(tolerance: tolerance, velocityTolerance: velocityTolerance)
        let expected = critical.restTime(tolerance: tolerance, velocityTolerance: velocityTolerance)
        #expect(isClose(rest, expected, relative: 1e-9))
      }
    }
  }

  @Test func energyNeverGrows() {
    for draw in draws {
      func energy(_ state: (value: Double, velocity: Double)) -> Double {
        let speed = state.velocity / draw.naturalFrequency
        return state.value * state.value + speed * speed
      }
      var last = energy(draw.state(at: 0))
      for step in 1...40 {
        let next = energy(draw.state(at: Double(step) * draw.duration * 0.07))
        #expect(next <= last + draw.scale * draw.scale * 1e-13, "\(draw), step \(step)")
        last = next
      }
    }
  }

  @Test func velocityIsTheDerivativeInEveryRegime() {
    for draw in draws where draw.bounce > -0.95 {
      let (time, step) = (draw.duration * 0.4, draw.duration * 1e-5)
      func value(_ time: Double) -> Double {
        draw.spring.value(target: draw.start, initialVelocity: draw.velocity, time: time)
      }
      let slope = (value(time + step) - value(time - step)) / (2 * step)
      let velocity = draw.spring.velocity(target: draw.start, initialVelocity: draw.velocity, time: time)
      #expect(isClose(velocity, slope, absolute: 1e-5 * draw.scale * draw.naturalFrequency), "\(draw)")
    }
  }

  @Test func anUndampedSpringComesBackEveryPeriod() {
    let spring = Spring(duration: 0.25, bounce: 1)
    #expect(isClose(spring.value(target: 1.0, time: 1000), 0, absolute: 1e-11))
    #expect(isClose(spring.value(target: 1.0, time: 1000.125), 2, absolute: 1e-11))
    #expect(isClose(spring.velocity(target: 1.0, initialVelocity: 7, time: 1000), 7, absolute: 1e-9))
  }

  @Test func vectorsMoveLaneByLane() {
    for draw in draws.prefix(200) {
      let target = SIMD3(draw.start, -2 * draw.start, 0)
      let velocity = SIMD3(draw.velocity, 0, 3)
      let value = draw.spring.value(target: target, initialVelocity: velocity, time: draw.duration)
      for lane in 0..<3 {
        #expect(
          value[lane]
            == draw.spring.value(target: target[lane], initialVelocity: velocity[lane], time: draw.duration))
      }
    }
  }
}
