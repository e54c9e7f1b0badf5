// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import MurmurationReference
import TestSupport
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
    #expect(batch[track] == 4)
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

  // MARK: - Late keyframes

  /// The later numbers seed timelines whose bounds once were too small.
  @Test(
    "Bounds hold where keyframes of nanoseconds come after hours",
    arguments: [0..<60, 60..<120] + [572, 728, 766, 1148, 2051, 2105, 2240, 2345, 2759].map { $0..<$0 + 1 })
  func wideTimelines(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      let index = seed % 60
      var draw = RandomTimeline(seed: seed)
      draw.hasWideDurations = true
      draw.allowsJumpingCurves = index % 3 == 0
      let sequence = draw.sequence(count: 8) { $0.number() }
      let timeline = KeyframeTimeline(initialValue: draw.number()) { sequence }
      let clip: Clip
      do throws(ClipError) {
        clip = try Clip(timeline, tolerance: [0x1p-16, 0x1p-10, 0x1p-24][Int(index % 3)])
      } catch {
        // A short steep keyframe of a long clip may be too steep for Float.
        guard case .overflow = error else { throw error }
        continue
      }
      ClipTimelineTests.compare(clip, timeline, seed: seed, jumping: draw.allowsJumpingCurves, pieces: true)
    }
  }

  /// A keyframe may last slightly longer than the difference of its end and start on the clock. At that end the timeline
  /// shows a value just before the target, and the target after it. A clip holds the value just before.
  @Test func whatIsHeldAfterARoundedEnd() throws {
    var draw = RandomTimeline(seed: 21)
    var rounded = 0
    for _ in 0..<300 {
      let (start, duration) = (draw.random.uniform(50...5000), draw.random.uniform(1e-9...1e-7))
      let spring = Spring(duration: draw.random.uniform(0.01...0.1), bounce: 0.2)
      let timelines = [
        KeyframeTimeline(initialValue: 0.0) {
          LinearKeyframe(0, duration: start)
          LinearKeyframe(50, duration: duration, timingCurve: .easeIn)
        },
        KeyframeTimeline(initialValue: 0.0) {
          LinearKeyframe(0, duration: start)
          SpringKeyframe(50, duration: duration, spring: spring, startVelocity: 1e4)
        },
        KeyframeTimeline(initialValue: 0.0) {
          LinearKeyframe(0, duration: start)
          CubicKeyframe(50, duration: duration, endVelocity: 1e6)
        },
      ]
      for timeline in timelines {
        let clip = try Clip(timeline, tolerance: 0x1p-24)
        let difference = abs(clip.finalValues[0] - timeline.value(time: .greatestFiniteMagnitude))
        #expect(difference <= clip.report.valueErrorBound, "\(duration) s from \(start) s on")
        rounded += difference > 0x1p-40 ? 1 : 0
      }
    }
    #expect(rounded > 100)
  }

  /// A curve that may jump comes early by a share of its keyframe's end, also at the keyframe's beginning.
  @Test func aSteepPieceOfACurveThatMayJump() throws {
    let points = [(0.0, 0.0), (0.03, 0), (0.031, 1), (1, 1)].map {
      PiecewiseLinearCurve.Point(input: $0.0, output: $0.1)
    }
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(100, duration: 2, timingCurve: .linear(points: points))
    }
    let clip = try Clip(timeline)
    var largest = 0.0
    for index in 1..<1000 {
      let time = 0.06 + 0.002 * Double(index) / 1000
      largest = max(largest, abs(clip.value(dimension: 0, at: time) - timeline.value(time: time)))
    }
    #expect(largest > 0.25 * clip.report.valueErrorBound && largest <= clip.report.valueErrorBound)
  }

  /// Squeezed into a few hundred ticks of the clock, an ease is fitted anew, between its corners: a piece across one would be
  /// off by more than its measured error.
  @Test(arguments: [(100.22529024331841, 3.0272866517860415e-12), (100.25, 197 * 0.97 * 0x1p-46)])
  func easesOfPicosecondsKeepTheirCorners(_ start: Double, _ duration: Double) throws {
    for ease in NamedEase.all where !ease.corners.isEmpty && !ease.startsWithJump {
      let curve = try #require(UnitCurve.named.first { $0.name == ease.name }).curve
      let timeline = KeyframeTimeline(initialValue: 0.0) {
        LinearKeyframe(0, duration: start)
        LinearKeyframe(1, duration: duration, timingCurve: curve)
        LinearKeyframe(1, duration: 1)
      }
      let clip = try Clip(timeline)
      let bounds = (clip.report.valueErrorBounds[0], clip.report.velocityErrorBounds[0])
      if ease.family == .bounce { #expect(bounds.0 < 0.1) }
      var time = start.nextUp
      while time < start + duration {
        let progress = (time - start) / duration
        let value = abs(clip.value(dimension: 0, at: time) - timeline.value(time: time))
        #expect(value <= bounds.0, "\(ease.name) at \(progress)")
        // A moment at a corner belongs to either side.
        if !ease.corners.contains(where: { abs($0 - progress) * duration <= start.ulp }) {
          let velocity = abs(clip.velocity(dimension: 0, at: time) - timeline.velocity(time: time))
          #expect(velocity <= bounds.1, "\(ease.name) at \(progress)")
        }
        time = time.nextUp
      }
    }
  }
}
