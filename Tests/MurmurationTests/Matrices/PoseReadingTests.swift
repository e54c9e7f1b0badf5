// SPDX-License-Identifier: MIT
import Reference
import TestSupport
import Testing

@testable import Murmuration

/// Poses and weights that are read in batches give the same bits as those that are copied out first.
struct PoseReadingTests {
  private static let instances = 37

  private static func springs(_ dimensions: Int, _ seed: UInt64, isScattered: Bool) throws -> SpringBatch {
    var random = SplitMix64(seed: seed)
    let values = random.floats(dimensions * 40, 0.1...1)
    var batch = try SpringBatch(dimensions: dimensions)
    let handles = try batch.add(.smooth, values: values.span, targets: values.span)
    if isScattered {
      let end = random.floats(dimensions, 0.1...1)
      for index in stride(from: 1, to: 40, by: 4) {
        try batch.retarget([handles[index]].span, to: end.span)
      }
    }
    try batch.advance(to: 0.2)
    return batch
  }

  private static func column(_ batch: borrowing SpringBatch, _ dimension: Int) throws -> [Float] {
    var column = [Float](repeating: 0, count: batch.indexCount)
    var span = column.mutableSpan
    try batch.copyValues(dimension: dimension, into: &span)
    return column
  }

  private static func finish(_ blender: inout PoseBlender) throws -> [UInt32] {
    var result = [Float](repeating: .nan, count: 7 * instances)
    var span = result.mutableSpan
    try blender.finish(into: &span)
    return result.map(\.bitPattern)
  }

  @Test(arguments: KernelSet.available, [[false, false], [true, false], [false, true], [true, true]])
  func batchesBlendToTheSameBits(_ set: KernelSet, _ isScattered: [Bool]) throws {
    let (posesAreScattered, weightsAreScattered) = (isScattered[0], isScattered[1])
    var copying = try PoseBlender(dimensions: 7, rotations: [3], instances: Self.instances, kernels: set)
    var reading = try PoseBlender(dimensions: 7, rotations: [3], instances: Self.instances, kernels: set)
    for seed in UInt64(1)...3 {
      let poses = try Self.springs(7, seed, isScattered: posesAreScattered)
      let weights = try Self.springs(2, seed + 10, isScattered: weightsAreScattered)
      var columns: [Float] = []
      for dimension in 0..<7 {
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
    let poses = try Self.springs(7, 1, isScattered: false)
    let other = try Self.springs(6, 1, isScattered: false)
    var low = try SpringBatch()
    let values = (0..<40).map { $0 == 7 ? Float(-0.5) : 1 }
    try low.add(.smooth, values: values.span, targets: values.span)
    var blender = try PoseBlender(dimensions: 7, rotations: [3], instances: Self.instances)
    let before = try Self.finish(&blender)
    #expect(throws: MatrixError.invalidWeight(index: 5, value: -0.5)) {
      try blender.add(poses, indices: 0..<37, weights: low, weightIndices: 2..<39)
    }
    #expect(throws: MatrixError.outOfRange("dimension", 1, count: 1)) {
      try blender.add(poses, indices: 0..<37, weights: low, dimension: 1)
    }
    #expect(throws: MatrixError.wrongCount(of: "indices", expected: 37, got: 36)) {
      try blender.add(poses, indices: 0..<37, weights: low, weightIndices: 0..<36)
    }
    #expect(throws: MatrixError.noTrack(index: 40)) {
      try blender.add(poses, indices: 0..<37, weights: low, weightIndices: 4..<41)
    }
    #expect(throws: MatrixError.noTrack(index: -1)) { try blender.add(poses, indices: -1..<36, weights: low) }
    #expect(throws: MatrixError.wrongCount(of: "dimensions", expected: 7, got: 6)) {
      try blender.add(other, indices: 0..<37, weights: low)
    }
    #expect(try Self.finish(&blender) == before)
  }
}
