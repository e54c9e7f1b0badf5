// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tracks of a batch, their tiles, and the columns that every track has.
///
/// A track has an index for life, which its handle names, and stands at that index in every column, whatever it does. Motions
/// have further columns.
struct TrackStore: ~Copyable {
  /// The columns, with an element for each track.
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
  var indices = IndexTable()
  var tiles = TileStore()
  private(set) var columns: Columns
  private var memory: ColumnMemory
  /// The number of live tracks.
  private(set) var count = 0
  /// One past the last index that had a track.
  private(set) var indexCount = 0
  /// The kernel of each tile in frames.
  var frame = FrameTiles()

  static func shape(dimensions: Int) -> ColumnShape { ColumnShape(narrow: 1 + 3 * dimensions, tileBytes: 44) }

  /// A store with room for `capacity` tracks; there must be memory for them.
  init(dimensions: Int, capacity: Int) {
    self.dimensions = dimensions
    memory = ColumnMemory(Self.shape(dimensions: dimensions), count: capacity)
    columns = Columns(memory)
    tiles.resize(to: memory.capacity / laneCountOfTile)
    frame.grow(to: tiles.capacity)
    indices.reserve(capacity)
  }

  /// The number of indices that there is memory for.
  var capacity: Int { memory.capacity }

  /// Takes over the indices and columns of another store with the same number of dimensions.
  mutating func code(_ coder: inout StateCoder) {
    let capacity = coder.coded(capacity)
    if capacity != self.capacity {
      memory = ColumnMemory(Self.shape(dimensions: dimensions), count: capacity)
      columns = Columns(memory)
    }
    indices.code(&coder)
    tiles.code(&coder)
    frame.code(&coder)
    memory.code(&coder, tiles.end * laneCountOfTile)
    coder.code(&count)
    coder.code(&indexCount)
  }

  // MARK: - Indices

  /// Takes an index; returns whether its tile had no track.
  @inline(__always)
  mutating func take(_ index: Int) -> Bool {
    frame.mark(TileStore.tile(index))
    indexCount = max(indexCount, index + 1)
    return tiles.occupy(index)
  }

  /// Takes the tile of the next sixteen indices, to which tracks must be admitted then; see ``IndexTable/nextAreTile``.
  mutating func takeTile() -> Int {
    let tile = indices.next / laneCountOfTile
    frame.mark(tile)
    tiles.occupy(tile: tile)
    indexCount = max(indexCount, (tile + 1) * laneCountOfTile)
    return tile
  }

  /// Frees lanes of a tile, whose tracks were taken out of their motions.
  mutating func vacate(_ tile: Int, lanes: UInt16) {
    frame.mark(tile)
    tiles.vacate(tile, lanes: lanes)
  }

  // MARK: - Tracks

  /// Gives an index that was taken to a new track.
  mutating func admit(_ index: Int) {
    let next = indices.take()
    assert(next == index)
    count += 1
  }

  /// Gives the indices of a tile, which were taken, to new tracks.
  mutating func admit(tile: Int) {
    indices.takeTile()
    count += laneCountOfTile
  }

  /// Takes over the indices of another store, whose tracks are to stand at them. There must be no tracks yet.
  mutating func adopt(_ indices: IndexTable, indexCount: Int, liveCount: Int) {
    self.indices = indices
    (self.indexCount, count) = (indexCount, liveCount)
  }

  /// The index of a track, or nil if the handle names no live track.
  func index(of track: TrackHandle) -> Int? { track.store == indices.store ? indices.liveIndex(of: track) : nil }

  /// The track of an index, or nil if there is none.
  func handle(at index: Int) -> TrackHandle? {
    0..<indices.count ~= index && indices.isLive(index) ? indices.handle(at: index) : nil
  }

  /// Frees the index of a track that has left its motion.
  mutating func dismiss(_ index: Int) {
    indices.free(index)
    count -= 1
  }

  /// Frees the indices of a tile, whose tracks have left their motions.
  mutating func dismiss(tile: Int) {
    indices.free(tile: tile)
    count -= laneCountOfTile
  }

  /// Removes every track.
  mutating func removeAll() {
    frame.markAll()
    indices.freeAll()
    tiles.removeAll()
    count = 0
    indexCount = 0
  }

  /// Puts a track at a value, at rest. A value of −0 becomes a plain 0, as a spring would show it.
  @inline(__always)
  func stand(_ index: Int, _ value: (Int) -> Float) {
    for dimension in 0..<dimensions {
      let element = element(index, dimension)
      let value = value(dimension) + 0
      columns.value[element] = value
      columns.velocity[element] = 0
      columns.target[element] = value
    }
  }

  /// Makes the columns of a track show a value and a velocity, by component.
  @inline(__always)
  func show(_ index: Int, _ state: (_ dimension: Int) -> (value: Float, velocity: Float)) {
    for dimension in 0..<dimensions {
      let element = element(index, dimension)
      (columns.value[element], columns.velocity[element]) = state(dimension)
    }
  }

  /// Puts the lanes of a tile at the values of consecutive tracks, at rest.
  func stand(tile: Int, _ values: InputValues, from first: Int) {
    values.withColumns(of: first..<first + laneCountOfTile) { stand(tile: tile, at: $0, every: $1) }
  }

  /// Puts the lanes of a tile at values, at rest. Those of each component are `stride` floats behind those of the one before.
  @inline(__always)
  func stand(tile: Int, at numbers: ConstantColumn<Float>, every stride: Int) {
    for dimension in 0..<dimensions {
      let element = element(tile * laneCountOfTile, dimension)
      let values = numbers.lanes(at: dimension * stride, as: SIMD16<Float>.self) + SIMD16<Float>.zero
      columns.value.store(values, at: element)
      columns.velocity.store(SIMD16<Float>.zero, at: element)
      columns.target.store(values, at: element)
    }
  }

  /// The offset of a component of a track in the columns of values, velocities and targets.
  @inline(__always)
  func element(_ index: Int, _ dimension: Int) -> Int { dimension * columns.dimensionStride + index }

  /// Prefetches what a motion takes over from a track.
  @inline(__always)
  func prefetchState(_ index: Int) {
    for dimension in 0..<dimensions {
      columns.value.prefetch(element(index, dimension))
      columns.velocity.prefetch(element(index, dimension))
    }
    columns.change.prefetch(index)
  }

  // MARK: - Room

  /// Whether there is room for the next new track.
  @inline(__always)
  var hasRoomForNext: Bool { indices.next < min(capacity, BatchLimits.maximumTracks) }

  /// The capacity that `additional` tracks need; nil if there is memory for them now.
  func capacityNeeded(for additional: Int) -> Int? {
    // After memory was given back, there are indices without memory.
    if additional == 0 || additional <= indices.freeCount && indices.count <= capacity { return nil }
    let needed = indices.end(of: additional)
    return needed > capacity ? needed : nil
  }

  /// Changes the capacity to at least a number of indices, for which there must be memory. There must be no tracks behind them.
  mutating func resize(to capacity: Int) {
    let other = ColumnMemory(Self.shape(dimensions: dimensions), count: capacity)
    other.copy(0..<min(tiles.end * laneCountOfTile, other.capacity), of: memory, to: 0)
    columns = Columns(other)
    memory = consume other
    tiles.resize(to: memory.capacity / laneCountOfTile)
    frame.grow(to: tiles.capacity)
  }

  /// Notes that no index after one, or none at all, has a track.
  mutating func endIndices(after last: Int?) { indexCount = last.map { $0 + 1 } ?? 0 }
}

// The columns point into memory that the store owns, and a store cannot be copied.
extension TrackStore: @unchecked Sendable {}
