// SPDX-License-Identifier: MIT
import Kernels

// Rows, and the states of the instances in them.
extension KeyframeBatch {
  /// The timing of the clip that a row plays.
  func timing(ofRow row: Int) -> ClipTiming { library.timings[tiles.clip(ofRow: row)] }

  /// A free row for an instance that plays a clip; there must be room.
  mutating func takeRow(_ clip: Int) -> Int {
    let tile: Int
    if let open = library.openTile(of: clip, tiles) {
      tile = open
    } else {
      tile = tiles.take(clip)
      library.open(tile, of: clip)
    }
    let row = tiles.takeLane(ofTile: tile)
    library.countRow(clip, 1)
    rowEnd = max(rowEnd, row + 1)
    // Until it is placed.
    unsafe (storage.columns.origin[row], storage.columns.base[row]) = (0, Double(library.timings[clip].beforeTick))
    return row
  }

  /// Gives the row of an instance back, and the clip with it where it was made for that instance.
  mutating func leave(_ row: Int) {
    let clip = tiles.clip(ofRow: row)
    let tile = row / laneCountOfTile
    storage.clear(row)
    if tiles.vacate(row) {
      library.open(tile, of: clip)
    }
    if tiles.live[tile] == 0 {
      planIsStale = true
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
    guard tiles.clip(ofRow: row) != clip else { return row }
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
