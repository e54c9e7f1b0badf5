// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks at rest cost nothing, and it makes no difference whether a frame evaluates them.
struct SleepTests {
  /// Tracks of both regimes, added one by one and by calls for few and for many.
  private func fill(_ batch: inout AnimationBatch<Float>, _ random: inout SplitMix64) throws -> [TrackHandle] {
    var handles: [TrackHandle] = []
    for regime in Motion.Regime.allCases {
      for _ in 0..<10 {
        handles.append(try Motion(regime, &random).add(to: &batch, inBulk: false))
      }
      for count in [1, 3, 40] {
        let motions = (0..<count).map { _ in Motion(regime, &random) }
        let (values, targets) = (motions.map(\.value), motions.map(\.target))
        handles += try batch.add(values, to: targets, motions[0].spring)
      }
    }
    return handles
  }

  @Test(arguments: [false, true]) func aFrameWithoutMotionReadsAndWritesNothing(_ wanted: Bool) throws {
    var random = SplitMix64(seed: 51)
    var batch = try AnimationBatch<Float>()
    let handles = try fill(&batch, &random)
    try batch.advance(to: 0.01, velocities: wanted)
    let awake = batch.engine.bytesPerFrame(velocities: wanted)
    #expect(awake >= 12 * handles.count)
    try batch.advance(to: 1_000, velocities: wanted)
    try batch.advance(to: 1_001, velocities: wanted)
    let asleep = batch.engine.bytesPerFrame(velocities: wanted)
    #expect(asleep == 0)
    let (shown, targets) = (handles.map { batch[$0] }, handles.map { batch.target(of: $0) })
    let velocities = try batch.velocities()
    #expect(shown == targets && velocities.allSatisfy { $0.bitPattern == 0 })
  }

  @Test func aRetargetWakesItsTrackAndNoOtherTile() throws {
    var random = SplitMix64(seed: 52)
    var batch = try AnimationBatch<Float>()
    let handles = try fill(&batch, &random)
    try batch.advance(to: 1_000)
    for handle in handles {
      let target = batch.target(of: handle) ?? .nan
      try batch.retarget(handle, to: target + 100)
      try batch.advance(by: 0.01)
      let (value, rests) = (batch[handle] ?? .nan, batch.isAtRest(handle))
      let bytes = batch.engine.bytesPerFrame(velocities: true)
      #expect(rests == false && value > target && bytes > 0 && bytes <= 16 * 40, "\(bytes)")
      try batch.advance(by: 1_000)
      let end = batch[handle]
      try batch.advance(by: 1)
      let asleep = batch.engine.bytesPerFrame(velocities: true)
      #expect(end == target + 100 && asleep == 0)
    }
  }

  @Test func bulkRetargetsAndSettersWakeTheirTracks() throws {
    var random = SplitMix64(seed: 53)
    var batch = try AnimationBatch<Float>()
    let handles = try fill(&batch, &random)
    let (zeros, ones) = ([Float](repeating: 0, count: handles.count), [Float](repeating: 1, count: handles.count))
    for call in 0..<7 {
      try batch.advance(by: 1_000)
      switch call {
      case 0: try batch.retarget(.all, to: ones.span)
      case 1: try batch.animate(.all, to: zeros.span, .bouncy)
      case 2: try batch.retarget(handles, to: ones)
      case 3: try batch.displace(handles, zeros, velocities: ones)
      case 4: try batch.retarget(0..<handles.count, to: zeros.span)
      case 5: try batch.animate(0..<handles.count, to: ones.span, .smooth)
      default: try batch.animate(handles, to: zeros, .bouncy)
      }
      try batch.advance(by: 0.02, velocities: true)
      let (moving, velocities) = (handles.allSatisfy { batch.isAtRest($0) == false }, try batch.velocities())
      #expect(moving && velocities.allSatisfy { $0 != 0 }, "call \(call)")
    }
  }

  /// A companion that never rests keeps every tile awake; a track alone sleeps. The values are the same.
  @Test(arguments: Motion.Regime.allCases, KernelSet.available)
  func aTrackHasTheSameBitsAloneAndAmongTracksThatKeepMoving(_ regime: Motion.Regime, _ set: KernelSet) throws {
    var random = SplitMix64(seed: 54)
    for trial in 0..<6 {
      var motion = Motion(regime, &random)
      if trial % 3 == 0 {
        motion.target = trial % 6 < 3 ? -0.0 : 0
      }
      let inBulk = trial % 2 == 0
      var alone = try AnimationBatch<Float>(kernels: set)
      var company = try AnimationBatch<Float>(kernels: set)
      let handle = try motion.add(to: &alone, inBulk: inBulk)
      var companions: [TrackHandle] = []
      for spring in [Spring(duration: 0.3, bounce: 1), Spring(duration: 1e6, bounce: -0.9)] {
        companions.append(try Motion(value: 1, target: 0, spring: spring).add(to: &company, inBulk: inBulk))
      }
      let twin = try motion.add(to: &company, inBulk: inBulk)
      let rest = alone.restTime(of: handle) ?? .nan
      for frame in 0..<150 {
        let time = rest * (0.5 + Double(frame) / 150) + random.unit() * 1e-6
        let next = max(time, alone.time)
        try alone.advance(to: next)
        try company.advance(to: next)
        // Another look at the tile, and a change of neighbours.
        if frame % 3 == 0 {
          try company.retarget(companions[frame % 2], to: Float(frame))
        }
        let (one, other) = (alone.bits(of: handle), company.bits(of: twin))
        #expect(one == other, "\(motion) \(inBulk ? "in bulk" : "") at \(alone.time), at rest from \(rest)")
        let (rests, restsToo) = (alone.isAtRest(handle), company.isAtRest(twin))
        #expect(rests == restsToo)
        let (settled, settledToo) = (alone.settled.count, company.settled.filter { $0 == twin }.count)
        #expect(settled == settledToo)
      }
    }
  }

  /// The age of an old motion is coarse in Float. Whether a lane is at rest must not depend on when its tile was looked at.
  @Test(arguments: [false, true]) func theFrameInWhichAnOldMotionRestsIsTheSameInAnyCompany(_ inBulk: Bool) throws {
    var random = SplitMix64(seed: 55)
    for _ in 0..<15 {
      let spring = Spring(duration: random.uniform(2e4...1e5), bounce: random.uniform(-0.5...0.5))
      let motion = Motion(value: Float(random.uniform(1...100)), target: 0, spring: spring)
      var alone = try AnimationBatch<Float>()
      var company = try AnimationBatch<Float>()
      let handle = try motion.add(to: &alone, inBulk: inBulk)
      // A spring so short that its tile is looked at in each of these frames.
      let companion = try Motion(value: 1, target: 0, spring: Spring(duration: 1e-4)).add(to: &company, inBulk: inBulk)
      let twin = try motion.add(to: &company, inBulk: inBulk)
      let rest = alone.restTime(of: handle) ?? .nan
      for step in 0..<200 {
        let time = rest + (Double(step) - 100 + random.unit()) * rest * 0x1p-31
        try alone.advance(to: time)
        try company.advance(to: time)
        try company.retarget(companion, to: Float(step))
        let (one, other) = (alone.bits(of: handle), company.bits(of: twin))
        #expect(one == other, "\(motion) \(time - rest) s from its rest")
      }
    }
  }
}
