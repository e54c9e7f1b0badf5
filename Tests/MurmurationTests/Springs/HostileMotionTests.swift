// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Springs, targets and values at the ends of their ranges.
struct HostileMotionTests {
  @Test(arguments: [0, -0.0], [false, true]) func aDurationOfZeroIsAtItsTargetAtOnce(
    _ duration: Double, _ inBulk: Bool
  ) throws {
    var batch = try AnimationBatch<Float>()
    let spring = Spring(duration: duration, bounce: 0.3)
    let handle = try Motion(value: 3, target: -8, velocity: 1e15, spring: spring).add(to: &batch, inBulk: inBulk)
    try batch.advance(to: .leastNonzeroMagnitude)
    let (bits, settled) = (batch.bits(of: handle), batch.settled)
    #expect(bits == [Float(-8).bitPattern, 0] && settled == [handle])
  }

  @Test(arguments: [1e-4, 1e6], Motion.Regime.allCases)
  func durationsAtTheEndsOfTheRangeFollowTheModel(_ duration: Double, _ regime: Motion.Regime) throws {
    var random = SplitMix64(seed: 101)
    for _ in 0..<6 {
      var motion = Motion(regime, &random)
      motion.spring = Spring(duration: duration, bounce: motion.spring.bounce)
      motion.velocity = 0
      for inBulk in [false, true] {
        var batch = try AnimationBatch<Float>()
        try batch.hardlyRests()
        let handle = try motion.add(to: &batch, inBulk: inBulk)
        for part in [1e-3, 0.2, 1, 3] {
          try batch.advance(to: part * duration)
          let value = batch[handle] ?? .nan
          let exact = motion.spring.value(
            fromValue: Double(motion.value), toValue: Double(motion.target), initialVelocity: 0, time: batch.time)
          let size = abs(Double(motion.value) - Double(motion.target))
          #expect(abs(Double(value) - exact) <= 8 * 0x1p-24 * size + Double(Float(exact).ulp) / 2)
        }
      }
    }
  }

  @Test(arguments: [1e-12, 0x1p-24, Double.leastNormalMagnitude, .leastNonzeroMagnitude], [1.0, -1])
  func bouncesOfAlmostNothingFollowTheModel(_ bounce: Double, _ sign: Double) throws {
    let spring = Spring(duration: 0.8, bounce: sign * bounce)
    for inBulk in [false, true] {
      var batch = try AnimationBatch<Float>()
      try batch.hardlyRests()
      let handle = try Motion(value: 1, target: 0, velocity: -30, spring: spring).add(to: &batch, inBulk: inBulk)
      let scale = 30 / spring.naturalFrequency
      for time in [1e-9, 0.01, 0.3, 1, 5] {
        try batch.advance(to: time)
        var (value, velocity) = (1.0, -30.0)
        spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: time)
        let (x, v) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        #expect(abs(Double(x) - value) <= 8 * 0x1p-24 * scale, "\(x), not \(value)")
        #expect(abs(Double(v) - velocity) <= 8 * 0x1p-24 * scale * spring.naturalFrequency)
      }
    }
  }

  @Test(arguments: [false, true]) func aStrongDamperCreepsWithItsSlowRate(_ inBulk: Bool) throws {
    let spring = Spring(mass: 1, stiffness: 1, damping: 1e9, allowOverDamping: true)
    var batch = try AnimationBatch<Float>()
    let handle = try Motion(value: 1, target: 0, spring: spring).add(to: &batch, inBulk: inBulk)
    try batch.advance(to: 1e9)
    let value = batch[handle] ?? .nan
    #expect(abs(Double(value) - 0.36787944117144233) <= 8 * 0x1p-24)
  }

  @Test(arguments: Motion.Regime.allCases, [false, true])
  func theLargestValuesStayFinite(_ regime: Motion.Regime, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 102)
    for duration in [1e-4, 1, 1e6] {
      let bounce = Motion(regime, &random).spring.bounce
      let spring = Spring(duration: duration, bounce: bounce)
      var batch = try AnimationBatch<Float>()
      let handle = try Motion(value: 1e15, target: -1e15, velocity: 1e15, spring: spring).add(
        to: &batch, inBulk: inBulk)
      for step in 0..<40 {
        try batch.advance(by: duration * 0.07)
        // A chain that hands on the largest velocities.
        if step % 2 == 1 {
          try batch.send(handle, to: step % 4 == 1 ? 1e15 : -1e15, step % 3 == 0 ? spring : nil)
        }
        let (x, v) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        #expect(x.isFinite && v.isFinite, "duration \(duration), bounce \(bounce): \(x), \(v)")
      }
    }
  }

  /// A track at its target still moves if it has a velocity, whether it was added with it or `set` gave it.
  @Test(arguments: [false, true]) func aVelocityAloneMovesAndSettles(_ inBulk: Bool) throws {
    for isSet in [false, true] {
      var batch = try AnimationBatch<Float>()
      let handle = try Motion(value: 160, target: 160, velocity: isSet ? 0 : 50).add(to: &batch, inBulk: inBulk)
      if isSet {
        try batch.set([handle], [160], velocities: [50])
        if inBulk { try batch.animate([handle], to: [160], .smooth) } else { try batch.retarget(handle, to: 160) }
      }
      try batch.advance(to: 0.05)
      let (moved, rests) = (batch[handle] ?? .nan, batch.isAtRest(handle))
      #expect(moved > 160.5 && rests == false)
      try batch.advance(to: 100)
      let (end, settled) = (batch[handle], batch.settled)
      #expect(end == 160 && settled == [handle])
    }
  }

  @Test(arguments: [false, true], [Float(160), 1e15]) func aMotionBelowTheDigitsOfItsTargetSettles(
    _ inBulk: Bool, _ target: Float
  ) throws {
    var batch = try AnimationBatch<Float>()
    let handle = try Motion(value: target.nextDown, target: target, velocity: 1e-17).add(to: &batch, inBulk: inBulk)
    try batch.advance(to: 100)
    let (value, settled) = (batch[handle], batch.settled)
    #expect(value == target && settled == [handle])
  }

  @Test func aRetargetInEveryFrameStaysBounded() throws {
    var batch = try AnimationBatch<Float>()
    let spring = Spring(duration: 0.3, bounce: 0.5)
    let alone = try batch.add(0, to: 1, spring)
    let zeros = [Float](repeating: 0, count: 20)
    let many = try batch.add(zeros, to: zeros, spring)
    // Two minutes, or an hour, of 60 frames a second.
    for frame in 0..<Effort.draws(quick: 7_200, soak: 216_000) {
      try batch.advance(by: 1.0 / 60)
      let goal: Float = frame / 30 % 2 == 0 ? 1 : -1
      try batch.retarget(alone, to: goal)
      try batch.retarget(many, to: [Float](repeating: goal, count: 20))
      if frame % 1_000 == 0 {
        for handle in [alone, many[3]] {
          let (x, v) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
          #expect(abs(x) < 4 && abs(v) < 100)
        }
      }
    }
    try batch.advance(by: 100)
    let (value, same) = (batch[alone] ?? .nan, batch[many[19]])
    #expect(abs(value) == 1 && same == value)
  }
}
