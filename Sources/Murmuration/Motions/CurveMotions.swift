// SPDX-License-Identifier: MIT
import Kernels

/// A curve that a track sets out along.
struct CurveWay {
  /// The index of the curve in the library.
  let place: Int
  let start: Double
  /// The first moment from which on it has covered all of its way.
  let end: Double
  /// The modifiers of its clock; nil if the clock runs evenly from start to end.
  var program: CurveProgram?
}

/// The tracks that follow curves, whose effects may add up.
///
/// One curve of a track that stood is a clip of one value, played once: its scale is the way, and its offset is where
/// the track stood. In a sum the spring or the value under all effects is evaluated first. Then each effect leads from there
/// towards its goal, by the part of the way that its curve has covered. Once an effect has covered its way, no bit depends
/// on what came before it.
struct CurveMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library: CurveLibrary
  var tiles = PlacedTiles()
  /// No curve begins after this moment.
  var latestStart = -BatchLimits.maximumTime
  /// The lanes of each tile whose completions were reported.
  private var reported = OwnedColumn<SpringWatch.Lanes>()
  /// The effects of sums, and the first block of each tile of sums; −1 for tiles without one.
  var effects: EffectBlocks
  var first = OwnedColumn<Int32>()
  /// No tile has more blocks, nor had since curves were removed.
  var longestChain = 0
  /// The lanes of each tile of sums whose effects add to a spring.
  var onSprings = OwnedColumn<UInt16>()
  private var memory: ColumnMemory?
  /// Every row begins at the start of its curve, so one tile of bases serves all.
  private let bases: ColumnMemory
  private var capacity = 0
  private var attached: Columns?
  /// The modified animations of rows with a single curve; empty until a track follows one.
  private var programs: [CurveProgram?] = []

  /// The shortest duration of a curve that a kernel can follow, in seconds: clocks count in parts of it.
  static let shortest = 1e-6

  /// No curves; memory comes with the first.
  init(dimensions: Int, tolerance: Double, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
    library = CurveLibrary(dimensions: dimensions, tolerance: tolerance)
    effects = EffectBlocks(dimensions: dimensions)
    bases = ColumnMemory(RowShape(wide: 1, narrow: 0), rows: laneCountOfTile)
    bases.wide(0).update(repeating: Double(ClipTick.start), count: laneCountOfTile)
  }

  // MARK: - Memory

  /// The columns of rows that follow curves.
  struct Columns {
    /// The interval of the clock for which the columns of a row hold. The columns of a row without a track always hold.
    let from: Column<Double>
    let until: Column<Double>
    /// The single curves of rows. A row of a sum has the start and the end of its last effect here.
    let single: EffectColumns
    /// Dimension 0 of the value at which the track stood, or of the target of the spring under the effects. Its stride
    /// from dimension to dimension is that of targets.
    let under: Column<Float>

    init(_ memory: borrowing ColumnMemory) {
      (from, until) = (memory.wide(0), memory.wide(1))
      single = EffectColumns(
        origin: memory.wide(2), rate: memory.wide(3), start: memory.wide(4), end: memory.wide(5),
        scale: memory.narrow(0, every: 3), offset: memory.narrow(1, every: 3), stride: 3 * memory.narrowStride)
      under = memory.narrow(2, every: 3)
    }
  }

  static func shape(dimensions: Int) -> RowShape { RowShape(wide: 6, narrow: 3 * dimensions) }

  /// Whether there is memory for tracks that follow curves.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all rows of a store; there must be memory. Memory that no row uses is never touched.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), rows: tracks.capacity, isZeroed: false)
    if memory != nil {
      for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isCurve {
        let first = tile * laneCountOfTile
        larger.copyRows(first..<first + laneCountOfTile, of: memory!, to: first)
      }
    }
    adopt(larger)
  }

  private mutating func adopt(_ larger: consuming ColumnMemory) {
    capacity = larger.capacity
    attached = Columns(larger)
    memory = consume larger
    let count = capacity / laneCountOfTile
    tiles.grow(to: count)
    reported.grow(to: count, with: SpringWatch.Lanes())
    first.grow(to: count, with: -1)
    onSprings.grow(to: count, with: 0)
    if !programs.isEmpty { programs.grow(to: capacity, with: nil) }
  }

  /// Whether there is memory for a number of rows now.
  func hasRoom(rows: Int) -> Bool { ColumnMemory.hasRoom(Self.shape(dimensions: dimensions), rows: rows) }

  /// The columns of sums as kernels take them; there must be memory.
  ///
  /// - Parameter springs: The columns of the springs under effects; nil without any.
  func sums(_ tracks: borrowing TrackStore, _ springs: SpringColumns?) -> SumColumns {
    let chains = EffectChains(
      first: first.column.constant, blocks: effects.list.column.constant, memory: effects.memory,
      outputs: kernel(effects.columns(0), tracks.columns))
    return SumColumns(chains, under: columns.under, onSprings: onSprings.column.constant, springs: springs)
  }

  /// The columns of single curves as kernels take them; there must be memory.
  func single(_ tracks: borrowing TrackStore) -> PlaybackColumns { kernel(columns.single, tracks.columns) }

  /// Columns of effects as kernels take them.
  func kernel(_ columns: EffectColumns, _ common: TrackStore.Columns) -> PlaybackColumns {
    var kernel = PlaybackColumns(
      origin: columns.origin, base: bases.wide(0), rate: columns.rate, scale: columns.scale, offset: columns.offset,
      value: common.value, velocity: common.velocity, dimensionStride: common.dimensionStride, dimensions: dimensions,
      sharesBase: true)
    kernel.variationStride = columns.stride
    return kernel
  }

  // MARK: - Rows

  /// Takes a row for a track that follows curves; there must be room.
  mutating func takeRow(_ kind: MotionKind, _ tracks: inout TrackStore) -> Int {
    let (row, isFirst) = tracks.takeRow(kind)
    if isFirst {
      let tile = row / laneCountOfTile
      tiles.begin(tile)
      reported[tile] = SpringWatch.Lanes()
      clear(tile: tile)
    }
    if let curve = kind.curve { library.users[curve] += 1 }
    return row
  }

  private func clear(tile: Int) {
    for row in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile { clear(row) }
  }

  /// Clears a row without a track: it stands still, and is never due.
  private func clear(_ row: Int) {
    let (columns, single) = (columns, columns.single)
    (columns.from[row], columns.until[row]) = (-.infinity, .infinity)
    (single.origin[row], single.rate[row]) = (0, 0)
    for dimension in 0..<dimensions {
      let element = dimension * single.stride + row
      (single.scale[element], single.offset[element], columns.under[element]) = (0, 0, 0)
    }
  }

  /// Makes a full tile, whose tracks had another motion, one of a kind of curves.
  mutating func take(_ tile: Int, _ kind: MotionKind, _ tracks: inout TrackStore) {
    let old = tracks.tiles.kinds[tile]
    if old.isCurve { leaveEffects(tile, .max, old) } else { tiles.begin(tile) }
    if let curve = kind.curve { library.users[curve] += laneCountOfTile }
    if kind != old { tracks.relabel(tile, kind) }
  }

  /// Takes the track of a row out of its curves.
  ///
  /// - Parameter isLast: Whether it is the only track of its tile.
  mutating func leave(_ row: Int, _ kind: MotionKind, isLast: Bool) {
    let tile = row / laneCountOfTile
    leaveEffects(tile, TileStore.bit(row), kind)
    clear(row)
    tiles.clear(row)
    // Other motions may take the tile, so none of its rows may be due.
    if isLast { tiles.begin(tile) }
  }

  /// Takes the tracks of a full tile out of their curves.
  mutating func leave(tile: Int, _ kind: MotionKind) {
    leaveEffects(tile, .max, kind)
    tiles.begin(tile)
  }

  /// Ends all effects of lanes of a tile.
  private mutating func leaveEffects(_ tile: Int, _ lanes: UInt16, _ kind: MotionKind) {
    guard let curve = kind.curve else { return end(lanes, tile, through: nil) }
    library.users[curve] -= lanes.nonzeroBitCount
    if !programs.isEmpty { lanes.forEachLane { programs[tile * laneCountOfTile + $0] = nil } }
  }

  // MARK: - Starts

  /// Ticks per second of a curve.
  static func rate(from start: Double, to end: Double) -> Double { ClipTick.count / (end - start) }

  /// Starts a row along one curve, from the value that its column shows.
  mutating func begin(_ row: Int, _ way: CurveWay, _ tracks: borrowing TrackStore, target: (Int) -> Float) {
    let columns = columns
    (columns.single.start[row], columns.single.end[row]) = (way.start, way.end)
    setProgram(row, way.program)
    columns.single.origin[row] = way.start
    columns.single.rate[row] = Self.rate(from: way.start, to: way.end)
    (columns.from[row], columns.until[row]) = (way.start, way.end.nextDown)
    for dimension in 0..<dimensions { setWay(row, 1, dimension, tracks) { _ in target(dimension) } }
    setOut(row, at: way.start)
    if way.program != nil { _ = bring(row, to: way.start, tracks) }
    tiles.hold(row, intervals)
  }

  /// Starts all rows of a tile along one curve, from the values that their columns show, towards the targets of
  /// consecutive tracks.
  mutating func begin(
    tile: Int, _ way: CurveWay, _ tracks: borrowing TrackStore, _ targets: InputValues, at first: Int
  ) {
    guard way.program == nil else {
      for lane in 0..<laneCountOfTile {
        begin(tile * laneCountOfTile + lane, way, tracks) { targets[first + lane, $0] }
      }
      return
    }
    let (columns, row, count) = (columns, tile * laneCountOfTile, laneCountOfTile)
    targets.withColumns(of: first..<first + count) { targets, stride in
      for dimension in 0..<dimensions {
        setWay(row, count, dimension, tracks) { targets[dimension * stride + $0] }
      }
    }
    (columns.single.origin + row).update(repeating: way.start, count: count)
    (columns.single.rate + row).update(repeating: Self.rate(from: way.start, to: way.end), count: count)
    (columns.from + row).update(repeating: way.start, count: count)
    (columns.until + row).update(repeating: way.end.nextDown, count: count)
    setOut(tile: tile, way)
  }

  /// Sets the way of rows along their only curve in a dimension, from the values that their columns show.
  @inline(__always)
  private func setWay(
    _ row: Int, _ count: Int, _ dimension: Int, _ tracks: borrowing TrackStore, target: (_ lane: Int) -> Float
  ) {
    let (single, element, common) = (
      columns.single, dimension * columns.single.stride + row, tracks.element(row, dimension)
    )
    let (value, goal) = (tracks.columns.value + common, tracks.columns.target + common)
    let (scale, offset, under) = (single.scale + element, single.offset + element, columns.under + element)
    for lane in 0..<count {
      let target = target(lane) + 0
      scale[lane] = Float(Double(target) - Double(value[lane]))
      (offset[lane], under[lane]) = (value[lane], value[lane])
      goal[lane] = target
    }
  }

  private mutating func setProgram(_ row: Int, _ program: CurveProgram?) {
    guard program != nil || !programs.isEmpty else { return }
    programs.grow(to: capacity, with: nil)
    programs[row] = program
  }

  /// Notes that the last effect of a row starts at a moment.
  mutating func setOut(_ row: Int, at start: Double) {
    setReported(row, SpringWatch.Reported())
    tiles.setLane(row, isMoving: true, showsOwn: false, isPosed: false)
    latestStart = max(latestStart, start)
  }

  /// Notes that the last effects of all rows of a tile start along a curve.
  mutating func setOut(tile: Int, _ way: CurveWay) {
    let (single, row, count) = (columns.single, tile * laneCountOfTile, laneCountOfTile)
    (single.start + row).update(repeating: way.start, count: count)
    (single.end + row).update(repeating: way.end, count: count)
    reported[tile] = SpringWatch.Lanes()
    tiles.moveAll(ofTile: tile)
    tiles.invalidate(tile: tile)
    latestStart = max(latestStart, way.start)
  }

  /// Copies the motion of a row of other curves, which is of the same kind. There must be room for its effects.
  mutating func copy(
    _ row: Int, of old: Int, _ other: borrowing CurveMotions, _ kind: MotionKind
  ) {
    let (single, from) = (columns.single, other.columns.single)
    (columns.from[row], columns.until[row]) = (other.columns.from[old], other.columns.until[old])
    (single.origin[row], single.rate[row]) = (from.origin[old], from.rate[old])
    (single.start[row], single.end[row]) = (from.start[old], from.end[old])
    for dimension in 0..<dimensions {
      let (to, from, source) = (dimension * single.stride + row, dimension * from.stride + old, from)
      (single.scale[to], single.offset[to]) = (source.scale[from], source.offset[from])
      columns.under[to] = other.columns.under[from]
    }
    if kind == .sum {
      if other.isOnSpring(old, kind) { onSprings[row / laneCountOfTile] |= TileStore.bit(row) }
      other.forEachEffect(ofRow: old, kind) { effect, _ in append(effect, to: row) }
    } else {
      setProgram(row, other.program(ofRow: old))
    }
    setReported(row, other.reported(ofRow: old))
    tiles.setLane(row, isMoving: !other.isOver(old), showsOwn: other.isOver(old), isPosed: false)
    tiles.invalidate(row)
    latestStart = max(latestStart, start(ofRow: row))
  }

  // MARK: - What a row does

  /// When the last effect of a row begins, and when it ends.
  func start(ofRow row: Int) -> Double { columns.single.start[row] }
  func end(ofRow row: Int) -> Double { columns.single.end[row] }

  /// Whether a row follows a single curve that begins at a moment. Another motion that begins at that moment replaces
  /// the curve.
  func begins(_ row: Int, at moment: Double, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.kinds[row / laneCountOfTile] != .sum && start(ofRow: row) == moment
  }

  /// Whether a row was at its target in the last frame.
  func isOver(_ row: Int) -> Bool { tiles.own[row / laneCountOfTile] & TileStore.bit(row) != 0 }

  /// What was reported of a row.
  func reported(ofRow row: Int) -> SpringWatch.Reported { reported[row / laneCountOfTile][row] }

  /// Sets what was reported of a row.
  mutating func setReported(_ row: Int, _ now: SpringWatch.Reported) { reported[row / laneCountOfTile][row] = now }

  /// The number to which the effects of a row are added: the value at which its track stood, or the target of its spring.
  func under(_ row: Int, _ dimension: Int) -> Float { columns.under[dimension * columns.single.stride + row] }

  /// Whether no track follows a modified animation alone, nor did since the curves were removed.
  var modifiesNone: Bool { programs.isEmpty }

  /// The modified animation of a row with a single curve; nil if that is a plain curve.
  func program(ofRow row: Int) -> CurveProgram? { programs.isEmpty ? nil : programs[row] }

  /// The lanes of a tile that stand at their targets, or follow a single curve that starts at a moment.
  func standing(_ tile: Int, at moment: Double, _ tracks: borrowing TrackStore) -> UInt16 {
    var lanes = tiles.own[tile]
    guard tracks.tiles.kinds[tile] != .sum else { return lanes }
    for lane in 0..<laneCountOfTile where begins(tile * laneCountOfTile + lane, at: moment, tracks) {
      lanes |= 1 << UInt16(lane)
    }
    return lanes
  }

  // MARK: - Everything

  /// The curves of tracks in their new rows of a compacted store; nil if there is no memory.
  ///
  /// - Parameters:
  ///   - tracks: The store as it is before.
  ///   - rows: The rows of the compacted store.
  func compacted(_ moves: [TrackStore.Move], _ tracks: borrowing TrackStore, rows: Int) -> CurveMotions? {
    var new = CurveMotions(dimensions: dimensions, tolerance: library.tolerance, table: table)
    (new.library, new.latestStart) = (library, latestStart)
    for curve in new.library.users.indices { new.library.users[curve] = 0 }
    guard isMapped else { return new }
    new.adopt(ColumnMemory(Self.shape(dimensions: dimensions), rows: rows, isZeroed: false))
    for move in moves {
      let (kind, tile) = (tracks.tiles.kind(ofRow: move.row), move.newRow / laneCountOfTile)
      guard kind.isCurve else { continue }
      guard kind != .sum || new.effects.makeRoom(for: effectCount(ofRow: move.row)) else { return nil }
      if let curve = kind.curve { new.library.users[curve] += 1 }
      if move.newRow % laneCountOfTile == 0 { new.clear(tile: tile) }
      new.copy(move.newRow, of: move.row, self, kind)
    }
    new.tiles.planIsStale = true
    return new
  }

  /// Forgets every track.
  mutating func removeAll() {
    for curve in library.users.indices { library.users[curve] = 0 }
    tiles.removeAll()
    effects.removeAll()
    longestChain = 0
    for tile in first.indices { (first[tile], onSprings[tile]) = (-1, 0) }
    programs.removeAll()
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension CurveMotions: @unchecked Sendable {}
