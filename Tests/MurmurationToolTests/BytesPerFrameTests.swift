// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// The bytes with which `murmuration bench` and `murmuration run` compare the time of frames are the bytes that kernels
/// read and write. The tests have 32 tracks: two full tiles.
struct BytesPerFrameTests {
  private let starts = (0..<32).map { Float($0) }
  private let goals = (0..<32).map { Float(100 - 2 * $0) }
  private let ownSprings = (0..<32).map { Spring(duration: 0.5 + 0.01 * Double($0), bounce: 0.3) }

  private func clip(dimensions: Int = 1) throws -> Clip {
    try Clip(
      dimensions: dimensions, initialValues: [Double](repeating: 0, count: dimensions),
      tracks: [
        PieceTrack(
          components: Array(0..<dimensions), times: [0, 9],
          pieces: [[SIMD4<Double>]](repeating: [SIMD4(0, 1, 0, 0)], count: dimensions))
      ])
  }

  /// A custom animation that never ends.
  private struct Steady: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      value.scaled(by: 0.5)
    }
  }

  /// Expects the bytes of a track in a frame of values, and in a frame of values and velocities.
  private func expect<Value>(
    _ value: Int, _ velocity: Int, tracks: Int = 32, _ batch: consuming AnimationBatch<Value>,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    // A frame after calls that needed velocities computes them.
    for _ in 0..<2 { try batch.advance(by: 0.01) }
    let bytes = batch.bytesPerFrame
    try batch.advance(by: 0.01, velocities: true)
    let withVelocities = batch.bytesPerFrame
    #expect(bytes == tracks * value, sourceLocation: location)
    #expect(withVelocities == tracks * velocity, sourceLocation: location)
  }

  @Test func springs() throws {
    var uniform = try AnimationBatch<Float>()
    try uniform.add(starts, to: goals, .bouncy)
    // Displacement, amplitude and target in; value and velocity out.
    try expect(16, 20, uniform)
    var mixed = try AnimationBatch<Float>()
    try mixed.add(starts, to: goals, springs: ownSprings)
    // Besides, start and rate in Double, and decay.
    try expect(36, 40, mixed)
    var vectors = try AnimationBatch<SIMD2<Float>>()
    try vectors.add(
      starts.map { SIMD2($0, 0) }, to: goals.map { SIMD2($0, 9) }, springs: ownSprings)
    try expect(52, 60, vectors)
  }

  @Test func slowSpringsAndSlides() throws {
    var overdamped = try AnimationBatch<Float>()
    try overdamped.add(starts, to: goals, springs: ownSprings.map { Spring(duration: $0.duration, bounce: -0.5) })
    try expect(36, 40, overdamped)
    var slides = try AnimationBatch<Float>()
    let handles = try slides.add(starts)
    for (index, handle) in handles.enumerated() {
      try slides.decelerate(handle, velocity: 100, by: Deceleration(rate: 0.998 - 1e-5 * Double(index)))
    }
    try expect(36, 40, slides)
  }

  @Test func springsOfSmallCalls() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    for first in stride(from: 0, to: 32, by: 8) {
      let values = (first..<first + 8).map { SIMD2<Float>(Float($0), 0) }
      try batch.add(values, to: values.map { $0 + 9 }, ownSprings[first])
    }
    // As springs of their own: two calls share a tile.
    try expect(20 + 2 * 16, 20 + 2 * 20, batch)
    var together = try AnimationBatch<SIMD2<Float>>()
    for index in 0..<32 {
      let value = SIMD2<Float>(Float(index), 0)
      try together.add(value, to: value + 9, .bouncy)
    }
    // One spring and moment, in however many calls.
    try expect(2 * 16, 2 * 20, together)
  }

  @Test func nothingForWhatKernelsLeaveOut() throws {
    var standing = try AnimationBatch<Float>()
    try standing.add(starts)
    try expect(0, 0, standing)
    var resting = try AnimationBatch<Float>()
    try resting.add(starts, to: goals, .bouncy)
    try resting.add(starts, to: goals, springs: ownSprings)
    for _ in 0..<2 { try resting.advance(by: 1000) }
    try expect(0, 0, resting)
    var called = try AnimationBatch<Float>()
    let handles = try called.add(starts)
    try called.animate(handles, to: goals, Animation(Steady()))
    try expect(0, 0, called)
  }

  @Test func clips() throws {
    let playbacks = [Playback](repeating: Playback(), count: 32)
    var one = try AnimationBatch<Float>()
    let handles = try one.add(playing: try one.load(clip()), playbacks)
    for _ in 0..<2 { try one.advance(by: 0.01) }
    // Origin, base and rate in Double in.
    #expect(one.bytesPerFrame == 32 * 28)
    try one.setVariations(of: handles, scales: starts, offsets: goals)
    // Besides, scale and offset.
    try expect(36, 40, one)
    var each = try AnimationBatch<Float>()
    let names = try (0..<32).map { _ in try each.load(clip()) }
    try each.add(playing: names, playbacks)
    // Besides, the bounds of a piece, its centre and its cubic.
    try expect(56, 60, each)
  }

  @Test func wideClips() throws {
    var batch = try AnimationBatch<Components>(dimensions: 20)
    try batch.add(playing: try batch.load(clip(dimensions: 20)), [Playback](repeating: Playback(), count: 3))
    // Lanes without a track are passed over. For each component: its number, its cubic, and its value.
    try expect(28 + 20 * 24, 28 + 20 * 28, tracks: 3, batch)
  }

  @Test func curves() throws {
    var standing = try AnimationBatch<Float>()
    let handles = try standing.add(starts)
    try standing.animate(handles, to: goals, .easeOut(duration: 1))
    for _ in 0..<2 { try standing.advance(by: 0.1) }
    // Origin and rate in Double, a direction, the value under the curve and the goal in.
    #expect(standing.bytesPerFrame == 32 * 32)
    try standing.animate(handles, to: starts, .easeIn(duration: 1))
    // Two such curves, and the value under them. The result of the first curve stays in the caches.
    try expect(2 * 24 + 4 + 4, 2 * 24 + 4 + 8, standing)
    var moving = try AnimationBatch<Float>()
    let tracks = try moving.add(starts, to: goals, springs: ownSprings)
    try moving.advance(to: 0.1)
    try moving.animate(tracks, to: starts, .easeOut(duration: 1))
    try expect(36 + 24, 40 + 24, moving)
  }
}
