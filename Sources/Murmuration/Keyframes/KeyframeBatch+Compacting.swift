// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Orders the rows by clip, within each by index, without holes, and gives back the memory that is not needed. Clips with
  /// few instances share tiles then, the others have tiles of their own.
  ///
  /// Rows change, indices and handles do not. Worth a call after a scattered change of many instances.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(instances · dimensions); allocates.
  public mutating func compact() throws(BatchError) {
    refreshVelocities()
    let rows = library.entries.map(\.rows)
    let limit = rowsBeforeOwnTiles
    let isShared = rows.map { $0 < limit }
    // Rows of mixed tiles come first, then those of each clip with tiles of its own.
    var nextRow = [Int](repeating: 0, count: rows.count)
    var mixedRows = 0
    for clip in rows.indices where isShared[clip] {
      nextRow[clip] = mixedRows
      mixedRows += rows[clip]
    }
    let mixedTiles = Self.tiles(ofRows: mixedRows)
    var end = mixedTiles * laneCountOfTile
    for clip in rows.indices where !isShared[clip] {
      nextRow[clip] = end
      end += Self.tiles(ofRows: rows[clip]) * laneCountOfTile
    }
    guard PlaybackStorage.hasRoom(dimensions: dimensions, rows: end, varies: storage.varies) else {
      throw .capacityExceeded(end)
    }
    let compacted = PlaybackStorage(dimensions: dimensions, rows: end, varies: storage.varies)
    var newTiles = PlaybackTiles()
    newTiles.grow(to: compacted.capacity / laneCountOfTile)
    library.forgetOpenTiles()
    for tile in 0..<mixedTiles {
      compacted.pieces.clear(tile: newTiles.take(ClipRun.mixed))
      if tile == mixedTiles - 1 { library.open(tile, of: ClipRun.mixed) }
    }
    for clip in rows.indices where !isShared[clip] && rows[clip] > 0 {
      library.makeTables(clip)
      for _ in 1..<Self.tiles(ofRows: rows[clip]) { _ = newTiles.take(clip) }
      library.open(newTiles.take(clip), of: clip)
    }
    // Everything is placed and evaluated with the next advance.
    for tile in 0..<newTiles.end { (newTiles.from[tile], newTiles.until[tile]) = (.infinity, -.infinity) }
    rowEnd = 0
    for slot in 0..<slots.count where slots.isLive(slot) {
      let row = slots.row(of: slot)
      let clip = clip(ofRow: row)
      let newRow = nextRow[clip]
      nextRow[clip] += 1
      let state = state(ofRow: row)
      compacted.copyRows(row, of: storage, to: newRow)
      if isShared[clip] { compacted.pieces.set(newRow, to: library.records(clip)) }
      _ = newTiles.takeLane(ofTile: newRow / laneCountOfTile)
      unsafe compacted.states[newRow] = state
      unsafe (compacted.from[newRow], compacted.until[newRow]) = (.infinity, -.infinity)
      if tiles.own[row / laneCountOfTile] & PlaybackTiles.bit(row) != 0 {
        newTiles.own[newRow / laneCountOfTile] |= PlaybackTiles.bit(newRow)
      }
      slots.move(UInt32(slot), to: newRow)
      rowEnd = max(rowEnd, newRow + 1)
    }
    storage = compacted
    tiles = newTiles
    planIsStale = true
    hasChanges = true
  }
  private static func tiles(ofRows rows: Int) -> Int { (rows + laneCountOfTile - 1) / laneCountOfTile }
}
