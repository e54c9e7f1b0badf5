// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Testing

@testable import Rigs

/// Blended poses are within 10⁻⁶ of a Double reference, with the same bits on every instruction set.
struct PoseBlenderTests {
  private struct Pose {
    var columns: [Float]
    var weights: [Float]
  }

  /// A position and two rotations of unit length; no rotation is near a right angle to the earlier ones.
  private func poses(_ count: Int, instances: Int, _ random: inout SplitMix64) -> [Pose] {
    var poses: [Pose] = []
    for pose in 0..<count {
      var columns = random.floats(11 * instances, -10...10)
      var weights = random.floats(instances, 0...2)
      for instance in 0..<instances {
        if random.next() % 5 == 0 { weights[instance] = 0 }
        for first in [3, 7] {
          var q = (0..<4).map { _ in random.uniform(-1...1) }
          let length = q.reduce(0) { $0 + $1 * $1 }.squareRoot()
          let sign = random.next() % 2 == 0 ? 1.0 : -1
          // The later ones near the first: by less than a quarter turn of the quaternion.
          for axis in 0..<4 {
            let near = pose == 0 ? 0 : Double(poses[0].columns[(first + axis) * instances + instance])
            q[axis] = sign * (near + 0.4 * q[axis] / length)
          }
          let norm = q.reduce(0) { $0 + $1 * $1 }.squareRoot()
          for axis in 0..<4 { columns[(first + axis) * instances + instance] = Float(q[axis] / norm) }
        }
      }
      poses.append(Pose(columns: columns, weights: weights))
    }
    return poses
  }

  /// The blend of one instance in Double, without a rest pose: nil where nothing has a weight.
  private func reference(_ poses: [Pose], instance: Int, instances: Int) -> [Double]? {
    var sum = [Double](repeating: 0, count: 11)
    var total = 0.0
    for pose in poses {
      let weight = Double(pose.weights[instance])
      let p = (0..<11).map { Double(pose.columns[$0 * instances + instance]) }
      total += weight
      for dimension in 0..<3 { sum[dimension] += weight * p[dimension] }
      for first in [3, 7] {
        let product = (first..<first + 4).reduce(0) { $0 + sum[$1] * p[$1] }
        for dimension in first..<first + 4 {
          sum[dimension] += (product < 0 ? -weight : weight) * p[dimension]
        }
      }
    }
    guard total > 0 else { return nil }
    for dimension in 0..<3 { sum[dimension] /= total }
    for first in [3, 7] {
      let length = (first..<first + 4).reduce(0) { $0 + sum[$1] * sum[$1] }.squareRoot()
      for dimension in first..<first + 4 { sum[dimension] /= length }
    }
    return sum
  }

  @Test(arguments: [0, 1, 2, 3, 8], [0, 1, 7, 15, 16, 17, 33, 1_000])
  func blendsAreWithinAMillionth(_ count: Int, _ instances: Int) throws {
    var random = SplitMix64(seed: UInt64(count * 10_000 + instances))
    let poses = poses(count, instances: instances, &random)
    let rest: [Float] = [1, 2, 3, 0, 0, 3, 4, 1, 0, 0, 0]
    var bits: [[UInt32]] = []
    for set in KernelSet.available {
      var blender = try PoseBlender(
        dimensions: 11, rotations: [3, 7], rest: rest, instances: instances, kernels: set)
      for pose in poses { try blender.add(pose.columns.span, weights: pose.weights.span) }
      let stride = instances + 2
      let result = try written(11 * stride, over: -77) { try blender.finish(into: &$0, stride: stride) }
      for instance in 0..<instances {
        let expected =
          reference(poses, instance: instance, instances: instances) ?? [1, 2, 3, 0, 0, 0.6, 0.8, 1, 0, 0, 0]
        for dimension in 0..<11 {
          let got = Double(result[dimension * stride + instance])
          let scale = dimension < 3 ? 10.0 : 1
          #expect(abs(got - expected[dimension]) <= 1e-6 * scale, "\(set) instance \(instance) dimension \(dimension)")
        }
      }
      #expect((0..<11).allSatisfy { result[$0 * stride + instances] == -77 })
      bits.append(result.map(\.bitPattern))
    }
    #expect(bits.allSatisfy { $0 == bits[0] })
  }

  /// Errors grow with the number of poses: a thousand are within 1.2 · 10⁻⁴, and not within 10⁻⁶.
  @Test(arguments: [1, 2, 16, 256, 1_000]) func manyPosesAreWithinTheirBound(_ count: Int) throws {
    var blender = try PoseBlender(dimensions: 5, rotations: [1], instances: 1)
    var (sums, total) = ([Double](repeating: 0, count: 5), 0.0)
    for index in 0..<count {
      let pose: [Float] = [index % 3 == 0 ? 0.35 : 0.7, 0.1, index % 2 == 0 ? 0.3 : 0.25, 0.3, 0.9]
      let weights: [Float] = [0.1]
      try blender.add(pose.span, weights: weights.span)
      for dimension in 0..<5 { sums[dimension] += Double(pose[dimension]) * Double(weights[0]) }
      total += Double(weights[0])
    }
    let result = try written(5) { try blender.finish(into: &$0) }
    let length = sums[1...].reduce(0) { $0 + $1 * $1 }.squareRoot()
    for dimension in 0..<5 {
      let expected = dimension == 0 ? sums[0] / total : sums[dimension] / length
      #expect(abs(Double(result[dimension]) - expected) <= Double(count + 3) * 0x1p-23, "dimension \(dimension)")
    }
  }

  /// Blends quaternions of one instance.
  private func blend(_ poses: [(q: [Float], weight: Float)], rest: [Float]? = nil) throws -> [Float] {
    var blender = try PoseBlender(dimensions: 4, rotations: [0], rest: rest, instances: 1)
    for pose in poses {
      let weights = [pose.weight]
      try blender.add(pose.q.span, weights: weights.span)
    }
    return try written(4, over: 9) { try blender.finish(into: &$0) }
  }

  @Test func specialRotationsAreDefined() throws {
    let half = Float(0.5).squareRoot()
    // q and −q are the same rotation.
    let same = try blend([([0, 0, 0.6, 0.8], 1), ([0, 0, -0.6, -0.8], 3)])
    #expect(same == [0, 0, 0.6, 0.8])
    // The first that has a weight gives the side.
    let side = try blend([([0, 0, 0.6, 0.8], 0), ([0, 0, -0.6, -0.8], 3)])
    #expect(side == [0, 0, -0.6, -0.8])
    // Half a turn apart: the sign stays, also where the product is −0.
    for zero in [Float(0), -0.0] {
      let turned = try blend([([1, zero, 0, 0], 1), ([zero, 1, 0, 0], 1)])
      #expect(abs(turned[0] - half) < 1e-6 && abs(turned[1] - half) < 1e-6)
    }
    // Nothing to blend.
    #expect(try blend([]) == [0, 0, 0, 1])
    #expect(try blend([([1, 0, 0, 0], 0)]) == [0, 0, 0, 1])
    #expect(try blend([([0, 0, 0, 0], 1)], rest: [0, -2, 0, 0]) == [0, -1, 0, 0])
    #expect(try blend([([0, 0, 0, 0], 1), ([0, 1, 0, 0], 1)]) == [0, 1, 0, 0])
    // Very short and very long ones.
    #expect(try blend([([1e-30, 0, 0, 1e-30], 1e-6)]).allSatisfy { $0 == 0 || abs($0 - half) < 1e-6 })
    #expect(try blend([([1e6, 0, 0, -1e6], 1e6), ([1e6, 0, 0, -1e6], 1e6)]) == [half, 0, 0, -half])
  }

  /// Weights count by their proportions alone, down to the smallest there are.
  @Test(arguments: [Float.leastNonzeroMagnitude, 0x1p-140, 1e-37, 1e-20, 5e5])
  func noWeightIsTooSmall(_ unit: Float) throws {
    let (first, second): ([Float], [Float]) = ([0.011, 0.1, -0.2, 0.3, 0.9], [0.7, 0.1, 0.5, 0.3, 0.8])
    let (less, more) = ([unit], [2 * unit])
    let expected = reference(first, 1, second, 2)
    for set in KernelSet.available {
      var blender = try PoseBlender(dimensions: 5, rotations: [1], instances: 1, kernels: set)
      try blender.add(first.span, weights: less.span)
      try blender.add(second.span, weights: more.span)
      let result = try written(5) { try blender.finish(into: &$0) }
      for dimension in 0..<5 {
        #expect(abs(Double(result[dimension]) - expected[dimension]) <= 1e-6, "\(set), dimension \(dimension)")
      }
    }
  }

  /// A value and a rotation blended in Double.
  private func reference(_ a: [Float], _ weight: Double, _ b: [Float], _ other: Double) -> [Double] {
    let sums = zip(a, b).map { weight * Double($0) + other * Double($1) }
    let length = sums[1...].reduce(0) { $0 + $1 * $1 }.squareRoot()
    return [sums[0] / (weight + other)] + sums[1...].map { $0 / length }
  }

  @Test func badInputIsRefusedAndNothingIsAdded() throws {
    for rotations in [[-1], [1, 3], [4], [0, 0]] {
      #expect(throws: MatrixError.self) { _ = try PoseBlender(dimensions: 7, rotations: rotations, instances: 1) }
    }
    for (name, size) in [
      ("dimensions", 0), ("dimensions", -1), ("dimensions", 1 << 31), ("instances", -1), ("instances", 1 << 31),
    ] {
      #expect(throws: MatrixError.invalidSize(of: name, size)) {
        _ = try PoseBlender(dimensions: name == "dimensions" ? size : 1, instances: name == "instances" ? size : 1)
      }
    }
    #expect(throws: MatrixError.self) { _ = try PoseBlender(dimensions: Int(Int32.max), instances: Int(Int32.max)) }
    #expect(throws: MatrixError.noRotation(dimension: 1)) {
      _ = try PoseBlender(dimensions: 5, rotations: [1], rest: [1, 0, 0, 0, 0], instances: 1)
    }
    var blender = try PoseBlender(dimensions: 5, rotations: [1], instances: 2)
    let good: [Float] = [1, 2, 0, 0, 0, 0, 0, 0, 1, 1]
    let one: [Float] = [1, 1]
    try blender.add(good.span, weights: one.span)
    for (place, value) in [(0, Float.nan), (1, 2e15), (2, .infinity), (9, 1.1e6), (8, .nan)] {
      var bad = good
      bad[place] = value
      let error = #expect(throws: MatrixError.self) { try blender.add(bad.span, weights: one.span) }
      // The message names the place, the limit and the value.
      let limit = place < 2 ? "±1e+15" : "±1000000.0"
      let place = "dimension \(place / 2) of instance \(place % 2)"
      #expect(error?.description == "\(place) must be finite and within \(limit), is \(value)")
    }
    for weight in [Float.nan, -1e-9, 1.1e6] {
      let bad = [1, weight]
      #expect(throws: MatrixError.self) { try blender.add(good.span, weights: bad.span) }
    }
    #expect(throws: MatrixError.wrongCount(of: "pose", expected: 10, got: 9)) {
      try blender.add(good.span.extracting(0..<9), weights: one.span)
    }
    #expect(throws: MatrixError.wrongCount(of: "weights", expected: 2, got: 1)) {
      try blender.add(good.span, weights: one.span.extracting(0..<1))
    }
    #expect(throws: MatrixError.wrongCount(of: "outputs", expected: 14, got: 10)) {
      try written(10) { try blender.finish(into: &$0, stride: 3) }
    }
    let result = try written(10) { try blender.finish(into: &$0) }
    #expect(result == good)
    blender.removeAll()
    let empty = try written(10) { try blender.finish(into: &$0) }
    #expect(empty == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
  }
}
