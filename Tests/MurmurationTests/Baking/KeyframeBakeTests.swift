// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct KeyframeBakeTests {
  /// A frame at the end of an iteration belongs to the iteration that ends.
  @Test func framesAtTheEndsOfLegsBelongToThem() throws {
    var batch = try AnimationBatch<Float>()
    let track = PieceTrack(components: [0], times: [0, 0.5], pieces: [[SIMD4(0, 2, 0, 0)]])
    let clip = try batch.load(Clip(dimensions: 1, initialValues: [0], tracks: [track]))
    try batch.add(
      playing: clip,
      [Playback(repetition: .count(3), holdsAfter: false), Playback(repetition: .forever, autoreverses: true)])
    try batch.advance(to: 0)
    let baked = try Baked(
      batch, BakeRequest(BakeFrames(0..<9, perSecond: 4), indices: 0..<2, order: .trackMajor))
    let expected: [Float] = [0, 0.5, 1, 0.5, 1, 0.5, 1, 0, 0, 0, 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0]
    #expect(zip(baked.values, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(baked.values)")
    #expect(baked.velocities[9...].elementsEqual([2, 2, 2, -2, -2, 2, 2, -2, -2]))
  }
}
