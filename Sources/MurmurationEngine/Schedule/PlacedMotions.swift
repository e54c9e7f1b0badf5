// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// Motions whose tracks have columns that hold for an interval of the clock. When the clock has left the interval,
/// forwards or back, the track is *placed*: it gets the columns for the new time.
protocol PlacedMotions: ~Copyable {
  var dimensions: Int { get }
  var table: KernelTable { get }
  var tiles: PlacedTiles { get set }
  /// The interval of each track, ends included.
  var intervals: IntervalColumns { get }

  /// Prefetches memory that placing reads.
  func askForTile(_ tile: Int)
  func askForTrack(_ index: Int)

  /// Places due tracks of some listed tiles together, where there is a quicker way than one by one, and takes them off
  /// ``PlacedTiles/dueLanes``.
  mutating func placeTogether(
    _ range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore, _ events: borrowing EventList)

  /// Gives a track the columns for a time, and reports its iterations and completions.
  mutating func place(_ index: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList)
}

// A frame looks at few lanes: each tile knows the interval for which all of its lanes hold.
extension PlacedMotions where Self: ~Copyable {
  /// Places the tracks that are due at a time, and reports their iterations and completions.
  ///
  /// - Returns: The number of these tracks.
  @discardableResult
  mutating func placeDue(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) -> Int {
    let (kernels, ofTracks) = (table.intervals, intervals)
    let count = tiles.findDue(before: tracks.tiles.end, at: time, kernels)
    var (first, dueCount) = (0, 0)
    while first < count {
      let last = min(first + PlacedTiles.tilesAtOnce, count)
      let next = min(last + PlacedTiles.tilesAtOnce, count)
      for position in last..<next { ask(forTile: tiles.dueTile(position), ofTracks, tracks) }
      tiles.findDueLanes(of: first..<last, ofTracks, at: time, kernels)
      for position in first..<last {
        let tile = tiles.dueTile(position)
        dueCount += tiles.dueLanes[position - first].nonzeroBitCount
        tiles.dueLanes[position - first].forEachLane { askForTrack(tile * laneCountOfTile + $0) }
      }
      placeTogether(first..<last, at: time, tracks, events)
      for position in first..<last {
        let tile = tiles.dueTile(position)
        tiles.dueLanes[position - first].forEachLane { place(tile * laneCountOfTile + $0, at: time, tracks, &events) }
      }
      settle(first..<last, ofTracks, tracks)
      first = last
    }
    tiles.settleBlocks(kernels)
    tiles.hasChanges = false
    return dueCount
  }

  private func ask(forTile tile: Int, _ ofTracks: IntervalColumns, _ tracks: borrowing TrackStore) {
    let index = tile * laneCountOfTile
    for line in 0..<2 {
      ofTracks.from.prefetch(index + 8 * line)
      ofTracks.until.prefetch(index + 8 * line)
    }
    tracks.columns.change.prefetch(index)
    askForTile(tile)
  }

  /// Updates the tiles that were due, from their lanes.
  private mutating func settle(_ range: Range<Int>, _ ofTracks: IntervalColumns, _ tracks: borrowing TrackStore) {
    tiles.settleDue(range, ofTracks, table.intervals)
    for position in range {
      let tile = tiles.dueTile(position)
      if tiles.moving[tile] == 0 {
        // It is evaluated once more, to show where it stands.
        tiles.refresh(tile, tracks)
      } else if !tiles.isEvaluated[tile] {
        tracks.frame.mark(tile)
      }
    }
  }

  // MARK: - Tiles of frames

  /// Whether frames evaluate a tile from now on. The velocities of a tile that stands still are written here, as nothing else
  /// writes them.
  ///
  /// - Parameters:
  ///   - lanes: The lanes of the tile that have such motions; there must be some.
  ///   - isAwake: Whether other motions move in the tile.
  mutating func settle(
    _ tile: Int, _ lanes: UInt16, _ tracks: borrowing TrackStore, isAwake: Bool = false
  ) -> Bool {
    let isEvaluated = isAwake || tiles.needsFrame(tile)
    if tiles.setEvaluated(tile, isEvaluated) {
      (tracks.columns.velocity + tile * laneCountOfTile).writeTile(
        lanes, dimensions, from: nil, to: tracks.columns.dimensionStride)
    }
    return isEvaluated
  }
}
