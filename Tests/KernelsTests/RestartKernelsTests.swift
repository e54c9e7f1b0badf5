// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Whole tiles that start anew have the bits of tracks that start one by one, on every instruction set: hostile values and
/// velocities beyond the clamp, targets of −0, jumps and slides among the springs.
struct RestartKernelsTests {
  private static let numbers: [Float] = [
    0, -0.0, 1, -1, 1e15, -1e15, 1e20, -1e20, 1e30, -1e30, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e-30,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0.1, 160,
  ]
  private static let capacity = 6 * laneCountOfTile
  private static let first = laneCountOfTile
  private static let count = 4 * laneCountOfTile

  private static func number(_ random: inout SplitMix64) -> Float {
    random.next() & 1 == 0
      ? numbers[Int(random.next() % UInt64(numbers.count))] : Float(random.uniform(-100...100))
  }

  private static func coefficients(_ random: inout SplitMix64) -> SpringCoefficients {
    let duration = random.next() % 4 == 0 ? [1e-4, 1e6][Int(random.next() & 1)] : random.uniform(0.1...3)
    if random.next() & 1 == 0 {
      return random.next() % 4 == 0
        ? SpringCoefficients(accepted: .normal)
        : SpringCoefficients(accepted: Spring(duration: duration, bounce: -random.uniform(1e-9...0.99)))
    }
    return random.next() % 4 == 0
      ? .jump : SpringCoefficients(accepted: Spring(duration: duration, bounce: random.uniform(0...1)))
  }

  /// Bits of the columns that a restart writes.
  private func bits(_ columns: SpringColumns) -> [[UInt32]] {
    var bits: [[UInt32]] = []
    for dimension in 0..<columns.dimensions {
      let start = dimension * columns.startStride
      for column in [
        columns.target + dimension * columns.dimensionStride, columns.displacement + start, columns.amplitude + start,
      ] {
        bits.append((0..<Self.capacity).map { column[$0].bitPattern })
      }
    }
    return bits
  }

  /// The first number in which two lists of columns differ.
  private func difference(_ got: [[UInt32]], _ expected: [[UInt32]]) -> String? {
    for column in got.indices {
      for index in got[column].indices where got[column][index] != expected[column][index] {
        let (one, other) = (Float(bitPattern: got[column][index]), Float(bitPattern: expected[column][index]))
        return "\(["target", "displacement", "amplitude"][column % 3]) of index \(index): \(one), alone \(other)"
      }
    }
    return nil
  }

  private func poison(_ columns: SpringColumns) {
    for dimension in 0..<columns.dimensions {
      for index in 0..<Self.capacity {
        columns.target[dimension * columns.dimensionStride + index] = .nan
        columns.displacement[dimension * columns.startStride + index] = .nan
        columns.amplitude[dimension * columns.startStride + index] = .nan
      }
    }
  }

  /// A batch whose tracks hold motions of both regimes, and numbers to start from.
  private func makeBatch(
    _ set: KernelSet, _ dimensions: Int, _ random: inout SplitMix64
  ) throws -> AnimationBatch<Components> {
    var batch = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
    let zeros = [Float](repeating: 0, count: Self.capacity * dimensions)
    let springs = [Spring](repeating: Spring(duration: 1, bounce: 0.5), count: Self.capacity)
    _ = try batch.add(planar: zeros.span, toPlanar: zeros.span, springs: springs.span)
    let columns = batch.engine.springs.columns
    for index in 0..<Self.capacity {
      let coefficients = Self.coefficients(&random)
      columns.rate[index] = coefficients.rate
      // Some of them are at rest.
      columns.decay[index] = random.next() & 1 == 0 ? coefficients.decay : -coefficients.decay
      for dimension in 0..<dimensions {
        columns.value[dimension * columns.dimensionStride + index] = Self.number(&random)
        columns.velocity[dimension * columns.dimensionStride + index] = Self.number(&random)
      }
    }
    return batch
  }

  /// Numbers to start from, neither aligned nor dense.
  private static func targets(_ dimensions: Int, _ random: inout SplitMix64) -> (numbers: [Float], stride: Int) {
    let stride = count + 5
    return ((0..<3 + dimensions * stride).map { _ in number(&random) }, stride)
  }

  private let run = LaneRun(firstLane: first, laneCount: count)

  @Test(arguments: KernelSet.available, [1, 3]) func uniformRunsStartAsSingleTracksDo(
    _ set: KernelSet, _ dimensions: Int
  ) throws {
    var random = SplitMix64(seed: 140)
    for trial in 0..<24 {
      let batch = try makeBatch(set, dimensions, &random)
      let columns = batch.engine.springs.columns
      let coefficients = Self.coefficients(&random)
      let rule = AmplitudeRule(coefficients)
      let (targets, stride) = Self.targets(dimensions, &random)
      poison(columns)
      for position in 0..<Self.count {
        _ = batch.engine.springs.start(Self.first + position, rule) { targets[3 + $0 * stride + position] }
      }
      let alone = bits(columns)
      for keepsSpring in [false, true] {
        poison(columns)
        let start = UniformStart(
          start: 0.25, rate: coefficients.rate, decay: coefficients.decay, rule: rule, keepsSpring: keepsSpring)
        targets.withUnsafeBufferPointer {
          batch.engine.table.restartUniform(columns, run, start, $0.column! + 3, stride)
        }
        #expect(difference(bits(columns), alone) == nil, "trial \(trial)")
        // The second time the lanes have the spring already.
        let isWhole = (Self.first..<Self.first + Self.count).allSatisfy {
          columns.start[$0] == 0.25 && columns.rate[$0] == coefficients.rate && columns.decay[$0] == coefficients.decay
        }
        #expect(isWhole, "trial \(trial)")
      }
    }
  }

  @Test(arguments: KernelSet.available, [1, 3]) func mixedTracksStartAsSingleTracksDo(
    _ set: KernelSet, _ dimensions: Int
  ) throws {
    var random = SplitMix64(seed: 141)
    for trial in 0..<24 {
      let batch = try makeBatch(set, dimensions, &random)
      let columns = batch.engine.springs.columns
      let (targets, stride) = Self.targets(dimensions, &random)
      poison(columns)
      for position in 0..<Self.count {
        let rule = AmplitudeRule(batch.engine.springs.coefficients(at: Self.first + position))
        _ = batch.engine.springs.start(Self.first + position, rule) { targets[3 + $0 * stride + position] }
      }
      let alone = bits(columns)
      let decays = (0..<Self.capacity).map { columns.decay[$0] }
      poison(columns)
      targets.withUnsafeBufferPointer { batch.engine.table.restartMixed(columns, run, 123.5, $0.column! + 3, stride) }
      #expect(difference(bits(columns), alone) == nil, "trial \(trial)")
      for index in 0..<Self.capacity {
        let isInRun = Self.first..<Self.first + Self.count ~= index
        #expect(columns.start[index] == (isInRun ? 123.5 : 0))
        #expect(columns.decay[index].bitPattern == (isInRun ? decays[index].magnitude : decays[index]).bitPattern)
      }
    }
  }
}
