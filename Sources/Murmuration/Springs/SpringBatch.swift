// SPDX-License-Identifier: MIT
import Kernels

/// Many springs, evaluated together: each track has a spring, a start time, and values in one or more dimensions.
///
/// ```swift
/// var batch = try SpringBatch(dimensions: 2)
/// let handle = try batch.add(.bouncy, value: SIMD2(0, 0), target: SIMD2(100, 50))
/// try batch.advance(to: 0.25)
/// try batch.retarget(handle, to: SIMD2(0, 50))       // keeps value and velocity
/// try batch.advance(to: 0.5)
/// let position = try batch.value(of: handle, as: SIMD2<Float>.self)
/// ```
///
/// ### Cohorts
/// Tracks that share a spring and a start share their basis, and cost two multiply-adds a value instead of an
/// exponential and a sine. Which tracks do follows from the calls that were made, and from nothing else:
/// - a call for one track makes it move alone (*mixed*);
/// - a call for many tracks with one spring makes them one cohort;
/// - a call for many tracks with a spring each makes them mixed, and so does one with a delay each;
/// - a bulk retarget without a spring leaves mixed tracks mixed, and makes those that were in one cohort a new cohort.
///
/// ### Indices and rows
/// A track has an *index* for life (``TrackHandle/index``): arrays of your own may run parallel to the indices, and
/// ``TrackBatch/copyValues(dimension:into:)`` and ``retargetAll(to:spring:)`` go by them. In the columns it stands in a
/// *row*, and rows come in tiles of 16 of one kind each: a cohort's, oscillating or overdamped tracks that move alone, or
/// those of cohorts with fewer than 16 tracks. A track changes its row when a call gives it another kind, and in
/// ``compact()``.
/// Tracks of one kind stand in the order in which they came, but for those that fill the place of one that went; a batch
/// whose tracks came in bulk and never changed kind has them in the order of their indices.
///
/// ### Rest
/// When a motion is within ``restTolerance`` for good follows from its start, and is known then. From this age on a
/// track shows exactly its target and no velocity, and tiles whose tracks all rest cost nothing. The tracks of a cohort
/// come to rest together, when the last of them does. See ``logicallyComplete`` and ``settled``.
///
/// ### Accuracy
/// With S = max(|value − target|, |velocity|/ω₀) at the last retarget, a value is within 8 · 2⁻²⁴ · S, plus half a unit
/// in the last place of the value, and a velocity within 8 · 2⁻²⁴ · S · ω₀, of the exact motion, at any age up to a
/// week or until it rests; each retarget adds one such error to what it starts from. The same calls give the same bits on
/// every instruction set and for any ``threadCount``.
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
  public var time: Double { clock.time }
  /// The tracks whose motion became logically complete with the last ``advance(to:)``: their spring's perceptual duration
  /// has passed, or they came to rest before that. Each motion is reported once.
  ///
  /// Tracks that a delay let set out again on the way come first, then those of cohorts, cohort by cohort,
  /// then small cohorts, then tracks that move alone: oscillating ones, then overdamped ones; within each by row.
  public internal(set) var logicallyComplete: [TrackHandle] = []
  /// The tracks that came to rest with the last ``advance(to:)``, in the order of ``logicallyComplete``. A motion is never
  /// reported here before it is there; both may happen with one call.
  public internal(set) var settled: [TrackHandle] = []

  var tolerance = RestTolerances()
  var storage: SpringStorage
  var slots: SlotTable
  var tiles = TileTable()
  var cohorts = CohortTable()
  var plan = EvaluationPlan()
  var waiting: WaitingRetargets
  /// Whether tiles changed since the plan was made.
  var planIsStale = false {
    didSet {
      if planIsStale {
        slotRunsAreStale = true
      }
    }
  }
  /// Which tiles ``retargetAll(to:spring:)`` can serve together, once it was called.
  var slotRuns: [SlotRun] = []
  var slotRunsAreStale = true
  /// Lanes of planned tiles whose tracks have come to rest.
  var restingLanes = 0
  var velocitiesAreStale = false
  /// One past the last row that had a track.
  var rowEnd = 0
  /// No motion started after this.
  var latestStart = -BatchLimits.maximumTime
  var clock = BatchClock()
  /// The tracks that a bulk call is about; kept so that the next one need not allocate.
  var picks: [Pick] = []
  /// Where decelerations end, likewise.
  var ends: [Float] = []
  /// The mixed tiles of which an advance has found something; kept likewise.
  var markedTiles: [TileTable.MarkedTile] = []
  /// What the steps of a frame cost, summed up; kept likewise.
  var costs: [Int] = []
  var workers: WorkerPool?
  let bakeMemory = BakeMemory()
  var parallelCost = ParallelCost()
  let table: KernelTable

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - dimensions: Values per track, 1…``BatchLimits/maximumDimensions``.
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected()``.
  /// - Throws: ``BatchError`` if the dimensions or the capacity are out of range, or the processor lacks the set.
  public init(dimensions: Int = 1, reservingCapacity capacity: Int = 0, kernels: KernelSet? = nil) throws(BatchError) {
    try self.init(dimensions: dimensions, capacity: capacity, kernels: kernels, slots: SlotTable())
  }

  /// An empty batch that accepts the handles of a table without tracks.
  init(dimensions: Int, capacity: Int, kernels: KernelSet?, slots: SlotTable) throws(BatchError) {
    guard 1...BatchLimits.maximumDimensions ~= dimensions else {
      throw .invalidDimensions(dimensions)
    }
    guard 0...BatchLimits.maximumTracks ~= capacity,
      ColumnMemory.hasRoom(SpringStorage.shape(dimensions: dimensions), rows: capacity)
    else {
      throw .capacityExceeded(capacity)
    }
    let set = try KernelSet.ofBatch(kernels)
    self.dimensions = dimensions
    self.kernels = set
    table = set.table
    // As many tiles as `reserve` asks for.
    storage = SpringStorage(
      dimensions: dimensions, rows: capacity + (capacity > 0 ? Self.tilesForKinds * laneCountOfTile : 0))
    tiles.grow(to: storage.capacity / laneCountOfTile)
    self.slots = slots
    self.slots.reserve(capacity)
    waiting = WaitingRetargets(dimensions: dimensions)
  }

  /// Rows of each column: as many as ever had a track since the last ``compact()`` or ``removeAll()``.
  public var rowCount: Int { rowEnd }

  /// One past the largest index that a track ever had.
  public var indexCount: Int { slots.count }

  /// Bytes that a track takes in a batch of so many dimensions: its row in the columns, its index, its part of a tile.
  public static func bytesPerTrack(dimensions: Int) -> Int {
    SpringStorage.shape(dimensions: dimensions).byteCount + SlotTable.bytesPerSlot
      + (TileTable.bytesPerTile + laneCountOfTile - 1) / laneCountOfTile
  }
}
