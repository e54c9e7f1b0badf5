// SPDX-License-Identifier: MIT
import MurmurationReference
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Springs, targets and values at the ends of their ranges.
struct HostileMotionTests {
  /// From a billionth of the duration on. A spring without damping goes on for a month at 20 swings a second.
  @Test(
    arguments: [1e-4, 0.05, 1, 1e6],
    [-1 + 0x1p-24, -0.6, -1e-12, -.leastNonzeroMagnitude, 0, .leastNormalMagnitude, 0x1p-24, 0.4, 1])
  func extremeSpringsFollowTheModel(_ duration: Double, _ bounce: Double) throws {
    let spring = Spring(duration: duration, bounce: bounce)
    for (inBulk, pace) in [(false, 0.0), (true, 0), (false, -3), (true, -3)] {
      var batch = try AnimationBatch<Float>()
      try batch.hardlyRests()
      let motion = Motion(value: 1, target: 0, velocity: Float(pace * spring.naturalFrequency), spring: spring)
      let handle = try motion.add(to: &batch, inBulk: inBulk)
      for part in [1e-9, 1e-3, 0.2, 1, 3, 1e3, 51_840_000.25] where part * duration <= 1e10 {
        try batch.advance(to: part * duration)
        #expect(batch.excess(of: handle, motion.exact()) <= 1, "\(motion) at \(batch.time)")
      }
    }
  }

  @Test(arguments: Motion.Regime.allCases, [false, true])
  func theLargestValuesStayFinite(_ regime: Motion.Regime, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 102)
    for duration in [1e-4, 1, 1e6] {
      let spring = Spring(duration: duration, bounce: Motion(regime, &random).spring.bounce)
      var batch = try AnimationBatch<Float>()
      let motion = Motion(value: 1e15, target: -1e15, velocity: 1e15, spring: spring)
      let handle = try motion.add(to: &batch, inBulk: inBulk)
      for step in 0..<40 {
        try batch.advance(by: duration * 0.07)
        // A chain that hands on the largest velocities.
        if step % 2 == 1 { try batch.send(handle, to: step % 4 == 1 ? 1e15 : -1e15, step % 3 == 0 ? spring : nil) }
        let (x, v) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        #expect(x.isFinite && v.isFinite, "\(spring): \(x), \(v)")
      }
    }
  }

  /// A track at its target still moves if it has a velocity, whether it was added with it or `set` gave it.
  @Test(arguments: [false, true], [false, true]) func aVelocityAloneMovesAndSettles(_ inBulk: Bool, _ isSet: Bool)
    throws
  {
    var batch = try AnimationBatch<Float>()
    let handle = try Motion(value: 160, target: 160, velocity: isSet ? 0 : 50).add(to: &batch, inBulk: inBulk)
    if isSet {
      try batch.set([handle], [160], velocities: [50])
      if inBulk { try batch.animate([handle], to: [160], .smooth) } else { try batch.retarget(handle, to: 160) }
    }
    try batch.advance(to: 0.05)
    #expect(batch[handle] ?? .nan > 160.5 && batch.isAtRest(handle) == false)
    try batch.advance(to: 100)
    #expect(batch[handle] == 160 && batch.settled == [handle])
  }

  @Test(arguments: [false, true], [Float(160), 1e15]) func aMotionBelowTheDigitsOfItsTargetSettles(
    _ inBulk: Bool, _ target: Float
  ) throws {
    var batch = try AnimationBatch<Float>()
    let handle = try Motion(value: target.nextDown, target: target, velocity: 1e-17).add(to: &batch, inBulk: inBulk)
    try batch.advance(to: 100)
    #expect(batch[handle] == target && batch.settled == [handle])
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
      try batch.retarget(many, to: goal)
      for handle in frame % 1_000 == 0 ? [alone, many[3]] : [] {
        #expect(abs(batch[handle] ?? .nan) < 4 && abs(batch.velocity(of: handle) ?? .nan) < 100)
      }
    }
    try batch.advance(by: 100)
    #expect(abs(batch[alone] ?? .nan) == 1 && batch[many[19]] == batch[alone])
  }
}
