// SPDX-License-Identifier: MIT
import Kernels

// Tracks come and go.
extension AnimationBatch {
  /// Adds a track that stands still.
  ///
  /// - Returns: The handle by which it is found again.
  /// - Throws: ``BatchError/invalidValue(of:index:value:)`` or ``BatchError/capacityExceeded(_:)``.
  /// - Complexity: O(1), amortised.
  @discardableResult
  public mutating func add(_ value: Value) throws(BatchError) -> TrackHandle {
    try unsafe withUnsafePointer(to: value) { value throws(BatchError) in
      try engine.add(unsafe InputValues(one: value))
    }
  }

  /// Adds tracks that stand still.
  ///
  /// - Returns: The handles, in the order of the values.
  /// - Throws: ``BatchError/invalidValue(of:index:value:)`` or ``BatchError/capacityExceeded(_:)``; nothing is added then.
  /// - Complexity: O(tracks), amortised.
  @discardableResult
  public mutating func add(_ values: [Value]) throws(BatchError) -> [TrackHandle] {
    var handles = [TrackHandle](repeating: .noTrack, count: values.count)
    var span = handles.mutableSpan
    try add(values.span, handles: &span)
    return handles
  }

  /// Adds tracks that stand still, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - values: Where they stand.
  ///   - handles: Gets the handles, in the order of the values; exactly as many.
  /// - Throws: ``BatchError/invalidValue(of:index:value:)``, ``BatchError/wrongCount(of:expected:got:)`` or
  ///   ``BatchError/capacityExceeded(_:)``; nothing is added or written then.
  /// - Complexity: O(tracks); no allocation while there is room.
  public mutating func add(_ values: Span<Value>, handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    try engine.add(unsafe InputValues(values), handles: &handles)
  }

  /// Makes room for `additional` tracks beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    try engine.reserve(additional)
  }

  /// Removes a track: its handle goes stale, and its index is taken by the next track that comes.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(1).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) { try engine.remove(handle) }

  /// Removes tracks. One that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  /// - Complexity: O(handles); no allocation.
  public mutating func remove(_ handles: [TrackHandle]) throws(BatchError) { try engine.remove(handles.span) }

  /// Removes the tracks whose motion is over: springs at rest, curves and clips at their ends, triggered runs of phases that are
  /// back at rest. Tracks that stand because they were never sent anywhere, or jumped, stay, and so do loops of phases.
  ///
  /// - Returns: How many were removed.
  /// - Complexity: O(tracks).
  @discardableResult
  public mutating func removeSettled() -> Int { engine.removeSettled() }

  /// Removes every track. Their indices are all free; memory stays reserved.
  ///
  /// - Complexity: O(tracks).
  public mutating func removeAll() { engine.removeAll() }

  /// Orders the rows by kind of motion, within each by index, without holes, and gives back the memory that is not needed.
  ///
  /// Indices and handles do not change. Worth a call after a scattered change of many tracks: runs of neighbouring tiles are
  /// what kernels are fastest at.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(tracks); allocates.
  public mutating func compact() throws(BatchError) { try engine.compact() }

  /// Whether the handle's track lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool { row(of: handle) != nil }

  /// The track of an index, or nil if there is none.
  public func handle(at index: Int) -> TrackHandle? {
    let slots = engine.tracks.slots
    return 0..<slots.count ~= index && slots.isLive(index) ? slots.handle(ofSlot: index) : nil
  }
}
