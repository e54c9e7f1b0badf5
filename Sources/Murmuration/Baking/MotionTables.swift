// SPDX-License-Identifier: MIT
import Kernels

/// What the frames of a bake need to know of some springs: a table of each, as kernels take it.
@safe
final class MotionTables: Sendable {
  /// A spring as kernels take it.
  @safe
  struct Spring {
    let rate: Double
    let α: Double
    let table: UnsafePointer<Float>
  }

  private nonisolated(unsafe) let floats: UnsafeMutablePointer<Float>
  private nonisolated(unsafe) let springs: [Spring]

  /// - Parameters:
  ///   - frames: Frames that follow each other, at most those of a block.
  ///   - interval: Seconds from frame to frame.
  init(_ springs: [SpringCoefficients], frames: Int, interval: Double, _ table: KernelTable) {
    let count = max(1, springs.count) * MotionTable.count
    let floats = UnsafeMutablePointer<Float>.allocate(capacity: count)
    unsafe floats.initialize(repeating: 0, count: count)
    unsafe self.floats = floats
    unsafe self.springs = springs.indices.map { index in
      unsafe Spring(
        rate: springs[index].rate, α: springs[index].α, table: UnsafePointer(floats + index * MotionTable.count))
    }
    let room = (frames + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    var bases = [CohortBasis](repeating: .rest, count: room)
    for (index, spring) in springs.enumerated() {
      // To the kernel a frame is a cohort that set out as long ago.
      var columns = CohortColumns()
      for frame in 0..<frames {
        columns.append(spring, start: -Double(frame) * interval)
      }
      unsafe bases.withUnsafeMutableBufferPointer { bases in
        unsafe columns.evaluateBases(table, at: 0, into: bases.baseAddress.unsafelyUnwrapped)
      }
      let rows = unsafe floats + index * MotionTable.count
      for frame in 0..<frames {
        let basis = bases[frame]
        unsafe rows[frame] = basis.valueOfDisplacement
        unsafe rows[MotionTable.stride + frame] = basis.valueOfAmplitude
        unsafe rows[2 * MotionTable.stride + frame] = basis.velocityOfDisplacement
        unsafe rows[3 * MotionTable.stride + frame] = basis.velocityOfAmplitude
      }
    }
  }

  subscript(spring: Int) -> Spring { unsafe springs[spring] }

  deinit {
    unsafe floats.deallocate()
  }
}
