// SPDX-License-Identifier: MIT
@testable import AnimationModel
import ColumnKernels
import Murmuration
import Testing

/// Curves over columns against the model in Double.
struct EaseKernelTests {
  private static let curves: [UnitCurve] =
    [
      .linear, .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseInOut,
      .bezier(startControlPoint: UnitPoint(x: 0.2, y: -3), endControlPoint: UnitPoint(x: 0.7, y: 4)),
      .steps(4), .steps(3, position: .jumpBoth), .steps(5, position: .jumpStart),
      .linear(points: [
        .init(output: 0.2), .init(input: 0.3, output: 0.9), .init(input: 0.3, output: 0.1), .init(output: 0.8),
      ]),
    ]
    + NamedEase.Family.allCases.flatMap { family in
      NamedEase.Direction.allCases.map { UnitCurve(.named(NamedEase(family, $0))) }
    }

  private static func shares(_ kernel: EaseKernel, _ progress: [Float]) throws -> [Float] {
    var shares = [Float](repeating: 7, count: progress.count)
    let progress = progress.span
    do {
      var span = shares.mutableSpan
      try kernel.shares(at: progress, into: &span)
    }
    return shares
  }

  private static func progress(_ count: Int) -> [Float] {
    var random = SplitMix64(seed: UInt64(count))
    let ends: [Float] = [0, 1, -0.0, -1e9, 1e9, 0x1p-149, -.infinity, .infinity, 0.5, 0.25, 1 - 0x1p-24]
    return (0..<count).map { $0 % 13 < ends.count && $0 % 2 == 1 ? ends[$0 % 13] : Float(random.uniform(0...1)) }
  }

  @Test(arguments: KernelSet.available) func everyCurveIsWithinItsTolerance(set: KernelSet) throws {
    for curve in Self.curves {
      for tolerance in [0x1p-16, 0x1p-22] {
        let kernel = try EaseKernel(curve, tolerance: tolerance, kernels: set)
        let reference = try EaseKernel(curve, tolerance: tolerance, kernels: .portable)
        for count in [0, 1, 15, 16, 17, 33, 1000] {
          let progress = Self.progress(count)
          let found = try Self.shares(kernel, progress)
          #expect(Columns.bits(found) == Columns.bits(try Self.shares(reference, progress)), "\(curve) on \(set)")
          for (share, x) in zip(found, progress) {
            let x = min(max(Double(x), 0), 1)
            // Ticks and Floats are rounded; either side of a jump counts, and so does the whole of an upright end.
            let near = [-1, -0.5, 0, 0.5, 1].map { curve.value(at: min(max(x + $0 * 0x1p-31, 0), 1)) }
            let bound = tolerance + 0x1p-21 * max(1, near.map(\.magnitude).max() ?? 1)
            let isRight =
              x == 0 || x == 1
              ? share == Float(curve.value(at: x))
              : Double(share) >= near.reduce(.infinity, min) - bound
                && Double(share) <= near.reduce(-.infinity, max) + bound
            #expect(isRight, "\(curve) at \(x): \(share), \(curve.value(at: x))")
          }
        }
      }
    }
  }

  @Test func valuesAreExactAtBothEnds() throws {
    let progress: [Float] = [-1, 0, 0.5, 1, 2, .nan]
    let (from, to): ([Float], [Float]) = ([0.1, 1e15, 3, 0.1, -7, 1], [5, 0.3])
    for set in KernelSet.available {
      let kernel = try EaseKernel(.easeInOut, kernels: set)
      var values = [Float](repeating: 7, count: 6)
      let (input, starts) = (progress.span, from.span)
      for end in to {
        let one = [end]
        let ends = one.span
        do {
          var span = values.mutableSpan
          try kernel.values(at: input, from: starts, to: ends, into: &span)
        }
        #expect(values[..<2] == from[..<2] && values[3...4] == [end, end])
        #expect(abs(values[2] - (3 + end) / 2) < 1e-4 && values[5].isNaN)
      }
    }
  }

  @Test func notANumberStaysInItsElement() throws {
    for set in KernelSet.available {
      let kernel = try EaseKernel(.easeOut, kernels: set)
      var progress = Self.progress(33)
      let expected = try Self.shares(kernel, progress)
      for index in [3, 32] {
        for bad in [Float.nan, -Float.nan] {
          let old = progress[index]
          progress[index] = bad
          var found = try Self.shares(kernel, progress)
          #expect(found[index].isNaN)
          (found[index], progress[index]) = (expected[index], old)
          #expect(found == expected)
        }
      }
    }
  }

  @Test func badArgumentsAreRefused() throws {
    let kernel = try EaseKernel(.easeIn)
    var shares = [Float](repeating: 7, count: 3)
    let two: [Float] = [0.5, 0.5]
    let (short, whole) = (two.span, [Float](repeating: 0.5, count: 3))
    let right = whole.span
    var errors: [ColumnError] = []
    do {
      var span = shares.mutableSpan
      do throws(ColumnError) { try kernel.shares(at: short, into: &span) } catch { errors.append(error) }
      do throws(ColumnError) { try kernel.values(at: right, from: short, to: right, into: &span) } catch {
        errors.append(error)
      }
      do throws(ColumnError) { try kernel.values(at: right, from: right, to: short, into: &span) } catch {
        errors.append(error)
      }
    }
    #expect(
      errors == ["progress", "from", "to"].map { .wrongCount(of: $0, expected: 3, got: 2) } && shares == [7, 7, 7])
    for tolerance in [0, 1, -1, .nan] {
      #expect(throws: ColumnError.self) { try EaseKernel(.easeIn, tolerance: tolerance) }
    }
    let wild = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0, y: .infinity), endControlPoint: UnitPoint(x: 1, y: 1))
    let line = UnitCurve.linear(points: [.init(input: .nan, output: 0), .init(output: 1)])
    for curve in [wild, line] { #expect(throws: ColumnError.self) { try EaseKernel(curve) } }
  }
}
