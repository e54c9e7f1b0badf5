// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tracks of a batch, their tiles, and the columns that every track has.
///
/// A track has an index for life, which its handle names, and stands in the *row* of that index in every column, whatever it
/// does. Motions have further columns with the same rows.
struct TrackStore: ~Copyable {
  /// The columns, one row for each track.
  struct Columns {
    /// The value of the track (dimension 0).
    let value: Column<Float>
    /// The velocity, per second, if a frame computed it (dimension 0).
    let velocity: Column<Float>
    /// The target, which the track shows if no motion says otherwise (dimension 0).
    let target: Column<Float>
    /// Floats from a value, a velocity or a target to that of the next dimension.
    let dimensionStride: Int
    /// The number of the last change of the track.
    let change: Column<UInt32>

    init(_ memory: borrowing ColumnMemory) {
      change = memory.narrow(0, as: UInt32.self)
      value = memory.narrow(1, every: 3)
      velocity = memory.narrow(2, every: 3)
      target = memory.narrow(3, every: 3)
      dimensionStride = 3 * memory.narrowStride
    }
  }

  /// Components of each value.
  let dimensions: Int
  var rows = RowTable()
  var tiles = TileStore()
  private(set) var columns: Columns
  private var memory: ColumnMemory
  /// The number of live tracks.
  private(set) var count = 0
  /// One past the last row that had a track.
  private(set) var rowEnd = 0
  /// The kernel of each tile in frames.
  var frame = FrameTiles()

  static func shape(dimensions: Int) -> RowShape { RowShape(narrow: 1 + 3 * dimensions, tileBytes: 40) }

  /// A store with room for `capacity` tracks; there must be memory for them.
  init(dimensions: Int, capacity: Int) {
    self.dimensions = dimensions
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: capacity)
    columns = Columns(memory)
    tiles.grow(to: memory.capacity / laneCountOfTile)
    frame.grow(to: tiles.capacity)
    rows.reserve(capacity)
  }

  /// The number of rows that there is memory for.
  var capacity: Int { memory.capacity }

  // MARK: - Rows

  /// Takes a row; returns whether its tile had no track.
  @inline(__always)
  mutating func take(_ row: Int) -> Bool {
    frame.mark(TileStore.tile(row))
    rowEnd = max(rowEnd, row + 1)
    return tiles.occupy(row)
  }

  /// Takes the tile of the next sixteen indices, to which tracks must be admitted then; see ``RowTable/nextAreTile``.
  mutating func takeTile() -> Int {
    let tile = rows.next / laneCountOfTile
    frame.mark(tile)
    tiles.occupy(tile: tile)
    rowEnd = max(rowEnd, (tile + 1) * laneCountOfTile)
    return tile
  }

  /// Frees lanes of a tile, whose tracks were taken out of their motions.
  mutating func vacate(_ tile: Int, lanes: UInt16) {
    frame.mark(tile)
    tiles.vacate(tile, lanes: lanes)
  }

  // MARK: - Tracks

  /// Gives a row that was taken to a new track.
  mutating func admit(_ row: Int) {
    let next = rows.take()
    assert(next == row)
    count += 1
  }

  /// Gives the rows of a tile, which were taken, to new tracks.
  mutating func admit(tile: Int) {
    rows.takeTile()
    count += laneCountOfTile
  }

  /// Takes over the rows of another store, whose tracks are to stand in them. There must be no tracks yet.
  mutating func adopt(_ rows: RowTable, liveCount: Int) {
    self.rows = rows
    count = liveCount
  }

  /// The row of a track, or nil if the handle names no live track.
  func row(of track: TrackHandle) -> Int? { track.store == rows.store ? rows.liveRow(of: track) : nil }

  /// The track of an index, or nil if there is none.
  func handle(at index: Int) -> TrackHandle? {
    0..<rows.count ~= index && rows.isLive(index) ? rows.handle(ofRow: index) : nil
  }

  /// Frees the index of a track that has left its motion.
  mutating func dismiss(_ row: Int) {
    rows.free(row)
    count -= 1
  }

  /// Frees the indices of a tile, whose tracks have left their motions.
  mutating func dismiss(tile: Int) {
    rows.free(tile: tile)
    count -= laneCountOfTile
  }

  /// Removes every track.
  mutating func removeAll() {
    frame.markAll()
    rows.freeAll()
    tiles.removeAll()
    count = 0
    rowEnd = 0
  }

  /// Puts a row at a value, at rest. A value of −0 becomes a plain 0, as a spring would show it.
  @inline(__always)
  func stand(_ row: Int, _ value: (Int) -> Float) {
    for dimension in 0..<dimensions {
      let element = element(row, dimension)
      let value = value(dimension) + 0
      columns.value[element] = value
      columns.velocity[element] = 0
      columns.target[element] = value
    }
  }

  /// Puts the rows of a tile at the values of consecutive tracks, at rest.
  func stand(tile: Int, _ values: InputValues, from first: Int) {
    values.withColumns(of: first..<first + laneCountOfTile) { numbers, stride in
      for dimension in 0..<dimensions {
        let element = element(tile * laneCountOfTile, dimension)
        let values = (numbers + dimension * stride).lanes(at: 0, as: SIMD16<Float>.self) + SIMD16<Float>.zero
        columns.value.store(values, at: element)
        columns.velocity.store(SIMD16<Float>.zero, at: element)
        columns.target.store(values, at: element)
      }
    }
  }

  /// The offset of a component of a row in the columns of values, velocities and targets.
  @inline(__always)
  func element(_ row: Int, _ dimension: Int) -> Int { dimension * columns.dimensionStride + row }

  /// Prefetches what a motion takes over from the track of a row.
  @inline(__always)
  func prefetchState(_ row: Int) {
    for dimension in 0..<dimensions {
      columns.value.prefetch(element(row, dimension))
      columns.velocity.prefetch(element(row, dimension))
    }
    columns.change.prefetch(row)
  }

  // MARK: - Room

  /// Whether there is a row for the next new track.
  @inline(__always)
  var hasRowForNext: Bool { rows.next < min(capacity, BatchLimits.maximumTracks) }

  /// The number of rows that `additional` tracks need; nil if there is memory for them now.
  func rowsNeeded(for additional: Int) -> Int? {
    // After memory was given back, there are indices without rows.
    if additional == 0 || additional <= rows.freeCount && rows.count <= capacity { return nil }
    let needed = rows.end(of: additional)
    return needed > capacity ? needed : nil
  }

  /// Grows to at least `rows` rows; there must be memory for them.
  mutating func grow(toRows rows: Int) {
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows)
    larger.copyRows(0..<tiles.end * laneCountOfTile, of: memory, to: 0)
    columns = Columns(larger)
    memory = consume larger
    tiles.grow(to: memory.capacity / laneCountOfTile)
    frame.grow(to: tiles.capacity)
  }
}

extension TrackStore {
  /// Notes that no row after one, or none at all, has a track.
  mutating func endRows(after last: Int?) { rowEnd = last.map { $0 + 1 } ?? 0 }

  /// Gives back the memory of all rows but the first, after which there are no tracks.
  mutating func shrink(toRows rows: Int) {
    let smaller = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows)
    smaller.copyRows(0..<smaller.capacity, of: memory, to: 0)
    columns = Columns(smaller)
    memory = consume smaller
    tiles.shrink(to: memory.capacity / laneCountOfTile)
  }
}

// The columns point into memory that the store owns, and a store cannot be copied.
extension TrackStore: @unchecked Sendable {}
