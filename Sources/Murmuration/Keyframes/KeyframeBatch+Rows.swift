// SPDX-License-Identifier: MIT
import Kernels

// Rows, and the states of the instances in them.
extension KeyframeBatch {
  /// The clip that a row plays.
  func clip(ofRow row: Int) -> Int { unsafe Int(storage.clip[row]) }

  /// The timing of the clip that a row plays.
  func timing(ofRow row: Int) -> ClipTiming { library.timings[clip(ofRow: row)] }

  /// A free row for an instance that plays a clip; there must be room.
  mutating func takeRow(_ clip: Int) -> Int {
    let tile = tile(withRoomFor: clip)
    keepVelocities(ofTile: tile)
    let row = tiles.takeLane(ofTile: tile)
    if tiles.isMixed(row) { storage.pieces.set(row, to: library.records(clip)) }
    unsafe storage.clip[row] = Int32(clip)
    library.countRow(clip, 1)
    rowEnd = max(rowEnd, row + 1)
    // Until it is placed.
    unsafe (storage.columns.origin[row], storage.columns.base[row]) = (0, Double(library.timings[clip].beforeTick))
    return row
  }

  /// A tile with a free lane for an instance of a clip: one of the clip's own if there is one, a new one if the clip has
  /// rows enough for that, else a mixed one.
  private mutating func tile(withRoomFor clip: Int) -> Int {
    if let open = library.openTile(of: clip, tiles) { return open }
    let isMixed = library.entries[clip].rows < rowsBeforeOwnTiles
    if isMixed, let open = library.openMixedTile(tiles) { return open }
    let kind = isMixed ? ClipRun.mixed : clip
    let tile = takeTile(kind)
    library.open(tile, of: kind)
    return tile
  }

  /// A free tile, for a clip or mixed instances. The caller opens it.
  mutating func takeTile(_ clip: Int) -> Int {
    let tile = tiles.take(clip)
    if clip == ClipRun.mixed {
      storage.pieces.clear(tile: tile)
    } else {
      library.makeTables(clip)
    }
    return tile
  }

  /// Gives the row of an instance back, and the clip with it where it was made for that instance.
  mutating func leave(_ row: Int) {
    let clip = clip(ofRow: row)
    let tile = row / laneCountOfTile
    let isMixed = tiles.isMixed(row)
    storage.clear(row)
    if isMixed { storage.pieces.clear(row) }
    if tiles.vacate(row) {
      library.open(tile, of: isMixed ? ClipRun.mixed : clip)
    }
    if tiles.live[tile] == 0 {
      planIsStale = true
      // Whatever it plays next, the last frame had nothing of it.
      if velocitiesAreStale { tiles.touch(tile) }
    }
    library.countRow(clip, -1)
    if library.entries[clip].isPrivate, library.entries[clip].rows == 0 {
      library.remove(clip)
    }
  }

  /// Makes an instance one of another clip; there must be room.
  ///
  /// - Returns: The row in which it stands from now on.
  mutating func move(_ row: Int, toClip clip: Int) -> Int {
    guard self.clip(ofRow: row) != clip else { return row }
    keepVelocities(ofTile: row / laneCountOfTile)
    let newRow = takeRow(clip)
    copy(row, to: newRow)
    unsafe slots.move(storage.track[newRow], to: newRow)
    leave(row)
    return newRow
  }

  private func copy(_ row: Int, to newRow: Int) {
    let columns = storage.columns
    unsafe storage.states[newRow] = storage.states[row]
    unsafe storage.track[newRow] = storage.track[row]
    for dimension in 0..<dimensions {
      let start = dimension * columns.dimensionStride
      unsafe columns.value[start + newRow] = columns.value[start + row]
      unsafe columns.velocity[start + newRow] = columns.velocity[start + row]
      unsafe storage.own[start + newRow] = storage.own[start + row]
      if let scale = unsafe columns.scale, let offset = unsafe columns.offset {
        unsafe scale[start + newRow] = scale[start + row]
        unsafe offset[start + newRow] = offset[start + row]
      }
    }
  }

  // MARK: - States

  /// The state of a row. Where the instance was posed, that is in it.
  func state(ofRow row: Int) -> LaneState {
    var state = unsafe storage.states[row]
    if tiles.posed[row / laneCountOfTile] & PlaybackTiles.bit(row) != 0 {
      let fraction = unsafe PlaybackLeg.fraction(
        ofTick: storage.columns.base[row], isReversed: state.isReversed(state.firstLeg))
      state.offset = fraction * timing(ofRow: row).duration
    }
    return state
  }

  /// Gives a row a state, which is looked at with the next advance.
  mutating func setState(_ state: LaneState, ofRow row: Int) {
    unsafe storage.states[row] = state
    invalidate(row)
    latestChange = max(latestChange, state.changed)
  }

  /// Has an instance placed with the next advance.
  private mutating func invalidate(_ row: Int) {
    let tile = row / laneCountOfTile
    unsafe (storage.from[row], storage.until[row]) = (.infinity, -.infinity)
    (tiles.from[tile], tiles.until[tile]) = (.infinity, -.infinity)
    tiles.posed[tile] &= ~PlaybackTiles.bit(row)
    hasChanges = true
  }

  /// Has a tile evaluated with the next advance though nothing in it moves.
  mutating func refresh(_ tile: Int) {
    tiles.isFresh[tile] = true
    hasChanges = true
    if !tiles.isPlanned[tile] { planIsStale = true }
  }
}
