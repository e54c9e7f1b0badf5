// SPDX-License-Identifier: MIT

extension SpringBatch {
  /// Removes a track: its handle goes stale, and its index is taken by the next track that comes.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(1).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) {
    release(handle.index, row: try slots.row(of: handle))
  }

  /// Removes tracks. One that is named twice is removed once.
  ///
  /// Their rows are freed and not touched: rows of tracks that move alone and of small cohorts are filled by the next
  /// tracks of their kind; those of a large cohort are closed up once it fills less than half of its tiles.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  /// - Complexity: O(handles); no allocation.
  public mutating func remove(_ handles: Span<TrackHandle>) throws(BatchError) {
    for index in handles.indices {
      slots.prefetch(handles, after: index)
      let row = try slots.row(of: handles[index])
      tiles.prefetch(tileOf: row)
    }
    for index in handles.indices {
      slots.prefetch(handles, after: index)
      if let row = slots.liveRow(of: handles[index]) {
        release(handles[index].index, row: row)
      }
    }
  }

  /// Removes every track. Their indices are all free; memory stays reserved.
  ///
  /// - Complexity: O(tracks).
  public mutating func removeAll() {
    slots.freeAll()
    waiting.removeAll()
    tiles.removeAll()
    cohorts.removeAll()
    count = 0
    rowEnd = 0
    planIsStale = true
  }

  private mutating func release(_ slot: Int, row: Int) {
    slots.free(slot)
    waiting.cancel(slot)
    leave(row)
    count -= 1
  }
}
