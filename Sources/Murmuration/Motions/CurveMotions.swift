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
/// the track stood. In a sum each curve is a *layer*. The first kernel evaluates the spring or the value under all
/// layers. Then the kernel of each layer leads from there towards the goal of the layer, by the part of the way that
/// its curve has covered. Once a layer has covered its way, no bit depends on what came before it.
struct CurveMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library: CurveLibrary
  var tiles = PlacedTiles()
  /// No curve begins after this moment.
  var latestStart = -BatchLimits.maximumTime
  /// The lanes of each tile whose completions were reported.
  private var reported = OwnedColumn<SpringWatch.Lanes>()
  /// By tile: when each layer ends, if all lanes have the same layers, none of which is modified; empty otherwise.
  var ends: [[Double]] = []
  /// By tile: the number of layers, from the first on, that have no effect any more in any lane. Frames leave them out.
  var gone = OwnedColumn<UInt8>()
  private var memory: ColumnMemory?
  /// The columns of layers beyond the first few; nil until a row has so many.
  private var deepMemory: ColumnMemory?
  /// Every row begins at the start of its curve, so one tile of bases serves all.
  private let bases: ColumnMemory
  private var capacity = 0
  private var attached: Columns?
  /// The modified animations of layers, by layer and row; empty until a track follows one.
  private var programs: [[CurveProgram?]] = []

  /// The shortest duration of a curve that a kernel can follow, in seconds: clocks count in parts of it.
  static let shortest = 1e-6
  /// Layers of a sum that kernels evaluate: the effects of curves of a second, one in each frame. Sums with more layers are
  /// called.
  static let layerLimit = 64
  /// The number of layers without effect at which a tile drops them.
  static let layersDropped = 16

  /// No curves; memory comes with the first.
  init(dimensions: Int, tolerance: Double, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
    library = CurveLibrary(dimensions: dimensions, tolerance: tolerance)
    bases = ColumnMemory(RowShape(wide: 1, narrow: 0), rows: laneCountOfTile)
    bases.wide(0).update(repeating: Double(ClipTick.start), count: laneCountOfTile)
  }

  // MARK: - Memory

  /// Whether there is memory for tracks that follow curves.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all rows of a store; there must be memory. Memory that no row uses is never touched.
  ///
  /// - Parameter isDeep: Whether to map deep layers too, even if there were none.
  mutating func attach(to tracks: borrowing TrackStore, isDeep: Bool = false) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), rows: tracks.capacity, isZeroed: false)
    var new = Columns(larger, dimensions: dimensions)
    let deeper = makeDeep(isDeep || deepMemory != nil, rows: tracks.capacity, &new)
    if let old = attached {
      for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isCurve {
        let first = tile * laneCountOfTile
        new.copy(first..<first + laneCountOfTile, shape(tracks.tiles.kinds[tile]), of: old, to: first)
      }
    }
    memory = consume larger
    deepMemory = consume deeper
    attached = new
    capacity = tracks.capacity
    grow(to: tracks.tiles.capacity)
  }

  /// Whether there is memory for a number of rows now.
  func hasRoom(rows: Int) -> Bool {
    ColumnMemory.hasRoom(Self.shape(dimensions: dimensions), rows: rows)
      && (deepMemory == nil || ColumnMemory.hasRoom(Self.deepShape(dimensions: dimensions), rows: rows))
  }

  /// Makes memory for the deep layers of rows, if they are wanted.
  private func makeDeep(_ isWanted: Bool, rows: Int, _ columns: inout Columns) -> ColumnMemory? {
    guard isWanted else { return nil }
    let deeper = ColumnMemory(Self.deepShape(dimensions: dimensions), rows: rows, isZeroed: false, isSparse: true)
    columns.deepen(deeper)
    return deeper
  }

  /// Makes sure of memory for the layers of a shape; false if there is none.
  mutating func makeRoom(for shape: Int) -> Bool {
    guard library.shapes[shape].curves.count > Columns.shallowCount, deepMemory == nil else { return true }
    guard ColumnMemory.hasRoom(Self.deepShape(dimensions: dimensions), rows: capacity) else { return false }
    var columns = columns
    deepMemory = makeDeep(true, rows: capacity, &columns)
    attached = columns
    return true
  }

  private mutating func grow(to count: Int) {
    tiles.grow(to: count)
    reported.grow(to: count, with: SpringWatch.Lanes())
    ends.grow(to: count, with: [])
    gone.grow(to: count, with: 0)
    for layer in programs.indices { programs[layer].grow(to: count * laneCountOfTile, with: nil) }
  }

  /// The columns as kernels take them; there must be memory.
  ///
  /// - Parameter springs: The columns of the springs under curves; nil without any.
  func kernelColumns(_ tracks: borrowing TrackStore, _ springs: SpringColumns?) -> CurveColumns {
    CurveColumns(plain: plain(tracks), columns, springs: springs, gone: gone.column.constant)
  }

  /// The columns of single curves as kernels take them; there must be memory.
  func plain(_ tracks: borrowing TrackStore) -> PlaybackColumns {
    let (columns, common) = (columns, tracks.columns)
    var plain = PlaybackColumns(
      origin: columns.origin(0), base: bases.wide(0), rate: columns.rate(0), scale: columns.scale(0),
      offset: columns.offset(0), value: common.value, velocity: common.velocity,
      dimensionStride: common.dimensionStride, dimensions: dimensions, sharesBase: true)
    plain.variationStride = columns.stride(0)
    return plain
  }

  // MARK: - Rows

  /// The shape of a kind of curves.
  func shape(_ kind: MotionKind) -> CurveShape { library.shapes[kind.curve ?? 0] }

  /// The shape of a row: that of its tile, but without the last layer if that is vacant in the row.
  func shape(ofRow row: Int, _ tracks: borrowing TrackStore) -> CurveShape {
    let shape = shape(tracks.tiles.kind(ofRow: row))
    guard isVacant(shape.curves.count - 1, row) else { return shape }
    return CurveShape(under: shape.under, curves: shape.curves.withoutLast)
  }

  /// Whether a row has no curve in a layer of its tile.
  func isVacant(_ layer: Int, _ row: Int) -> Bool { columns.start(layer)[row] == .infinity }

  /// Takes a row for a track that follows curves; there must be room.
  mutating func takeRow(_ kind: MotionKind, _ tracks: inout TrackStore) -> Int {
    let (row, isFirst) = tracks.takeRow(kind)
    if isFirst {
      let tile = row / laneCountOfTile
      tiles.begin(tile)
      reported[tile] = SpringWatch.Lanes()
      columns.clear(tile: tile, shape(kind))
    }
    noteOneByOne(row)
    if let curve = kind.curve { library.nodes[curve].rows += 1 }
    return row
  }

  /// Gives a shape to a full tile, whose tracks had another motion or another shape.
  mutating func take(_ tile: Int, _ shape: Int, _ tracks: inout TrackStore) {
    let kind = tracks.tiles.kinds[tile]
    if let old = kind.curve {
      library.nodes[old].rows -= laneCountOfTile
    } else {
      tiles.begin(tile)
      noteOneByOne(tile * laneCountOfTile)
    }
    library.nodes[shape].rows += laneCountOfTile
    if kind.curve != shape { tracks.relabel(tile, .curve(shape)) }
  }

  /// Takes the track of a row out of its curves.
  ///
  /// - Parameter isLast: Whether it is the only track of its tile.
  mutating func leave(_ row: Int, _ kind: MotionKind, isLast: Bool) {
    columns.clear(row, shape(kind))
    tiles.clear(row)
    leave(row..<row + 1, kind, isWhole: isLast)
  }

  /// Takes the tracks of a full tile out of their curves.
  mutating func leave(tile: Int, _ kind: MotionKind) {
    leave(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile, kind, isWhole: true)
  }

  @inline(__always)
  private mutating func leave(_ rows: Range<Int>, _ kind: MotionKind, isWhole: Bool) {
    for layer in programs.indices { for row in rows { programs[layer][row] = nil } }
    noteOneByOne(rows.lowerBound)
    // Other motions may take the tile, so none of its rows may be due.
    if isWhole { tiles.begin(rows.lowerBound / laneCountOfTile) }
    if let curve = kind.curve { library.nodes[curve].rows -= rows.count }
  }

  /// Notes that the layers of a row, or their columns, may differ from those of its neighbours.
  mutating func noteOneByOne(_ row: Int) {
    ends[row / laneCountOfTile].clear()
    gone[row / laneCountOfTile] = 0
  }

  // MARK: - Starts

  /// Ticks per second of a curve.
  static func rate(from start: Double, to end: Double) -> Double { ClipTick.count / (end - start) }

  /// Starts a row along one curve, from the value that its column shows.
  mutating func begin(_ row: Int, _ way: CurveWay, _ tracks: borrowing TrackStore, target: (Int) -> Float) {
    let columns = columns
    setLayer(0, row, way)
    columns.origin(0)[row] = way.start
    columns.rate(0)[row] = Self.rate(from: way.start, to: way.end)
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
    targets.withColumns(of: first..<first + laneCountOfTile) { targets, stride in
      for dimension in 0..<dimensions {
        setWay(tile * laneCountOfTile, laneCountOfTile, dimension, tracks) { targets[dimension * stride + $0] }
      }
    }
    setOut(tile: tile, way)
  }

  /// Sets the way of rows along their only curve in a dimension, from the values that their columns show.
  @inline(__always)
  private func setWay(
    _ row: Int, _ count: Int, _ dimension: Int, _ tracks: borrowing TrackStore, target: (_ lane: Int) -> Float
  ) {
    let (element, common) = (dimension * columns.stride(0) + row, tracks.element(row, dimension))
    let (value, goal) = (tracks.columns.value + common, tracks.columns.target + common)
    let (scale, offset, under) = (columns.scale(0) + element, columns.offset(0) + element, columns.under + element)
    for lane in 0..<count {
      let target = target(lane) + 0
      scale[lane] = Float(Double(target) - Double(value[lane]))
      (offset[lane], under[lane]) = (value[lane], value[lane])
      goal[lane] = target
    }
  }

  /// Gives a layer of a row a curve.
  mutating func setLayer(_ layer: Int, _ row: Int, _ way: CurveWay) {
    noteOneByOne(row)
    (columns.start(layer)[row], columns.end(layer)[row]) = (way.start, way.end)
    // Its other columns are written when the row is placed.
    columns.rate(layer)[row] = 0
    setProgram(layer, row, way.program)
  }

  /// Notes that the last layer of a row starts at a moment.
  mutating func setOut(_ row: Int, at start: Double) {
    setReported(row, SpringWatch.Reported())
    tiles.setLane(row, isMoving: true, showsOwn: false, isPosed: false)
    latestStart = max(latestStart, start)
  }

  /// Starts all rows of a tile along a curve without modifiers, in a layer: alone, or over layers that they have.
  mutating func setOut(tile: Int, _ way: CurveWay, layer: Int = 0) {
    let (columns, row, count) = (columns, tile * laneCountOfTile, laneCountOfTile)
    if layer == 0 { noteOneByOne(row) }
    let areAlike = ends[tile].count == layer
    if areAlike { ends[tile].append(way.end) }
    (columns.origin(layer) + row).update(repeating: way.start, count: count)
    (columns.rate(layer) + row).update(repeating: Self.rate(from: way.start, to: way.end), count: count)
    (columns.start(layer) + row).update(repeating: way.start, count: count)
    (columns.end(layer) + row).update(repeating: way.end, count: count)
    (columns.from + row).update(repeating: way.start, count: count)
    let until = columns.until + row
    until.update(repeating: areAlike ? self.until(tile) : way.end.nextDown, count: count)
    for earlier in 0..<(areAlike ? 0 : layer) {
      let end = columns.end(earlier) + row
      for lane in 0..<count { until[lane] = min(until[lane], end[lane]) }
    }
    if !programs.isEmpty {
      for lane in 0..<count { programs[layer][row + lane] = nil }
    }
    reported[tile] = SpringWatch.Lanes()
    tiles.moveAll(ofTile: tile)
    tiles.invalidate(tile: tile)
    latestStart = max(latestStart, way.start)
  }

  private mutating func setProgram(_ layer: Int, _ row: Int, _ program: CurveProgram?) {
    guard program != nil || !programs.isEmpty else { return }
    if programs.isEmpty {
      programs = Array(repeating: Array(repeating: nil, count: capacity), count: Self.layerLimit)
    }
    programs[layer][row] = program
  }

  /// Copies the motion of a row of other curves, which has the same shape.
  mutating func copy(
    _ row: Int, of old: Int, _ other: borrowing CurveMotions, _ shape: CurveShape, _ tracks: borrowing TrackStore
  ) {
    columns.copy(old..<old + 1, shape, of: other.columns, to: row)
    for layer in shape.curves.indices { setProgram(layer, row, other.program(layer, old)) }
    setReported(row, other.reported(ofRow: old))
    noteOneByOne(row)
    tiles.setLane(row, isMoving: !other.isOver(old), showsOwn: other.isOver(old), isPosed: false)
    tiles.invalidate(row)
    latestStart = max(latestStart, start(ofRow: row, tracks))
  }

  // MARK: - What a row does

  /// When the last curve of a row begins, and when it ends.
  func start(ofRow row: Int, _ tracks: borrowing TrackStore) -> Double {
    columns.start(lastLayer(ofRow: row, tracks))[row]
  }
  func end(ofRow row: Int, _ tracks: borrowing TrackStore) -> Double {
    columns.end(lastLayer(ofRow: row, tracks))[row]
  }

  private func lastLayer(ofRow row: Int, _ tracks: borrowing TrackStore) -> Int {
    shape(ofRow: row, tracks).curves.count - 1
  }

  /// Whether a row follows a single curve that begins at a moment. Another motion that begins at that moment replaces
  /// the curve.
  func begins(_ row: Int, at moment: Double, _ tracks: borrowing TrackStore) -> Bool {
    shape(tracks.tiles.kind(ofRow: row)).isPlain && columns.start(0)[row] == moment
  }

  /// Whether a row was at its target in the last frame.
  func isOver(_ row: Int) -> Bool { tiles.own[row / laneCountOfTile] & TileStore.bit(row) != 0 }

  /// What was reported of a row.
  func reported(ofRow row: Int) -> SpringWatch.Reported { reported[row / laneCountOfTile][row] }

  /// Sets what was reported of a row.
  mutating func setReported(_ row: Int, _ now: SpringWatch.Reported) { reported[row / laneCountOfTile][row] = now }

  /// Where the track of a row stood, or the target of the spring under its curves.
  func under(_ row: Int, _ dimension: Int) -> Float { columns.under[dimension * columns.stride(0) + row] }

  /// The goal of a layer.
  func goal(_ layer: Int, _ row: Int, _ shape: CurveShape, _ dimension: Int, _ tracks: borrowing TrackStore) -> Float {
    shape.isPlain
      ? tracks.columns.target[tracks.element(row, dimension)]
      : columns.offset(layer)[dimension * columns.stride(layer) + row]
  }

  /// When a layer of a row begins, and its progress from then on.
  func layer(_ layer: Int, _ row: Int, _ shape: CurveShape) -> (start: Double, progress: Progress) {
    let (start, end) = (columns.start(layer)[row], columns.end(layer)[row])
    let progress =
      program(layer, row)?.progress ?? Progress(library.form(at: shape.curves[layer]), duration: end - start)
    return (start, progress)
  }

  /// Whether no track follows a modified animation, nor did since the curves were removed.
  var modifiesNone: Bool { programs.isEmpty }

  /// The modified animation of a layer; nil if the layer is a plain curve.
  func program(_ layer: Int, _ row: Int) -> CurveProgram? { programs.isEmpty ? nil : programs[layer][row] }

  /// The lanes of a tile that stand at their targets, or follow a single curve that starts at a moment.
  func standing(_ tile: Int, at moment: Double, _ tracks: borrowing TrackStore) -> UInt16 {
    var lanes = tiles.own[tile]
    guard shape(tracks.tiles.kinds[tile]).isPlain else { return lanes }
    for lane in 0..<laneCountOfTile where begins(tile * laneCountOfTile + lane, at: moment, tracks) {
      lanes |= 1 << UInt16(lane)
    }
    return lanes
  }

  // MARK: - Everything

  /// Moves the columns of tracks to their new rows in a compacted store.
  mutating func compact(_ moves: [TrackStore.Move], _ tracks: borrowing TrackStore) {
    guard isMapped else { return }
    var new = CurveMotions(dimensions: dimensions, tolerance: library.tolerance, table: table)
    (new.library, new.latestStart) = (library, latestStart)
    new.attach(to: tracks, isDeep: deepMemory != nil)
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isCurve {
      new.columns.clear(tile: tile, shape(tracks.tiles.kinds[tile]))
    }
    for move in moves where tracks.tiles.kind(ofRow: move.newRow).isCurve {
      new.copy(move.newRow, of: move.row, self, shape(tracks.tiles.kind(ofRow: move.newRow)), tracks)
    }
    new.tiles.planIsStale = true
    self = new
  }

  /// Forgets every track.
  mutating func removeAll() {
    for shape in library.nodes.indices { library.nodes[shape].rows = 0 }
    tiles.removeAll()
    programs.removeAll()
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension CurveMotions: @unchecked Sendable {}
