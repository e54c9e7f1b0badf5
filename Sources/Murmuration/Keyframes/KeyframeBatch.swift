// SPDX-License-Identifier: MIT
import Kernels

/// Many instances of clips, played together: each has a start, a speed, repeats, and values of its own.
///
/// ```swift
/// var batch = try KeyframeBatch(dimensions: 1)
/// let hop = try batch.load(try Clip(timeline))
/// let handle = try batch.add(hop, Playback(delay: 0.2, repetition: .forever, autoreverses: true))
/// try batch.advance(to: 0.5)
/// let height = try batch.value(of: handle, as: Float.self)
/// ```
///
/// Playing is a function of time: every frame finds the local time of each instance, its piece of the clip, and one cubic.
/// So going back and playing backwards cost what playing costs, and nothing drifts. Seeking costs that too where instances
/// share a clip; where each has its own it is a search among the pieces.
///
/// ### Calls and frames
/// What a call changes shows with the next ``advance(to:)``, which may be one to the same time. An instance that was added
/// shows the clip's first values until then.
///
/// ### An instance's own value
/// It shows when no playback says otherwise: before a playback that does not hold before, after one that does not hold
/// after, and when nothing was played or what was is cancelled. It is the clip's first value until `set(_:to:)` or
/// `cancel(_:)` give it another.
///
/// ### Rows and tiles
/// As with ``SpringBatch``, an instance has an index for life, and stands in a row that may change. Rows come in tiles of
/// 16. Instances of a clip with many have tiles of their own, and look their pieces up in the clip's tables. Those of clips
/// with few share tiles, so that each may have its own clip: a row then keeps a copy of the piece it shows, which takes
/// ``bytesPerPiece`` bytes a dimension more, and its clip 32 a piece and dimension beside the ``Clip`` itself. Measured with a
/// million clips of 16 pieces in one dimension and an instance each, as resident memory: 1.2 KB an instance in the batch,
/// beside a ``Clip`` (``ClipReport/bytes``). Either way the bits are the same. Tiles in which nothing moves (idle, paused, waiting, over) are evaluated once, and then cost nothing.
///
/// ### Accuracy
/// A value is within 8 · 2⁻²⁴ · M + |slope| · d · 2⁻³³ of that of the clip at the instance's local time. M is the largest sum
/// of the magnitudes of a piece's coefficients, measured from its middle in halves of its length (those of the first and
/// of the last piece from the clip's start and end, in their lengths, if that is more), and d the clip's
/// duration; what compiling lost comes on top (``ClipReport``). Within a tick, 2⁻³² of the duration, of a boundary either
/// side may show. The same calls give the same bits on every instruction set, for any number of neighbours, and any
/// ``threadCount``.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public struct KeyframeBatch: ~Copyable, Sendable {
  /// Values per instance.
  public let dimensions: Int
  /// The instruction set whose kernels run.
  public let kernels: KernelSet
  /// Whether ``advance(to:)`` computes velocities along with values. If not, they are computed when a reader first needs
  /// them. Default true.
  public var computesVelocities = true
  /// Instances that live.
  public internal(set) var count = 0
  /// The clock, in seconds: the time of the last ``advance(to:)``.
  public var time: Double { clock.time }
  /// The instances whose playback ended with the last ``advance(to:)``, at its last moment or later, by row. Each playback
  /// is reported once, and not again when the clock goes back and comes again.
  public internal(set) var completed: [TrackHandle] = []
  /// The legs that began with the last ``advance(to:)``, by row: one for each instance, the last where several began. The
  /// first leg of a playback is none. Each is reported once, and so are earlier ones not after later ones. One that
  /// jumped to its end is reported here with its last leg, and in ``completed``.
  public internal(set) var repeated: [RepeatEvent] = []

  var storage: PlaybackStorage
  var slots = SlotTable()
  var tiles = PlaybackTiles()
  var library = ClipLibrary()
  var plan = RunPlan()
  var planIsStale = false
  /// Planned tiles in which nothing moves.
  var stillTiles = 0
  /// Whether a call has changed what has not been evaluated.
  var hasChanges = false
  var velocitiesAreStale = false
  /// Whether some instance may show its own value.
  var hasOwnValues = false
  /// One past the last row that had an instance.
  var rowEnd = 0
  /// Nothing was changed by a call after this.
  var latestChange = -BatchLimits.maximumTime
  var clock = BatchClock()
  /// Rows from which on a clip begins tiles of its own; those before stand in mixed tiles. Measured with a thousand instances
  /// and AVX-512, ns an instance and frame: 0.70 in tiles of 64 clips, 0.80 in mixed ones with a clip each. Where the two
  /// meet, between one lane of sixteen and all, was not measured.
  package var rowsBeforeOwnTiles = 12
  /// How many instances of each clip a call adds, all 0 between calls, and the tiles that it takes for them; kept so that
  /// the next one need not allocate.
  var claims: [Int32] = []
  var claimed: [Int] = []
  /// The tiles that an advance has to place, and the lanes of some of them; kept so that the next one need not allocate.
  var dueTiles: [Int32] = []
  var dueLanes = [UInt16](repeating: 0, count: tilesAtOnce)
  /// The instances that a call cannot move in a loop over columns; kept likewise.
  var others: [Int32] = []
  var workers: WorkerPool?
  let table: KernelTable

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - dimensions: Values per instance, 1…``Clip/maximumDimensions``.
  ///   - variations: Whether instances scale and offset their values; else memory for that is taken with the first call
  ///     that needs it.
  ///   - capacity: Instances to make room for now; more may come.
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected()``.
  /// - Throws: ``BatchError`` if the dimensions or the capacity are out of range, or the processor lacks the set.
  public init(
    dimensions: Int = 1, variations: Bool = false, reservingCapacity capacity: Int = 0, kernels: KernelSet? = nil
  ) throws(BatchError) {
    guard 1...Clip.maximumDimensions ~= dimensions else {
      throw .invalidDimensions(dimensions)
    }
    guard 0...BatchLimits.maximumTracks ~= capacity,
      PlaybackStorage.hasRoom(dimensions: dimensions, rows: capacity, varies: variations)
    else {
      throw .capacityExceeded(capacity)
    }
    let set = try KernelSet.ofBatch(kernels)
    self.dimensions = dimensions
    self.kernels = set
    table = set.table
    storage = PlaybackStorage(dimensions: dimensions, rows: capacity, varies: variations)
    tiles.grow(to: storage.capacity / laneCountOfTile)
    slots.reserve(capacity)
  }

  /// Rows of each column: as many as ever had an instance since the last ``compact()`` or ``removeAll()``.
  public var rowCount: Int { rowEnd }

  /// One past the largest index that an instance ever had.
  public var indexCount: Int { slots.count }

  /// Whether values are scaled and offset for each instance.
  public var hasVariations: Bool { storage.varies }

  /// Bytes that an instance in a shared tile takes besides, for each dimension: its piece. Its clip takes 32 bytes a piece and
  /// dimension, and what the ``Clip`` takes.
  public static let bytesPerPiece = 40

  /// Bytes that an instance takes in a batch of so many dimensions: its row in the columns, its index, its part of a tile.
  public static func bytesPerTrack(dimensions: Int, variations: Bool = false) -> Int {
    PlaybackStorage.shape(dimensions: dimensions, varies: variations).byteCount + SlotTable.bytesPerSlot
      + (PlaybackTiles.bytesPerTile + laneCountOfTile - 1) / laneCountOfTile
  }
}
