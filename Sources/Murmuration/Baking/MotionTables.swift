// SPDX-License-Identifier: MIT
import Kernels

/// The tables of some springs for the frames of a bake, one for each spring, as kernels take them.
@safe
struct MotionTables: ~Copyable {
  /// A spring as kernels take it.
  @safe
  struct Spring {
    let coefficients: SpringCoefficients
    let rate: Double
    let α: Double
    /// See ``BakeTimes/steadyTime(naturalFrequency:)``.
    let steadyTime: Double
    let table: UnsafePointer<Float>
  }

  private let frames: Int
  private let interval: Double
  private let kernels: KernelTable
  private var springs: [Spring] = []
  private var numbers: [SpringCoefficients: Int] = [:]
  private var bases: [CohortBasis]

  /// Tables of no spring yet.
  ///
  /// - Parameters:
  ///   - frames: Frames that follow each other, at most those of a block.
  ///   - interval: Seconds from frame to frame.
  init(frames: Int, interval: Double, _ kernels: KernelTable) {
    (self.frames, self.interval, self.kernels) = (frames, interval, kernels)
    bases = [CohortBasis](
      repeating: .rest, count: (frames + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile)
  }

  subscript(spring: Int) -> Spring { springs[spring] }

  /// The number of a spring, which gets a table if it has none.
  ///
  /// - Parameter likely: The number that it most likely has, if any.
  mutating func add(_ spring: SpringCoefficients, likely: Int = -1) -> Int {
    if likely >= 0, springs[likely].coefficients == spring { return likely }
    if let number = numbers[spring] { return number }
    let table = UnsafeMutablePointer<Float>.allocate(capacity: MotionTable.count)
    unsafe table.initialize(repeating: 0, count: MotionTable.count)
    // To the kernel, each frame is a cohort of that age.
    var columns = CohortColumns()
    for frame in 0..<frames { columns.append(spring, start: -Double(frame) * interval) }
    unsafe bases.withUnsafeMutableBufferPointer { bases in
      unsafe columns.evaluateBases(kernels, at: 0, into: bases.baseAddress.unsafelyUnwrapped)
    }
    for frame in 0..<frames {
      let basis = bases[frame]
      unsafe table[frame] = basis.valueOfDisplacement
      unsafe table[MotionTable.stride + frame] = basis.valueOfAmplitude
      unsafe table[2 * MotionTable.stride + frame] = basis.velocityOfDisplacement
      unsafe table[3 * MotionTable.stride + frame] = basis.velocityOfAmplitude
    }
    numbers[spring] = springs.count
    springs.append(
      unsafe Spring(
        coefficients: spring, rate: spring.rate, α: spring.α,
        steadyTime: BakeTimes.steadyTime(naturalFrequency: spring.naturalFrequency), table: UnsafePointer(table)))
    return springs.count - 1
  }

  deinit {
    for spring in springs { unsafe spring.table.deallocate() }
  }
}
