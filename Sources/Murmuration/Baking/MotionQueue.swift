// SPDX-License-Identifier: MIT
import Kernels

/// Motions of a block that wait to be baked. The states in their first frames are computed together.
struct MotionQueue: ~Copyable {
  private let kernel: BakeKernels.Motions
  private let block: BakedLanes
  private let velocities: Bool
  private let memory: MemoryBlock
  private let motions: BakedMotions
  private var count = 0

  /// Motions to bake into a block, which is lent for as long as this lives.
  init(_ kernel: @escaping BakeKernels.Motions, _ block: BakedLanes, velocities: Bool) {
    (self.kernel, self.block, self.velocities) = (kernel, block, velocities)
    memory = MemoryBlock(byteCount: BakedMotions.byteCount, alignment: 64, isZeroed: false)
    motions = BakedMotions(memory: memory.bytes)
  }

  /// Makes a lane show its target in some frames of the block.
  @inline(__always)
  mutating func stand(_ lane: Int, _ frames: Range<Int>, at target: Float) {
    motions.clear(count)
    motions.motions[count] = BakedMotion(table: nil, target: target, lane: lane, frames: frames)
    goOn()
  }

  /// Makes a lane follow a motion in some frames of the block.
  ///
  /// - Parameters:
  ///   - age: Seconds from the start of the motion to its anchor, a frame.
  ///   - before: Frames from the anchor to the first of `frames`.
  ///   - state: Displacement, amplitude and target at the start.
  @inline(__always)
  mutating func move(
    _ lane: Int, _ frames: Range<Int>, _ spring: MotionTables.Spring, age: Double, before: Int = 0,
    _ state: SIMD3<Float>
  ) {
    motions.age[count] = age
    motions.rate[count] = spring.rate
    motions.α[count] = spring.α
    motions.position[count] = state.x
    motions.turned[count] = state.y
    motions.motions[count] = BakedMotion(
      table: spring.table + before, target: state.z, lane: lane, frames: frames)
    goOn()
  }

  @inline(__always)
  private mutating func goOn() {
    count += 1
    if count == BakedMotions.capacity { bake() }
  }

  /// Bakes the motions that wait.
  mutating func bake() {
    var end = count
    while end % laneCountOfTile != 0 {
      motions.clear(end)
      end += 1
    }
    kernel(motions, count, block, velocities)
    count = 0
  }
}
