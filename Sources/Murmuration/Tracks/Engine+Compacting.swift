// SPDX-License-Identifier: MIT
import Kernels

extension Engine {
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
    let moves = tracks.moves { kind in
      let row = rows[kind, default: 0]
      rows[kind] = row + 1
      return row
    }
    guard let newCurves = curves.compacted(moves, tracks, rows: end) else { throw .capacityExceeded(end) }
    tracks.compact(moves, toRows: end)
    curves = newCurves
    springs.compact(moves, tracks)
    clips.compact(moves, tracks)
    for move in moves where tracks.tiles.kind(ofRow: move.newRow) != .curves { putTargetUnder(move.newRow) }
    if springs.isMapped { follows.compact(moves, tracks, springs.columns) }
    record { _ in BatchCall(.compact) }
  }
}
