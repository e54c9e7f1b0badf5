// SPDX-License-Identifier: MIT
// Many frames of motions that follow a few springs. The factors of displacement and quarter turn j frames after a frame
// of a motion depend on the spring alone (see `Transition`), so motions share them, and a frame is two products. The
// state of each motion in its first frame is computed with a vector of motions, and its frames with a vector of frames,
// so motions may begin and end at any time.

/// The factors of displacement and quarter turn in frames at equal distances, in four rows: two for values, then two
/// for velocities.
public enum MotionTable {
  /// Floats from row to row: there is room for a vector after the last frame of a block.
  @export(implementation) public static var stride: Int { @inline(__always) get { BakedLanes.stride } }
  /// Floats of a table.
  @export(implementation) public static var count: Int { @inline(__always) get { 4 &* stride } }
}

/// Frames of one lane within a motion.
public struct BakedMotion: BitwiseCopyable {
  /// The table of its spring; nil where the lane stands still at the target.
  public var table: ConstantColumn<Float>?
  public var target: Float
  /// The index of the lane in the block, the first frame, and the number of frames.
  public var lane: Int32
  public var firstFrame: Int32
  public var frameCount: Int32

  @export(implementation) @inline(__always)
  public init(table: ConstantColumn<Float>?, target: Float, lane: Int, frames: Range<Int>) {
    (self.table, self.target, self.lane) = (table, target, Int32(truncatingIfNeeded: lane))
    firstFrame = Int32(truncatingIfNeeded: frames.lowerBound)
    frameCount = Int32(truncatingIfNeeded: frames.count)
  }
}

/// Motions that are baked together, at most ``capacity``.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
public struct BakedMotions {
  /// The frames of each motion.
  public let motions: Column<BakedMotion>
  /// Seconds from the start of each motion to its first frame.
  public let age: Column<Double>
  /// As in `BasisColumns`.
  public let rate: Column<Double>
  public let α: Column<Double>
  /// Displacement and quarter turn: first at the start, and once computed, in the first frame.
  public let position: Column<Float>
  public let turned: Column<Float>

  /// The motions that there is room for, whole tiles.
  @export(implementation) public static var capacity: Int { @inline(__always) get { 128 } }
  /// Bytes of memory that they take, aligned to 64.
  public static var byteCount: Int { capacity * (MemoryLayout<BakedMotion>.stride + 3 * 8 + 2 * 4) }

  /// Room for motions in memory of the caller.
  public init(memory: Column<UInt8>) {
    let capacity = Self.capacity
    let doubles = { (column: Int) in memory.elements(of: Double.self, at: 8 * column * capacity, count: capacity) }
    (age, rate, α) = (doubles(0), doubles(1), doubles(2))
    position = memory.elements(of: Float.self, at: 24 * capacity, count: capacity)
    turned = memory.elements(of: Float.self, at: 28 * capacity, count: capacity)
    motions = memory.elements(of: BakedMotion.self, at: 32 * capacity, count: capacity)
  }

  /// Makes a motion stand still at 0.
  @export(implementation) @inline(__always)
  public func clear(_ index: Int) {
    (age[index], rate[index], α[index], position[index], turned[index]) = (0, 0, 0, 0, 0)
  }
}

extension InstructionSet {
  /// Moves motions from their starts to their first frames.
  @export(implementation) @inline(__always)
  static func startMotions(_ motions: BakedMotions, count: Int) {
    var index = 0
    while index < count {
      func doubles(_ column: Column<Double>) -> Doubles {
        column.lanes(at: index, as: Doubles.self)
      }
      let transition = Transition<Self>(
        rate: doubles(motions.rate), α: doubles(motions.α), age: doubles(motions.age))
      let first = transition(widen(load(motions.position, index)), widen(load(motions.turned, index)))
      Ordinary.store(Self.self, narrow(first.position), to: motions.position + index)
      Ordinary.store(Self.self, narrow(first.turned), to: motions.turned + index)
      index &+= Floats.scalarCount
    }
  }

  @inline(never)
  @export(implementation)
  static func motionLoop<O: Output>(_ motions: BakedMotions, count: Int, _ block: BakedLanes, _: O.Type) {
    startMotions(motions, count: count)
    var next = 0
    while next < count {
      let motion = motions.motions[next]
      let (p, q) = (splat(motions.position[next]), splat(motions.turned[next]))
      next &+= 1
      let element = Int(motion.lane) &* BakedLanes.stride &+ Int(motion.firstFrame)
      let (values, velocities) = (block.values + element, block.velocities + element)
      let target = splat(motion.target)
      let frames = Int(motion.frameCount)
      var frame = 0
      guard let table = motion.table else {
        while frame < frames {
          Ordinary.store(Self.self, target, to: values + frame)
          if O.includesVelocity {
            Ordinary.store(Self.self, Floats.zero, to: velocities + frame)
          }
          frame &+= Floats.scalarCount
        }
        continue
      }
      while frame < frames {
        let (c, s) = (load(table, frame), load(table + MotionTable.stride, frame))
        Ordinary.store(Self.self, BakedValue.combine(Self.self, c, p, s, q) + target, to: values + frame)
        if O.includesVelocity {
          let (c, s) = (
            load(table + 2 &* MotionTable.stride, frame), load(table + 3 &* MotionTable.stride, frame)
          )
          Ordinary.store(Self.self, BakedVelocity.combine(Self.self, c, p, s, q), to: velocities + frame)
        }
        frame &+= Floats.scalarCount
      }
    }
  }

  /// Bakes `count` motions into a block, in their order; the motions of a lane must ascend. The motions after the last
  /// one, up to a whole tile, must be there: they are computed and not shown. Frames after the last one of each motion
  /// are written too, up to a whole vector.
  @export(implementation) @inline(__always)
  public static func bakeMotions(_ motions: BakedMotions, count: Int, _ block: BakedLanes, velocities: Bool) {
    if velocities {
      motionLoop(motions, count: count, block, ValueAndVelocity.self)
    } else {
      motionLoop(motions, count: count, block, ValueOnly.self)
    }
  }
}
