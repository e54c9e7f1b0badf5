// SPDX-License-Identifier: MIT

extension KeyframeBatch {
  /// Removes an instance: its handle goes stale, and its index is taken by the next one that comes.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(1).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) {
    release(handle.index, row: try slots.row(of: handle))
  }

  /// Removes instances. One that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  /// - Complexity: O(handles); no allocation once as many tiles had holes before.
  public mutating func remove(_ handles: Span<TrackHandle>) throws(BatchError) {
    try slots.check(handles)
    for index in handles.indices {
      if let row = slots.liveRow(of: handles[index]) {
        release(handles[index].index, row: row)
      }
    }
  }

  /// Removes every instance. Their indices are all free; clips and memory stay.
  ///
  /// - Complexity: O(rows).
  public mutating func removeAll() {
    for row in 0..<rowEnd where tiles.isLive(row) {
      storage.clear(row)
    }
    slots.freeAll()
    tiles.removeAll()
    library.removeInstances()
    count = 0
    rowEnd = 0
    planIsStale = true
    velocitiesAreStale = false
  }

  private mutating func release(_ slot: Int, row: Int) {
    unsafe library.countInstance(Int(storage.states[row].home), -1)
    slots.free(slot)
    leave(row)
    count -= 1
  }
}
