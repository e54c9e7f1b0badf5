// SPDX-License-Identifier: MIT
import Kernels

/// The tables of some springs for the frames of a bake, one for each spring, as kernels take them.
struct MotionTables: ~Copyable {
  /// A spring as kernels take it.
  struct Spring {
    let coefficients: SpringCoefficients
    let rate: Double
    let α: Double
    /// See ``BakeTimes/steadyTime(naturalFrequency:)``.
    let steadyTime: Double
    let table: ConstantColumn<Float>
  }

  /// The memory of one table. It stands beside the springs, whose copies then count no references.
  private final class Memory {
    let block = MemoryBlock(byteCount: 4 * MotionTable.count, alignment: 64)
  }

  private let frames: Int
  private let interval: Double
  private let kernels: KernelTable
  private var springs: [Spring] = []
  private var memories: [Memory] = []
  private var numbers: [SpringCoefficients: Int] = [:]
  private var bases: [MotionBasis]

  /// Tables of no spring yet.
  ///
  /// - Parameters:
  ///   - frames: The number of consecutive frames, at most a block.
  ///   - interval: Seconds from frame to frame.
  init(frames: Int, interval: Double, _ kernels: KernelTable) {
    (self.frames, self.interval, self.kernels) = (frames, interval, kernels)
    bases = [MotionBasis](
      repeating: .rest, count: (frames + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile)
  }

  subscript(spring: Int) -> Spring { springs[spring] }

  /// The index of a spring's table. A spring without a table gets one.
  ///
  /// - Parameter likely: The most likely index; −1 for none.
  mutating func add(_ spring: SpringCoefficients, likely: Int = -1) -> Int {
    if likely >= 0, springs[likely].coefficients == spring { return likely }
    if let number = numbers[spring] { return number }
    let memory = Memory()
    let table = memory.block.bytes.rebound(to: Float.self)
    // To the kernel, each frame is a motion of that age.
    var columns = BasisStorage()
    for frame in 0..<frames { columns.append(spring, start: -Double(frame) * interval) }
    bases.withColumn { bases in
      columns.evaluateBases(kernels, at: 0, into: bases)
    }
    for frame in 0..<frames {
      let basis = bases[frame]
      table[frame] = basis.valueOfDisplacement
      table[MotionTable.stride + frame] = basis.valueOfAmplitude
      table[2 * MotionTable.stride + frame] = basis.velocityOfDisplacement
      table[3 * MotionTable.stride + frame] = basis.velocityOfAmplitude
    }
    memories.append(memory)
    numbers[spring] = springs.count
    springs.append(
      Spring(
        coefficients: spring, rate: spring.rate, α: spring.α,
        steadyTime: BakeTimes.steadyTime(naturalFrequency: spring.naturalFrequency), table: table.constant))
    return springs.count - 1
  }
}

/// The coefficients and starts of motions whose bases are computed together, in columns that are padded to whole tiles.
struct BasisStorage {
  private(set) var count = 0
  private var starts: [Double] = []
  private var rates: [Double] = []
  private var αs: [Double] = []
  private var κs: [Double] = []

  mutating func append(_ coefficients: SpringCoefficients, start: Double) {
    if count == starts.count {
      for _ in 0..<laneCountOfTile {
        starts.append(0)
        rates.append(0)
        αs.append(0)
        κs.append(0)
      }
    }
    (starts[count], rates[count]) = (start, coefficients.rate)
    (αs[count], κs[count]) = (coefficients.α, coefficients.κ)
    count += 1
  }

  /// Computes all bases at a time; `bases` has room for whole tiles.
  func evaluateBases(_ table: KernelTable, at time: Double, into bases: Column<MotionBasis>) {
    starts.withConstantColumn { starts in
      rates.withConstantColumn { rates in
        αs.withConstantColumn { αs in
          κs.withConstantColumn { κs in
            table.evaluateBases(BasisColumns(start: starts, rate: rates, α: αs, κ: κs), count, time, bases)
          }
        }
      }
    }
  }
}
