// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// Clips whose pieces or durations are too short for the ticks that kernels count.
@Suite struct SteepClipTests {
  @Test(
    "A duration too short for ticks counts as zero",
    arguments: [Double.leastNonzeroMagnitude, .leastNormalMagnitude / 8, 2.4e-299, 1e-30, 8e-19])
  func tinyDurations(duration: Double) throws {
    let clip = try Clip(
      KeyframeTimeline(initialValue: 3.0) {
        LinearKeyframe(3, duration: duration)
        MoveKeyframe(4)
      })
    #expect(clip.duration == 0 && clip.finalValues == [4])
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(playing: batch.load(clip))
    try batch.advance(to: 1)
    let shown = batch[track]
    #expect(shown == 4)
    var sampler = try ClipSampler(clip)
    try sampler.sample(at: 1)
    #expect(sampler.withValues { $0[0] } == 4)
  }

  @Test("Short steep pieces of long clips are finite, or throw when the clip is made")
  func steepPiecesOfLongClips() throws {
    var random = SplitMix64(seed: 5)
    var (played, refused) = (0, 0)
    func power(_ exponents: ClosedRange<Double>) -> Double {
      Double(sign: .plus, exponent: Int(random.uniform(exponents)), significand: random.uniform(1...2))
    }
    for _ in 0..<400 {
      let height = power(-10...49)
      let (before, length, after) = (power(-20...30), power(-40...4), power(-20...30))
      let timeline = KeyframeTimeline(initialValue: 0.0) {
        LinearKeyframe(0, duration: before)
        CubicKeyframe(height, duration: length, endVelocity: 0)
        LinearKeyframe(height, duration: after)
      }
      let clip: Clip
      do throws(ClipError) {
        clip = try Clip(timeline)
      } catch {
        guard case .overflow(track: 0, key: _, component: 0, value: _) = error else { throw error }
        refused += 1
        continue
      }
      played += 1
      let allowed = Float(-0.01 * height)...Float(1.01 * height)
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(playing: batch.load(clip))
      for time in [0, before, before.nextUp, before + length / 2, before + length, before + length + after / 2] {
        try batch.advance(to: min(time, clip.duration))
        let (value, velocity) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan)
        #expect(allowed.contains(value), "\(before), \(length), \(after) s at \(time) s")
        #expect(velocity.isFinite)
      }
    }
    #expect(played > 100 && refused > 10, "\(played) played, \(refused) refused")
  }

  @Test func aPieceForTheEndOnlyHoldsWhenItHasToLast() throws {
    let clip = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [
        PieceTrack(components: [0], times: [0, 1, 1], pieces: [[SIMD4(0, 1, 0, 0), SIMD4(1, 5, 1e30, 1e30)]])
      ], duration: 3)
    for time in [1.5, 2, 3, 4] { #expect(clip.value(dimension: 0, at: time) == 1) }
    #expect(clip.velocity(dimension: 0, at: 2) == 0)
  }
}
