// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Requests that a bake refuses before it writes anything.
struct AnimationBakeRefusalTests {
  private static let two = BakeFrames(0..<2, perSecond: 60)

  private func batch() throws -> AnimationBatch<SIMD2<Float>> {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add((0..<4).map { SIMD2(Float($0), 1) })
    try batch.animate(tracks, to: [SIMD2<Float>](repeating: .zero, count: 4), .bouncy)
    return batch
  }

  private func refuses(
    _ error: BatchError, _ batch: borrowing AnimationBatch<SIMD2<Float>>, _ request: BakeRequest, room: Int = 16
  ) {
    var output = [Float](repeating: 7, count: room)
    #expect(throws: error) {
      var span = output.mutableSpan
      try batch.bake(request, into: &span)
    }
    #expect(output == Array(repeating: 7, count: room))
    // A bake that lends its parts has no room to check.
    if case .wrongCount = error { return }
    #expect(throws: error) { try batch.bake(request, framesAtOnce: 100) { _, _, _ in Issue.record("\(error)") } }
  }

  @Test("Shapes that do not fit")
  func shapes() throws {
    let batch = try batch()
    let two = Self.two
    refuses(.wrongCount(of: "values", expected: 16, got: 15), batch, BakeRequest(two, indices: 0..<4), room: 15)
    refuses(.wrongCount(of: "values", expected: 8, got: 16), batch, BakeRequest(two, indices: 0..<4, components: 0..<1))
    refuses(.dimensionOutOfRange(2, count: 2), batch, BakeRequest(two, indices: 0..<4, components: 1..<3))
    refuses(.dimensionOutOfRange(-1, count: 2), batch, BakeRequest(two, indices: 0..<4, components: -1..<1))
    refuses(.dimensionOutOfRange(7, count: 2), batch, BakeRequest(two, indices: 0..<4, components: 7..<9))
    refuses(.trackOutOfRange(4, count: 4), batch, BakeRequest(two, indices: 3..<5))
    refuses(.trackOutOfRange(-1, count: 4), batch, BakeRequest(two, indices: -1..<3))
    let much = BakeFrames(0..<(.max / 2), perSecond: 1e300)
    refuses(.wrongCount(of: "values", expected: .max, got: 16), batch, BakeRequest(much, indices: 0..<4))
    let all = BakeFrames(.min ..< .max, perSecond: 60)
    refuses(.wrongCount(of: "values", expected: .max, got: 16), batch, BakeRequest(all, indices: 0..<4))
    var (values, few) = ([Float](repeating: 7, count: 16), [Float](repeating: 7, count: 15))
    #expect(throws: BatchError.wrongCount(of: "velocities", expected: 16, got: 15)) {
      var valueSpan = values.mutableSpan
      var fewSpan = few.mutableSpan
      try batch.bake(BakeRequest(two, indices: 0..<4), into: &valueSpan, velocities: &fewSpan)
    }
    #expect(values.allSatisfy { $0 == 7 } && few.allSatisfy { $0 == 7 })
  }

  @Test("Impossible times")
  func times() throws {
    var batch = try batch()
    try batch.advance(to: 1)
    let third = batch.handle(at: 2)
    let track = try #require(third)
    try batch.animate(track, to: SIMD2(5, 5), .smooth)
    // Only the baked tracks count, whatever kind of animation sent them on.
    let baked = try Baked(batch, BakeRequest(Self.two, indices: 0..<2, components: 0..<1))
    #expect(baked.values[0] == 0 && baked.values[1] == 1)
    let clip = try Clip(
      KeyframeTimeline(initialValue: SIMD2<Float>(0, 0)) {
        KeyframeTrack(\.x) { LinearKeyframe(Float(1), duration: 1) }
      })
    let loaded = try batch.load(clip)
    for kind in 0..<3 {
      try batch.advance(by: 1)
      if kind == 0 { try batch.animate(track, to: SIMD2(9, 9), .easeIn) }
      if kind == 1 { try batch.animate(track, to: SIMD2(8, 9), .easeIn) }
      if kind == 2 { try batch.play(loaded, on: track) }
      let now = batch.time
      refuses(.timeBeforeStart(time: now - 0.5, start: now), batch, BakeRequest(at: [now - 0.5], indices: 2..<3))
      _ = try Baked(batch, BakeRequest(at: [now], indices: 2..<3))
    }
  }

  @Test("A bake does not go past waiting calls")
  func callsThatWait() throws {
    var batch = try batch()
    let handles = (batch.handle(at: 1), batch.handle(at: 3))
    let tracks = [try #require(handles.0), try #require(handles.1)]
    try batch.animate(tracks, to: [SIMD2(5, 5), SIMD2(6, 6)], .easeIn, delays: [0.5, 0.75])
    let second = BakeFrames(0..<61, perSecond: 60)
    refuses(.changeWaiting(tracks[0], time: 0.5), batch, BakeRequest(second, indices: 0..<4), room: 4 * 61 * 2)
    refuses(.changeWaiting(tracks[1], time: 0.75), batch, BakeRequest(second, indices: 2..<4), room: 2 * 61 * 2)
    _ = try Baked(batch, BakeRequest(second, indices: 2..<3))
    _ = try Baked(batch, BakeRequest(BakeFrames(0..<30, perSecond: 60), indices: 0..<4))
    try batch.cancelDelays(of: tracks)
    _ = try Baked(batch, BakeRequest(second, indices: 0..<4))
  }

  @Test("Empty requests write nothing")
  func nothing() throws {
    let batch = try batch()
    for request in [
      BakeRequest(Self.two, indices: 0..<0), BakeRequest(Self.two, indices: 4..<4), BakeRequest(at: [], indices: 0..<4),
      BakeRequest(BakeFrames(5..<5, perSecond: 60), indices: 0..<4),
      BakeRequest(Self.two, indices: 0..<4, components: 1..<1),
    ] {
      let baked = try Baked(batch, request)
      #expect(baked.values.isEmpty)
      try batch.bake(request, framesAtOnce: 0) { _, _, _ in Issue.record("called") }
    }
    let empty = try AnimationBatch<Float>()
    let none = try Baked(empty, BakeRequest(Self.two, indices: 0..<0))
    #expect(none.values.isEmpty)
    // One frame, at a rate that no second frame could have.
    let one = try Baked(batch, BakeRequest(BakeFrames(0..<1, perSecond: 1e-300, start: 0.25), indices: 0..<4))
    let same = try Baked(batch, BakeRequest(BakeFrames(15..<16, perSecond: 60), indices: 0..<4))
    #expect(one.bits == same.bits)
  }
}
