// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch {
  /// Orders the rows by curve, within each by index, without holes, and gives back the memory that is not needed. Tracks that
  /// rest stand by the curve that they followed last; those that no kernel evaluates come first.
  ///
  /// Rows change, indices and handles do not. Worth a call after many tracks left, or began to follow other curves than
  /// their neighbours: runs of tiles of one curve are what kernels are fastest at.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(tracks · dimensions); allocates.
  public mutating func compact() throws(BatchError) {
    refreshVelocities()
    // The first row of each kind, and where the next of its tracks goes.
    var rows = tiles.counts
    var end = 0
    for kind in rows.indices {
      (rows[kind], end) = (end, end + (rows[kind] + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile)
    }
    guard ColumnMemory.hasRoom(storage.memory.shape, rows: end) else { throw .capacityExceeded(end) }
    let compacted = CurveStorage(dimensions: dimensions, rows: end)
    var newTiles = CurveTiles()
    newTiles.grow(to: compacted.capacity / laneCountOfTile)
    newTiles.addKind(rows.count - 1)
    rowEnd = 0
    for slot in 0..<slots.count where slots.isLive(slot) {
      let row = slots.row(of: slot)
      let kind = tiles.kind(ofRow: row)
      let newRow = rows[Int(kind)]
      rows[Int(kind)] += 1
      compacted.copyRow(row, of: storage, to: newRow)
      newTiles.place(newRow, kind: kind, isMoving: tiles.isMoving(row))
      slots.move(UInt32(slot), to: newRow)
      rowEnd = max(rowEnd, newRow + 1)
    }
    newTiles.openPartial()
    storage = compacted
    tiles = newTiles
    tables.forgetUnused(tiles)
  }
}
