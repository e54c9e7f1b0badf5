// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Values in columns mean the same as values track by track.
struct PlanarTests {
  /// Two batches that must show equal values: one is called with values, the other with columns.
  private struct Pair: ~Copyable {
    var values: AnimationBatch<SIMD2<Float>>
    var columns: AnimationBatch<SIMD2<Float>>
    var tracks: [TrackHandle] = []
    var twins: [TrackHandle] = []

    /// Compares both, then lets 0.07 seconds pass.
    mutating func expectSame(_ call: String) throws {
      let (firsts, seconds) = (values.events, columns.events)
      #expect(firsts.map(\.kind) == seconds.map(\.kind), "\(call)")
      for (track, twin) in zip(tracks, twins) {
        let (value, other) = (values[track], columns[twin])
        let (velocity, otherVelocity) = (values.velocity(of: track), columns.velocity(of: twin))
        let (goal, otherGoal) = (values.target(of: track), columns.target(of: twin))
        #expect(value == other && velocity == otherVelocity && goal == otherGoal, "\(call)")
      }
      try values.advance(by: 0.07, velocities: true)
      try columns.advance(by: 0.07, velocities: true)
    }
  }

  private let count = 21

  private func points(_ seed: UInt64) -> [SIMD2<Float>] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in [Float(random.uniform(-100...100)), Float(random.uniform(-100...100))] }
  }

  private func columns(_ points: [SIMD2<Float>]) -> [Float] { points.map(\.x) + points.map(\.y) }

  @Test func additions() throws {
    let (a, b, springs) = (points(1), points(2), (0..<count).map { Spring(duration: 0.2 + 0.01 * Double($0)) })
    let (planarA, planarB) = (columns(a), columns(b))
    var pair = try Pair(values: AnimationBatch(), columns: AnimationBatch())
    pair.tracks = try pair.values.add(a)
    pair.twins = try pair.columns.add(planar: planarA.span)
    pair.tracks += try pair.values.add(a, velocities: b, to: b, .bouncy)
    pair.twins += try pair.columns.add(
      planar: planarA.span, velocities: planarB.span, toPlanar: planarB.span, .bouncy)
    pair.tracks += try pair.values.add(b, to: a, springs: springs)
    pair.twins += try pair.columns.add(planar: planarB.span, toPlanar: planarA.span, springs: springs.span)
    for frame in ["add", "a frame later", "the end"] { try pair.expectSame(frame) }
  }

  @Test func columnsAreEquallyLong() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let three: [Float] = [1, 2, 3]
    #expect(throws: BatchError.unequalColumns(count: 3, dimensions: 2)) { try batch.add(planar: three.span) }
    #expect(throws: BatchError.unequalColumns(count: 3, dimensions: 2)) {
      try batch.animate(.all, toPlanar: three.span, .bouncy)
    }
    #expect(throws: BatchError.unequalColumns(count: 3, dimensions: 2)) {
      try batch.add(planar: [1, 2].span, velocities: three.span, toPlanar: [1, 2].span, .bouncy)
    }
    let count = batch.count
    #expect(count == 0)
  }
}
