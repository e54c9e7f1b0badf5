// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Adds an instance of a clip.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - playback: How it plays; nil if it waits for a ``trigger(_:_:clip:from:)``. Once, from now on, unless given.
  /// - Returns: The handle by which it is found again.
  /// - Throws: ``BatchError`` if the clip is not loaded, the playback not accepted, or there is no room.
  /// - Complexity: O(dimensions), amortised.
  @discardableResult
  public mutating func add(_ clip: ClipID, _ playback: Playback? = Playback()) throws(BatchError) -> TrackHandle {
    let place = try self.place(of: clip)
    if let playback { try check(playback, index: 0) }
    try slots.checkRoom(for: 1, beyond: count)
    try reserveTiles(1, for: 1)
    return add(place, playback)
  }

  /// Adds instances of one clip that have a playback each.
  ///
  /// - Returns: The handles, in the order of the span.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(instances · dimensions), amortised.
  @discardableResult
  public mutating func add(_ clip: ClipID, _ playbacks: Span<Playback>) throws(BatchError) -> [TrackHandle] {
    var handles = [TrackHandle](repeating: .noTrack, count: playbacks.count)
    var span = handles.mutableSpan
    try emit(clip, playbacks, handles: &span)
    return handles
  }

  /// Adds instances that have a clip and a playback each.
  ///
  /// - Returns: The handles, in the order of the spans.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(instances · dimensions), amortised.
  @discardableResult
  public mutating func add(_ clips: Span<ClipID>, _ playbacks: Span<Playback>) throws(BatchError) -> [TrackHandle] {
    var handles = [TrackHandle](repeating: .noTrack, count: playbacks.count)
    var span = handles.mutableSpan
    try emit(clips, playbacks, handles: &span)
    return handles
  }

  /// Adds instances of one clip as ``add(_:_:)-(ClipID,Span<Playback>)`` does, and writes their handles into memory of the
  /// caller.
  ///
  /// - Parameters:
  ///   - clip: The clip of all.
  ///   - playbacks: One for each instance.
  ///   - handles: Gets the handles, in the order of the span; exactly as many.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(instances · dimensions); no allocation while there is room.
  public mutating func emit(
    _ clip: ClipID, _ playbacks: Span<Playback>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    let place = try self.place(of: clip)
    try check(playbacks)
    try checkCount(playbacks.count, handles.count, of: "handles")
    try slots.checkRoom(for: playbacks.count, beyond: count)
    try claimTiles(for: place, count: playbacks.count)
    for index in playbacks.indices {
      handles[index] = add(place, playbacks[index])
    }
  }

  /// Adds instances that have a clip each; otherwise as ``emit(_:_:handles:)-(ClipID,_,_)``.
  public mutating func emit(
    _ clips: Span<ClipID>, _ playbacks: Span<Playback>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    for index in clips.indices {
      _ = try place(of: clips[index])
    }
    try check(playbacks)
    try checkCount(playbacks.count, clips.count, of: "clips")
    try checkCount(playbacks.count, handles.count, of: "handles")
    try slots.checkRoom(for: playbacks.count, beyond: count)
    try claimTiles(for: clips)
    for index in playbacks.indices {
      handles[index] = add(Int(clips[index].place), playbacks[index])
    }
  }

  private func check(_ playbacks: Span<Playback>) throws(BatchError) {
    for index in playbacks.indices {
      try check(playbacks[index], index: index)
    }
  }

  /// Adds an instance of the clip at a place; there must be room.
  private mutating func add(_ place: Int, _ playback: Playback?) -> TrackHandle {
    let row = takeRow(place)
    let slot = slots.take(row: row)
    count += 1
    library.countInstance(place, 1)
    unsafe storage.track[row] = UInt32(slot)
    let columns = storage.columns
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let first = library.entries[place].firstValues[dimension]
      unsafe columns.value[element] = first
      unsafe columns.velocity[element] = 0
      unsafe storage.own[element] = first
      if let scale = unsafe columns.scale, let offset = unsafe columns.offset {
        unsafe (scale[element], offset[element]) = (1, 0)
      }
    }
    var state = LaneState(home: place, changed: time)
    if let playback { state.begin(playback, at: time, library.timings[place]) }
    setState(state, ofRow: row)
    return slots.handle(ofSlot: slot)
  }
}

// MARK: - Room

extension KeyframeBatch {
  /// Makes room for `additional` instances of the clips that are loaded, beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    try slots.checkRoom(for: additional, beyond: count)
    // Each clip may have to begin a tile, if it has rows enough or gets them.
    let clips = min(library.count, additional / max(1, rowsBeforeOwnTiles) + library.countOfClips(rowsBeforeOwnTiles))
    try reserveTiles(additional / laneCountOfTile + 1 + min(clips, additional), for: additional)
  }

  /// Makes sure that so many tiles can be taken for so many instances.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the instances.
  mutating func reserveTiles(_ additional: Int, for instances: Int) throws(BatchError) {
    do {
      try reserveTiles(additional)
    } catch {
      throw .capacityExceeded(instances)
    }
  }

  /// Makes sure that so many tiles can be taken.
  mutating func reserveTiles(_ additional: Int) throws(BatchError) {
    guard tiles.freeCount < additional else { return }
    let needed = (tiles.capacity - tiles.freeCount + additional) * laneCountOfTile
    let larger = PlaybackStorage(
      dimensions: dimensions, rows: try storage.grownRows(needed: needed), varies: storage.varies)
    copyRows(to: larger)
    storage = larger
    tiles.grow(to: storage.capacity / laneCountOfTile)
  }

  /// Copies every row to the same place in other memory.
  func copyRows(to other: borrowing PlaybackStorage) {
    other.copyRows(0, of: storage, to: 0, count: tiles.end * laneCountOfTile)
    for tile in 0..<tiles.end where tiles.clips[tile] == PlaybackTiles.mixed {
      other.pieces.copy(tile: tile, of: storage.pieces)
    }
  }
}
