// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// Motions whose rows have columns that hold for an interval of the clock. When the clock has left the interval,
/// forwards or back, the row is *placed*: it gets the columns for the new time.
protocol PlacedMotions: ~Copyable {
  var dimensions: Int { get }
  var table: KernelTable { get }
  var tiles: PlacedTiles { get set }
  /// The interval of each row, ends included.
  var intervals: IntervalColumns { get }

  /// Prefetches memory that placing reads.
  func askForTile(_ tile: Int)
  func askForRow(_ row: Int)

  /// Places due rows of some listed tiles together, where there is a quicker way than one by one, and takes them off
  /// ``PlacedTiles/dueLanes``.
  mutating func placeTogether(
    _ range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore, _ events: borrowing EventList)

  /// Gives a row the columns for a time, and reports the iterations and completions of its track.
  mutating func place(_ row: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList)
}

// A frame looks at few lanes: each tile knows the interval for which all of its lanes hold.
extension PlacedMotions where Self: ~Copyable {
  /// Places the rows that are due at a time, and reports the iterations and completions of their tracks.
  mutating func placeDue(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    let (kernels, rows) = (table.intervals, intervals)
    let count = tiles.findDue(before: tracks.tiles.end, at: time, kernels)
    var first = 0
    while first < count {
      let last = min(first + PlacedTiles.tilesAtOnce, count)
      let next = min(last + PlacedTiles.tilesAtOnce, count)
      for index in last..<next { ask(forTile: tiles.dueTile(index), rows, tracks) }
      tiles.findDueLanes(of: first..<last, rows, at: time, kernels)
      for index in first..<last {
        let tile = tiles.dueTile(index)
        tiles.dueLanes[index - first].forEachLane { askForRow(tile * laneCountOfTile + $0) }
      }
      placeTogether(first..<last, at: time, tracks, events)
      for index in first..<last {
        let tile = tiles.dueTile(index)
        tiles.dueLanes[index - first].forEachLane { place(tile * laneCountOfTile + $0, at: time, tracks, &events) }
      }
      settle(first..<last, rows, tracks)
      first = last
    }
    tiles.settleBlocks(kernels)
    tiles.hasChanges = false
  }

  private func ask(forTile tile: Int, _ rows: IntervalColumns, _ tracks: borrowing TrackStore) {
    let row = tile * laneCountOfTile
    for line in 0..<2 {
      rows.from.prefetch(row + 8 * line)
      rows.until.prefetch(row + 8 * line)
    }
    tracks.columns.change.prefetch(row)
    askForTile(tile)
  }

  /// Updates the tiles that were due, from their lanes.
  private mutating func settle(_ range: Range<Int>, _ rows: IntervalColumns, _ tracks: borrowing TrackStore) {
    tiles.settleDue(range, rows, table.intervals)
    for index in range {
      let tile = tiles.dueTile(index)
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
      for dimension in 0..<dimensions {
        let first = tracks.element(tile * laneCountOfTile, dimension)
        unsafe lanes_write((tracks.columns.velocity + first).address, .zero, UInt32(lanes))
      }
    }
    return isEvaluated
  }
}
