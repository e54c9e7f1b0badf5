// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import Synchronization

/// Many springs, evaluated together: each track has a spring, a start time, and values in one or more dimensions.
///
/// A track is a row of every column. It keeps its row for life, so arrays of your own may run parallel to the columns;
/// rows of removed tracks read 0 until another track takes them, the last one freed first. Without removals, tracks
/// stand in the order in which they were added.
///
/// ```swift
/// var batch = try SpringBatch(dimensions: 2)
/// let handle = try batch.add(.bouncy, value: SIMD2(0, 0), target: SIMD2(100, 50))
/// try batch.advance(to: 0.25)
/// try batch.retarget(handle, to: SIMD2(0, 50))       // keeps value and velocity
/// try batch.advance(to: 0.5)
/// try batch.withValues(dimension: 0) { x in print(x[0]) }
/// ```
///
/// ### Cohorts
/// Tracks that share a spring and a start share their basis, and cost two multiply-adds a value instead of an
/// exponential and a sine. Which tracks do follows from the calls that were made, and from nothing else:
/// - a call for one track makes it move alone (*mixed*);
/// - a call for many tracks with one spring makes them one cohort;
/// - a call for many tracks with a spring each makes them mixed;
/// - a bulk retarget without a spring leaves mixed tracks mixed, and makes those that were in one cohort a new cohort.
///
/// ### Accuracy
/// With S = max(|value − target|, |velocity|/ω₀) at the last retarget, a value is within 8 · 2⁻²⁴ · S, plus half a unit
/// in the last place of the target, and a velocity within 8 · 2⁻²⁴ · S · ω₀, of the exact motion, at any age up to a
/// week; each retarget adds one such error to what it starts from. The same calls give the same bits on every
/// instruction set.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public struct SpringBatch: ~Copyable, Sendable {
  /// Values per track.
  public let dimensions: Int
  /// The instruction set whose kernels run.
  public let kernels: KernelSet
  /// Whether ``advance(to:)`` computes velocities along with values. If not, they are computed before the next
  /// change of any motion (an add, a retarget, a set) or when a reader first needs them. Default true.
  public var computesVelocities = true
  /// Tracks that live.
  public internal(set) var count = 0
  /// The clock, in seconds: the time of the last ``advance(to:)``.
  public internal(set) var time = 0.0

  var storage: SpringStorage
  var generations: [UInt32] = []
  var freeRows: [UInt32] = []
  var cohorts = CohortTable()
  var plan = EvaluationPlan()
  var planIsStale = false
  var velocitiesAreStale = false
  /// The latest time at which a motion started: the clock cannot go before it.
  var latestStart = -BatchLimits.maximumTime
  /// What the sums of `advance(by:)` lost to rounding.
  var timeLost = 0.0
  let store: UInt32
  let table: KernelTable

  private static let stores = Atomic<UInt32>(0)

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - dimensions: Values per track, 1…``BatchLimits/maximumDimensions``.
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected()``.
  /// - Throws: ``BatchError`` if the dimensions or the capacity are out of range; ``KernelSelectionError`` if the
  ///   processor lacks the set.
  public init(dimensions: Int = 1, reservingCapacity capacity: Int = 0, kernels: KernelSet? = nil) throws {
    guard 1...BatchLimits.maximumDimensions ~= dimensions else {
      throw BatchError.invalidDimensions(dimensions)
    }
    guard 0...BatchLimits.maximumTracks ~= capacity,
      SpringStorage.hasRoom(dimensions: dimensions, rows: capacity)
    else {
      throw BatchError.capacityExceeded(capacity)
    }
    let set = try kernels ?? KernelSet.selected()
    guard set.isSupported else {
      throw KernelSelectionError.unsupported(set)
    }
    self.dimensions = dimensions
    self.kernels = set
    table = set.table
    storage = SpringStorage(dimensions: dimensions, rows: capacity)
    store = Self.stores.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Rows of each column: those of live tracks and those that wait for another.
  public var rowCount: Int { generations.count }

  /// The bytes that the kernels read and wrote for the last frame.
  package var bytesPerFrame: Int { plan.traffic(dimensions: dimensions, velocities: computesVelocities) }

  /// Bytes that a track takes in the columns of a batch of so many dimensions.
  public static func bytesPerTrack(dimensions: Int) -> Int { 2 * 8 + 4 * 4 + 5 * 4 * dimensions }
}

// MARK: - Time

extension SpringBatch {
  /// Evaluates every track at a time; nothing happens if the clock already shows it.
  ///
  /// The clock may be set to any time from the latest start (of an add, a retarget or a set) on, forwards or back.
  ///
  /// - Parameter seconds: Absolute time, within ±``BatchLimits/maximumTime``.
  /// - Throws: ``BatchError/invalidTime(_:)`` or ``BatchError/timeBeforeStart(time:start:)``.
  /// - Complexity: O(rows); no allocation unless tracks came, went or changed their cohort since the last call.
  public mutating func advance(to seconds: Double) throws(BatchError) {
    try evaluate(at: seconds)
    timeLost = 0
  }

  /// Moves the clock by a number of seconds. The clock sums with compensation, so that many small steps lose nothing.
  ///
  /// - Throws: As ``advance(to:)``.
  public mutating func advance(by seconds: Double) throws(BatchError) {
    guard seconds.isFinite else {
      throw .invalidTime(seconds)
    }
    let step = seconds - timeLost
    let sum = time + step
    let lost = (sum - time) - step
    try evaluate(at: sum)
    timeLost = lost
  }

  private mutating func evaluate(at seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else {
      throw .invalidTime(seconds)
    }
    guard seconds >= latestStart else {
      throw .timeBeforeStart(time: seconds, start: latestStart)
    }
    guard seconds != time else {
      return
    }
    time = seconds
    run(velocities: computesVelocities)
    velocitiesAreStale = !computesVelocities
  }

  /// Makes the velocity columns those of the current time.
  mutating func refreshVelocities() {
    if velocitiesAreStale {
      run(velocities: true)
      velocitiesAreStale = false
    }
  }

  private mutating func run(velocities: Bool) {
    if planIsStale {
      unsafe plan.rebuild(groups: storage.columns.group, rowCount: rowCount, groupCount: cohorts.groupCount)
      planIsStale = false
    }
    cohorts.evaluate(at: time)
    let columns = storage.columns
    let traffic = plan.traffic(dimensions: dimensions, velocities: velocities)
    let bypassesCache = traffic > LaneRun.cacheBypassBytes
    for step in plan.steps {
      var run = step.run
      run.bypassesCache = bypassesCache
      switch step.group {
      case LaneGroup.oscillating: table.evaluateOscillating(columns, run, time, velocities)
      case LaneGroup.overdamped: table.evaluateOverdamped(columns, run, time, velocities)
      default:
        table.evaluateCohort(columns, run, cohorts[step.group].basis, velocities)
      }
    }
  }
}
