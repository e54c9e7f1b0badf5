// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks at rest cost nothing, and it makes no difference whether a frame evaluates them.
struct SleepTests {
  /// Tracks of both regimes, added one by one and by calls for few and for many.
  private func fill(_ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    var random = SplitMix64(seed: 51)
    var handles: [TrackHandle] = []
    for regime in Motion.Regime.allCases {
      for _ in 0..<10 { handles.append(try Motion(regime, &random).add(to: &batch, inBulk: false)) }
      for count in [1, 3, 40] {
        let motions = (0..<count).map { _ in Motion(regime, &random) }
        handles += try batch.add(motions.map(\.value), to: motions.map(\.target), motions[0].spring)
      }
    }
    return handles
  }

  @Test(arguments: [false, true]) func aFrameWithoutMotionReadsAndWritesNothing(_ wanted: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let handles = try fill(&batch)
    for time in [0.01, 1_000, 0.05, 1_001] {
      try batch.advance(to: time, velocities: wanted)
      // A motion that is no longer looked at has been seen at rest once.
      if time >= 1_000 { try batch.advance(by: 1, velocities: wanted) }
      let bytes = batch.engine.bytesPerFrame(velocities: wanted)
      #expect(time < 1 ? bytes >= 12 * handles.count : bytes == 0, "\(bytes) at \(time)")
      #expect(handles.allSatisfy { batch.isAtRest($0) == (time >= 1) }, "at \(time)")
    }
    let velocities = try batch.velocities()
    #expect(handles.allSatisfy { batch[$0] == batch.target(of: $0) } && velocities.allSatisfy { $0.bitPattern == 0 })
  }

  @Test func aRetargetWakesItsTrackAndNoOtherTile() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try fill(&batch)
    try batch.advance(to: 1_000)
    for handle in handles {
      let target = batch.target(of: handle) ?? .nan
      try batch.retarget(handle, to: target + 100)
      try batch.advance(by: 0.01)
      let bytes = batch.engine.bytesPerFrame(velocities: true)
      #expect(batch.isAtRest(handle) == false && batch[handle] ?? .nan > target)
      #expect(bytes > 0 && bytes <= 16 * 40, "\(bytes)")
      try batch.advance(by: 1_000)
      let end = batch[handle]
      try batch.advance(by: 1)
      #expect(end == target + 100 && batch.engine.bytesPerFrame(velocities: true) == 0)
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
        #expect(alone.bits(of: handle) == company.bits(of: twin), "\(motion) \(time - rest) s from its rest")
      }
    }
  }
}
