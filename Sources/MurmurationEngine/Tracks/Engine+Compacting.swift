// SPDX-License-Identifier: MIT
import Kernels

extension Engine {
  /// Gives back the memory behind the last track.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  package mutating func compact() throws(BatchError) {
    let last = (0..<tracks.rows.count).last { tracks.rows.isLive($0) }
    let rows = (last ?? 0) / laneCountOfTile * laneCountOfTile + laneCountOfTile
    if rows < tracks.capacity {
      guard ColumnMemory.hasRoom(TrackStore.shape(dimensions: dimensions), rows: rows) else {
        throw .capacityExceeded(rows)
      }
      try checkRoom(rows, for: mappedColumns)
      tracks.shrink(toRows: rows)
      attach(mappedColumns)
    }
    record { _ in BatchCall(.compact) }
  }
}
