// SPDX-License-Identifier: MIT
import Testing

@testable import Kernels
@testable import Murmuration
@testable import MurmurationEngine

/// The handles through which columns are read and written.
@Suite("Columns")
struct ColumnTests {
  @Test func elementsVectorsAndPartsAreThoseOfTheMemory() {
    var numbers = (0..<32).map { Float($0) }
    numbers.withUnsafeMutableBufferPointer { memory in
      let column = memory.column!
      column[3] += 0.5
      let rest = column + 16
      #expect(rest[0] == 16 && (rest - 13)[0] == 3.5)
      #expect(rest.lanes(at: 4, as: SIMD4<Float>.self) == [20, 21, 22, 23])
      rest.store(SIMD4<Float>(1, 2, 3, 4), at: 12)
      (column + 8).update(from: rest, count: 2)
      column.rebound(to: UInt32.self)[0] = Float(7).bitPattern
      #expect(column.constant[31] == 4 && column[9] == 17 && column[0] == 7)
    }
  }

  /// A kernel reads the state of an instance as eight numbers, so its members must stand where the kernel expects them.
  @Test func aStateIsSevenDoublesAndAnIntegerWithMarks() {
    #expect(MemoryLayout<LaneState>.stride == 64)
    let doubles: [PartialKeyPath<LaneState>] = [
      \.changed, \.start, \.speed, \.offset, \.firstLeg, \.legCount, \.reportedLeg,
    ]
    for (place, member) in doubles.enumerated() {
      #expect(MemoryLayout<LaneState>.offset(of: member) == 8 * place)
    }
    for mode in [LaneState.Mode.idle, .running, .paused] {
      for autoreverses in [false, true] {
        var state = LaneState(home: -1, changed: 0)
        (state.mode, state.autoreverses) = (mode, autoreverses)
        let marks = [state].withUnsafeBytes { $0.load(fromByteOffset: 56, as: Int64.self) }
        #expect((marks & LaneState.modeMarks == LaneState.runningMark) == (mode == .running))
        #expect((marks << LaneState.shiftOfTurns < 0) == autoreverses)
      }
    }
  }

  // The memory is longer than the column, so that a process without the check ends well.
  #if DEBUG
    @Test func whatLiesOutsideOfAColumnEndsADebugBuild() async {
      await #expect(processExitsWith: .success) { lend { $0[15] = 1 } }
      await #expect(processExitsWith: .failure) { lend { $0[16] = 1 } }
      await #expect(processExitsWith: .failure) { lend { ($0 + 1)[-1] = 1 } }
      await #expect(processExitsWith: .failure) { lend { $0.constant.prefix(17) } }
      await #expect(processExitsWith: .failure) { lend { $0.store($0.lanes(at: 13, as: SIMD4<Float>.self), at: 0) } }
      await #expect(processExitsWith: .failure) { lend { ($0 + 8).update(repeating: 1, count: 9) } }
    }

    @Test func aKernelThatReadsBeyondTheEndEndsADebugBuild() async {
      await #expect(processExitsWith: .failure) {
        lend { column in
          for set in KernelSet.available { _ = set.table.matrices.isWithin(1, column.constant, 32) }
        }
      }
    }
  #endif
}

#if DEBUG
  /// Lends sixteen zeros as a column, within the memory of 64.
  private func lend(_ body: (Column<Float>) -> Void) {
    var numbers = [Float](repeating: 0, count: 64)
    numbers.withUnsafeMutableBufferPointer { body(Column($0.baseAddress!, count: 16)) }
  }

  extension ConstantColumn<Float> {
    /// Reads the first elements.
    fileprivate func prefix(_ count: Int) {
      for index in 0..<count { precondition(self[index] == 0) }
    }
  }
#endif
