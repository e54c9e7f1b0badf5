// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// Springs against motions computed with 50 digits.
struct SpringGoldenTests {
  @Test func everyRowIsWithinThePromise() throws {
    var check = SpringVectorCheck()
    let rows = try GoldenSprings.load().rows
    #expect(rows.count > 5000)
    for row in rows where row.scale > 0 { check.add(row) }
    #expect(check.worst <= 0.5, "worst: \(check.worstRow)")
  }

  @Test func limitsHold() throws {
    let limits = try GoldenSprings.load().limits
    #expect(limits.count == 6)
    for limit in limits {
      let spring = Spring(duration: limit.duration, bounce: limit.bounce)
      var (value, velocity) = (limit.start, limit.velocity)
      spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: limit.time)
      #expect(value == limit.expectedValue && velocity == limit.expectedVelocity, "\(limit)")
    }
  }

  @Test func chainsOfRetargetsHold() throws {
    let chains = try GoldenSprings.load().retarget
    #expect(chains.count == 30)
    for chain in chains {
      var (value, velocity) = (chain.initial.x, chain.initial.v)
      var (scale, frequency) = (value.magnitude, 0.0)
      for (index, event) in chain.events.enumerated() {
        let spring = Spring(duration: event.duration, bounce: event.bounce)
        let end = index + 1 < chain.events.count ? chain.events[index + 1].t : .infinity
        frequency = max(frequency, 2 * .pi / event.duration)
        scale = max(scale, (value - event.target).magnitude, velocity.magnitude * event.duration / (2 * .pi))
        // Each retarget passes the error of the one before on, so the bounds add up.
        let bar = Double(index + 1) * (64 + 8 * frequency * 10) * 0x1p-53 * scale
        for sample in chain.samples where sample[0] > event.t && sample[0] <= end {
          var (x, v) = (value, velocity)
          spring.update(value: &x, velocity: &v, target: event.target, deltaTime: sample[0] - event.t)
          #expect(isClose(x, sample[1], absolute: bar + sample[1].magnitude * 0x1p-52))
          #expect(isClose(v, sample[2], absolute: bar * frequency))
        }
        if end < .infinity {
          spring.update(value: &value, velocity: &velocity, target: event.target, deltaTime: end - event.t)
        }
      }
    }
  }
}
