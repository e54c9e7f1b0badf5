// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import MurmurationReference
import TestSupport
import Testing

/// Clips of timelines show what the timelines do, within the bounds that they report.
@Suite struct ClipTimelineTests {
  /// Compares a clip with its timeline at telltale times, except at the jumps of jumping curves: clips show these early,
  /// and the model rounds the time since the start of a keyframe. With `pieces`, around each piece's ends as well.
  static func compare(
    _ clip: Clip, _ timeline: KeyframeTimeline<Double>, seed: UInt64, jumping: Bool, pieces: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var random = SplitMix64(seed: seed &+ 77)
    let (valueBound, velocityBound) = (clip.report.valueErrorBound, clip.report.velocityErrorBound)
    #expect(valueBound.isFinite, sourceLocation: sourceLocation)
    let boundaries = clip.tracks.flatMap(\.times)
    for time in telltaleTimes(
      ends: timeline.tracks.flatMap(\.ends), boundaries: pieces ? boundaries : [], random: &random)
    {
      if jumping, boundaries.contains(where: { abs(time - $0) < 0x1p-42 * $0 }) { continue }
      let (value, expected) = (clip.value(dimension: 0, at: time), timeline.value(time: time))
      #expect(
        abs(value - expected) <= valueBound, "seed \(seed), \(time) s: \(value), not \(expected) ± \(valueBound)",
        sourceLocation: sourceLocation)
      let (velocity, slope) = (clip.velocity(dimension: 0, at: time), timeline.velocity(time: time))
      #expect(velocity.isFinite, sourceLocation: sourceLocation)
      guard slope.isFinite, velocityBound.isFinite else { continue }
      #expect(
        abs(velocity - slope) <= velocityBound,
        "seed \(seed), \(time) s: velocity \(velocity), not \(slope) ± \(velocityBound)", sourceLocation: sourceLocation
      )
    }
  }

  @Test(
    "Values and velocities of random timelines are within the reported bounds",
    arguments: 0..<Effort.draws(quick: 6, soak: 30))
  func randomTimelines(_ part: Int) throws {
    for index in 0..<100 {
      let seed = UInt64(part * 100 + index)
      var draw = RandomTimeline(seed: seed)
      draw.allowsJumpingCurves = index % 3 == 0
      let sequence = draw.sequence(count: Int(draw.random.next() % 9)) { $0.number() }
      let timeline = KeyframeTimeline(initialValue: draw.number()) { sequence }
      let tolerance = [0x1p-16, 0x1p-10, 0x1p-24][index % 3]
      let clip = try Clip(timeline, tolerance: tolerance)
      #expect(clip.duration == timeline.duration)
      Self.compare(clip, timeline, seed: seed, jumping: draw.allowsJumpingCurves)
    }
  }

  @Test("Fitted keyframes meet their tolerance", arguments: [0x1p-8, 0x1p-16, 0x1p-26])
  func toleranceIsMet(_ tolerance: Double) throws {
    let curves: [UnitCurve] = [
      .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseOut, .circularEaseInOut,
      .bezier(startControlPoint: UnitPoint(x: 0, y: 1), endControlPoint: UnitPoint(x: 0.5, y: 1)),
    ]
    // Where a curve is vertical, Float cannot hold the coefficients of the short pieces that 2⁻²⁶ needs.
    for curve in curves where tolerance > 0x1p-20 || curve == .easeIn || curve == .easeInOut {
      let clip = try Clip(
        KeyframeTimeline(initialValue: 3.0) { LinearKeyframe(-5, duration: 0.7, timingCurve: curve) },
        tolerance: tolerance)
      #expect(clip.report.valueErrorBound <= tolerance * 8 * (1 + 1e-9) + 1e-13, "\(curve)")
    }
    for bounce in tolerance < 0x1p-20 ? [0] : [-0.9, -0.3, 0, 0.3, 0.9] {
      let timeline = KeyframeTimeline(initialValue: 3.0) {
        SpringKeyframe(-5, spring: Spring(duration: 0.5, bounce: bounce))
      }
      let clip = try Clip(timeline, tolerance: tolerance)
      #expect(clip.report.valueErrorBound <= tolerance * 8 * (1 + 1e-9) + 1e-12, "bounce \(bounce)")
      Self.compare(clip, timeline, seed: 1, jumping: false)
    }
  }

  @Test("Linear, cubic and move keyframes are exact to a few ulp")
  func exactness() throws {
    var draw = RandomTimeline(seed: 5)
    for seed in 0..<300 {
      var sequence = KeyframeSequence<Double>()
      for _ in 0..<6 {
        switch draw.random.next() % 3 {
        case 0: LinearKeyframe(draw.number(), duration: draw.random.uniform(0.1...1)).append(to: &sequence)
        case 1: CubicKeyframe(draw.number(), duration: draw.random.uniform(0.1...1)).append(to: &sequence)
        default: MoveKeyframe(draw.number()).append(to: &sequence)
        }
      }
      let timeline = KeyframeTimeline(initialValue: 1.0) { sequence }
      let clip = try Clip(timeline)
      // A few units in the last place of values up to 100, and of the times up to 6 s by slopes up to 3 000.
      #expect(clip.report.valueErrorBound <= 4096 * 100 * 0x1p-52)
      Self.compare(clip, timeline, seed: UInt64(seed), jumping: false)
    }
  }

  @Test func reportCountsWhatIsThere() throws {
    let clip = try Clip(
      KeyframeTimeline(initialValue: SIMD2(0.0, 0)) {
        LinearKeyframe(SIMD2(1, 2), duration: 0.5)
        CubicKeyframe(SIMD2(3, 1), duration: 0.5)
      })
    #expect(clip.report.pieces == 4)
    #expect(clip.report.bytes == 4 * 32 + 3 * 8)
    let eased = try Clip(curve: .easeInOut)
    #expect(eased.report.pieces == eased.tracks[0].pieces[0].count)
    #expect(eased.report.pieces <= 12, "\(eased.report)")
    #expect(eased.report.valueErrorBounds.count == 1)
    // The bound is close to the largest error that occurs.
    let miss = (0...4000).map { index in
      abs(eased.value(dimension: 0, at: Double(index) / 4000) - UnitCurve.easeInOut.value(at: Double(index) / 4000))
    }
    #expect((miss.max() ?? 0) > 0.25 * eased.report.valueErrorBound)
    #expect(try Clip(curve: .circularEaseIn).report.velocityErrorBound == .infinity)
  }
}
