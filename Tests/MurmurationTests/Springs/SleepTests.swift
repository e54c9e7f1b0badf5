// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Tracks at rest cost nothing, and whether they are evaluated all the same cannot be seen.
struct SleepTests {
  /// Tracks of all kinds: mixed ones of both regimes, two large cohorts, small ones.
  private func fill(_ batch: inout SpringBatch, _ random: inout SplitMix64) throws -> [TrackHandle] {
    var handles: [TrackHandle] = []
    for regime in Motion.Regime.allCases {
      for _ in 0..<10 {
        handles.append(try Motion(regime, &random).add(to: &batch, inCohort: false))
      }
      for count in [1, 3, 40] {
        let motions = (0..<count).map { _ in Motion(regime, &random) }
        let (values, targets) = (motions.map(\.value), motions.map(\.target))
        handles += try batch.add(motions[0].spring, values: values.span, targets: targets.span)
      }
    }
    return handles
  }

  @Test(arguments: [false, true]) func aFrameWithoutMotionReadsAndWritesNothing(_ computesVelocities: Bool) throws {
    var random = SplitMix64(seed: 51)
    var batch = try SpringBatch()
    batch.computesVelocities = computesVelocities
    let handles = try fill(&batch, &random)
    try batch.advance(to: 0.01)
    let awake = batch.bytesPerFrame
    #expect(awake >= 16 * handles.count)
    try batch.advance(to: 1_000)
    try batch.advance(to: 1_001)
    let asleep = batch.bytesPerFrame
    #expect(asleep == 0)
    let shown = try batch.values()
    let targets = try handles.map { handle in try batch.target(of: handle, as: Float.self) }
    let velocities = try batch.velocities()
    #expect(shown == targets && velocities.allSatisfy { $0.bitPattern == 0 })
  }

  @Test func aRetargetWakesItsTrackAndNoOtherTile() throws {
    var random = SplitMix64(seed: 52)
    var batch = try SpringBatch()
    let handles = try fill(&batch, &random)
    try batch.advance(to: 1_000)
    for handle in handles {
      let target = try batch.target(of: handle, as: Float.self)
      try batch.retarget(handle, to: target + 100)
      try batch.advance(by: 0.01)
      let (value, rests) = (try batch.value(of: handle, as: Float.self), try batch.isAtRest(handle))
      #expect(!rests && value > target)
      let bytes = batch.bytesPerFrame
      #expect(bytes > 0 && bytes <= 16 * 40)
      try batch.advance(by: 1_000)
      let end = try batch.value(of: handle, as: Float.self)
      #expect(end == target + 100)
      try batch.advance(by: 1)
      let asleep = batch.bytesPerFrame
      #expect(asleep == 0)
    }
  }

  @Test func bulkRetargetsAndSettersWakeTheirTracks() throws {
    var random = SplitMix64(seed: 53)
    var batch = try SpringBatch()
    let handles = try fill(&batch, &random)
    let zeros = [Float](repeating: 0, count: handles.count)
    let ones = [Float](repeating: 1, count: handles.count)
    for call in 0..<6 {
      try batch.advance(by: 1_000)
      switch call {
      case 0: try batch.retargetAll(to: ones.span)
      case 1: try batch.retargetAll(to: zeros.span, spring: .bouncy)
      case 2: try batch.retarget(handles.span, to: ones.span)
      case 3: try batch.set(handles.span, values: zeros.span, velocities: ones.span)
      case 4: try batch.retarget(0..<handles.count, to: zeros.span)
      default: try batch.retarget(0..<handles.count, to: ones.span, spring: .smooth)
      }
      try batch.advance(by: 0.02)
      let moving = try handles.allSatisfy { handle in try !batch.isAtRest(handle) }
      #expect(moving, "call \(call)")
      let velocities = try batch.velocities()
      #expect(velocities.allSatisfy { $0 != 0 }, "call \(call)")
    }
  }

  /// A companion that never rests keeps every tile awake; alone, a track sleeps. Neither shows.
  @Test(arguments: Motion.Regime.allCases, KernelSet.available)
  func aTrackHasTheSameBitsAloneAndAmongTracksThatKeepMoving(_ regime: Motion.Regime, _ set: KernelSet) throws {
    var random = SplitMix64(seed: 54)
    for trial in 0..<40 {
      var motion = Motion(regime, &random)
      if trial % 3 == 0 {
        motion.target = trial % 12 < 6 ? -0.0 : 0
      }
      let inCohort = trial % 2 == 0
      var alone = try SpringBatch(kernels: set)
      var company = try SpringBatch(kernels: set)
      let handle = try motion.add(to: &alone, inCohort: inCohort)
      var companions: [TrackHandle] = []
      for spring in [Spring(duration: 0.3, bounce: 1), Spring(duration: 1e6, bounce: -0.9)] {
        companions.append(try Motion(value: 1, target: 0, spring: spring).add(to: &company, inCohort: inCohort))
      }
      let twin = try motion.add(to: &company, inCohort: inCohort)
      let rest = try alone.restTime(of: handle)
      for frame in 0..<400 {
        let time = rest * (0.5 + Double(frame) / 400) + random.unit() * 1e-6
        try alone.advance(to: max(time, alone.time))
        try company.advance(to: alone.time)
        // Another look at the tile, and a change of neighbours.
        if frame % 3 == 0 {
          try company.retarget(companions[frame % 2], to: Float(frame))
        }
        let (one, other) = (try alone.bits(of: handle), try company.bits(of: twin))
        #expect(one == other, "\(motion) \(inCohort ? "in a cohort" : "") at \(alone.time), at rest from \(rest)")
        let (rests, restsToo) = (try alone.isAtRest(handle), try company.isAtRest(twin))
        #expect(rests == restsToo)
        let (settled, settledToo) = (alone.settled.count, company.settled.filter { $0 == twin }.count)
        #expect(settled == settledToo)
      }
    }
  }

  /// Of old motions an age in Float is coarse: whether a lane is at rest must not depend on when its tile was looked at.
  @Test(arguments: [false, true]) func theFrameInWhichAnOldMotionRestsIsTheSameInAnyCompany(_ inCohort: Bool) throws {
    var random = SplitMix64(seed: 55)
    for _ in 0..<200 {
      let spring = Spring(duration: random.uniform(2e4...1e5), bounce: random.uniform(-0.5...0.5))
      let motion = Motion(value: Float(random.uniform(1...100)), target: 0, spring: spring)
      var alone = try SpringBatch()
      var company = try SpringBatch()
      let handle = try motion.add(to: &alone, inCohort: inCohort)
      let companion = try Motion(value: 1, target: 0).add(to: &company, inCohort: inCohort)
      let twin = try motion.add(to: &company, inCohort: inCohort)
      let rest = try alone.restTime(of: handle)
      for step in 0..<200 {
        let time = rest + (Double(step) - 100 + random.unit()) * rest * 0x1p-31
        try alone.advance(to: time)
        try company.advance(to: time)
        try company.retarget(companion, to: Float(step))
        let (one, other) = (try alone.bits(of: handle), try company.bits(of: twin))
        #expect(one == other, "\(motion) \(time - rest) s from its rest")
      }
    }
  }
}
