// SPDX-License-Identifier: MIT

/// Lanes that are baked together, and a tile more that the next ones begin with. The tables of so many stay in the first
/// cache; a row of theirs is eight lines.
@export(implementation) public var laneCountOfBake: Int { @inline(__always) get { 128 } }

/// Frames from one anchor of the motions to the next. Fewer cost more anchors, more a larger table.
@export(implementation) public var frameCountOfBake: Int { @inline(__always) get { 16 } }

/// Anchors from one that is computed from the start of the motion to the next; those between follow from the one before.
@export(implementation) var anchorsOfBake: Int { @inline(__always) get { 32 } }

/// Lanes of a cohort that are baked together: their state stays in the first cache.
@export(implementation) public var laneCountOfCohortBake: Int { @inline(__always) get { 1024 } }

/// The lanes that are baked together, gathered from wherever their tracks stand, and what is kept of them in between.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
@safe
public struct BakeLanes {
  /// Seconds on the batch's clock at which the motion began.
  public let start: UnsafeMutablePointer<Double>
  /// As in `SpringColumns`.
  public let rate: UnsafeMutablePointer<Double>
  /// The decay rate, per second.
  public let α: UnsafeMutablePointer<Double>
  /// κ, per second.
  public let κ: UnsafeMutablePointer<Double>
  /// The time from which a lane is at rest, where that is not known as an age; else infinite.
  public let restTime: UnsafeMutablePointer<Double>
  /// Seconds from the start until the lane is at rest, or infinite.
  public let restAge: UnsafeMutablePointer<Float>
  /// All bits set where each frame is computed from the start of the motion, with the bits of a cohort; else 0.
  public let isExact: UnsafeMutablePointer<Int32>

  /// As in `SpringColumns`, for one dimension. There is room for a run of a cohort.
  public let displacement: UnsafeMutablePointer<Float>
  public let amplitude: UnsafeMutablePointer<Float>
  public let target: UnsafeMutablePointer<Float>

  /// The first frame in which a lane is at rest; beyond all frames where the basis says so.
  @usableFromInline let restFrame: UnsafeMutablePointer<Int32>
  /// Displacement and quarter turn in the first frame of the block: in Double, and as it is used.
  @usableFromInline let position: UnsafeMutablePointer<Double>
  @usableFromInline let turned: UnsafeMutablePointer<Double>
  @usableFromInline let anchorPosition: UnsafeMutablePointer<Float>
  @usableFromInline let anchorTurned: UnsafeMutablePointer<Float>
  /// The transition from block to block: c, s, d and g, a column each.
  @usableFromInline let step: UnsafeMutablePointer<Double>
  /// What multiplies displacement and quarter turn in each frame of a block, a row a frame: for the value, then, behind
  /// these, for the velocity.
  @usableFromInline let tables: UnsafeMutablePointer<Float>
  /// A block of results of a vector of lanes, a row a frame, before it is turned.
  @usableFromInline let tile: UnsafeMutablePointer<Float>
  /// Room for a vector of which a part is wanted.
  @usableFromInline let spare: UnsafeMutablePointer<Float>

  /// Lanes that each column has room for, whole tiles.
  public static var capacity: Int { laneCountOfBake + laneCountOfTile }
  /// Lanes of a cohort that there is room for.
  public static var cohortCapacity: Int { laneCountOfCohortBake + laneCountOfTile }
  /// Floats from one column of these to the next: columns at about the same place within a page are slow.
  private static var stateStride: Int { cohortCapacity + 13 * 16 }
  /// Floats from a row of a table or a block of results to the next.
  @export(implementation) static var rowStride: Int { @inline(__always) get { laneCountOfBake &+ laneCountOfTile } }
  /// Floats of a table.
  @export(implementation) static var tableStride: Int { @inline(__always) get { rowStride &* frameCountOfBake } }

  /// Bytes of memory that the lanes take, aligned to 64.
  public static var byteCount: Int {
    11 * 8 * capacity + 5 * 4 * capacity + 3 * 4 * stateStride + 5 * 4 * tableStride + 64
  }

  public init(memory: UnsafeMutableRawPointer) {
    let doubles = { (column: Int) in unsafe (memory + 8 * Self.capacity * column).assumingMemoryBound(to: Double.self) }
    unsafe (start, rate, α, κ, restTime) = (doubles(0), doubles(1), doubles(2), doubles(3), doubles(4))
    unsafe (position, turned, step) = (doubles(5), doubles(6), doubles(7))
    let narrow = unsafe memory + 11 * 8 * Self.capacity
    let floats = { (column: Int) in unsafe (narrow + 4 * Self.capacity * column).assumingMemoryBound(to: Float.self) }
    unsafe (restAge, anchorPosition, anchorTurned) = (floats(0), floats(1), floats(2))
    unsafe isExact = (narrow + 3 * 4 * Self.capacity).assumingMemoryBound(to: Int32.self)
    unsafe restFrame = (narrow + 4 * 4 * Self.capacity).assumingMemoryBound(to: Int32.self)
    let states = unsafe narrow + 5 * 4 * Self.capacity
    let state = { (column: Int) in unsafe (states + 4 * Self.stateStride * column).assumingMemoryBound(to: Float.self) }
    unsafe (displacement, amplitude, target) = (state(0), state(1), state(2))
    unsafe tables = state(3)
    unsafe tile = tables + 4 * Self.tableStride
    unsafe spare = tile + Self.tableStride
  }

  /// Makes a lane one that has no track: it shows 0.
  public func clear(_ lane: Int, isExact exact: Bool) {
    unsafe (start[lane], rate[lane], α[lane], κ[lane]) = (-0x1p34, 0, 0, 0)
    unsafe (restTime[lane], restAge[lane], isExact[lane]) = (.infinity, .infinity, exact ? -1 : 0)
    unsafe (displacement[lane], amplitude[lane], target[lane]) = (0, 0, 0)
  }
}

/// The times of the frames to bake.
@safe
public struct BakeTimes {
  /// Frames to bake.
  public var count: Int
  /// Each frame's, in seconds, or nil where they are at equal distances.
  public var each: UnsafePointer<Double>?
  /// Frame n is at `origin + (first + n) / rate`.
  public var origin: Double
  public var first: Double
  public var rate: Double
  /// Seconds from frame to frame.
  public var interval: Double

  /// Times of any kind.
  public init(count: Int, each: UnsafePointer<Double>) {
    unsafe (self.count, self.each, origin, first, rate, interval) = (count, each, 0, 0, 1, 0)
  }

  /// Times at equal distances. One frame has no next, so that its rate may be anything that is positive.
  public init(count: Int, origin: Double, first: Double, rate: Double) {
    unsafe (self.count, each) = (count, nil)
    (self.origin, self.first, self.rate) = (origin, first, count > 1 ? rate : max(rate, 1))
    interval = count > 1 ? 1 / rate : 0
    if count == 1 {
      self.origin = origin + first / rate
      self.first = 0
    }
  }

  /// The time of a frame.
  @export(implementation) @inline(__always)
  public func callAsFunction(_ frame: Int) -> Double {
    if let each = unsafe each {
      return unsafe each[frame]
    }
    return origin + (first + Double(frame)) / rate
  }

  /// ω₀ up to which springs may take frames for equally far apart; negative where each frame has a time of its own.
  ///
  /// The times of frames are rounded, by up to 2⁻⁵² of the largest number that goes into them. What a spring of that ω₀ does
  /// in so little time is 2⁻²⁵ of its scale.
  public var steadyFrequency: Double {
    guard unsafe each == nil else {
      return -1
    }
    let last = first + Double(count)
    return 0x1p27 / max(abs(origin), abs(first / rate), abs(last / rate))
  }
}

/// Where results go.
@safe
public struct BakeOutput {
  /// The value of the first lane in the first frame.
  public var values: UnsafeMutablePointer<Float>
  /// Its velocity, or nil where none is wanted.
  public var velocities: UnsafeMutablePointer<Float>?
  /// Floats from frame to frame.
  public var frameStride: Int
  /// Floats from lane to lane.
  public var laneStride: Int
  /// Whether results are stored past the caches where lanes are neighbours.
  public var isStreamed: Bool
  /// Lanes at the end that others begin with: of them only those are stored that share a line with one before them.
  public var overlap: Int
  /// Whether those at the start that share a line with a lane before them were stored with it.
  public var isContinued: Bool

  public init(
    values: UnsafeMutablePointer<Float>, velocities: UnsafeMutablePointer<Float>?, frameStride: Int, laneStride: Int,
    isStreamed: Bool, overlap: Int, isContinued: Bool
  ) {
    unsafe (self.values, self.velocities) = (values, velocities)
    (self.frameStride, self.laneStride, self.isStreamed) = (frameStride, laneStride, isStreamed)
    (self.overlap, self.isContinued) = (overlap, isContinued)
  }
}
