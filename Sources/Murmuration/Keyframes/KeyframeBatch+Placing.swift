// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Placing: when the time has left the interval for which the columns of an instance hold, they get those of its leg at
// that time. Tiles know the interval for which all of their lanes hold, so that a frame looks at few lanes.
extension KeyframeBatch {
  /// Tiles that are placed together: few enough for what is asked for early to be in the cache still.
  static var tilesAtOnce: Int { 64 }

  /// Places the instances that are due at the current time.
  mutating func placeDue() {
    let count = findDueTiles()
    var first = 0
    while first < count {
      let last = min(first + Self.tilesAtOnce, count)
      askForIntervals(ofTiles: last..<min(last + Self.tilesAtOnce, count))
      findDueLanes(ofTiles: first..<last)
      for index in first..<last {
        var lanes = dueLanes[index - first]
        while lanes != 0 {
          place(Int(dueTiles[index]) * laneCountOfTile + lanes.trailingZeroBitCount)
          lanes &= lanes - 1
        }
      }
      settle(first..<last)
      first = last
    }
  }

  /// Lists the tiles with instances that are due, and returns how many there are.
  private mutating func findDueTiles() -> Int {
    let (find, now, end) = unsafe (table.intervals.list, time, tiles.end)
    guard end > 0 else { return 0 }
    if dueTiles.count < tiles.from.count { dueTiles = [Int32](repeating: 0, count: tiles.from.count) }
    return unsafe dueTiles.withUnsafeMutableBufferPointer { list in
      unsafe tiles.withIntervals { unsafe find($0, end, now, list.baseAddress.unsafelyUnwrapped) }
    }
  }

  /// Asks for what finding the lanes of some due tiles needs.
  private func askForIntervals(ofTiles range: Range<Int>) {
    for index in range {
      let row = Int(dueTiles[index]) * laneCountOfTile
      for line in 0..<2 {
        unsafe lanes_prefetch(storage.from + row + 8 * line)
        unsafe lanes_prefetch(storage.until + row + 8 * line)
      }
      unsafe lanes_prefetch(storage.clip + row)
      unsafe lanes_prefetch(storage.track + row)
    }
  }

  /// Finds the lanes of some due tiles that are due themselves, and asks for what placing them needs.
  private mutating func findDueLanes(ofTiles range: Range<Int>) {
    let (find, rows, now) = unsafe (table.intervals.findLanes, storage.intervals, time)
    unsafe dueLanes.withUnsafeMutableBufferPointer { lanes in
      unsafe dueTiles.withTiles(range) { unsafe find(rows, $0, now, lanes.baseAddress.unsafelyUnwrapped) }
    }
    let columns = storage.columns
    for index in range {
      var lanes = dueLanes[index - range.lowerBound]
      while lanes != 0 {
        let row = Int(dueTiles[index]) * laneCountOfTile + lanes.trailingZeroBitCount
        lanes &= lanes - 1
        unsafe lanes_prefetch(storage.states + row)
        unsafe lanes_prefetch(columns.origin + row)
        unsafe lanes_prefetch(columns.base + row)
        unsafe lanes_prefetch(columns.rate + row)
        slots.prefetch(unsafe storage.track[row])
        // Of clips with one instance each, these are all over the memory.
        library.askForTiming(unsafe Int(storage.clip[row]))
      }
    }
  }

  /// Gives a row the columns of the current time, and reports what has happened to its instance.
  private mutating func place(_ row: Int) {
    let timing = timing(ofRow: row)
    let index = unsafe storage.states[row].reportedLeg + 1
    let next = unsafe storage.states[row].leg(index, after: storage.until[row], at: time, timing)
    let leg = unsafe next ?? storage.states[row].leg(at: time, timing)
    unsafe storage.columns.origin[row] = leg.origin
    unsafe storage.columns.base[row] = leg.base
    unsafe storage.columns.rate[row] = leg.rate
    unsafe storage.from[row] = leg.from
    unsafe storage.until[row] = leg.until
    if leg.showsOwn { hasOwnValues = true }
    let mode = unsafe storage.states[row].mode
    let isPosed = mode == .paused && leg.phase == .playing && leg.from == -.infinity && timing.duration > 0
    tiles.setLane(row, isMoving: leg.rate != 0, showsOwn: leg.showsOwn, isPosed: isPosed)
    guard mode != .idle, leg.phase != .waiting else { return }
    if unsafe timing.duration > 0 && leg.index > storage.states[row].reportedLeg {
      unsafe storage.states[row].reportedLeg = leg.index
      repeated.append(RepeatEvent(handle: handle(ofRow: row), leg: Int(leg.index)))
    }
    if leg.phase == .over, unsafe !storage.states[row].completionIsReported {
      unsafe storage.states[row].completionIsReported = true
      completed.append(handle(ofRow: row))
    }
  }

  /// Sums up what is known of the lanes of some tiles that were due.
  private mutating func settle(_ range: Range<Int>) {
    let (intersect, rows) = (table.intervals.intersect, storage.intervals)
    unsafe tiles.withIntervals { intervals in
      unsafe dueTiles.withTiles(range) { intersect(rows, $0, intervals) }
    }
    for index in range {
      let tile = Int(dueTiles[index])
      if tiles.moving[tile] == 0 {
        stillTiles += 1
        // Once more, to show where it stands.
        tiles.isFresh[tile] = true
      }
      if !tiles.isPlanned[tile] { planIsStale = true }
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
