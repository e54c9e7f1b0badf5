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
  private let kernels: KernelTable
  private var springs: [Spring] = []
  private var memories: [Memory] = []
  private var numbers: [SpringCoefficients: Int] = [:]
  /// The motions whose bases are a table's frames: to the kernel, each frame is a motion of that age.
  private let motions: ColumnMemory
  private var bases: [MotionBasis]

  /// Tables of no spring yet.
  ///
  /// - Parameters:
  ///   - frames: The number of consecutive frames, at most a block.
  ///   - interval: Seconds from frame to frame.
  init(frames: Int, interval: Double, _ kernels: KernelTable) {
    (self.frames, self.kernels) = (frames, kernels)
    motions = ColumnMemory(RowShape(wide: 4, narrow: 0), rows: frames)
    bases = [MotionBasis](repeating: .rest, count: motions.capacity)
    for frame in 0..<frames { motions.wide(0)[frame] = -Double(frame) * interval }
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
    for (column, number) in [(1, spring.rate), (2, spring.α), (3, spring.κ)] {
      motions.wide(column).update(repeating: number, count: frames)
    }
    let columns = BasisColumns(
      start: motions.wide(0).constant, rate: motions.wide(1).constant, α: motions.wide(2).constant,
      κ: motions.wide(3).constant)
    bases.withColumn { kernels.evaluateBases(columns, frames, 0, $0) }
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
