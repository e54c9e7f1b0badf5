// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch {
  /// Adds a track at rest.
  ///
  /// - Returns: The handle by which it is found again.
  /// - Throws: ``BatchError`` if the value is not accepted, or has not the batch's dimensions.
  /// - Complexity: O(dimensions), amortised.
  @discardableResult
  public mutating func add<V: TrackValue>(value: V) throws(BatchError) -> TrackHandle {
    try checkDimensions(V.dimensions, of: "value")
    try check(value, of: "value")
    try reserve(1)
    let slot = addAtRest { value.component($0) }
    return slots.handle(ofSlot: slot)
  }

  /// Adds tracks at rest.
  ///
  /// - Parameter values: Where they are, component-major: all of dimension 0, then all of dimension 1, …
  /// - Returns: The handles, in the order of the span.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(tracks · dimensions), amortised.
  @discardableResult
  public mutating func add(values: Span<Float>) throws(BatchError) -> [TrackHandle] {
    var handles = [TrackHandle](repeating: .noTrack, count: values.count / dimensions)
    var span = handles.mutableSpan
    try emit(values: values, handles: &span)
    return handles
  }

  /// Adds tracks at rest, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - values: Where they are, component-major.
  ///   - handles: Gets the handles, in the order of the span; exactly as many as tracks.
  /// - Throws: ``BatchError``; nothing is added or written then.
  public mutating func emit(values: Span<Float>, handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    let count = values.count / dimensions
    try checkCount(count * dimensions, values.count, of: "values")
    try checkCount(count, handles.count, of: "handles")
    try BatchLimits.check(values, of: "value")
    try reserve(count)
    for index in 0..<count {
      let slot = addAtRest { values[$0 * count + index] }
      handles[index] = slots.handle(ofSlot: slot)
    }
  }

  /// Makes room for more tracks.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    try slots.checkRoom(for: additional, beyond: count)
    try reserveTiles((additional + laneCountOfTile - 1) / laneCountOfTile + 1)
  }

  /// Makes sure that so many tiles can be taken.
  mutating func reserveTiles(_ additional: Int) throws(BatchError) {
    guard tiles.freeCount < additional else {
      return
    }
    let needed = (tiles.capacity - tiles.freeCount + additional) * laneCountOfTile
    let larger = CurveStorage(dimensions: dimensions, rows: try storage.memory.grownRows(needed: needed))
    larger.copyRows(of: storage)
    storage = larger
    tiles.grow(to: storage.capacity / laneCountOfTile)
  }

  /// Adds a track at rest; there must be room.
  mutating func addAtRest(value: (Int) -> Float) -> Int {
    let row = tiles.takeLane(CurveTiles.own)
    let slot = slots.take(row: row)
    unsafe storage.track[row] = UInt32(slot)
    rowEnd = max(rowEnd, row + 1)
    count += 1
    if slot == tracks.count {
      tracks.append(CurveTrack())
      looks.append(.infinity)
      origins.append(contentsOf: repeatElement(0, count: dimensions))
      targets.append(contentsOf: repeatElement(0, count: dimensions))
      schedule.grow(to: tracks.count)
      due.grow(to: tracks.count)
    } else {
      tracks[slot] = CurveTrack()
    }
    for dimension in 0..<dimensions {
      targets[slot * dimensions + dimension] = value(dimension) + 0
    }
    latestStart = max(latestStart, time)
    showTarget(slot)
    return slot
  }

  /// Removes a track: its handle goes stale, and its index is taken by the next track that comes.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(1).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) {
    release(handle.index, row: try slots.row(of: handle))
  }

  /// Removes tracks. One that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  public mutating func remove(_ handles: Span<TrackHandle>) throws(BatchError) {
    for index in handles.indices {
      _ = try slots.row(of: handles[index])
    }
    for index in handles.indices {
      if let row = slots.liveRow(of: handles[index]) {
        release(handles[index].index, row: row)
      }
    }
  }

  /// Removes every track; memory stays reserved.
  public mutating func removeAll() {
    for slot in 0..<slots.count where slots.isLive(slot) {
      release(slot, row: slots.row(of: slot))
    }
    rowEnd = 0
  }

  private mutating func release(_ slot: Int, row: Int) {
    forget(slot)
    slots.free(slot)
    tiles.vacate(row)
    count -= 1
  }
}
