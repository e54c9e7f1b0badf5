// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Springs that are baked far from zero, and for long.
struct BakeTests {
  private func springs(_ springs: [Spring], at start: Double) throws -> AnimationBatch<Float> {
    var batch = try AnimationBatch<Float>()
    batch.restTolerance = try RestTolerances(value: 1e-30)
    try batch.advance(to: start)
    let (ones, zeros) = ([Float](repeating: 1, count: springs.count), [Float](repeating: 0, count: springs.count))
    try batch.add(ones, to: zeros, springs: springs)
    return batch
  }

  /// On a late clock the times of frames are rounded so much that quick springs notice.
  @Test(arguments: [1.7e9, -9.9e9, 0x1p20]) func framesFarFromZeroEqualThoseOfAdvance(_ start: Double) throws {
    let springs = [1e-4, 1e-3, 0.01, 0.3, 5].flatMap { duration in
      [1, 0.3, -0.5].map { Spring(duration: duration, bounce: $0) }
    }
    var batch = try self.springs(springs, at: start)
    let frames = BakeFrames(0..<90, perSecond: 60, start: start)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<15))
    for frame in frames.range {
      try batch.advance(to: frames.time(of: frame))
      for track in 0..<15 {
        let handle = try batch.handle(at: track) ?? #require(nil)
        let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        #expect(abs(baked.values[frame * 15 + track] - value) <= 17 * 0x1p-24, "track \(track), frame \(frame)")
        let slip = Double(baked.velocities[frame * 15 + track] - velocity)
        #expect(abs(slip) <= 17 * 0x1p-24 * springs[track].naturalFrequency, "track \(track), frame \(frame)")
      }
    }
  }

  /// Anchors are computed from the start of a motion every 512 frames, and frames are baked 4 096 at a time.
  @Test func manyFramesDoNotDrift() throws {
    let springs = [
      Spring(duration: 400, bounce: 0.9), Spring(duration: 400, bounce: 1), Spring(duration: 300, bounce: -0.5),
    ]
    let batch = try self.springs(springs, at: 0)
    let frames = BakeFrames(0..<9_001, perSecond: 10)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<3))
    for frame in [0, 15, 16, 511, 512, 4_095, 4_096, 8_999, 9_000] {
      for track in 0..<3 {
        var (value, velocity) = (1.0, 0.0)
        springs[track].update(value: &value, velocity: &velocity, target: 0, deltaTime: frames.time(of: frame))
        #expect(abs(Double(baked.values[frame * 3 + track]) - value) <= 8 * 0x1p-24, "frame \(frame)")
        let frequency = springs[track].naturalFrequency
        #expect(abs(Double(baked.velocities[frame * 3 + track]) - velocity) <= 8 * 0x1p-24 * frequency)
      }
    }
  }
}
