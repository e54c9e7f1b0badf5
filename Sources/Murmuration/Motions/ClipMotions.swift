// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The clips that tracks play: their columns, when each has to be placed anew, and the clips themselves.
///
/// Playing is a function of time: a frame finds the local time of each track, its piece of the clip, and one cubic. Tracks of
/// a clip that many play have tiles of their own, and look their pieces up in the clip's tables; those of clips that few play
/// share tiles, and keep a copy of the piece that they show. Either way the bits are the same.
@safe
struct ClipMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library = ClipLibrary()
  var tiles = ClipTiles()
  /// Whether a call has changed what no frame has shown yet.
  var hasChanges = false
  /// Whether the plan has to be made anew.
  var planIsStale = false
  /// Whether some track may show its own value.
  var hasOwnValues = false
  /// Planned tiles in which nothing moves.
  var stillTiles = 0
  /// No track was changed by a call after this.
  var latestChange = -BatchLimits.maximumTime
  /// The tiles that a frame has to place, and the lanes of some of them; kept so that the next frame need not allocate.
  var dueTiles: [Int32] = []
  var dueLanes = [UInt16](repeating: 0, count: tilesAtOnce)
  /// Rows of a clip from which on it begins tiles of its own. Measured with a thousand instances and AVX-512, ns an instance
  /// and frame: 0.70 in tiles of 64 clips, 0.80 in shared ones with a clip each. Where the two meet, between one lane of
  /// sixteen and all, was not measured.
  var rowsBeforeOwnTiles = 12

  private var memory: ColumnMemory?
  private var capacity = 0
  private var attached: Columns?
  private var pieces: OwnedPieces?
  private var pieceCapacity = 0

  /// Tiles that are placed together: few enough for what is asked for early to be in the cache still.
  static var tilesAtOnce: Int { 64 }

  /// Where the columns of rows are that play clips.
  @safe
  struct Columns {
    /// What kernels take.
    var kernel: PlaybackColumns
    /// The interval of the clock for which the columns of a row hold; rows without a track hold always.
    let from: UnsafeMutablePointer<Double>
    let until: UnsafeMutablePointer<Double>
    let states: UnsafeMutablePointer<LaneState>
    /// The clip that each row plays.
    let clip: UnsafeMutablePointer<Int32>

    /// The intervals of all rows, as kernels take them.
    var intervals: IntervalColumns { unsafe IntervalColumns(from: from, until: until) }
  }

  /// No clips; memory comes with the first track that plays one.
  init(dimensions: Int, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
  }

  // MARK: - Memory

  private static let shape = RowShape(wide: 5, stateBytes: MemoryLayout<LaneState>.stride, narrow: 1)

  /// Whether the system would give the memory for so many rows.
  func hasRoom(rows: Int) -> Bool {
    var shape = Self.shape
    let pieces = HotPieces.shape(dimensions: dimensions)
    (shape.wide, shape.narrow) = (shape.wide + pieces.wide, shape.narrow + pieces.narrow)
    return ColumnMemory.hasRoom(shape, rows: rows)
  }

  /// Whether there is memory for tracks that play clips.
  var isMapped: Bool { attached != nil }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Has columns for all rows of a store, for which there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape, rows: tracks.capacity)
    let new = Self.columns(larger, tracks)
    clear(new, rows: tracks.capacity)
    let count = tracks.tiles.end * laneCountOfTile
    if let old = attached { copyRows(0..<count, of: old, to: new, at: 0) }
    memory = consume larger
    attached = new
    capacity = tracks.capacity
    tiles.grow(to: tracks.tiles.capacity)
    if pieceCapacity > 0 { attachPieces(tracks) }
  }

  private static func columns(_ memory: borrowing ColumnMemory, _ tracks: borrowing TrackStore) -> Columns {
    let common = tracks.columns
    return unsafe Columns(
      kernel: PlaybackColumns(
        origin: memory.wide(0), base: memory.wide(1), rate: memory.wide(2), scale: nil, offset: nil,
        value: common.value, velocity: common.velocity, dimensionStride: common.dimensionStride,
        dimensions: tracks.dimensions),
      from: memory.wide(3), until: memory.wide(4), states: memory.states(as: LaneState.self),
      clip: memory.narrow(0, as: Int32.self))
  }

  private func clear(_ columns: Columns, rows: Int) {
    unsafe columns.from.update(repeating: -.infinity, count: rows)
    unsafe columns.until.update(repeating: .infinity, count: rows)
    unsafe columns.states.initialize(repeating: LaneState(home: 0, changed: 0), count: rows)
  }

  private func copyRows(_ rows: Range<Int>, of old: Columns, to new: Columns, at first: Int) {
    let (source, count) = (rows.lowerBound, rows.count)
    unsafe (new.kernel.origin + first).update(from: old.kernel.origin + source, count: count)
    unsafe (new.kernel.base + first).update(from: old.kernel.base + source, count: count)
    unsafe (new.kernel.rate + first).update(from: old.kernel.rate + source, count: count)
    unsafe (new.from + first).update(from: old.from + source, count: count)
    unsafe (new.until + first).update(from: old.until + source, count: count)
    unsafe (new.states + first).update(from: old.states + source, count: count)
    unsafe (new.clip + first).update(from: old.clip + source, count: count)
  }

  /// Has memory for the pieces of all rows.
  private mutating func attachPieces(_ tracks: borrowing TrackStore) {
    guard pieceCapacity != tracks.capacity else { return }
    let larger = HotPieces(dimensions: dimensions, rows: tracks.capacity)
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile] == .pieces {
      copyPieces(ofTile: tile, to: larger)
    }
    attached?.kernel.pieces = larger.columns
    pieces = OwnedPieces(larger)
    pieceCapacity = tracks.capacity
  }

  private func copyPieces(ofTile tile: Int, to other: borrowing HotPieces) {
    if let pieces, pieceCapacity > tile * laneCountOfTile {
      other.copy(tile: tile, of: pieces.columns)
    } else {
      other.clear(tile: tile)
    }
  }

  /// The memory of pieces, which comes with the first track that has one of its own.
  private final class OwnedPieces {
    let columns: HotPieces
    init(_ pieces: consuming HotPieces) { columns = pieces }
  }

  // MARK: - Rows

  /// The clip that a row plays, and its timing.
  func clip(ofRow row: Int) -> Int { unsafe Int(columns.clip[row]) }
  func timing(ofRow row: Int) -> ClipTiming { library.timings[clip(ofRow: row)] }

  /// The kind of tile in which a track plays a clip: one of the clip's own if there is one with a free lane or the clip has
  /// rows enough for that, else a shared one.
  func kind(for clip: Int, _ tracks: borrowing TrackStore) -> MotionKind {
    tracks.tiles.hasOpenLane(.clip(clip)) || library.entries[clip].rows >= rowsBeforeOwnTiles ? .clip(clip) : .pieces
  }

  /// Takes a row for a track that plays a clip; there must be room.
  mutating func takeRow(_ clip: Int, _ tracks: inout TrackStore) -> Int {
    let kind = kind(for: clip, tracks)
    if kind == .pieces { attachPieces(tracks) }
    let (row, isFirst) = tracks.takeRow(kind)
    let tile = row / laneCountOfTile
    if isFirst {
      tiles.begin(tile)
      for lane in 0..<laneCountOfTile { clear(tile * laneCountOfTile + lane) }
      if kind == .pieces { pieces?.columns.clear(tile: tile) }
    }
    if kind == .pieces {
      pieces?.columns.set(row, to: library.records(clip))
    } else {
      // Also where the tile is one of a clip that had this number before.
      library.makeTables(clip)
    }
    unsafe columns.clip[row] = Int32(clip)
    library.countRow(clip, 1)
    // Until it is placed.
    unsafe (columns.kernel.origin[row], columns.kernel.base[row]) = (0, Double(library.timings[clip].beforeTick))
    return row
  }

  /// Makes a row one without a track: it stands still, and is never due.
  private func clear(_ row: Int) {
    unsafe columns.kernel.rate[row] = 0
    unsafe columns.from[row] = -.infinity
    unsafe columns.until[row] = .infinity
  }

  /// Takes the track of a row out of its clip, which goes if it was made for that track.
  ///
  /// - Parameter leavesHome: Whether the track plays no clip any more.
  mutating func leave(_ row: Int, _ kind: MotionKind, leavesHome: Bool = true) {
    let clip = clip(ofRow: row)
    if leavesHome { library.countInstance(unsafe Int(columns.states[row].home), -1) }
    clear(row)
    if kind == .pieces { pieces?.columns.clear(row) }
    tiles.clear(row)
    library.countRow(clip, -1)
    if library.entries[clip].isPrivate, library.entries[clip].rows == 0 { library.remove(clip) }
  }

  // MARK: - States

  /// The state of a row. Where the track was posed, that is in it.
  func state(ofRow row: Int) -> LaneState {
    var state = unsafe columns.states[row]
    if tiles.posed[row / laneCountOfTile] & TileStore.bit(row) != 0 {
      let fraction = unsafe PlaybackLeg.fraction(
        ofTick: columns.kernel.base[row], isReversed: state.isReversed(state.firstLeg))
      state.offset = fraction * timing(ofRow: row).duration
    }
    return state
  }

  /// Gives a row a state, which shows with the next frame.
  mutating func setState(_ state: LaneState, ofRow row: Int) {
    unsafe columns.states[row] = state
    unsafe (columns.from[row], columns.until[row]) = (.infinity, -.infinity)
    tiles.invalidate(row)
    hasChanges = true
    latestChange = max(latestChange, state.changed)
  }

  /// Changes the state of a row from a time on.
  mutating func change(_ row: Int, at time: Double, _ body: (inout LaneState, ClipTiming) -> Void) {
    let timing = timing(ofRow: row)
    var state = state(ofRow: row)
    state.anchor(at: time, timing)
    body(&state, timing)
    setState(state, ofRow: row)
  }

  /// Has a tile evaluated with the next frame though nothing in it moves.
  mutating func refresh(_ tile: Int) {
    tiles.refresh(tile)
    hasChanges = true
    if !tiles.isPlanned[tile] { planIsStale = true }
  }

  /// Moves the track of a row to a time of its clip, in the iteration that it is in.
  mutating func seek(_ row: Int, to seconds: Double, at now: Double) {
    let (tile, timing) = (row / laneCountOfTile, timing(ofRow: row))
    if tiles.posed[tile] & TileStore.bit(row) != 0 {
      let passed = min(max(seconds / timing.duration, 0), 1)
      unsafe columns.kernel.base[row] = Double(ClipTick.start) + ClipTick.count * passed
      refresh(tile)
      return
    }
    if unsafe columns.states[row].mode == .idle {
      var state = unsafe columns.states[row]
      state.begin(Playback(), at: now, timing)
      state.mode = .paused
      unsafe columns.states[row] = state
    }
    change(row, at: now) { state, timing in state.move(to: min(max(seconds, 0), timing.duration), timing) }
  }

  /// What a row shows of its clip at a time and how fast, in Double; nil where it shows its track's own value.
  func shown(ofRow row: Int, at time: Double) -> (values: [Double], velocities: [Double])? {
    let (state, clip) = (state(ofRow: row), library.clip(clip(ofRow: row)))
    let leg = state.leg(at: time, timing(ofRow: row))
    guard !leg.showsOwn else { return nil }
    let tick = leg.base + (time - leg.origin) * leg.rate
    let local =
      tick < Double(ClipTick.start)
      ? -1
      : tick > Double(ClipTick.end) ? .infinity : PlaybackLeg.fraction(ofTick: tick, isReversed: false) * clip.duration
    let speed = leg.rate == 0 ? 0 : state.isReversed(leg.index) ? -state.speed.magnitude : state.speed.magnitude
    let isPlaying = state.mode != .idle && leg.phase == .playing
    return (
      (0..<dimensions).map { clip.value(dimension: $0, at: local) },
      (0..<dimensions).map { isPlaying && speed != 0 ? clip.velocity(dimension: $0, at: local) * speed : 0 }
    )
  }

  /// The moment of the latest change of a track that plays a clip.
  mutating func latestLiveChange(_ tracks: borrowing TrackStore) -> Double {
    latestChange = -BatchLimits.maximumTime
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isClip {
      tracks.tiles.live[tile].forEachLane { lane in
        latestChange = unsafe max(latestChange, columns.states[tile * laneCountOfTile + lane].changed)
      }
    }
    return latestChange
  }

  // MARK: - Compacting

  /// Moves what clips have of tracks to the rows that these have now in a compacted store.
  mutating func compact(_ moves: [TrackStore.Move], _ tracks: borrowing TrackStore) {
    guard let old = attached else { return }
    // What is copied below is in it.
    let former = memory.take()
    let states = moves.map { tracks.tiles.kind(ofRow: $0.newRow).isClip ? state(ofRow: $0.row) : nil }
    let compacted = ColumnMemory(Self.shape, rows: tracks.capacity)
    let new = Self.columns(compacted, tracks)
    clear(new, rows: tracks.capacity)
    let own = tiles.own
    tiles = ClipTiles()
    tiles.grow(to: tracks.tiles.capacity)
    let hasPieces = pieceCapacity > 0
    pieces = nil
    pieceCapacity = 0
    attached = new
    memory = consume compacted
    capacity = tracks.capacity
    if hasPieces { attachPieces(tracks) }
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isClip {
      tiles.begin(tile)
      if let clip = tracks.tiles.kinds[tile].clip { library.makeTables(clip) }
    }
    for (move, state) in zip(moves, states) {
      guard let state else { continue }
      copyRows(move.row..<move.row + 1, of: old, to: new, at: move.newRow)
      if tracks.tiles.kind(ofRow: move.newRow) == .pieces {
        pieces?.columns.set(move.newRow, to: library.records(clip(ofRow: move.newRow)))
      }
      let showsOwn = own[move.row / laneCountOfTile] & TileStore.bit(move.row) != 0
      tiles.setLane(move.newRow, isMoving: false, showsOwn: showsOwn, isPosed: false)
      setState(state, ofRow: move.newRow)
    }
    _ = consume former
    planIsStale = true
  }

  /// Forgets every track.
  mutating func removeAll() {
    library.removeInstances()
    // What stands in these rows next may play no clip, and must not be placed.
    if let columns = attached { clear(columns, rows: capacity) }
    tiles = ClipTiles()
    tiles.grow(to: capacity / laneCountOfTile)
    (hasChanges, hasOwnValues, planIsStale) = (false, false, true)
  }
}

// What is pointed to is the memory that it owns.
extension ClipMotions: @unchecked Sendable {}
