// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tracks that play clips: their columns, when each has to be placed anew, and the clips.
///
/// Playing is a function of time: a frame finds the local time of each track and the piece of its clip, and evaluates
/// one cubic. A clip that many tracks play has tiles of its own, whose tracks look their pieces up in the clip's
/// tables. Clips that few tracks play share tiles, whose tracks keep copies of their pieces. If values have many
/// components, the tracks of shared tiles are evaluated by fours, across their components, from the clips' tables. The
/// bits are the same each way.
struct ClipMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library = ClipLibrary()
  var tiles = PlacedTiles()
  /// No call changed a track after this moment.
  var latestChange = -BatchLimits.maximumTime
  /// The number of rows from which on a clip begins tiles of its own. The number at which both ways cost the same was
  /// not measured. See also ``limit``.
  var rowsBeforeOwnTiles = 12

  /// Dimensions from which on the tracks of shared tiles are evaluated across their components.
  static let wideDimensions = 16

  private var memory: ColumnMemory?
  private var capacity = 0
  private var attached: Columns?
  private var pieces: HotPieces?
  private var pieceCapacity = 0
  private var variations: ClipVariations?

  /// The columns of rows that play clips.
  struct Columns {
    /// The columns that kernels take.
    var kernel: PlaybackColumns
    /// The interval of the clock for which the columns of a row hold. The columns of a row without a track always hold.
    let from: Column<Double>
    let until: Column<Double>
    let states: Column<LaneState>
    /// The clip that each row plays; −1 for a row without a track.
    let clip: Column<Int32>

    /// The intervals of all rows, as kernels take them.
    var intervals: IntervalColumns { IntervalColumns(from: from, until: until) }
  }

  /// No clips; memory comes with the first track that plays one.
  init(dimensions: Int, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
  }

  /// Whether the tracks of shared tiles are evaluated across their components.
  private var isWide: Bool { dimensions >= Self.wideDimensions }

  /// The columns as kernels take them; there must be memory.
  var kernel: PlaybackColumns { columns.kernel }

  // MARK: - Memory

  private static let shape = RowShape(wide: 5, stateBytes: MemoryLayout<LaneState>.stride, narrow: 1)

  /// Whether there is memory for a number of rows.
  func hasRoom(rows: Int) -> Bool {
    var shape = Self.shape
    let pieces = isWide ? RowShape(narrow: 0) : HotPieces.shape(dimensions: dimensions)
    (shape.wide, shape.narrow) = (shape.wide + pieces.wide, shape.narrow + pieces.narrow)
    return ColumnMemory.hasRoom(shape, rows: rows)
  }

  /// Whether there is memory for tracks that play clips.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all rows of a store; there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape, rows: tracks.capacity)
    let new = Self.columns(larger, tracks)
    new.from.update(repeating: -.infinity, count: tracks.capacity)
    new.until.update(repeating: .infinity, count: tracks.capacity)
    new.clip.update(repeating: -1, count: tracks.capacity)
    new.states.update(repeating: LaneState(home: 0, changed: 0), count: tracks.capacity)
    let count = tracks.tiles.end * laneCountOfTile
    if isMapped { larger.copyRows(0..<count, of: memory!, to: 0) }
    memory = consume larger
    attached = new
    capacity = tracks.capacity
    tiles.grow(to: tracks.tiles.capacity)
    if pieceCapacity > 0 { attachPieces(tracks) }
    if let old = variations { attachVariations(tracks) { $0.copy(0..<count, of: old, to: 0) } }
  }

  private static func columns(_ memory: borrowing ColumnMemory, _ tracks: borrowing TrackStore) -> Columns {
    let common = tracks.columns
    var kernel = PlaybackColumns(
      origin: memory.wide(0), base: memory.wide(1), rate: memory.wide(2), scale: nil, offset: nil,
      value: common.value, velocity: common.velocity, dimensionStride: common.dimensionStride,
      dimensions: tracks.dimensions)
    let clip = memory.narrow(0, as: Int32.self)
    if tracks.dimensions >= wideDimensions { kernel.clips = clip.constant }
    return Columns(
      kernel: kernel, from: memory.wide(3), until: memory.wide(4), states: memory.states(as: LaneState.self), clip: clip
    )
  }

  /// Maps the pieces of all rows.
  private mutating func attachPieces(_ tracks: borrowing TrackStore) {
    guard pieceCapacity != tracks.capacity else { return }
    let larger = HotPieces(dimensions: dimensions, rows: tracks.capacity)
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile] == .pieces {
      if let pieces, pieceCapacity > tile * laneCountOfTile {
        larger.copy(tile: tile, of: pieces)
      } else {
        larger.clear(tile: tile)
      }
    }
    attached?.kernel.pieces = larger.columns
    pieces = larger
    pieceCapacity = tracks.capacity
  }

  // MARK: - Variations

  /// Whether there are columns for variations.
  var varies: Bool { variations != nil }

  /// Maps columns for the variations of all rows of a store; there must be memory.
  mutating func attachVariations(to tracks: borrowing TrackStore) {
    guard variations == nil else { return }
    attachVariations(tracks) { new in
      for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isClip {
        new.clear(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile)
      }
    }
  }

  private mutating func attachVariations(_ tracks: borrowing TrackStore, _ fill: (ClipVariations) -> Void) {
    let new = ClipVariations(dimensions: dimensions, rows: tracks.capacity)
    fill(new)
    attached?.kernel.scale = new.scale
    attached?.kernel.offset = new.offset
    attached?.kernel.variationStride = new.dimensionStride
    variations = new
  }

  /// Gives a row a variation in a dimension; there must be columns.
  mutating func vary(_ row: Int, _ dimension: Int, scale: Float, offset: Float) {
    variations?.set(row, dimension, scale: scale, offset: offset)
  }

  /// Copies the variation of a row to another.
  func copyVariation(of row: Int, to newRow: Int) {
    if let variations { variations.copy(row..<row + 1, of: variations, to: newRow) }
  }

  /// The scale and the offset of a row in a dimension.
  func variation(ofRow row: Int, _ dimension: Int) -> (scale: Double, offset: Double) {
    variations?.variation(ofRow: row, dimension) ?? (1, 0)
  }

  // MARK: - Rows

  /// The clip that a row plays, and its timing.
  func clip(ofRow row: Int) -> Int { Int(columns.clip[row]) }
  func timing(ofRow row: Int) -> ClipTiming { library.timings[clip(ofRow: row)] }

  /// Whether the track of a row plays a clip already.
  func plays(_ row: Int, _ clip: Int, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.kind(ofRow: row).isClip && self.clip(ofRow: row) == clip
  }

  /// Whether the next track of a clip goes to a tile of the clip's own: such a tile has a free lane, or the clip has
  /// enough rows.
  private func hasOwnTiles(_ clip: Int, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.hasOpenLane(.clip(clip))
      || library.entries[clip].rows + Int(library.expectedRows[clip]) >= limit
  }

  /// The number of rows from which on a clip begins tiles of its own.
  ///
  /// Rows of many values are evaluated by fours in shared tiles, which costs about the same for each, while a tile of
  /// the clip's own costs the same for one row as for sixteen. With AVX-512, tiles of the clip's own look pieces up
  /// within registers: on Zen 5 they are slower than shared tiles with 12 rows, and faster with 36. With AVX2, which
  /// has no such lookup, they are slower on Zen 5 even with 100 rows.
  private var limit: Int {
    guard isWide else { return rowsBeforeOwnTiles }
    let (limit, isOver) = rowsBeforeOwnTiles.multipliedReportingOverflow(by: table.width == 16 ? 2 : .max)
    return isOver ? .max : limit
  }

  /// Prepares a call that takes many rows: each clip with enough rows gets all its tiles together, as kernels are
  /// fastest over neighbouring tiles. There must be room.
  ///
  /// - Parameters:
  ///   - count: The number of tracks.
  ///   - pick: The clip that each track is to play, and the row that the track has; nil for a track whose clip is not
  ///     known yet.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the pieces of a clip; no track changes then.
  mutating func expectRows(
    _ count: Int, _ tracks: inout TrackStore, pick: (Int) -> (clip: Int, row: Int?)?
  ) throws(BatchError) {
    for index in 0..<count {
      guard let (clip, row) = pick(index) else { continue }
      if let row, plays(row, clip, tracks) { continue }
      library.expectedRows[clip] += 1
    }
    defer {
      for index in 0..<count { if let clip = pick(index)?.clip { library.expectedRows[clip] = 0 } }
    }
    for index in 0..<count {
      if let clip = pick(index)?.clip, library.expectedRows[clip] > 0 { try makePieces(clip, tracks) }
    }
    for index in 0..<count {
      // The first track of a clip opens the tiles for all its tracks.
      guard let clip = pick(index)?.clip, library.expectedRows[clip] > 0, hasOwnTiles(clip, tracks) else { continue }
      let (rows, isOpen) = (Int(library.expectedRows[clip]), tracks.tiles.hasOpenLane(.clip(clip)))
      tracks.open(.clip(clip), tileCount: (isOpen ? rows : rows + laneCountOfTile - 1) / laneCountOfTile)
      library.expectedRows[clip] = 0
    }
  }

  /// Makes the pieces of a clip in each form that the expected rows may need.
  private mutating func makePieces(_ clip: Int, _ tracks: borrowing TrackStore) throws(BatchError) {
    if isWide || hasOwnTiles(clip, tracks) { try library.makeTables(clip) }
    let rows = library.entries[clip].rows + Int(library.expectedRows[clip])
    if !isWide, rows < limit { try library.makeRecords(clip) }
  }

  /// Takes a row for a track that plays a clip; there must be room, and the row must have been expected.
  mutating func takeRow(_ clip: Int, _ tracks: inout TrackStore) -> Int {
    let records = library.entries[clip].records
    let isShared = !hasOwnTiles(clip, tracks) && (isWide || records != nil)
    let kind = isShared ? MotionKind.pieces : .clip(clip)
    let keepsPieces = kind == .pieces && !isWide
    if keepsPieces { attachPieces(tracks) }
    let (row, isFirst) = tracks.takeRow(kind)
    if isFirst {
      let tile = row / laneCountOfTile
      tiles.begin(tile)
      clear(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile)
      if kind == .pieces { pieces?.clear(tile: tile) }
      variations?.clear(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile)
    } else {
      variations?.clear(row..<row + 1)
    }
    if keepsPieces, let records { pieces?.set(row, to: records) }
    give(row..<row + 1, clip)
    return row
  }

  /// Whether the tracks of a full tile are enough for a tile of their clip's own.
  var canTakeTiles: Bool { limit <= laneCountOfTile }

  /// Gives a clip to a full tile whose tracks stand; its tables must be made.
  mutating func take(_ tile: Int, _ clip: Int, _ tracks: inout TrackStore) {
    let rows = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    tracks.relabel(tile, .clip(clip))
    tiles.begin(tile)
    variations?.clear(rows)
    give(rows, clip)
  }

  /// Gives rows a clip. Until they are placed they show what is before its start.
  @inline(__always)
  private mutating func give(_ rows: Range<Int>, _ clip: Int) {
    let base = Double(library.timings[clip].beforeTick)
    library.entries[clip].rows += rows.count
    (columns.clip + rows.lowerBound).update(repeating: Int32(clip), count: rows.count)
    (columns.kernel.rate + rows.lowerBound).update(repeating: 0, count: rows.count)
    (columns.kernel.origin + rows.lowerBound).update(repeating: 0, count: rows.count)
    (columns.kernel.base + rows.lowerBound).update(repeating: base, count: rows.count)
  }

  /// Takes the tracks of a full tile of one clip out of it.
  mutating func leave(tile: Int) {
    let rows = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    for row in rows {
      let clip = clip(ofRow: row)
      library.entries[Int(columns.states[row].home)].instances -= 1
      library.entries[clip].rows -= 1
    }
    clear(rows)
    tiles.begin(tile)
  }

  /// Clears rows without a track: they stand still, and are never due.
  @inline(__always)
  private func clear(_ rows: Range<Int>) {
    (columns.kernel.rate + rows.lowerBound).update(repeating: 0, count: rows.count)
    (columns.from + rows.lowerBound).update(repeating: -.infinity, count: rows.count)
    (columns.until + rows.lowerBound).update(repeating: .infinity, count: rows.count)
    (columns.clip + rows.lowerBound).update(repeating: -1, count: rows.count)
  }

  /// Takes the track of a row out of its clip, which is removed if it was made for that track.
  mutating func leave(_ row: Int, _ kind: MotionKind) {
    let clip = clip(ofRow: row)
    library.entries[Int(columns.states[row].home)].instances -= 1
    clear(row..<row + 1)
    if kind == .pieces { pieces?.clear(row) }
    tiles.clear(row)
    library.entries[clip].rows -= 1
    if library.entries[clip].isPrivate, library.entries[clip].rows == 0 { library.remove(clip) }
  }

  // MARK: - Compacting

  /// Moves the columns of tracks to their new rows in a compacted store.
  mutating func compact(_ moves: [TrackStore.Move], _ tracks: borrowing TrackStore) {
    guard isMapped else { return }
    var new = ClipMotions(dimensions: dimensions, table: table)
    (new.library, new.latestChange, new.rowsBeforeOwnTiles) = (library, latestChange, rowsBeforeOwnTiles)
    new.attach(to: tracks)
    if pieceCapacity > 0 { new.attachPieces(tracks) }
    if varies { new.attachVariations(to: tracks) }
    for move in moves where tracks.tiles.kind(ofRow: move.newRow).isClip {
      let (row, rows) = (move.newRow, move.row..<move.row + 1)
      new.memory!.copyRows(rows, of: memory!, to: row)
      if let variations { new.variations?.copy(rows, of: variations, to: row) }
      if tracks.tiles.kind(ofRow: row) == .pieces, let records = library.entries[clip(ofRow: move.row)].records {
        new.pieces?.set(row, to: records)
      }
      new.setState(state(ofRow: move.row), ofRow: row)
    }
    new.tiles.planIsStale = true
    self = new
  }

  /// Forgets every track.
  mutating func removeAll() {
    library.removeInstances()
    tiles.removeAll()
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension ClipMotions: @unchecked Sendable {}
