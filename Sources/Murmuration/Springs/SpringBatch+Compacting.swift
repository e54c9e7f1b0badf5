// SPDX-License-Identifier: MIT
import Kernels

// Closing up holes. A cohort takes nobody in later, so tracks that leave it leave holes that are evaluated in vain.
extension SpringBatch {
  /// Orders the rows by kind, within each by index, without holes, and gives back the memory that is not needed.
  ///
  /// Rows change, indices and handles do not. Worth a call after a scattered change of many tracks: runs of neighbouring
  /// tiles are what kernels are fastest at.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(tracks · dimensions); allocates.
  public mutating func compact() throws(BatchError) {
    refreshVelocities()
    var rows = [Int](repeating: 0, count: Int(TileKind.firstCohort) + cohorts.indices.count)
    for slot in 0..<slots.count where slots.isLive(slot) {
      rows[Int(tiles.kind(ofRow: slots.row(of: slot)))] += 1
    }
    // The first row of each kind, and where the next of its tracks goes.
    var end = 0
    for kind in rows.indices {
      (rows[kind], end) = (end, end + (rows[kind] + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile)
    }
    guard ColumnMemory.hasRoom(storage.memory.shape, rows: end) else {
      throw .capacityExceeded(end)
    }
    let compacted = SpringStorage(dimensions: dimensions, rows: end)
    var newTiles = TileTable()
    newTiles.grow(to: compacted.capacity / laneCountOfTile)
    rowEnd = 0
    for slot in 0..<slots.count where slots.isLive(slot) {
      let row = slots.row(of: slot)
      let kind = tiles.kind(ofRow: row)
      let newRow = rows[Int(kind)]
      rows[Int(kind)] += 1
      compacted.copyRows(row..<row + 1, of: storage, to: newRow)
      newTiles.place(newRow, kind: kind, like: row, of: tiles)
      slots.move(UInt32(slot), to: newRow)
      rowEnd = max(rowEnd, newRow + 1)
    }
    newTiles.openPartial()
    storage = compacted
    tiles = newTiles
    planIsStale = true
  }

  /// Moves the tracks of cohorts that fill less than half of their tiles into fewer, so that memory and the cost of a
  /// frame stay within twice that of the tracks that live. Each move is paid for by a track that left before.
  mutating func packSparseCohorts() {
    for place in cohorts.indices where cohorts[place].isSparse {
      // One is enough to begin with, as each tile that is left can be filled with those that follow.
      guard tiles.freeCount > 0 else {
        continue
      }
      var step = cohorts[place].firstStep
      let packed = cohorts.openCopy(of: place, isShared: cohorts[place].trackCount < laneCountOfTile)
      while step >= 0 {
        for tile in plan.steps[Int(step)].tiles {
          move(tile, toCohort: packed)
          tiles.release(tile)
        }
        step = plan.steps[Int(step)].next
      }
    }
  }

  private mutating func move(_ tile: Int, toCohort place: Int) {
    var lanes = tiles.live[tile]
    while lanes != 0 {
      let row = tile * laneCountOfTile + lanes.trailingZeroBitCount
      lanes &= lanes - 1
      let newRow = takeRow(inCohort: place)
      moveLane(from: row, to: newRow)
      leave(row)
    }
  }

  private mutating func moveLane(from row: Int, to newRow: Int) {
    carry(from: row, to: newRow)
    let columns = storage.columns
    for dimension in 0..<dimensions {
      let offset = dimension * columns.dimensionStride
      unsafe columns.displacement[offset + newRow] = columns.displacement[offset + row]
      unsafe columns.amplitude[offset + newRow] = columns.amplitude[offset + row]
      unsafe columns.target[offset + newRow] = columns.target[offset + row]
    }
  }
}
