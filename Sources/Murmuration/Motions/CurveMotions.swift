// SPDX-License-Identifier: MIT
import AnimationModel
import CProcessor
import Kernels

/// The tracks that follow one curve each, from where they stood to their targets.
///
/// A curve is a clip of one value, played once: the way is its scale, and where the track stood its offset. Tracks of one
/// shape of curve share tiles, whatever their starts and durations.
@safe
struct CurveMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library: CurveLibrary
  var tiles = PlacedTiles()
  /// No curve begins after this.
  private(set) var latestStart = -BatchLimits.maximumTime
  /// The lanes of each tile that were reported.
  private var reported: [SpringWatch.Lanes] = []
  private var memory: ColumnMemory?
  /// Every row begins at the start of its curve, so one tile of bases serves all.
  private let bases: ColumnMemory
  private var capacity = 0
  private var attached: Columns?

  /// Durations from which on a kernel can follow a curve, seconds: clocks count in parts of them.
  static let shortest = 1e-6

  /// Where the columns of rows are that follow curves.
  @safe
  struct Columns {
    /// What kernels take. The origin is when the curve begins.
    let kernel: PlaybackColumns
    /// The interval of the clock for which the columns of a row hold: until the end, or from the end on. Rows without a track
    /// hold always.
    let from: UnsafeMutablePointer<Double>
    let until: UnsafeMutablePointer<Double>
    /// The way, and where it begins (dimension 0).
    let scale: UnsafeMutablePointer<Float>
    let offset: UnsafeMutablePointer<Float>
  }

  static func shape(dimensions: Int) -> RowShape { RowShape(wide: 4, narrow: 2 * dimensions) }

  /// No curves; memory comes with the first.
  init(dimensions: Int, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
    library = CurveLibrary(dimensions: dimensions)
    bases = ColumnMemory(RowShape(wide: 1, narrow: 0), rows: laneCountOfTile)
    unsafe bases.wide(0).update(repeating: Double(ClipTick.start), count: laneCountOfTile)
  }

  // MARK: - Memory

  /// Whether there is memory for tracks that follow curves.
  var isMapped: Bool { attached != nil }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Has columns for all rows of a store, for which there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), rows: tracks.capacity)
    let new = columns(larger, tracks)
    if let old = attached {
      for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isCurve {
        let first = tile * laneCountOfTile
        copyRows(first..<first + laneCountOfTile, of: old, to: new, at: first)
      }
    }
    memory = consume larger
    attached = new
    capacity = tracks.capacity
    grow(to: tracks.tiles.capacity)
  }

  private mutating func grow(to count: Int) {
    tiles.grow(to: count)
    reported.append(contentsOf: repeatElement(SpringWatch.Lanes(), count: max(0, count - reported.count)))
  }

  private func columns(_ memory: borrowing ColumnMemory, _ tracks: borrowing TrackStore) -> Columns {
    let common = tracks.columns
    let (scale, offset) = unsafe (memory.narrow(0), memory.narrow(1))
    var kernel = unsafe PlaybackColumns(
      origin: memory.wide(0), base: bases.wide(0), rate: memory.wide(1), scale: scale, offset: offset,
      value: common.value, velocity: common.velocity, dimensionStride: common.dimensionStride,
      dimensions: tracks.dimensions, sharesBase: true)
    kernel.variationStride = 2 * memory.narrowStride
    return unsafe Columns(
      kernel: kernel, from: memory.wide(2), until: memory.wide(3), scale: scale, offset: offset)
  }

  private func copyRows(_ rows: Range<Int>, of old: Columns, to new: Columns, at first: Int) {
    let (source, count) = (rows.lowerBound, rows.count)
    unsafe (new.kernel.origin + first).update(from: old.kernel.origin + source, count: count)
    unsafe (new.kernel.rate + first).update(from: old.kernel.rate + source, count: count)
    unsafe (new.from + first).update(from: old.from + source, count: count)
    unsafe (new.until + first).update(from: old.until + source, count: count)
    for dimension in 0..<dimensions {
      let to = dimension * new.kernel.variationStride + first
      let from = dimension * old.kernel.variationStride + source
      unsafe (new.scale + to).update(from: old.scale + from, count: count)
      unsafe (new.offset + to).update(from: old.offset + from, count: count)
    }
  }

  // MARK: - Rows

  /// Takes a row for a track that follows a curve; there must be room.
  mutating func takeRow(_ kind: MotionKind, _ tracks: inout TrackStore) -> Int {
    let (row, isFirst) = tracks.takeRow(kind)
    if isFirst {
      let tile = row / laneCountOfTile
      tiles.begin(tile)
      reported[tile] = SpringWatch.Lanes()
      for lane in 0..<laneCountOfTile { clear(tile * laneCountOfTile + lane, columns) }
    }
    if let curve = kind.curve { library.countRows(curve, 1) }
    return row
  }

  /// Has a full tile follow a curve.
  mutating func take(_ tile: Int, _ curve: Int, _ tracks: inout TrackStore) {
    let kind = tracks.tiles.kinds[tile]
    if let old = kind.curve { library.countRows(old, -laneCountOfTile) } else { tiles.begin(tile) }
    library.countRows(curve, laneCountOfTile)
    if kind.curve != curve { tracks.relabel(tile, .curve(curve)) }
  }

  /// Takes the track of a row out of its curve.
  mutating func leave(_ row: Int, _ kind: MotionKind) {
    let tile = row / laneCountOfTile
    clear(row, columns)
    tiles.clear(row)
    // Nothing is due of a tile that other motions may take.
    if tiles.moving[tile] | tiles.own[tile] == 0 { tiles.begin(tile) }
    if let curve = kind.curve { library.countRows(curve, -1) }
  }

  /// Makes a row one without a track: it stands still, and is never due.
  private func clear(_ row: Int, _ columns: Columns) {
    unsafe (columns.kernel.origin[row], columns.kernel.rate[row]) = (0, 0)
    unsafe (columns.from[row], columns.until[row]) = (-.infinity, .infinity)
    for dimension in 0..<dimensions {
      let element = dimension * columns.kernel.variationStride + row
      unsafe (columns.scale[element], columns.offset[element]) = (0, 0)
    }
  }

  // MARK: - Starts

  /// Ticks per second of a curve.
  private static func rate(from start: Double, to end: Double) -> Double { ClipTick.count / (end - start) }

  /// Has a row set out from what its column shows.
  mutating func begin(
    _ row: Int, from start: Double, to end: Double, _ tracks: borrowing TrackStore, target: (Int) -> Float
  ) {
    let columns = columns
    unsafe columns.kernel.origin[row] = start
    unsafe columns.kernel.rate[row] = Self.rate(from: start, to: end)
    unsafe (columns.from[row], columns.until[row]) = (start, end.nextDown)
    for dimension in 0..<dimensions {
      let element = dimension * columns.kernel.variationStride + row
      let (value, target) = unsafe (tracks.columns.value[tracks.element(row, dimension)], target(dimension) + 0)
      unsafe columns.scale[element] = Float(Double(target) - Double(value))
      unsafe columns.offset[element] = value
      unsafe tracks.columns.target[tracks.element(row, dimension)] = target
    }
    setReported(row, SpringWatch.Reported(logical: false, settled: false))
    tiles.setLane(row, isMoving: true, showsOwn: false, isPosed: false)
    tiles.invalidate(row)
    latestStart = max(latestStart, start)
  }

  /// Has all rows of a tile set out from what their columns show, towards the targets of neighbouring tracks.
  mutating func begin(
    tile: Int, from start: Double, to end: Double, _ tracks: borrowing TrackStore, _ targets: InputValues, at first: Int
  ) {
    let (columns, row) = (columns, tile * laneCountOfTile)
    unsafe (columns.kernel.origin + row).update(repeating: start, count: laneCountOfTile)
    unsafe (columns.kernel.rate + row).update(repeating: Self.rate(from: start, to: end), count: laneCountOfTile)
    unsafe (columns.from + row).update(repeating: start, count: laneCountOfTile)
    unsafe (columns.until + row).update(repeating: end.nextDown, count: laneCountOfTile)
    unsafe targets.withColumns(of: first..<first + laneCountOfTile) { targets, stride in
      for dimension in 0..<dimensions {
        let element = dimension * columns.kernel.variationStride + row
        let common = tracks.element(row, dimension)
        let (value, goal) = unsafe (tracks.columns.value + common, tracks.columns.target + common)
        let (scale, offset) = unsafe (columns.scale + element, columns.offset + element)
        for lane in 0..<laneCountOfTile {
          let target = unsafe targets[dimension * stride + lane] + 0
          unsafe scale[lane] = Float(Double(target) - Double(value[lane]))
          unsafe offset[lane] = value[lane]
          unsafe goal[lane] = target
        }
      }
    }
    reported[tile] = SpringWatch.Lanes()
    tiles.moveAll(ofTile: tile)
    tiles.invalidate(tile: tile)
    latestStart = max(latestStart, start)
  }

  // MARK: - What a row does

  /// When the curve of a row begins, and when it ends.
  func start(ofRow row: Int) -> Double { unsafe columns.kernel.origin[row] }
  func end(ofRow row: Int) -> Double { unsafe isOver(row) ? columns.from[row] : columns.until[row].nextUp }

  /// Whether a row was at its target in the last frame.
  func isOver(_ row: Int) -> Bool { tiles.own[row / laneCountOfTile] & TileStore.bit(row) != 0 }

  /// What of a row was reported, or is taken for that.
  func reported(ofRow row: Int) -> SpringWatch.Reported {
    let (lanes, bit) = (reported[row / laneCountOfTile], TileStore.bit(row))
    return SpringWatch.Reported(logical: lanes.logical & bit != 0, settled: lanes.settled & bit != 0)
  }

  /// Takes something of a row for reported, or for still to be reported.
  mutating func setReported(_ row: Int, _ isReported: SpringWatch.Reported) {
    let (tile, bit) = (row / laneCountOfTile, TileStore.bit(row))
    reported[tile].logical = isReported.logical ? reported[tile].logical | bit : reported[tile].logical & ~bit
    reported[tile].settled = isReported.settled ? reported[tile].settled | bit : reported[tile].settled & ~bit
  }

  /// Where the curve of a row begins.
  func origin(ofRow row: Int, _ dimension: Int) -> Float {
    unsafe columns.offset[dimension * columns.kernel.variationStride + row]
  }

  /// The lanes of a tile that stand at their targets, or set out at a moment.
  func standing(_ tile: Int, at moment: Double) -> UInt16 {
    var lanes = tiles.own[tile]
    for lane in 0..<laneCountOfTile where unsafe columns.kernel.origin[tile * laneCountOfTile + lane] == moment {
      lanes |= 1 << UInt16(lane)
    }
    return lanes
  }

  /// The latest moment at which a track began to follow a curve.
  mutating func latestLiveStart(_ tracks: borrowing TrackStore) -> Double {
    latestStart = -BatchLimits.maximumTime
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isCurve {
      tracks.tiles.live[tile].forEachLane {
        latestStart = max(latestStart, start(ofRow: tile * laneCountOfTile + $0))
      }
    }
    return latestStart
  }

  // MARK: - Everything

  /// Moves what curves have of tracks to the rows that these have now in a compacted store.
  mutating func compact(_ moves: [TrackStore.Move], _ tracks: borrowing TrackStore) {
    guard let old = attached else { return }
    let compacted = ColumnMemory(Self.shape(dimensions: dimensions), rows: tracks.capacity)
    let new = columns(compacted, tracks)
    let oldTiles = tiles
    let oldReported = moves.map { tracks.tiles.kind(ofRow: $0.newRow).isCurve ? reported(ofRow: $0.row) : nil }
    tiles = PlacedTiles()
    reported = []
    grow(to: tracks.tiles.capacity)
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isCurve {
      tiles.begin(tile)
      for lane in 0..<laneCountOfTile { clear(tile * laneCountOfTile + lane, new) }
    }
    for (move, reported) in zip(moves, oldReported) {
      guard let reported else { continue }
      setReported(move.newRow, reported)
      copyRows(move.row..<move.row + 1, of: old, to: new, at: move.newRow)
      let (tile, bit) = (move.row / laneCountOfTile, TileStore.bit(move.row))
      tiles.setLane(
        move.newRow, isMoving: oldTiles.moving[tile] & bit != 0, showsOwn: oldTiles.own[tile] & bit != 0,
        isPosed: false)
      tiles.invalidate(move.newRow)
    }
    memory = consume compacted
    attached = new
    capacity = tracks.capacity
    tiles.planIsStale = true
  }

  /// Forgets every track.
  mutating func removeAll() {
    library.removeRows()
    tiles.removeAll()
  }
}

// Placing: at its end a row comes to its target; going back, it moves again.
extension CurveMotions: PlacedMotions {
  var intervals: IntervalColumns { unsafe IntervalColumns(from: columns.from, until: columns.until) }

  func askForTile(_ tile: Int) {}

  func askForRow(_ row: Int) {
    unsafe lanes_prefetch(columns.kernel.origin + row)
    unsafe lanes_prefetch(columns.kernel.rate + row)
  }

  mutating func place(_ row: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    let (start, end) = (start(ofRow: row), end(ofRow: row))
    let isOver = time >= end
    unsafe columns.kernel.rate[row] = isOver ? 0 : Self.rate(from: start, to: end)
    unsafe (columns.from[row], columns.until[row]) = isOver ? (end, .infinity) : (start, end.nextDown)
    tiles.setLane(row, isMoving: !isOver, showsOwn: isOver, isPosed: false)
    let known = reported(ofRow: row)
    guard isOver, !known.settled else { return }
    setReported(row, .everything)
    let (slot, change) = unsafe (tracks.slot(ofRow: row), tracks.columns.change[row])
    if !known.logical { events.append(.logicallyComplete, slot: slot, change, at: end) }
    events.append(.settled, slot: slot, change, at: end)
  }
}

// What is pointed to is the memory that it owns.
extension CurveMotions: @unchecked Sendable {}
