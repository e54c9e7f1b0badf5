// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Placing: when the time has left the interval for which the columns of an instance hold, they get those of its leg at
// that time. Tiles know the interval for which all of their lanes hold, so that a frame looks at few lanes.
extension KeyframeBatch {
  /// Tiles that are placed together: few enough for what is asked for early to be in the cache still.
  private static var tilesAtOnce: Int { 64 }

  /// Places the instances that are due at the current time.
  mutating func placeDue() {
    findDueTiles()
    var first = 0
    while first < dueTiles.count {
      let last = min(first + Self.tilesAtOnce, dueTiles.count)
      for index in last..<min(last + Self.tilesAtOnce, dueTiles.count) {
        let row = Int(dueTiles[index]) * laneCountOfTile
        for line in 0..<2 {
          unsafe lanes_prefetch(storage.from + row + 8 * line)
          unsafe lanes_prefetch(storage.until + row + 8 * line)
        }
        unsafe lanes_prefetch(storage.clip + row)
      }
      findDueRows(ofTiles: first..<last)
      for index in dueRows.indices {
        place(Int(dueRows[index]))
      }
      for index in first..<last {
        settle(Int(dueTiles[index]))
      }
      first = last
    }
  }

  private mutating func findDueTiles() {
    dueTiles.removeAll(keepingCapacity: true)
    let (now, end) = (time, tiles.end)
    unsafe tiles.from.withUnsafeBufferPointer { from in
      unsafe tiles.until.withUnsafeBufferPointer { until in
        var tile = 0
        while tile < end {
          // Few are due, so four are looked at at once.
          if tile + 4 <= end,
            unsafe !(from[tile] > now || until[tile] < now || from[tile + 1] > now || until[tile + 1] < now
              || from[tile + 2] > now || until[tile + 2] < now || from[tile + 3] > now || until[tile + 3] < now)
          {
            tile += 4
            continue
          }
          if unsafe from[tile] > now || until[tile] < now { dueTiles.append(Int32(tile)) }
          tile += 1
        }
      }
    }
  }

  /// Finds the lanes of some due tiles that are due themselves, and asks for what placing them needs.
  private mutating func findDueRows(ofTiles range: Range<Int>) {
    dueRows.removeAll(keepingCapacity: true)
    let columns = storage.columns
    for index in range {
      let first = Int(dueTiles[index]) * laneCountOfTile
      for row in first..<first + laneCountOfTile {
        if unsafe storage.from[row] > time || storage.until[row] < time {
          dueRows.append(Int32(row))
          unsafe lanes_prefetch(storage.states + row)
          unsafe lanes_prefetch(columns.origin + row)
          unsafe lanes_prefetch(columns.base + row)
          unsafe lanes_prefetch(columns.rate + row)
          unsafe lanes_prefetch(storage.track + row)
        }
      }
    }
    // Of clips with one instance each, these are all over the memory.
    unsafe library.timings.withUnsafeBufferPointer { timings in
      for row in dueRows {
        unsafe lanes_prefetch(timings.baseAddress.unsafelyUnwrapped + Int(storage.clip[Int(row)]))
      }
    }
  }

  /// Gives a row the columns of the current time, and reports what has happened to its instance.
  private mutating func place(_ row: Int) {
    let (tile, bit) = (row / laneCountOfTile, PlaybackTiles.bit(row))
    let timing = timing(ofRow: row)
    let index = unsafe storage.states[row].reportedLeg + 1
    let next = unsafe storage.states[row].leg(index, after: storage.until[row], at: time, timing)
    let leg = unsafe next ?? storage.states[row].leg(at: time, timing)
    unsafe storage.columns.origin[row] = leg.origin
    unsafe storage.columns.base[row] = leg.base
    unsafe storage.columns.rate[row] = leg.rate
    unsafe storage.from[row] = leg.from
    unsafe storage.until[row] = leg.until
    tiles.moving[tile] = leg.rate != 0 ? tiles.moving[tile] | bit : tiles.moving[tile] & ~bit
    tiles.own[tile] = leg.showsOwn ? tiles.own[tile] | bit : tiles.own[tile] & ~bit
    if leg.showsOwn { hasOwnValues = true }
    let mode = unsafe storage.states[row].mode
    let isPosed = mode == .paused && leg.phase == .playing && leg.from == -.infinity && timing.duration > 0
    tiles.posed[tile] = isPosed ? tiles.posed[tile] | bit : tiles.posed[tile] & ~bit
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

  /// Sums up what is known of the lanes of a tile that was due.
  private mutating func settle(_ tile: Int) {
    let row = tile * laneCountOfTile
    var from = unsafe (storage.from[row], storage.from[row + 1])
    var until = unsafe (storage.until[row], storage.until[row + 1])
    for lane in stride(from: row + 2, to: row + laneCountOfTile, by: 2) {
      unsafe from.0 = storage.from[lane] > from.0 ? storage.from[lane] : from.0
      unsafe from.1 = storage.from[lane + 1] > from.1 ? storage.from[lane + 1] : from.1
      unsafe until.0 = storage.until[lane] < until.0 ? storage.until[lane] : until.0
      unsafe until.1 = storage.until[lane + 1] < until.1 ? storage.until[lane + 1] : until.1
    }
    tiles.from[tile] = max(from.0, from.1)
    tiles.until[tile] = min(until.0, until.1)
    if tiles.moving[tile] == 0 {
      stillTiles += 1
      // Once more, to show where it stands.
      tiles.isFresh[tile] = true
    }
    if !tiles.isPlanned[tile] { planIsStale = true }
  }
}
