// SPDX-License-Identifier: MIT
import Kernels

extension Engine {
  /// Orders the rows by index, without holes, and frees memory that is not needed.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  package mutating func compact() throws(BatchError) {
    let end = (tracks.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    guard ColumnMemory.hasRoom(TrackStore.shape(dimensions: dimensions), rows: end) else {
      throw .capacityExceeded(end)
    }
    try checkRoom(end, for: mappedColumns)
    computeAllVelocities()
    let moves = tracks.movesInOrder()
    try clips.prepareToCompact(moves, tracks)
    guard let newCurves = curves.compacted(moves, tracks, rows: end) else { throw .capacityExceeded(end) }
    tracks.compact(moves, toRows: end)
    curves = newCurves
    springs.compact(moves, tracks)
    clips.compact(moves, &tracks)
    for move in moves where tracks.tiles.kind(ofRow: move.newRow) != .curves { putTargetUnder(move.newRow) }
    if springs.isMapped { follows.compact(moves, tracks, springs.columns) }
    record { _ in BatchCall(.compact) }
  }
}
