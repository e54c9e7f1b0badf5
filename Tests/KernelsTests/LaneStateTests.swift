// SPDX-License-Identifier: MIT
import Testing

@testable import Kernels

/// A kernel reads the state of an instance as eight numbers, so its members must stand where the kernel expects them.
struct LaneStateTests {
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
}
