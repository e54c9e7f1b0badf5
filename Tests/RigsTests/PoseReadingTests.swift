// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import TestSupport
import Testing

@testable import Rigs

/// Poses and weights that are read in batches give the same bits as those that are copied out first.
struct PoseReadingTests {
  private static let instances = 37

  /// Tracks that follow springs or curves; if some turn, each fourth follows a spring to another goal.
  private static func batch<Value: TrackValue>(_ seed: UInt64, someTurn: Bool) throws -> AnimationBatch<Value> {
    var random = SplitMix64(seed: seed)
    func vectors(_ count: Int) -> [Value] {
      (0..<count).map { _ in Value { _ in Float(random.uniform(0.1...1)) } }
    }
    var batch = try AnimationBatch<Value>()
    let handles = try batch.add(vectors(40))
    try batch.animate(handles, to: vectors(40), seed % 2 == 0 ? .smooth : .linear(duration: 1))
    if someTurn {
      let end = vectors(1)[0]
      for index in stride(from: 1, to: 40, by: 4) { try batch.retarget(handles[index], to: end) }
    }
    try batch.advance(to: 0.2)
    return batch
  }

  private static func column<Value: TrackValue>(_ batch: borrowing AnimationBatch<Value>, _ component: Int) throws
    -> [Float]
  {
    try written(batch.indexCount) { try batch.copyValues(component: component, planar: &$0) }
  }

  private static func finish(_ blender: inout PoseBlender) throws -> [UInt32] {
    try written(8 * instances, over: .nan) { try blender.finish(into: &$0) }.map(\.bitPattern)
  }

  @Test(arguments: KernelSet.available, [[false, false], [true, false], [false, true], [true, true]])
  func batchesBlendToTheSameBits(_ set: KernelSet, _ someTurn: [Bool]) throws {
    var copying = try PoseBlender(dimensions: 8, rotations: [3], instances: Self.instances, kernels: set)
    var reading = try PoseBlender(dimensions: 8, rotations: [3], instances: Self.instances, kernels: set)
    for seed in UInt64(1)...3 {
      let poses: AnimationBatch<SIMD8<Float>> = try Self.batch(seed, someTurn: someTurn[0])
      let weights: AnimationBatch<SIMD2<Float>> = try Self.batch(seed + 10, someTurn: someTurn[1])
      var columns: [Float] = []
      for dimension in 0..<8 {
        columns += try Self.column(poses, dimension)[2..<39]
      }
      let shares = Array(try Self.column(weights, 1)[1..<38])
      try copying.add(columns.span, weights: shares.span)
      if seed == 2 {
        try reading.add(poses, indices: 2..<39, weights: shares.span)
      } else {
        try reading.add(poses, indices: 2..<39, weights: weights, dimension: 1, weightIndices: 1..<38)
      }
    }
    #expect(try Self.finish(&copying) == Self.finish(&reading))
  }

  @Test func whatCannotBeBlendedAddsNothing() throws {
    let poses: AnimationBatch<SIMD8<Float>> = try Self.batch(1, someTurn: false)
    let other: AnimationBatch<SIMD4<Float>> = try Self.batch(1, someTurn: false)
    var low = try AnimationBatch<Float>()
    try low.add((0..<40).map { $0 == 7 ? -0.5 : 1 })
    var blender = try PoseBlender(dimensions: 8, rotations: [3], instances: Self.instances)
    let before = try Self.finish(&blender)
    func expect(_ error: MatrixError, _ indices: Range<Int> = 0..<37, dimension: Int = 0, weights: Range<Int>? = nil) {
      #expect(throws: error) {
        try blender.add(poses, indices: indices, weights: low, dimension: dimension, weightIndices: weights)
      }
    }
    expect(.invalidWeight(index: 5, value: -0.5), weights: 2..<39)
    expect(.outOfRange("dimension", 1, count: 1), dimension: 1)
    expect(.wrongCount(of: "indices", expected: 37, got: 36), weights: 0..<36)
    expect(.noTrack(index: 40), weights: 4..<41)
    expect(.noTrack(index: -1), -1..<36)
    expect(.noTrack(index: .min), .min ..< .max)
    #expect(throws: MatrixError.wrongCount(of: "dimensions", expected: 8, got: 4)) {
      try blender.add(other, indices: 0..<37, weights: low)
    }
    #expect(try Self.finish(&blender) == before)
  }
}
