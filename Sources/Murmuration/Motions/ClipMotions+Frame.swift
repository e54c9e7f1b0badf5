// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Placing: when the time has left the interval for which the columns of a row hold, they get those of its iteration at that
// time. Tiles know the interval for which all of their lanes hold, so that a frame looks at few lanes.
extension ClipMotions {
  /// Places the rows that are due at a time, and reports what has happened to their tracks.
  mutating func placeDue(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    let count = findDueTiles(at: time, tracks)
    var first = 0
    while first < count {
      let last = min(first + Self.tilesAtOnce, count)
      askForIntervals(ofTiles: last..<min(last + Self.tilesAtOnce, count), tracks)
      findDueLanes(ofTiles: first..<last, at: time, tracks)
      for index in first..<last {
        let tile = Int(dueTiles[index])
        dueLanes[index - first].forEachLane { place(tile * laneCountOfTile + $0, at: time, tracks, &events) }
      }
      settle(first..<last)
      first = last
    }
    hasChanges = false
  }

  /// Lists the tiles with tracks that are due, and returns how many there are.
  private mutating func findDueTiles(at time: Double, _ tracks: borrowing TrackStore) -> Int {
    let (find, end) = unsafe (table.intervals.list, tracks.tiles.end)
    guard end > 0 else { return 0 }
    let needed = (tracks.tiles.capacity + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    if dueTiles.count < needed { dueTiles = [Int32](repeating: 0, count: needed) }
    return unsafe dueTiles.withUnsafeMutableBufferPointer { list in
      unsafe tiles.withIntervals { unsafe find($0, end, time, list.baseAddress.unsafelyUnwrapped) }
    }
  }

  /// Asks for what finding the lanes of some due tiles needs.
  private func askForIntervals(ofTiles range: Range<Int>, _ tracks: borrowing TrackStore) {
    for index in range {
      let row = Int(dueTiles[index]) * laneCountOfTile
      for line in 0..<2 {
        unsafe lanes_prefetch(columns.from + row + 8 * line)
        unsafe lanes_prefetch(columns.until + row + 8 * line)
      }
      unsafe lanes_prefetch(columns.clip + row)
      unsafe lanes_prefetch(tracks.columns.slot + row)
    }
  }

  /// Finds the lanes of some due tiles that are due themselves, and asks for what placing them needs.
  private mutating func findDueLanes(ofTiles range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore) {
    let (find, rows) = unsafe (table.intervals.findLanes, columns.intervals)
    unsafe dueLanes.withUnsafeMutableBufferPointer { lanes in
      unsafe dueTiles.withTiles(range) { unsafe find(rows, $0, time, lanes.baseAddress.unsafelyUnwrapped) }
    }
    for index in range {
      let tile = Int(dueTiles[index])
      dueLanes[index - range.lowerBound].forEachLane { lane in
        let row = tile * laneCountOfTile + lane
        unsafe lanes_prefetch(columns.states + row)
        unsafe lanes_prefetch(columns.kernel.origin + row)
        unsafe lanes_prefetch(columns.kernel.base + row)
        unsafe lanes_prefetch(columns.kernel.rate + row)
        // Of clips with one track each, these are all over the memory.
        library.askForTiming(clip(ofRow: row))
      }
    }
  }

  /// Gives a row the columns of a time, and reports what has happened to its track.
  mutating func place(
    _ row: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList
  ) {
    let timing = timing(ofRow: row)
    let columns = columns
    let index = unsafe columns.states[row].reportedLeg + 1
    let next = unsafe columns.states[row].leg(index, after: columns.until[row], at: time, timing)
    let leg = unsafe next ?? columns.states[row].leg(at: time, timing)
    unsafe columns.kernel.origin[row] = leg.origin
    unsafe columns.kernel.base[row] = leg.base
    unsafe columns.kernel.rate[row] = leg.rate
    unsafe columns.from[row] = leg.from
    unsafe columns.until[row] = leg.until
    if leg.showsOwn { hasOwnValues = true }
    let mode = unsafe columns.states[row].mode
    let isPosed = mode == .paused && leg.phase == .playing && leg.from == -.infinity && timing.duration > 0
    tiles.setLane(row, isMoving: leg.rate != 0, showsOwn: leg.showsOwn, isPosed: isPosed)
    guard mode != .idle, leg.phase != .waiting else { return }
    let moment = min(time, max(leg.from, unsafe columns.states[row].changed))
    let (slot, change) = unsafe (tracks.slot(ofRow: row), tracks.columns.change[row])
    if unsafe timing.duration > 0 && leg.index > columns.states[row].reportedLeg {
      unsafe columns.states[row].reportedLeg = leg.index
      // What is over in the same frame began its last iteration before.
      let begin = unsafe leg.phase == .over ? columns.states[row].start(ofLeg: leg.index, timing) : moment
      events.append(.iteration, slot: slot, change, at: min(begin, moment), number: Int(leg.index))
    }
    if leg.phase == .over, unsafe !columns.states[row].completionIsReported {
      unsafe columns.states[row].completionIsReported = true
      events.append(.logicallyComplete, slot: slot, change, at: moment)
      events.append(.settled, slot: slot, change, at: moment)
    }
  }

  /// Sums up what is known of the lanes of some tiles that were due.
  private mutating func settle(_ range: Range<Int>) {
    let (intersect, rows) = (table.intervals.intersect, columns.intervals)
    unsafe tiles.withIntervals { intervals in
      unsafe dueTiles.withTiles(range) { intersect(rows, $0, intervals) }
    }
    for index in range {
      let tile = Int(dueTiles[index])
      if tiles.moving[tile] == 0 {
        stillTiles += 1
        // Once more, to show where it stands.
        tiles.refresh(tile)
      }
      if !tiles.isPlanned[tile] { planIsStale = true }
    }
  }

  // MARK: - The plan

  /// Whether a tile of clips is evaluated, which the plan notes. What stands still has its velocities written here, as nothing
  /// else does.
  ///
  /// - Parameter isFrame: Whether all rows are placed. Before they are, nothing is known to stand still.
  mutating func plan(_ tile: Int, _ tracks: borrowing TrackStore, isFrame: Bool) -> Bool {
    let moves = tiles.moving[tile] != 0 || tiles.isFresh[tile] || !isFrame && tiles.isPlanned[tile]
    let isPlanned = tracks.tiles.live[tile] != 0 && moves
    if tiles.plan(tile, isPlanned: isPlanned), tracks.tiles.live[tile] != 0 {
      for dimension in 0..<dimensions {
        let first = tracks.element(tile * laneCountOfTile, dimension)
        unsafe (tracks.columns.velocity + first).update(repeating: 0, count: laneCountOfTile)
      }
    }
    if isPlanned, tiles.moving[tile] == 0 { stillTiles += 1 }
    return isPlanned
  }

  /// Ends a frame: puts the own values of tracks back where kernels wrote over them.
  mutating func finishFrame(velocities: Bool, _ tracks: borrowing TrackStore) {
    tiles.forgetFresh()
    guard hasOwnValues else { return }
    hasOwnValues = false
    for tile in 0..<tracks.tiles.end where tiles.own[tile] != 0 {
      hasOwnValues = true
      guard tiles.isPlanned[tile] else { continue }
      tiles.own[tile].forEachLane { lane in
        for dimension in 0..<dimensions {
          let element = tracks.element(tile * laneCountOfTile + lane, dimension)
          unsafe tracks.columns.value[element] = tracks.columns.target[element]
          if velocities { unsafe tracks.columns.velocity[element] = 0 }
        }
      }
    }
  }
}

extension [Int32] {
  /// Lends some of these tiles.
  @unsafe
  fileprivate func withTiles(_ range: Range<Int>, _ body: (TileList) -> Void) {
    unsafe withUnsafeBufferPointer { list in
      unsafe body(TileList(tiles: list.baseAddress.unsafelyUnwrapped + range.lowerBound, count: range.count))
    }
  }
}
