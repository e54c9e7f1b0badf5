// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// The named eases in batches, clips and keyframes, against the model.
struct NamedEaseBatchTests {
  /// The thirty, and the inverses that have no name.
  static let eases = NamedEase.all + NamedEase.all.map(\.inverse).filter(\.isInverse)

  @Test("Fits are within their tolerance", arguments: eases, [0x1p-6, 0x1p-16, 0x1p-24])
  func fits(_ ease: NamedEase, _ tolerance: Double) throws {
    let curve = UnitCurve(.named(ease))
    let fit = try #require(CurveFit(curve, tolerance: tolerance))
    #expect(fit.valueError <= tolerance * (1 + 1e-9) && fit.times.first == 0 && fit.times.last == 1)
    let track = PieceTrack(components: [0], times: fit.times, pieces: [fit.pieces])
    for place in 0...4000 {
      let evenly = Double(place) / 4000
      for x in [evenly, evenly * evenly * evenly, 1 - evenly * evenly * evenly] {
        let miss = abs(track.value(component: 0, at: x) - curve.limit(at: x))
        let rise = abs(curve.limit(at: min(x + 4 * x.ulp, 1)) - curve.limit(at: max(0, x - 4 * x.ulp)))
        #expect(miss <= fit.valueError + rise, "\(ease.name) at \(x)")
        let slope = curve.velocity(at: x)
        // At a corner the slope is that of one side.
        if !slope.isFinite || ease.corners.contains(where: { abs($0 - x) < 1e-9 }) { continue }
        #expect(
          abs(track.velocity(component: 0, at: x) - slope) <= fit.velocityError * (1 + 1e-9) + 1e-9 * abs(slope)
            + 1e-14,
          "\(ease.name) at \(x)")
      }
    }
    #expect(fit.pieces[0].x == curve.limit(at: 0))
    let end = fit.pieces[fit.pieces.count - 1].cubicValue(at: 1 - fit.times[fit.pieces.count - 1])
    // Where an inverse is upright at 1, it rises between neighbouring numbers.
    #expect(
      isClose(end, curve.limit(at: 1), absolute: fit.valueError + curve.limit(at: 1) - curve.limit(at: 1.nextDown)))
  }

  @Test("Polynomials are exact, with a piece for each formula")
  func polynomials() throws {
    for ease in NamedEase.all where [.quad, .cubic, .back, .bounce].contains(ease.family) {
      let fit = try #require(CurveFit(UnitCurve(.named(ease)), tolerance: 0x1p-30))
      #expect(fit.pieces.count == ease.corners.count + 1 && fit.valueError < 1e-13, "\(ease.name): \(fit.times)")
    }
  }

  /// At its very start a track shows where it stood, and at its end its goal, though the curve jumps there.
  @Test func jumpsAreAtTheEndsAlone() throws {
    for animation in [Animation.timingCurve(.easeInOutExpo, duration: 1), .timingCurve(.easeInOutElastic, duration: 1)]
    {
      for delay in [0, 0.25] {
        var batch = try AnimationBatch<Float>()
        let track = try batch.add(0)
        try batch.animate(track, to: 1024, animation.delay(delay))
        try batch.advance(to: delay / 2)
        #expect(batch[track] == 0)
        try batch.advance(to: delay)
        #expect(batch[track] == 0)
        try batch.advance(to: delay + 0x1p-20)
        #expect(abs(batch[track] ?? 0) > 0.05)
        try batch.advance(to: delay + 1 - 0x1p-20)
        #expect(abs((batch[track] ?? 0) - 1024) > 0.05)
        try batch.advance(to: delay + 1)
        #expect(batch[track] == 1024)
      }
      // There and back, twice: the moment between two iterations belongs to the earlier one.
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      try batch.animate(track, to: 1024, animation.repeatCount(4, autoreverses: true))
      for (time, value) in [(0, 0), (1, 1024), (2, 0), (3, 1024), (4, 0), (5, 1024)] as [(Double, Float)] {
        try batch.advance(to: time)
        #expect(batch[track] == value || time == 4, "\(time)")
      }
    }
  }

  /// Keyframes along eases from the start of a track, in its middle and at its end.
  @Test("Clips are within their bounds of the timeline", arguments: eases)
  func clips(_ ease: NamedEase) throws {
    let curve = UnitCurve(.named(ease))
    let timeline = KeyframeTimeline(initialValue: 1.0) {
      LinearKeyframe(5, duration: 0.7, timingCurve: curve)
      CubicKeyframe(2, duration: 0.4)
      LinearKeyframe(-3, duration: 0.3, timingCurve: curve)
      LinearKeyframe(4, duration: 0.6, timingCurve: curve)
    }
    let clip = try Clip(timeline, tolerance: 0x1p-16)
    // Inverses that stand upright have pieces of the shortest length there.
    #expect(clip.report.valueErrorBound <= (ease.isInverse ? 0.1 : 8 * 0x1p-16), "\(ease.name)")
    let ends = [0, 0.7, 1.1, 1.4, 2.0]
    var times = (0...4000).map { Double($0) / 2000 }
    for end in ends { times += [end + 1e-6, max(0, end - 1e-6)] }
    for time in times where !ends.contains(where: { abs($0 - time) < 1e-9 }) {
      let value = timeline.value(time: time)
      let rise = abs(timeline.value(time: time + 1e-14) - timeline.value(time: time - 1e-14))
      let miss = abs(clip.value(dimension: 0, at: time) - value)
      #expect(miss <= clip.report.valueErrorBound + rise, "\(ease.name) at \(time)")
    }
    // Kernels count 2³² ticks.
    var sampler = try ClipSampler(clip)
    for (time, value) in [(0, 1), (0.7, 5), (1.1, 2), (1.4, -3), (2, 4), (9, 4)] as [(Double, Double)] {
      try sampler.sample(at: time)
      let rise = 8 * (1 - curve.limit(at: 1 - 0x1p-31) + curve.limit(at: 0x1p-31))
      let tick = ease.startsWithJump || ease.endsWithJump ? 0 : rise
      #expect(abs(Double(sampler.withValues { $0[0] }) - value) <= 4e-6 + tick, "\(ease.name) at \(time)")
    }
  }
}
