// SPDX-License-Identifier: MIT
import Kernels

/// The tiles of motions whose tracks are placed: which lanes move, and for how long their columns hold.
struct PlacedTiles: ~Copyable {
  /// The lanes that move with the clock.
  private(set) var moving = OwnedColumn<UInt16>()
  /// The lanes that show their track's target, as their motion is over or has no value.
  private(set) var own = OwnedColumn<UInt16>()
  /// The lanes that are paused within an iteration: their base alone says where they stand.
  private(set) var posed = OwnedColumn<UInt16>()
  /// The interval of the clock for which the columns of all lanes hold, ends included; empty if a lane must be placed.
  /// Blocks of sixteen neighbouring tiles have such an interval too: a frame looks at the blocks first.
  private(set) var intervals = IntervalList()
  private(set) var blocks = IntervalList()
  /// Whether frames evaluate a tile.
  private(set) var isEvaluated = OwnedColumn<Bool>()
  /// Whether the next frame must evaluate a tile although nothing in it moves.
  private var isFresh = OwnedColumn<Bool>()
  private var fresh: [Int32] = []
  /// Whether a call has changed something that no frame has shown yet.
  var hasChanges = false
  /// Whether some lane may show its track's target.
  var someShowOwn = false

  /// Tiles that are placed together: few enough that prefetched lines are still in the cache.
  static var tilesAtOnce: Int { 64 }

  /// Makes room for more tiles; there must be memory for their intervals.
  mutating func grow(to tiles: Int) {
    moving.grow(to: tiles, with: 0)
    own.grow(to: tiles, with: 0)
    posed.grow(to: tiles, with: 0)
    intervals.grow(to: tiles)
    blocks.grow(to: intervals.count / laneCountOfTile)
    isEvaluated.grow(to: tiles, with: false)
    isFresh.grow(to: tiles, with: false)
  }

  /// Resets a tile that has just been taken.
  mutating func begin(_ tile: Int) {
    (moving[tile], own[tile], posed[tile]) = (0, 0, 0)
    intervals.widen(tile)
    (isEvaluated[tile], isFresh[tile]) = (false, false)
  }

  mutating func code(_ coder: inout StateCoder) {
    moving.code(&coder)
    own.code(&coder)
    posed.code(&coder)
    intervals.code(&coder)
    blocks.code(&coder)
    isEvaluated.code(&coder)
    isFresh.code(&coder)
    coder.code(&fresh)
    coder.code(&hasChanges)
    coder.code(&someShowOwn)
  }

  /// Forgets all lanes of all tiles.
  mutating func removeAll() {
    for tile in moving.indices { begin(tile) }
  }

  /// Forgets a lane that a track left.
  mutating func clear(_ index: Int) {
    let (tile, bit) = (index / laneCountOfTile, TileStore.bit(index))
    // The next frame must show what began in the tile since the last one, although nothing moves in it any more.
    if moving[tile] == bit { invalidate(tile: tile) }
    moving[tile] &= ~bit
    own[tile] &= ~bit
    posed[tile] &= ~bit
  }

  /// Notes the state of a lane.
  mutating func setLane(_ index: Int, isMoving: Bool, showsOwn: Bool, isPosed: Bool) {
    let (tile, bit) = (index / laneCountOfTile, TileStore.bit(index))
    // Most due tracks only move to the next iteration of the same clip.
    if (moving[tile] & bit != 0) != isMoving { moving[tile] ^= bit }
    if (own[tile] & bit != 0) != showsOwn { own[tile] ^= bit }
    if showsOwn { someShowOwn = true }
    if (posed[tile] & bit != 0) != isPosed { posed[tile] ^= bit }
  }

  /// Makes the next frame place a lane.
  mutating func invalidate(_ index: Int) {
    invalidate(tile: index / laneCountOfTile)
    posed[index / laneCountOfTile] &= ~TileStore.bit(index)
  }

  /// Makes the next frame look at a tile.
  mutating func invalidate(tile: Int) {
    narrow(tile, from: .infinity, until: -.infinity)
    hasChanges = true
  }

  /// Makes the next frame show a lane, whose columns hold for an interval.
  mutating func hold(_ index: Int, _ ofTracks: IntervalColumns, _ tracks: borrowing TrackStore) {
    let tile = index / laneCountOfTile
    // A tile in which nothing moves is evaluated only if a frame has looked at it.
    guard moving[tile] != 0 else { return invalidate(index) }
    narrow(tile, from: ofTracks.from[index], until: ofTracks.until[index])
    hasChanges = true
    if !isEvaluated[tile] { tracks.frame.mark(tile) }
  }

  private mutating func narrow(_ tile: Int, from: Double, until: Double) {
    intervals.narrow(tile, from: from, until: until)
    blocks.narrow(tile / laneCountOfTile, from: from, until: until)
  }

  /// Notes that all lanes of a tile move.
  mutating func moveAll(ofTile tile: Int) { (moving[tile], own[tile], posed[tile]) = (.max, 0, 0) }

  /// Makes the next frame evaluate a tile although nothing in it moves.
  mutating func refresh(_ tile: Int, _ tracks: borrowing TrackStore) {
    if !isFresh[tile] {
      isFresh[tile] = true
      fresh.append(Int32(tile))
    }
    hasChanges = true
    if !isEvaluated[tile] { tracks.frame.mark(tile) }
  }

  /// Whether a tile has something to show in the next frame.
  func needsFrame(_ tile: Int) -> Bool { moving[tile] != 0 || isFresh[tile] }

  /// Notes that a frame has evaluated the tiles.
  mutating func forgetFresh(_ tracks: borrowing TrackStore) {
    guard !fresh.isEmpty else { return }
    for tile in fresh {
      isFresh[Int(tile)] = false
      tracks.frame.mark(Int(tile))
    }
    fresh.clear()
  }

  /// Notes whether frames evaluate a tile from now on.
  ///
  /// - Returns: Whether they did, and do no longer.
  mutating func setEvaluated(_ tile: Int, _ now: Bool) -> Bool {
    let fellAsleep = isEvaluated[tile] && !now
    isEvaluated[tile] = now
    return fellAsleep
  }

  // MARK: - Due tiles

  /// Lists the tiles before an end that have a track to place at a time, and returns their number.
  mutating func findDue(before end: Int, at time: Double, _ kernels: IntervalKernels) -> Int {
    blocks.listOutside(before: (end + laneCountOfTile - 1) / laneCountOfTile, at: time, kernels)
    intervals.listOutside(within: blocks, at: time, kernels)
    return intervals.listedCount
  }

  /// A listed tile.
  func dueTile(_ position: Int) -> Int { intervals.listed(position) }

  /// The due lanes of some listed tiles; see ``findDueLanes(of:_:at:_:)``.
  var dueLanes: Column<UInt16> { intervals.lanes }

  /// Finds the due lanes of some listed tiles, and writes them to ``dueLanes``, from its first element on.
  func findDueLanes(of range: Range<Int>, _ ofTracks: IntervalColumns, at time: Double, _ kernels: IntervalKernels) {
    kernels.findLanes(ofTracks, intervals.listed(range), time, dueLanes)
  }

  /// Whether one of the first entries of ``dueLanes`` has several lanes.
  func someAreDueTogether(_ count: Int) -> Bool {
    for position in 0..<count where dueLanes[position].nonzeroBitCount > Self.lanesPlacedOneByOne { return true }
    return false
  }

  /// Up to this number, the lanes of a tile are placed more quickly one by one.
  private static let lanesPlacedOneByOne = 3

  /// Places due lanes of some listed tiles together, where a kernel can, and leaves the others in ``dueLanes``.
  mutating func placeDueLanes(of range: Range<Int>, _ legs: LegColumns, at time: Double, _ kernels: IntervalKernels) {
    let placedLanes = intervals.lanes + intervals.count
    kernels.placeLegs(legs, intervals.listed(range), time, LaneState.shortestLeg, dueLanes, placedLanes)
    for position in range {
      let (tile, lanes) = (dueTile(position), placedLanes[position - range.lowerBound])
      moving[tile] |= lanes
      own[tile] &= ~lanes
      posed[tile] &= ~lanes
    }
  }

  /// Gives some listed tiles the common interval of their tracks, once the tracks are placed.
  func settleDue(_ range: Range<Int>, _ ofTracks: IntervalColumns, _ kernels: IntervalKernels) {
    kernels.intersect(ofTracks, intervals.listed(range), intervals.columns)
  }

  /// Gives the blocks that a frame has looked at the common interval of their tiles, once these are settled.
  func settleBlocks(_ kernels: IntervalKernels) { kernels.intersect(intervals.columns, blocks.listed, blocks.columns) }
}

/// Intervals of the clock, ends included, and a list of the intervals that a time is outside of.
///
/// The memory is padded for kernels, with intervals that always hold. The list is kept, so that frames need not allocate.
struct IntervalList: ~Copyable {
  private static let shape = ColumnShape(wide: 2, narrow: 2)

  private var memory: ColumnMemory?
  /// The number of intervals, a multiple of ``laneCountOfTile``.
  private(set) var count = 0
  /// The intervals.
  private(set) var columns = IntervalColumns(from: .empty, until: .empty)
  private var indices: Column<Int32> = .empty
  private(set) var listedCount = 0
  /// Memory for two numbers of lanes for each listed interval: ``count`` numbers, and ``count`` others.
  private(set) var lanes: Column<UInt16> = .empty

  /// Bytes for a number of intervals; nil if they cannot be counted.
  static func bytes(_ count: Int) -> Int? { ColumnMemory.bytes(shape, count: count) }

  /// Makes room for more intervals; there must be memory.
  mutating func grow(to needed: Int) {
    let newCount = (needed + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    guard newCount > count else { return }
    let larger = ColumnMemory(Self.shape, count: newCount, isZeroed: false)
    let new = IntervalColumns(from: larger.wide(0), until: larger.wide(1))
    new.from.update(from: columns.from, count: count)
    new.until.update(from: columns.until, count: count)
    (new.from + count).update(repeating: -.infinity, count: newCount - count)
    (new.until + count).update(repeating: .infinity, count: newCount - count)
    indices = larger.narrow(0, as: Int32.self)
    lanes = larger.narrow(1, as: UInt32.self).rebound(to: UInt16.self)
    memory = consume larger
    (columns, count, listedCount) = (new, newCount, 0)
  }

  mutating func code(_ coder: inout StateCoder) {
    let count = coder.codedCount(count, width: 2 * MemoryLayout<Double>.stride)
    if count != self.count {
      memory = nil
      (columns, self.count) = (IntervalColumns(from: .empty, until: .empty), 0)
      grow(to: count)
    }
    coder.code(columns.from, count: count)
    coder.code(columns.until, count: count)
  }

  /// Makes an interval hold always.
  func widen(_ index: Int) { (columns.from[index], columns.until[index]) = (-.infinity, .infinity) }

  /// Narrows an interval to its intersection with another one, which may be empty.
  func narrow(_ index: Int, from start: Double, until end: Double) {
    columns.from[index] = max(columns.from[index], start)
    columns.until[index] = min(columns.until[index], end)
  }

  /// Lists the intervals before an end that a time is outside of.
  mutating func listOutside(before end: Int, at time: Double, _ kernels: IntervalKernels) {
    listedCount = end > 0 ? kernels.list(columns, end, time, indices) : 0
  }

  /// Lists the intervals that a time is outside of, among those of the listed blocks of sixteen.
  mutating func listOutside(within blocks: borrowing IntervalList, at time: Double, _ kernels: IntervalKernels) {
    listedCount = kernels.listIndices(columns, blocks.listed, time, indices)
  }

  /// An interval of the list.
  func listed(_ position: Int) -> Int { Int(indices[position]) }

  /// The list, and a part of it, as kernels take them.
  var listed: TileList { listed(0..<listedCount) }
  func listed(_ range: Range<Int>) -> TileList {
    TileList(tiles: (indices + range.lowerBound).constant, count: range.count)
  }
}
