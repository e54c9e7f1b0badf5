// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import Reference

/// The error bound of a sum of animations.
struct SumMotionTests {
  /// Errors in value and in velocity count as shares of their bounds.
  @Test func anErrorCounts() throws {
    var motion = SumMotion([0, 0], curveTolerance: 0x1p-16)
    motion.animate(to: [8, -2], with: .linear(duration: 1), at: 0)
    func excess(_ x: Float, _ speed: Float) -> Excess {
      motion.excess(values: [x, -1], velocities: [speed, -2], at: 0.5)
    }
    #expect(excess(4, 8) == Excess())
    #expect(excess(4.001, 8).value > 1 && excess(4.001, 8).velocity == 0)
    #expect(excess(4, 8.01).velocity > 1)
    #expect(!(excess(.nan, 8).value <= 1))
  }
}
