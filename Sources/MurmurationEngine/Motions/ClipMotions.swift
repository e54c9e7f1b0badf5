// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tracks that play clips: their columns, when each has to be placed anew, and the clips.
///
/// Playing is a function of time: a frame finds the local time of each track and the piece of its clip, and evaluates
/// one cubic. Where all players of a tile play one clip that many tracks play, they look their pieces up in the clip's
/// tables. In other tiles, which are *mixed*, each track keeps a copy of its piece. If values have many components, the tracks
/// of mixed tiles are evaluated by fours, across their components, from the clips' tables. The bits are the same each way.
struct ClipMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library = ClipLibrary()
  var tiles = PlacedTiles()
  /// No call changed a track after this moment.
  var latestChange = -BatchLimits.maximumTime
  /// The number of rows from which on tracks of a clip look their pieces up. The number at which both ways cost the same was
  /// not measured. See also ``limit``.
  var rowsBeforeOwnTiles = 12

  /// Dimensions from which on the tracks of mixed tiles are evaluated across their components.
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

  /// Whether the tracks of mixed tiles are evaluated across their components.
  private var isWide: Bool { dimensions >= Self.wideDimensions }

  /// Whether calls have moved paused tracks since the last frame.
  private var someWereMoved = false

  /// Begins a frame, some time after the one before, or before it.
  mutating func beginFrame(after seconds: Double) {
    attached?.kernel.jumps = someWereMoved || abs(seconds) > Self.longestStep
    someWereMoved = false
  }

  /// Beyond this step, in seconds, kernels take it that most tracks have left their pieces: keys are often 0.3 s apart.
  private static let longestStep = 0.1

  /// Notes that a call has moved paused tracks.
  mutating func noteMoved() { someWereMoved = true }

  /// The columns as kernels take them; there must be memory.
  var kernel: PlaybackColumns { columns.kernel }

  // MARK: - Memory

  private static let shape = RowShape(wide: 5, stateBytes: MemoryLayout<LaneState>.stride, narrow: 1, tileBytes: 20)

  /// Bytes of each block for a number of rows; nil for what cannot be counted.
  func bytes(rows: Int) -> [Int?] {
    let own = ColumnMemory.bytes(Self.shape, rows: rows)
    return isWide ? [own] : [own, ColumnMemory.bytes(HotPieces.shape(dimensions: dimensions), rows: rows)]
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
    for tile in 0..<tracks.tiles.end where tracks.tiles.playing[tile] != 0 && tracks.tiles.clipKinds[tile] == .pieces {
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
      for tile in 0..<tracks.tiles.end where tracks.tiles.playing[tile] != 0 {
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

  /// The number of rows from which on tracks of a clip look their pieces up.
  ///
  /// Rows of many values are evaluated by fours in mixed tiles, which costs about the same for each, while a tile of one
  /// clip costs the same for one row as for sixteen. With AVX-512, pieces are looked up within registers: on Zen 5 that is
  /// slower than mixed tiles with 12 rows, and faster with 36. With AVX2, which has no such lookup, it is slower on Zen 5 even
  /// with 100 rows.
  private var limit: Int {
    guard isWide else { return rowsBeforeOwnTiles }
    let (limit, isOver) = rowsBeforeOwnTiles.multipliedReportingOverflow(by: table.width == 16 ? 2 : .max)
    return isOver ? .max : limit
  }

  /// Prepares a call that makes tracks play clips, so that it cannot throw.
  ///
  /// - Parameters:
  ///   - count: The number of tracks.
  ///   - pick: The clip that each track is to play, and its row, or nil for a new track; nil for a track whose clip is not
  ///     known yet.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the pieces of a clip; no track changes then.
  mutating func expectRows(
    _ count: Int, _ tracks: borrowing TrackStore, pick: (Int) -> (clip: Int, row: Int?)?
  ) throws(BatchError) {
    var newCount = 0
    for index in 0..<count {
      guard let (clip, row) = pick(index) else { continue }
      if row == nil { newCount += 1 }
      if let row, plays(row, clip, tracks) { continue }
      library.expectedRows[clip] += 1
    }
    defer {
      for index in 0..<count { if let clip = pick(index)?.clip { library.expectedRows[clip] = 0 } }
    }
    for index in 0..<count {
      guard let (clip, row) = pick(index), library.expectedRows[clip] > 0 else { continue }
      let isCommon = library.entries[clip].rows + Int(library.expectedRows[clip]) >= limit
      if isWide || isCommon { try library.makeTables(clip) }
      library.entries[clip].isCommon = isCommon
      if !isWide { try library.makeRecords(clip) }
      if let row { try prepareToMix(row / laneCountOfTile, tracks) }
    }
    // New tracks get the indices that are next.
    guard newCount > 0 else { return }
    for tile in tracks.rows.next / laneCountOfTile...(tracks.rows.end(of: newCount) - 1) / laneCountOfTile
    where tile < tracks.tiles.end {
      try prepareToMix(tile, tracks)
    }
  }

  /// Prepares a tile whose tracks play one clip for tracks that play others.
  private mutating func prepareToMix(_ tile: Int, _ tracks: borrowing TrackStore) throws(BatchError) {
    guard !isWide, tracks.tiles.playing[tile] != 0, let clip = tracks.tiles.clipKinds[tile].clip else { return }
    try library.makeRecords(clip)
  }

  /// Gives a clip to a row whose track stands, or has just come; the row must have been expected.
  ///
  /// - Parameter keepsVariation: Whether the row keeps its variation.
  mutating func take(_ row: Int, _ clip: Int, _ tracks: inout TrackStore, keepsVariation: Bool = false) {
    let tile = row / laneCountOfTile
    if tracks.tiles.playing[tile] == 0 {
      begin(tile, keepsVariation: keepsVariation)
      tracks.tiles.setClipKind(tile, library.entries[clip].isCommon ? .clip(clip) : .pieces)
      if !library.entries[clip].isCommon { clearPieces(tile, tracks) }
    } else {
      if !keepsVariation { variations?.clear(row..<row + 1) }
      if let other = tracks.tiles.clipKinds[tile].clip, other != clip { mix(tile, &tracks) }
    }
    tracks.tiles.play(TileStore.bit(row), of: tile)
    tracks.frame.mark(tile)
    give(row..<row + 1, clip)
    if tracks.tiles.clipKinds[tile] == .pieces { setPieces(row) }
  }

  /// Makes the tracks of a tile, which play one clip, keep copies of their pieces from now on.
  private mutating func mix(_ tile: Int, _ tracks: inout TrackStore) {
    tracks.tiles.setClipKind(tile, .pieces)
    clearPieces(tile, tracks)
    tracks.tiles.playing[tile].forEachLane { setPieces(tile * laneCountOfTile + $0) }
  }

  private mutating func clearPieces(_ tile: Int, _ tracks: borrowing TrackStore) {
    guard !isWide else { return }
    attachPieces(tracks)
    pieces?.clear(tile: tile)
  }

  private func setPieces(_ row: Int) {
    if !isWide, let records = library.entries[clip(ofRow: row)].records { pieces?.set(row, to: records) }
  }

  /// Notes that tracks of a tile, of which none plays a clip, are about to play some.
  private mutating func begin(_ tile: Int, keepsVariation: Bool = false) {
    let rows = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    tiles.begin(tile)
    clear(rows)
    if !keepsVariation { variations?.clear(rows) }
  }

  /// Whether the tracks of a full tile are enough to look their pieces up.
  var canTakeTiles: Bool { limit <= laneCountOfTile }

  /// Gives a clip to a full tile whose tracks stand; its tables must be made.
  mutating func take(tile: Int, _ clip: Int, _ tracks: inout TrackStore) {
    begin(tile)
    tracks.tiles.setClipKind(tile, .clip(clip))
    tracks.tiles.play(.max, of: tile)
    tracks.frame.mark(tile)
    library.entries[clip].isCommon = true
    give(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile, clip)
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

  /// Takes the tracks of a tile out of their clips. They stand then.
  mutating func leave(tile: Int, _ tracks: inout TrackStore) {
    guard tracks.tiles.playing[tile] == .max, tracks.tiles.clipKinds[tile].clip != nil else {
      return tracks.tiles.playing[tile].forEachLane { leave(tile * laneCountOfTile + $0, &tracks) }
    }
    let rows = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    for row in rows {
      library.entries[Int(columns.states[row].home)].instances -= 1
      library.entries[clip(ofRow: row)].rows -= 1
    }
    clear(rows)
    tiles.begin(tile)
    tracks.frame.mark(tile)
    tracks.tiles.setStanding(tile: tile)
  }

  /// Clears rows without a track that plays: they stand still, and are never due.
  @inline(__always)
  private func clear(_ rows: Range<Int>) {
    (columns.kernel.rate + rows.lowerBound).update(repeating: 0, count: rows.count)
    (columns.from + rows.lowerBound).update(repeating: -.infinity, count: rows.count)
    (columns.until + rows.lowerBound).update(repeating: .infinity, count: rows.count)
    (columns.clip + rows.lowerBound).update(repeating: -1, count: rows.count)
  }

  /// Takes the track of a row out of its clip, which is removed if it was made for that track. The track stands then.
  mutating func leave(_ row: Int, _ tracks: inout TrackStore) {
    let (tile, clip) = (row / laneCountOfTile, clip(ofRow: row))
    library.entries[Int(columns.states[row].home)].instances -= 1
    clear(row..<row + 1)
    if tracks.tiles.clipKinds[tile] == .pieces { pieces?.clear(row) }
    tiles.clear(row)
    library.entries[clip].rows -= 1
    if library.entries[clip].isPrivate, library.entries[clip].rows == 0 { library.remove(clip) }
    tracks.tiles.setMoving(row, false)
    tracks.frame.mark(tile)
    if tracks.tiles.playing[tile] == 0 { tiles.begin(tile) }
  }

  // MARK: - Everything

  /// Forgets every track.
  mutating func removeAll() {
    library.removeInstances()
    tiles.removeAll()
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension ClipMotions: @unchecked Sendable {}
