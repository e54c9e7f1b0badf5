// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Removes a track: its handle goes stale, its row reads 0 and is taken by the next track that comes.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(dimensions).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) {
    release(try row(of: handle))
  }

  /// Removes every track.
  ///
  /// - Complexity: O(rows · dimensions).
  public mutating func removeAll() {
    for row in (0..<rowCount).reversed() where unsafe storage.columns.group[row] != LaneGroup.free {
      release(row)
    }
  }

  private mutating func release(_ row: Int) {
    let columns = storage.columns
    cohorts.leave(unsafe columns.group[row])
    unsafe columns.group[row] = LaneGroup.free
    for dimension in 0..<dimensions {
      // With these three at 0 every kernel writes 0, whatever the lane's spring.
      let element = dimension * columns.dimensionStride + row
      unsafe columns.displacement[element] = 0
      unsafe columns.initialVelocity[element] = 0
      unsafe columns.target[element] = 0
      unsafe columns.value[element] = 0
      unsafe columns.velocity[element] = 0
    }
    count -= 1
    planIsStale = true
    // A row whose generations are used up is retired, so that no handle ever names two tracks.
    if generations[row] < .max {
      generations[row] += 1
      freeRows.append(UInt32(row))
    }
  }
}
