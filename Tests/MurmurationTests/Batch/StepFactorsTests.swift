// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The factors of the steps of tracks that follow.
struct StepFactorsTests {
  private typealias Batch = AnimationBatch<Float>

  /// A batch whose tracks are far from their goals, with a spring each.
  private static func batch(_ springs: [Spring], _ set: KernelSet) throws -> Batch {
    var batch = try Batch(kernels: set)
    let tracks = try batch.add(Array(repeating: Float(0), count: springs.count))
    try batch.follow(tracks, springs: springs)
    try batch.setGoals(of: tracks, 1e9)
    return batch
  }

  /// a, b, c and d of the tracks of a batch, after two steps of the same length.
  private static func factors(_ springs: [Spring], _ step: Double, _ set: KernelSet) throws -> [[Float]] {
    var batch = try batch(springs, set)
    for frame in 1...2 { try batch.advance(to: Double(frame) * step) }
    let columns = batch.engine.follows.columns(batch.engine.tracks, batch.engine.springs.columns)
    return springs.indices.map { index in
      (0..<4).map { columns.factors[$0 * columns.factorStride + index] }
    }
  }

  /// The factors in Double: a and d, and b and c by ω₀.
  private static func exact(_ dampingRatio: Double, _ w: Double) -> [Double] {
    let p = dampingRatio * w
    let h = w * w - p * p
    let root = abs(h).squareRoot()
    let sine = root < 1e-5 ? 1 - h / 6 : (h > 0 ? sin(root) : sinh(root)) / root
    let cosine = h > 0 ? -2 * pow(sin(root / 2), 2) : 2 * pow(sinh(root / 2), 2)
    let envelope = exp(-p)
    let a = envelope * (cosine + p * sine) + expm1(-p)
    let b = envelope * w * sine
    return [a, b, -b, a - 2 * dampingRatio * b]
  }

  /// Short steps are computed in Float, others in Double. An error of a is nothing beside those of the sum it is added to.
  @Test(arguments: KernelSet.available, [1.0 / 256, 1.0 / 64, 1.0 / 30])
  func shortStepsAreWithin8RoundingsAndOthersWithin2(_ set: KernelSet, _ step: Double) throws {
    var bounces: [Double] = []
    for index in 0..<40 { bounces.append(1 - Double(index) / 39) }
    for index in 1...24 { bounces.append(1 / (1 + Double(index * index) / 100) - 1) }
    for w in [1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, 1.01, 1.5, 3, 10] {
      let duration = 2 * Double.pi * step / w
      let springs = bounces.map { Spring(duration: duration, bounce: $0) }
      let factors = try Self.factors(springs, step, set)
      for (spring, factors) in zip(springs, factors) {
        let ratio = spring.dampingRatio
        let exact = Self.exact(ratio, w)
        let isShort = w < 1 && 2 * ratio * w < w * w + 1
        let unit = [1, w / step, step / w, 1]
        for index in 0..<4 {
          let error = abs(Double(factors[index]) * unit[index] - exact[index]) * 0x1p24
          let bound = isShort && index > 0 ? 8 * abs(exact[index]) : 2
          #expect(error <= bound, "factor \(index), ω₀τ = \(w), damping ratio \(ratio): \(error)")
        }
      }
    }
  }

  @Test func stepsHaveTheSameBitsBesideLongerOnesAndWhetherFactorsAreKept() throws {
    let durations = [0.5, 0.05, 3, 0.01, 0, 0.2, 0.09]
    let springs = (0..<33).map {
      let duration = durations[$0 % durations.count]
      return Spring(duration: duration, bounce: duration > 0 ? Double($0 % 11) / 5 - 0.9 : 0)
    }
    let step = 0x1p-6
    func play(_ order: [Int], isSteady: Bool, _ set: KernelSet) throws -> [Float] {
      var batch = try Batch(kernels: set)
      // Factors are kept from the second step of one length on.
      for time in isSteady ? [0, step, 2 * step] : [0, 2 * step] { try batch.advance(to: time) }
      let tracks = try batch.add(order.map { Float($0) })
      try batch.follow(tracks, springs: order.map { springs[$0] })
      try batch.setGoals(of: tracks, -100)
      try batch.advance(to: 3 * step)
      #expect(batch.engine.follows.keepsFactors == isSteady)
      try batch.advance(to: 3.5 * step)
      var values = [Float](repeating: 0, count: order.count)
      for (track, spring) in zip(tracks, order) { values[spring] = batch[track]! + batch.velocity(of: track)! }
      return values
    }
    let expected = try play(Array(springs.indices), isSteady: true, KernelSet.available[0])
    #expect(expected[4] == -100)
    for set in KernelSet.available {
      for shift in [0, 1, 7, 16] {
        let order = springs.indices.map { ($0 + shift) % springs.count }
        #expect(try play(order, isSteady: false, set) == expected)
        #expect(try play(order.reversed(), isSteady: true, set) == expected)
      }
    }
  }
}
