// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Orders the rows by clip, within each by index, without holes, and gives back the memory that is not needed.
  ///
  /// Rows change, indices and handles do not. Worth a call after a scattered change of many instances.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(instances · dimensions); allocates.
  public mutating func compact() throws(BatchError) {
    refreshVelocities()
    var rows = [Int](repeating: 0, count: library.entries.count)
    for slot in 0..<slots.count where slots.isLive(slot) {
      rows[tiles.clip(ofRow: slots.row(of: slot))] += 1
    }
    var end = 0
    for clip in rows.indices {
      end += (rows[clip] + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    }
    guard ColumnMemory.hasRoom(storage.memory.shape, rows: end) else {
      throw .capacityExceeded(end)
    }
    let compacted = PlaybackStorage(dimensions: dimensions, rows: end, varies: storage.varies)
    var newTiles = PlaybackTiles()
    newTiles.grow(to: compacted.capacity / laneCountOfTile)
    library.forgetOpenTiles()
    // The tiles of a clip follow each other.
    var nextRow = [Int](repeating: 0, count: rows.count)
    for clip in rows.indices where rows[clip] > 0 {
      let tileCount = (rows[clip] + laneCountOfTile - 1) / laneCountOfTile
      for tile in 0..<tileCount {
        let taken = newTiles.take(clip)
        if tile == 0 { nextRow[clip] = taken * laneCountOfTile }
        if tile == tileCount - 1 { library.open(taken, of: clip) }
        // Everything is placed and evaluated with the next advance.
        (newTiles.from[taken], newTiles.until[taken]) = (.infinity, -.infinity)
      }
    }
    rowEnd = 0
    for slot in 0..<slots.count where slots.isLive(slot) {
      let row = slots.row(of: slot)
      let clip = tiles.clip(ofRow: row)
      let newRow = nextRow[clip]
      nextRow[clip] += 1
      let state = state(ofRow: row)
      compacted.copyRows(row, of: storage, to: newRow)
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
}
