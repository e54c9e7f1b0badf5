// SPDX-License-Identifier: MIT
import Kernels

/// A curve that a track sets out along.
struct CurveWay {
  /// The index of the curve in the library.
  let curve: Int
  let start: Double
  /// The first moment from which on it has covered all of its way.
  let end: Double
  /// The modifiers of its clock; nil if the clock runs evenly from start to end.
  var program: CurveProgram?
}

/// The tracks that follow curves, whose effects may add up.
///
/// The spring under all effects, or the value at which the track stood, is evaluated first. Then each effect leads from there
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
  /// The effects, and the first and the last block of each tile; −1 for tiles without one.
  var effects: EffectBlocks
  var first = OwnedColumn<Int32>()
  var last = OwnedColumn<Int32>()
  /// The lanes of each tile with an effect that may end before one that began earlier.
  var endOutOfOrder = OwnedColumn<UInt16>()
  /// The lanes of each tile whose effects add to a spring. The columns of springs of all others show what stands under
  /// their effects.
  var onSprings = OwnedColumn<UInt16>()
  private var memory: ColumnMemory?
  private var capacity = 0
  private var attached: Columns?

  /// The shortest duration of a curve that a kernel can follow, in seconds: clocks count in parts of it.
  static let shortest = 1e-6

  /// No curves; memory comes with the first.
  init(dimensions: Int, tolerance: Double, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
    library = CurveLibrary(dimensions: dimensions, tolerance: tolerance)
    effects = EffectBlocks(dimensions: dimensions)
  }

  /// Takes over the state of other motions. The tracks have been taken over before.
  mutating func code(_ coder: inout StateCoder, _ tracks: borrowing TrackStore) {
    let isMapped = coder.coded(isMapped)
    if !isMapped || capacity != tracks.capacity {
      memory = nil
      (attached, capacity) = (nil, 0)
    }
    if isMapped {
      attach(to: tracks)
      memory!.code(&coder, tracks.tiles.end * laneCountOfTile, every: 3)
    }
    tiles.code(&coder)
    effects.code(&coder)
    reported.code(&coder)
    first.code(&coder)
    last.code(&coder)
    endOutOfOrder.code(&coder)
    onSprings.code(&coder)
    coder.code(&latestStart)
  }

  // MARK: - Memory

  /// The columns of tracks that follow curves.
  struct Columns {
    /// The interval of the clock for which the columns of a track hold. The columns of an index without a track always hold.
    let from: Column<Double>
    let until: Column<Double>
    /// When the last effect of a track begins, and when it ends.
    let start: Column<Double>
    let end: Column<Double>
    /// Dimension 0 of the value at which the track stood, or of the target of the spring under the effects. A track without
    /// effects, but with neighbours that have some, has its target here.
    let under: Column<Float>
    /// Floats from a dimension of `under` to the next: as in targets, in whose place kernels of springs take it.
    let stride: Int

    init(_ memory: borrowing ColumnMemory) {
      (from, until, start, end) = (memory.wide(0), memory.wide(1), memory.wide(2), memory.wide(3))
      (under, stride) = (memory.narrow(0, every: 3), 3 * memory.narrowStride)
    }
  }

  /// The columns between those of ``Columns/under`` are never touched.
  static func shape(dimensions: Int) -> ColumnShape { ColumnShape(wide: 4, narrow: 3 * dimensions - 2, tileBytes: 52) }

  /// Whether there is memory for tracks that follow curves.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all indices of a store; there must be memory. Memory that no track uses is never touched.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), count: tracks.capacity, isZeroed: false)
    if memory != nil {
      for tile in 0..<tracks.tiles.end where tracks.tiles.led[tile] != 0 {
        let first = tile * laneCountOfTile
        larger.copy(first..<first + laneCountOfTile, of: memory!, to: first)
      }
    }
    capacity = larger.capacity
    attached = Columns(larger)
    memory = consume larger
    let count = capacity / laneCountOfTile
    tiles.grow(to: count)
    reported.grow(to: count, with: SpringWatch.Lanes())
    first.grow(to: count, with: -1)
    last.grow(to: count, with: -1)
    endOutOfOrder.grow(to: count, with: 0)
    onSprings.grow(to: count, with: 0)
  }

  /// Makes sure that a number of effects can be added; false if there is no memory.
  mutating func makeRoom(forEffects count: Int) -> Bool {
    effects.makeRoom(for: count, tiles: capacity / laneCountOfTile)
  }

  /// The columns as kernels take them; there must be memory.
  func sums(_ tracks: borrowing TrackStore, _ springs: borrowing SpringMotions) -> SumColumns {
    let (common, under) = (tracks.columns, columns.under)
    return SumColumns(
      EffectChains(
        first: first.column.constant, blocks: effects.list.column.constant, memory: effects.memory,
        columns: LedColumns(
          under: under, standing: .empty, value: common.value, velocity: common.velocity,
          dimensionStride: common.dimensionStride)),
      onSprings: onSprings.column.constant, springs: springs.columns,
      evaluations: springs.watch.evaluations.column.constant)
  }

  // MARK: - Tracks

  /// Lets effects, which are to be added, lead the tracks of lanes of a tile. The targets of tracks with springs are under them.
  ///
  /// - Parameter onSprings: Whether the effects add to springs.
  mutating func lead(_ lanes: UInt16, of tile: Int, onSprings: Bool = false, _ tracks: inout TrackStore) {
    if tracks.tiles.led[tile] == 0 { open(tile, tracks) }
    tracks.tiles.lead(lanes, of: tile)
    if onSprings { self.onSprings[tile] |= lanes }
  }

  /// Notes that effects are about to lead tracks of a tile, of which they led none.
  private mutating func open(_ tile: Int, _ tracks: borrowing TrackStore) {
    tiles.begin(tile)
    tracks.frame.mark(tile)
    reported[tile] = SpringWatch.Lanes()
    begin(tile: tile, from: tracks.columns.target, tracks)
  }

  /// Puts the target of a track without effects under those of its neighbours; there must be some.
  @inline(never)
  func putTargetUnder(_ index: Int, _ tracks: borrowing TrackStore) {
    for dimension in 0..<dimensions {
      columns.under[dimension * columns.stride + index] = tracks.columns.target[tracks.element(index, dimension)]
    }
  }

  /// Takes a track out of its curves. It stands then, but for a spring that was under them.
  mutating func leave(_ index: Int, _ tracks: inout TrackStore) {
    let (tile, bit) = (index / laneCountOfTile, TileStore.bit(index))
    end(bit, tile, through: nil)
    (columns.from[index], columns.until[index], columns.end[index]) = (-.infinity, .infinity, -.infinity)
    tiles.clear(index)
    tracks.tiles.release(bit, of: tile)
    if tracks.tiles.led[tile] == 0 { close(tile, tracks) }
  }

  /// Takes all tracks of a tile out of their curves.
  mutating func leave(tile: Int, _ tracks: inout TrackStore) {
    end(.max, tile, through: nil)
    tracks.tiles.release(.max, of: tile)
    close(tile, tracks)
  }

  /// Notes that effects lead no track of a tile any more. None of its lanes may be due then.
  private mutating func close(_ tile: Int, _ tracks: borrowing TrackStore) {
    tiles.begin(tile)
    tracks.frame.mark(tile)
  }

  // MARK: - Starts

  /// Ticks per second of a curve.
  static func rate(from start: Double, to end: Double) -> Double { ClipTick.count / (end - start) }

  /// Starts a track along one curve, from the value that its column shows. There must be room for an effect.
  mutating func begin(_ index: Int, _ way: CurveWay, _ tracks: borrowing TrackStore, target: (Int) -> Float) {
    end(TileStore.bit(index), index / laneCountOfTile, through: nil)
    let columns = columns
    for dimension in 0..<dimensions {
      columns.under[dimension * columns.stride + index] = tracks.columns.value[tracks.element(index, dimension)]
    }
    (columns.from[index], columns.until[index], columns.end[index]) = (-.infinity, .infinity, -.infinity)
    add(way, to: index, tracks, target: target)
  }

  /// Starts all tracks of a full tile along one curve, from the values that their columns show, towards the targets of
  /// consecutive tracks. There must be room for a block.
  mutating func begin(
    tile: Int, _ way: CurveWay, _ tracks: borrowing TrackStore, _ targets: InputValues, at first: Int
  ) {
    end(.max, tile, through: nil)
    begin(tile: tile, from: tracks.columns.value, tracks)
    add(way, toTile: tile, tracks, targets, at: first)
  }

  /// Makes the numbers of a column the values, or the targets, that effects of a full tile are to be added to.
  func begin(tile: Int, from column: Column<Float>, _ tracks: borrowing TrackStore) {
    let (columns, index, count) = (columns, tile * laneCountOfTile, laneCountOfTile)
    (columns.under + index).copyTile(
      dimensions, from: column + index, every: tracks.columns.dimensionStride, to: columns.stride)
    (columns.from + index).update(repeating: -.infinity, count: count)
    (columns.until + index).update(repeating: .infinity, count: count)
    (columns.end + index).update(repeating: -.infinity, count: count)
  }

  /// Notes that the last effect of a track starts at a moment.
  mutating func setOut(_ index: Int, at start: Double) {
    setReported(index, SpringWatch.Reported())
    tiles.setLane(index, isMoving: true, showsOwn: false, isPosed: false)
    latestStart = max(latestStart, start)
  }

  /// Notes that the last effects of all lanes of a tile start along a curve.
  mutating func setOut(tile: Int, _ way: CurveWay) {
    let (index, count) = (tile * laneCountOfTile, laneCountOfTile)
    (columns.start + index).update(repeating: way.start, count: count)
    (columns.end + index).update(repeating: way.end, count: count)
    reported[tile] = SpringWatch.Lanes()
    tiles.moveAll(ofTile: tile)
    tiles.invalidate(tile: tile)
    latestStart = max(latestStart, way.start)
  }

  /// Copies the motion of a track of other curves. There must be room for its effects.
  mutating func copy(_ index: Int, of old: Int, _ other: borrowing CurveMotions) {
    let (columns, from) = (columns, other.columns)
    (columns.from[index], columns.until[index]) = (from.from[old], from.until[old])
    (columns.start[index], columns.end[index]) = (from.start[old], from.end[old])
    for dimension in 0..<dimensions { columns.under[dimension * columns.stride + index] = other.under(old, dimension) }
    if other.isOnSpring(old) { onSprings[index / laneCountOfTile] |= TileStore.bit(index) }
    other.forEachEffect(at: old) { effect, _ in append(effect, to: index) }
    setReported(index, other.reported(at: old))
    tiles.setLane(index, isMoving: !other.isOver(old), showsOwn: other.isOver(old), isPosed: false)
    tiles.invalidate(index)
    latestStart = max(latestStart, start(at: index))
  }

  // MARK: - What a track does

  /// When the last effect of a track begins, and when it ends.
  func start(at index: Int) -> Double { columns.start[index] }
  func end(at index: Int) -> Double { columns.end[index] }

  /// The effect that alone moves a track: a modified spring after its like has a spring that shows its motion.
  func onlyEffect(at index: Int) -> Effect? {
    guard effectCount(of: index) == 1 else { return nil }
    let effect = lastEffect(at: index)
    return !isOnSpring(index) || effect.program?.progress.form.elapsed != nil ? effect : nil
  }

  /// Whether a track follows one curve from where it stood.
  func isSingle(_ index: Int) -> Bool { !isOnSpring(index) && effectCount(of: index) == 1 }

  /// Whether a track follows a single curve, of any length, that begins at a moment. Another motion that begins at that
  /// moment replaces the curve.
  func begins(_ index: Int, at moment: Double) -> Bool {
    start(at: index) == moment && end(at: index) > moment && isSingle(index)
  }

  /// Whether a track was at its target in the last frame.
  func isOver(_ index: Int) -> Bool { tiles.own[index / laneCountOfTile] & TileStore.bit(index) != 0 }

  /// The completions of a track's motion that were reported.
  func reported(at index: Int) -> SpringWatch.Reported { reported[index / laneCountOfTile][index] }

  /// Notes which completions of a track's motion were reported.
  mutating func setReported(_ index: Int, _ now: SpringWatch.Reported) {
    reported[index / laneCountOfTile][index] = now
  }

  /// The number to which the effects of a track are added: the value at which it stood, or the target of its spring.
  func under(_ index: Int, _ dimension: Int) -> Float { columns.under[dimension * columns.stride + index] }

  /// The lanes of a tile that stand at their targets, or follow a single curve that starts at a moment.
  func standing(_ tile: Int, at moment: Double) -> UInt16 {
    let (first, starts) = (tile * laneCountOfTile, columns.start)
    // Few calls are made at the moment of another one, and this is asked for every tile: so it does without a branch a lane.
    var someBegin = false
    for index in first..<first + laneCountOfTile { someBegin = starts[index] == moment || someBegin }
    guard someBegin else { return tiles.own[tile] }
    return (0..<laneCountOfTile).reduce(tiles.own[tile]) { lanes, lane in
      begins(first + lane, at: moment) ? lanes | 1 << UInt16(lane) : lanes
    }
  }

  // MARK: - Everything

  /// Forgets every track.
  mutating func removeAll() {
    for curve in library.users.indices { library.users[curve] = 0 }
    tiles.removeAll()
    effects.removeAll()
    for tile in first.indices { (first[tile], last[tile], onSprings[tile], endOutOfOrder[tile]) = (-1, -1, 0, 0) }
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension CurveMotions: @unchecked Sendable {}
