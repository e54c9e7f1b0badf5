// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// Many values on their way to targets along timing curves, or with any other animation.
///
/// ```swift
/// var batch = try CurveBatch()
/// let handle = try batch.add(value: Float(0))
/// try batch.retarget(handle, to: Float(100), with: .easeInOut(duration: 0.5))
/// try batch.advance(to: 0.25)
/// try batch.retarget(handle, to: Float(40), with: .easeOut.delay(0.1))  // adds its effect
/// try batch.advance(to: 0.5)
/// let value = try batch.value(of: handle, as: Float.self)
/// ```
///
/// ### Changes on the way
/// They are those of `AnimatedValue`. A curve that begins while another runs adds its effect: each animates from wherever
/// those before it have got to towards its own target, so that value and velocity have no break. A spring takes over value
/// and velocity of all. A change at the very moment of the first replaces it. Without an animation the value is at its
/// target at once. A curve that begins at the very end of another is one from that one's target: what is shown is the same,
/// and the velocity of that moment is that of the new curve alone. For tracks that springs move from then on there is
/// ``move(_:to:spring:target:)``.
///
/// ### Modifiers
/// `delay`, `speed`, `repeatCount` and `repeatForever` are exact in time: what is shown follows from the time alone, and
/// the moment between two repetitions belongs to the earlier one.
///
/// ### What it costs
/// A track that follows one curve, repeated or not, is a lane of a kernel; tracks of one curve share tiles of 16 rows. Tracks
/// in which several animations add up, or that a spring moves, are computed one by one in Double. A `CustomAnimation`, and
/// a `spring` with modifiers, which may merge with another of its kind, are called for each track and frame, as the model
/// does; ``calledCount`` tells how many.
///
/// ### Accuracy
/// Curves are fitted with pieces within ``curveTolerance`` of the way, 2⁻¹⁶ unless asked otherwise; to that comes the
/// rounding of a clip's instance (``KeyframeBatch``), times the way, and of one sum. What is computed one by one is exact
/// but for the rounding of origin and value. The same calls give the same bits on every instruction set.
public struct CurveBatch: ~Copyable, Sendable {
  /// Values per track.
  public let dimensions: Int
  /// The instruction set whose kernels run.
  public let kernels: KernelSet
  /// How far the pieces of a curve may be from it, as a share of the way.
  public let curveTolerance: Double
  /// Whether ``advance(to:)`` computes velocities along with values; if not, they are computed when a reader first needs
  /// them. Default true.
  public var computesVelocities = true
  /// Tracks that live.
  public internal(set) var count = 0
  /// The clock, in seconds: the time of the last ``advance(to:)``.
  public var time: Double { clock.time }
  /// The tracks whose last change became logically complete with the last ``advance(to:)``. Each is reported once; the order
  /// is that of the indices, and then come those whose animation is called.
  public internal(set) var logicallyComplete: [TrackHandle] = []
  /// The tracks that came to rest at their target with the last ``advance(to:)``, in the order of ``logicallyComplete``.
  public internal(set) var settled: [TrackHandle] = []

  var storage: CurveStorage
  var slots = SlotTable()
  var tiles = CurveTiles()
  var tables: CurveTables
  var forms = CurveForms()
  /// The tiles that a kernel evaluates, and how many there are up to the end of each run.
  var runs: [ClipRun] = []
  var ends: [Int] = []
  var tracks: [CurveTrack] = []
  /// Where each track's run began, and where it heads; the dimensions of a track side by side.
  var origins: [Float] = []
  var targets: [Float] = []
  /// The tracks that are evaluated on their own.
  var singles: [UInt32] = []
  /// Those whose animation is called, as the model keeps them.
  var called: [Int: CalledTrack] = [:]
  /// Those of them that have come to rest, in case the clock goes back.
  var finishedCalls: [Int: CalledTrack] = [:]
  /// When each track has to be looked at.
  var looks: [Double] = []
  var schedule = StepSchedule()
  var due = DueTracks()
  /// A value and a velocity, by dimension.
  var shown: [Double]
  var shownVelocities: [Double]
  /// What the next changes are, kept so that they need not allocate: targets by dimension, and motions.
  var leads: [Float]
  var motions: [CurveMotion] = []
  var velocitiesAreStale = false
  var latestStart = -BatchLimits.maximumTime
  var rowEnd = 0
  var workers: WorkerPool?
  var clock = BatchClock()
  let table: KernelTable

  /// Animations of one track that may add their effects.
  public static var maximumAnimationCount: Int { 1024 }

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - dimensions: Values per track, 1…``BatchLimits/maximumDimensions``.
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - tolerance: How far the pieces of a curve may be from it, as a share of the way: 2⁻⁴⁰…2⁻².
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected()``.
  /// - Throws: ``BatchError`` if the dimensions, the capacity or the tolerance are out of range, or the processor lacks the
  ///   set.
  public init(
    dimensions: Int = 1, reservingCapacity capacity: Int = 0, curveTolerance tolerance: Double = 0x1p-16,
    kernels: KernelSet? = nil
  ) throws(BatchError) {
    try self.init(
      dimensions: dimensions, reservingCapacity: capacity, curveTolerance: tolerance,
      supported: .ofBatch(kernels))
  }

  /// An empty batch with kernels that the processor has.
  init(
    dimensions: Int, reservingCapacity capacity: Int, curveTolerance tolerance: Double, supported set: KernelSet
  ) throws(BatchError) {
    guard 1...BatchLimits.maximumDimensions ~= dimensions else {
      throw .invalidDimensions(dimensions)
    }
    guard Clip.tolerances ~= tolerance else {
      throw .invalidTolerance(Float(tolerance))
    }
    guard 0...BatchLimits.maximumTracks ~= capacity,
      ColumnMemory.hasRoom(CurveStorage.shape(dimensions: dimensions), rows: capacity)
    else {
      throw .capacityExceeded(capacity)
    }
    self.dimensions = dimensions
    self.kernels = set
    curveTolerance = tolerance
    table = set.table
    storage = CurveStorage(dimensions: dimensions, rows: capacity)
    tiles.grow(to: storage.capacity / laneCountOfTile)
    tables = CurveTables(dimensions: dimensions, tolerance: tolerance)
    slots.reserve(capacity)
    tracks.reserveCapacity(capacity)
    shown = [Double](repeating: 0, count: dimensions)
    shownVelocities = shown
    leads = [Float](repeating: 0, count: dimensions)
  }

  /// One past the largest index that a track ever had.
  public var indexCount: Int { slots.count }

  /// Rows of each column: as many as ever had a track.
  public var rowCount: Int { rowEnd }

  /// Tracks whose animation is called for each frame: those that a `CustomAnimation` moves, or a `spring` with modifiers.
  public var calledCount: Int { called.count }

  /// Tracks that are computed one by one, those whose animation is called included.
  public var singleCount: Int { singles.count }
}
