// SPDX-License-Identifier: MIT
import Kernels

// Packing: tracks join a cohort only while it is founded, so each track that leaves one leaves a hole that is evaluated
// in vain.
extension Engine {
  /// Moves the tracks of cohorts that fill less than half of their tiles into fewer tiles. So memory and the cost of a
  /// frame stay within twice what the live tracks need. Tracks move only after others have left.
  mutating func packSparseCohorts() {
    for cohort in springs.cohorts.indices where springs.cohorts[cohort].isSparse {
      // One free tile is enough: each tile that is emptied takes the next tracks.
      guard tracks.tiles.freeCount > 0 else { continue }
      let packed = springs.openCopy(of: cohort)
      var run = springs.cohorts[cohort].firstRun
      while run >= 0 {
        for tile in plan.runs[Int(run)].tiles {
          tracks.tiles.live[tile].forEachLane { move(tile * laneCountOfTile + $0, toPackedCohort: packed) }
          tracks.release(tile)
        }
        run = plan.runs[Int(run)].next
      }
    }
  }

  private mutating func move(_ row: Int, toPackedCohort cohort: Int) {
    let newRow = springs.takeRow(inCohort: cohort, &tracks)
    let hasVelocity = velocities.current(row / laneCountOfTile) & TileStore.bit(row) != 0
    tracks.carry(UInt32(tracks.slot(ofRow: row)), from: row, to: newRow)
    velocities.set(newRow, isCurrent: hasVelocity)
    tracks.copyTarget(of: row, to: newRow)
    springs.copyStart(newRow, of: row, springs)
    leave(row)
  }

  /// Orders the rows by kind and then by index, without holes, and frees memory that is not needed.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  package mutating func compact() throws(BatchError) {
    replanIfStale()
    var counts: [MotionKind: Int] = [:]
    for tile in 0..<tracks.tiles.end where tracks.tiles.live[tile] != 0 {
      counts[tracks.tiles.kinds[tile], default: 0] += tracks.tiles.live[tile].nonzeroBitCount
    }
    // The row for the next track of each kind; first of all, the first row of the kind.
    var end = 0
    var rows: [MotionKind: Int] = [:]
    for (kind, count) in counts.sorted(by: { $0.key.order < $1.key.order }) {
      rows[kind] = end
      end += (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    }
    guard ColumnMemory.hasRoom(TrackStore.shape(dimensions: dimensions), rows: end) else {
      throw .capacityExceeded(end)
    }
    try checkRoom(end, for: mappedColumns)
    computeAllVelocities()
    let moves = tracks.compact(toRows: end) { kind in
      let row = rows[kind, default: 0]
      rows[kind] = row + 1
      return row
    }
    springs.compact(moves, tracks)
    clips.compact(moves, tracks)
    curves.compact(moves, tracks)
    if springs.isMapped { follows.compact(moves, tracks, springs.columns) }
    velocities.complete()
    record { _ in BatchCall(.compact) }
  }
}
