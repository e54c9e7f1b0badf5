// SPDX-License-Identifier: MIT

/// Lanes that are baked together, not counting one tile more, with which the next lanes begin. The tables of 128 lanes stay
/// in the first cache; a row of the tables is eight lines.
@export(implementation) public var laneCountOfBake: Int { @inline(__always) get { 128 } }

/// Frames from one anchor of the motions to the next. Shorter spans need more anchors, longer ones a larger table.
@export(implementation) public var frameCountOfBake: Int { @inline(__always) get { 16 } }

/// The period, in anchors, at which an anchor is computed from the start of the motion; each other anchor follows from
/// the one before it.
@export(implementation) var anchorsOfBake: Int { @inline(__always) get { 32 } }

/// Frames of a group: from one anchor that is computed from the start of the motion to the next. Groups begin at the
/// frames whose numbers are multiples of this, and not at the first frame of a bake, so any part of a bake has the bits
/// of the whole.
@export(implementation) public var groupOfBake: Int { @inline(__always) get { frameCountOfBake &* anchorsOfBake } }

/// The lanes that are baked together, gathered from the columns of their tracks, and the state that is kept for them.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
public struct BakeLanes {
  /// Seconds on the batch's clock at which the motion began.
  public let start: Column<Double>
  /// As in `SpringColumns`.
  public let rate: Column<Double>
  /// The decay rate, per second.
  public let α: Column<Double>
  /// κ, per second.
  public let κ: Column<Double>
  /// Seconds from the start until the lane is at rest, or infinite.
  public let restAge: Column<Float>
  /// Seconds on the clock, of either sign, up to which frames count as equally far apart. Each later frame is computed from
  /// the start of the motion. Negative if every frame is computed so.
  public let steadyTime: Column<Double>

  /// As in `SpringColumns`, for one dimension.
  public let displacement: Column<Float>
  public let amplitude: Column<Float>
  public let target: Column<Float>

  /// All bits set if each frame of the group is computed from the start of the motion; otherwise 0.
  @usableFromInline let isExact: Column<Int32>
  /// The first frame of the group in which a lane is at rest; beyond all frames for exact lanes, whose basis is 0 at rest.
  @usableFromInline let restFrame: Column<Int32>
  /// Displacement and quarter turn in the first frame of the block: in Double, and rounded for use.
  @usableFromInline let position: Column<Double>
  @usableFromInline let turned: Column<Double>
  @usableFromInline let anchorPosition: Column<Float>
  @usableFromInline let anchorTurned: Column<Float>
  /// The transition from block to block: c, s, d and g, a column each.
  @usableFromInline let step: Column<Double>
  /// The factors of displacement and quarter turn in each frame of a block, a row for each frame: first for the value,
  /// then for the velocity.
  @usableFromInline let tables: Column<Float>
  /// A block of results of a vector of lanes, a row for each frame, before it is transposed.
  @usableFromInline let tile: Column<Float>
  /// Room for a vector of which only a part is written.
  @usableFromInline let spare: Column<Float>

  /// The lanes that each column has room for, whole tiles.
  public static var capacity: Int { laneCountOfBake + laneCountOfTile }
  /// Floats from one of these columns to the next: columns at about equal offsets within a page are slow.
  private static var stateStride: Int { capacity + 13 * 16 }
  /// Floats from one row of a table or block of results to the next.
  @export(implementation) static var rowStride: Int { @inline(__always) get { laneCountOfBake &+ laneCountOfTile } }
  /// Floats of a table.
  @export(implementation) static var tableStride: Int { @inline(__always) get { rowStride &* frameCountOfBake } }

  /// Bytes of memory that the lanes take, aligned to 64.
  public static var byteCount: Int {
    11 * 8 * capacity + 5 * 4 * capacity + 3 * 4 * stateStride + 5 * 4 * tableStride + 64
  }

  public init(memory: Column<UInt8>) {
    let capacity = Self.capacity
    let doubles = { (column: Int) in memory.elements(of: Double.self, at: 8 * capacity * column, count: capacity) }
    (start, rate, α, κ) = (doubles(0), doubles(1), doubles(2), doubles(3))
    (steadyTime, position, turned) = (doubles(4), doubles(5), doubles(6))
    step = memory.elements(of: Double.self, at: 7 * 8 * capacity, count: 4 * capacity)
    let narrow = memory + 11 * 8 * capacity
    let floats = { (column: Int) in narrow.elements(of: Float.self, at: 4 * capacity * column, count: capacity) }
    (restAge, anchorPosition, anchorTurned) = (floats(0), floats(1), floats(2))
    (isExact, restFrame) = (floats(3).rebound(to: Int32.self), floats(4).rebound(to: Int32.self))
    let states = narrow + 5 * 4 * capacity
    let state = { (column: Int) in
      states.elements(of: Float.self, at: 4 * Self.stateStride * column, count: capacity)
    }
    (displacement, amplitude, target) = (state(0), state(1), state(2))
    let rest = (states + 3 * 4 * Self.stateStride).rebound(to: Float.self)
    (tables, tile, spare) = (rest, rest + 4 * Self.tableStride, rest + 5 * Self.tableStride)
  }

  /// Makes a lane stand still at a value.
  public func clear(_ lane: Int, at value: Float = 0) {
    (start[lane], rate[lane], α[lane], κ[lane]) = (-0x1p34, 0, 0, 0)
    (restAge[lane], steadyTime[lane]) = (.infinity, 0x1p60)
    (displacement[lane], amplitude[lane], target[lane]) = (0, 0, value)
  }
}

/// The times of the frames to bake.
public struct BakeTimes {
  /// The number of frames to bake.
  public var count: Int
  /// The time of each frame in seconds, or nil if frames are equally far apart.
  public var each: ConstantColumn<Double>?
  /// Frame number n is at `origin + n / rate`.
  public var origin: Double
  public var rate: Double
  /// The number of the first frame.
  public var first: Int
  /// Seconds from frame to frame.
  public var interval: Double

  /// Times of any kind.
  public init(count: Int, each: ConstantColumn<Double>) {
    (self.count, self.each, origin, rate, first, interval) = (count, each, 0, 1, 0, 1)
  }

  /// Times at equal distances.
  public init(count: Int, origin: Double, first: Int, rate: Double) {
    (self.count, each) = (count, nil)
    (self.origin, self.first, self.rate, interval) = (origin, first, rate, 1 / rate)
  }

  /// The time of a frame, counted from the first one.
  @export(implementation) @inline(__always)
  public func callAsFunction(_ frame: Int) -> Double {
    if let each = each {
      return each[frame]
    }
    return origin + Double(first &+ frame) / rate
  }

  /// The time up to which springs of a natural frequency may take frames as equally far apart, in seconds of either
  /// sign on the clock.
  ///
  /// The times of frames are rounded, by up to 2⁻⁵² of the largest number that goes into them. In so short a time a
  /// spring of that ω₀ moves by 2⁻²⁵ of its scale.
  public static func steadyTime(naturalFrequency: Double) -> Double { 0x1p27 / max(naturalFrequency, 0x1p-33) }

  /// The largest number that goes into the times of a range of frames, in seconds; infinite where each frame has a time
  /// of its own.
  @export(implementation) @inline(__always)
  public func extent(from frame: Int, count: Int) -> Double {
    guard each == nil else { return .infinity }
    let (first, last) = (first &+ frame, first &+ frame &+ (count &- 1))
    return max(origin.magnitude, (Double(first) / rate).magnitude, (Double(last) / rate).magnitude)
  }
}

/// The memory that results are written to.
public struct BakeOutput {
  /// The value of the first lane in the first frame.
  public var values: Column<Float>
  /// The velocity of the first lane in the first frame, or nil if no velocities are wanted.
  public var velocities: Column<Float>?
  /// Floats from frame to frame.
  public var frameStride: Int
  /// Floats from lane to lane.
  public var laneStride: Int
  /// Whether results are stored past the caches where lanes are neighbours in memory.
  public var isStreamed: Bool
  /// The number of last lanes with which the next call begins again. Of these, only lanes that share a line with an earlier
  /// lane are stored.
  public var overlap: Int
  /// Whether first lanes that share a line with an earlier lane were stored with that lane.
  public var isContinued: Bool

  public init(
    values: Column<Float>, velocities: Column<Float>?, frameStride: Int, laneStride: Int,
    isStreamed: Bool, overlap: Int, isContinued: Bool
  ) {
    (self.values, self.velocities) = (values, velocities)
    (self.frameStride, self.laneStride, self.isStreamed) = (frameStride, laneStride, isStreamed)
    (self.overlap, self.isContinued) = (overlap, isContinued)
  }
}
