// SPDX-License-Identifier: MIT
// Many frames of motions of few springs. What multiplies displacement and quarter turn j frames after a frame of a motion
// depends on the spring alone (see `Transition`), so motions share it, and a frame is two products. A vector holds frames of
// one lane: motions begin and end whenever they do.

/// What multiplies displacement and quarter turn in frames at equal distances: four rows, for values those of displacement
/// and of quarter turn, and then for velocities.
public enum MotionTable {
  /// Floats from row to row: there is room for a vector behind the last frame of a block.
  @inlinable public static var stride: Int { @inline(__always) get { BakedLanes.stride } }
  /// Floats of a table.
  @inlinable public static var count: Int { @inline(__always) get { 4 &* stride } }
}

/// Frames of one lane within a motion.
public struct BakedMotion {
  /// The table of its spring; nil where the lane stands still at the target.
  public var table: UnsafePointer<Float>?
  /// Displacement and quarter turn in the first frame.
  public var position: Float
  public var turned: Float
  public var target: Float
  /// The place of the lane in the block, the first frame, and how many they are.
  public var lane: Int
  public var firstFrame: Int
  public var frameCount: Int

  public init(
    table: UnsafePointer<Float>?, position: Float = 0, turned: Float = 0, target: Float, lane: Int, firstFrame: Int,
    frameCount: Int
  ) {
    (self.table, self.position, self.turned, self.target) = (table, position, turned, target)
    (self.lane, self.firstFrame, self.frameCount) = (lane, firstFrame, frameCount)
  }
}

extension InstructionSet {
  @inline(never)
  @inlinable
  static func motionLoop<O: Output>(
    _ motions: UnsafeBufferPointer<BakedMotion>, _ block: BakedLanes, _: O.Type
  ) {
    var next = 0
    while next < motions.count {
      let motion = motions[next]
      next &+= 1
      let element = motion.lane &* BakedLanes.stride &+ motion.firstFrame
      let (values, velocities) = (block.values + element, block.velocities + element)
      let target = splat(motion.target)
      var frame = 0
      guard let table = motion.table else {
        while frame < motion.frameCount {
          Ordinary.store(Self.self, target, to: values + frame)
          if O.includesVelocity {
            Ordinary.store(Self.self, Floats.zero, to: velocities + frame)
          }
          frame &+= Floats.scalarCount
        }
        continue
      }
      let (p, q) = (splat(motion.position), splat(motion.turned))
      while frame < motion.frameCount {
        let (c, s) = (load(table, frame), load(table + MotionTable.stride, frame))
        Ordinary.store(Self.self, BakedValue.combine(Self.self, c, p, s, q) + target, to: values + frame)
        if O.includesVelocity {
          let (c, s) = (load(table + 2 &* MotionTable.stride, frame), load(table + 3 &* MotionTable.stride, frame))
          Ordinary.store(Self.self, BakedVelocity.combine(Self.self, c, p, s, q), to: velocities + frame)
        }
        frame &+= Floats.scalarCount
      }
    }
  }

  /// Bakes motions into a block, in their order: those of a lane must ascend. Frames behind the last one of each are
  /// written too, up to a whole vector.
  @inlinable @inline(__always)
  public static func bakeMotions(
    _ motions: UnsafeBufferPointer<BakedMotion>, _ block: BakedLanes, velocities: Bool
  ) {
    if velocities {
      motionLoop(motions, block, ValueAndVelocity.self)
    } else {
      motionLoop(motions, block, ValueOnly.self)
    }
  }
}
