// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Springs of duration 0, which are at their target as soon as time passes.
struct JumpTests {
  private static let jump = Spring(duration: 0, bounce: 0)

  /// Among others in its tile, with the frequency 0 that a jump has in the columns.
  @Test(arguments: KernelSet.available, [1e-30, 0.001, 5] as [Float])
  func aJumpThatMovesAloneIsOverAtOnce(_ set: KernelSet, _ tolerance: Float) throws {
    var batch = try SpringBatch(dimensions: 2, kernels: set)
    batch.restTolerance = try RestTolerances(value: tolerance)
    try batch.add(.bouncy, value: SIMD2<Float>(1e6, 2), target: .zero)
    let jumping = try batch.add(Self.jump, value: SIMD2<Float>(3, 4), target: SIMD2(8, 9), velocity: SIMD2(100, -100))
    let retargeted = try batch.add(.smooth, value: SIMD2<Float>(3, 4), target: .zero, velocity: SIMD2(100, -100))
    try batch.retarget(retargeted, to: SIMD2<Float>(5, 6), spring: Self.jump)
    try batch.advance(to: 1e-6)
    for handle in [jumping, retargeted] {
      let (isAtRest, restTime) = (try batch.isAtRest(handle), try batch.restTime(of: handle))
      #expect(isAtRest && restTime == 0)
    }
    let (logical, settled) = (batch.logicallyComplete, batch.settled)
    #expect(logical == [jumping, retargeted] && settled == [jumping, retargeted])
  }

  @Test func whatIsAtItsTargetAndDoesNotMoveIsAtRestAtOnce() throws {
    for duration in [1e-4, 1, 1e6] {
      for bounce in [0, 0.5, 1, -0.5] {
        var batch = try SpringBatch()
        batch.restTolerance = try RestTolerances(value: 1e-30, velocity: 1e-30)
        let handle = try batch.add(Spring(duration: duration, bounce: bounce), value: Float(3), target: 3)
        try batch.advance(to: 1e-6)
        let settled = batch.settled
        #expect(settled == [handle], "duration \(duration) bounce \(bounce)")
      }
    }
  }
}
