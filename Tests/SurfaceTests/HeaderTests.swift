// SPDX-License-Identifier: MIT
import CSurface
import Testing

/// The functions treat counts, reserved fields, bounces and durations as `murmuration.h` documents.
@Suite struct HeaderTests {
  @Test(arguments: [(0.5, -0.999), (0.5, 1), (0, 0), (0, 1), (1e-4, 0.3), (1e6, 0.3)])
  func springsInRangeAreAccepted(duration: Double, bounce: Double) throws {
    let batch = try CBatch(dimensions: 1)
    let tracks = try batch.add([1], dimensions: 1)
    var spring = murmuration_spring_of_duration(duration, bounce)
    var info = murmuration_spring_info()
    #expect(murmuration_spring_describe(&spring, &info) == ok)
    #expect(duration == 0 ? info.duration == 0 && info.bounce.isNaN : abs(info.bounce - bounce) < 1e-12)
    var animation = murmuration_spring_animation(spring)
    #expect(murmuration_animate(batch.id, tracks, 0, 1, [2], 1, 1, &animation, nil, 0, nil) == ok)
    #expect(murmuration_advance(batch.id, 0.001, 0) == ok)
    // A duration of 0 jumps.
    #expect(duration > 0 || batch.read(MURMURATION_VALUES) == [2])
  }

  /// A curve or a keyframe that lasts 0 seconds or less is a jump.
  @Test(arguments: [0.0, -1]) func noLengthIsAJump(duration: Double) throws {
    let batch = try CBatch(dimensions: 1)
    let tracks = try batch.add([1, 1, 1], dimensions: 1)
    var curve = murmuration_curve_animation(murmuration_named_curve(0), duration)
    #expect(murmuration_animate(batch.id, tracks, 0, 1, [2], 1, 1, &curve, nil, 0, nil) == ok)
    for (track, kind) in [MURMURATION_LINEAR_KEYFRAME, MURMURATION_CUBIC_KEYFRAME].enumerated() {
      var keyframe = murmuration_keyframe()
      (keyframe.kind, keyframe.to, keyframe.duration) = (Int32(kind), 2, duration)
      var clip = murmuration_clip()
      var seconds = -1.0
      #expect(murmuration_load_clip(batch.id, [0], &keyframe, [1], 1, 0, &clip, &seconds) == ok && seconds == 0)
      #expect(murmuration_play_clip(batch.id, &clip, tracks, Int32(track + 1), 1, nil, 0, 0, 0, nil) == ok)
    }
    #expect(murmuration_advance(batch.id, 0.001, 0) == ok && batch.read(MURMURATION_VALUES) == [2, 2, 2])
    // Where a duration does not count, it is not read.
    for kind in [MURMURATION_MOVE, MURMURATION_SPRING_KEYFRAME] {
      var (clip, still) = (murmuration_clip(), keyframe(kind, to: 1, duration: .nan, spring: spring(0.5, 0).spring))
      #expect(murmuration_load_clip(batch.id, [0], &still, [1], 1, 0, &clip, nil) == ok)
    }
  }
}

/// Calls that bytes choose, as the fuzzer makes them: right ones and wrong ones.
struct AnyCallTests {
  @Test(arguments: 0..<8) func anyCallIsAnswered(_ seed: UInt64) {
    var random = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
    for _ in 0..<40 {
      let bytes = (0..<600).map { _ in
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: random >> 56)
      }
      var calls = SurfaceCalls(bytes)
      calls.run()
      #expect(calls.isOver)
    }
  }
}
