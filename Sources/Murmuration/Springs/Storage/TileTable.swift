// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// What all tracks of a tile have in common.
enum TileKind {
  /// No track, and nobody's.
  static let free: Int32 = -1
  /// Tracks that move alone, bounce ≥ 0.
  static let oscillating: Int32 = 0
  /// Tracks that move alone, bounce < 0 or decelerating.
  static let overdamped: Int32 = 1
  /// Tracks of cohorts too small for tiles of their own.
  static let shared: Int32 = 2
  /// Cohort n has tiles of kind n + this.
  static let firstCohort: Int32 = 3

  /// Whether tracks of such tiles move alone.
  static func isMixed(_ kind: Int32) -> Bool { kind == oscillating || kind == overdamped }
}

/// What each tile holds. Every tile is of one kind, so that no lane pays for another's formula.
struct TileTable {
  /// The kind of each tile.
  private(set) var kinds: [Int32] = []
  /// The lanes that have a track, lane 0 lowest.
  private(set) var live: [UInt16] = []
  /// Of mixed tiles: the next time at which a lane may complete or come to rest; −∞ if it has to be computed when they do,
  /// ``passed`` if that is known.
  var deadlines: [Double] = []
  /// A deadline before any time.
  static let passed = -Double.greatestFiniteMagnitude
  /// Of mixed tiles: the lanes whose completion has been reported.
  var reported: [Reported] = []
  /// Of mixed tiles: the lanes whose completion a frame found, until it is reported.
  var found: [Reported] = []
  /// Of mixed tiles: what a frame has found, until it is reported.
  var marks: [UInt8] = []
  /// Of mixed tiles: whether all lanes are at rest, and show it.
  var isAsleep: [Bool] = []

  struct Reported {
    var logical: UInt16 = 0
    var settled: UInt16 = 0
  }

  /// Tiles of the kinds that take any track and have a lane free: each is listed once, the last is filled first.
  private var open: [[UInt32]] = [[], [], []]
  private var free = FreeTiles()
  /// One past the last tile that was ever taken.
  private(set) var end = 0

  /// Tiles there is memory for.
  var capacity: Int { kinds.count }
  /// Those of them that are nobody's.
  var freeCount: Int { free.count }

  /// Bytes for each tile.
  static let bytesPerTile = 4 + 2 + 8 + 2 * MemoryLayout<Reported>.stride + 1 + 1

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    let more = tiles - capacity
    guard more > 0 else {
      return
    }
    free.grow(from: capacity, to: tiles)
    kinds.append(contentsOf: repeatElement(TileKind.free, count: more))
    live.append(contentsOf: repeatElement(0, count: more))
    deadlines.append(contentsOf: repeatElement(.infinity, count: more))
    reported.append(contentsOf: repeatElement(Reported(), count: more))
    found.append(contentsOf: repeatElement(Reported(), count: more))
    marks.append(contentsOf: repeatElement(0, count: more))
    isAsleep.append(contentsOf: repeatElement(false, count: more))
  }

  /// Takes the first free tile, of which there must be one.
  mutating func take(_ kind: Int32) -> Int {
    let tile = free.takeFirst()
    kinds[tile] = kind
    live[tile] = 0
    reported[tile] = Reported()
    deadlines[tile] = .infinity
    isAsleep[tile] = false
    end = max(end, tile + 1)
    return tile
  }

  /// Gives back a tile without tracks that is not of the kinds that take any.
  mutating func release(_ tile: Int) {
    kinds[tile] = TileKind.free
    free.giveBack(tile)
  }

  /// How many tiles before `end` are of one kind, all with tracks.
  func countOfLive(_ kind: Int32, endingAt end: Int) -> Int {
    unsafe kinds.withUnsafeBufferPointer { kinds in
      unsafe live.withUnsafeBufferPointer { live in
        var tile = end
        while unsafe tile > 0 && kinds[tile - 1] == kind && live[tile - 1] != 0 {
          tile -= 1
        }
        return end - tile
      }
    }
  }

  /// Whether a lane can be had without taking a tile.
  func hasOpenLane(_ kind: Int32) -> Bool { !open[Int(kind)].isEmpty }

  /// Takes a lane in a tile that takes any track of its kind; there must be an open or a free tile.
  mutating func takeLane(_ kind: Int32) -> Int {
    if open[Int(kind)].isEmpty {
      open[Int(kind)].append(UInt32(take(kind)))
    }
    let tile = Int(open[Int(kind)][open[Int(kind)].count - 1])
    let lane = (~live[tile]).trailingZeroBitCount
    live[tile] |= 1 << UInt16(lane)
    if live[tile] == .max {
      open[Int(kind)].removeLast()
    }
    return tile * laneCountOfTile + lane
  }

  /// Marks a lane of a cohort's tile as taken.
  mutating func occupy(_ row: Int) {
    live[row / laneCountOfTile] |= 1 << UInt16(row % laneCountOfTile)
  }

  /// Marks whole lanes of a cohort's tile as taken, from the first on.
  mutating func occupy(tile: Int, lanes: Int) {
    live[tile] = lanes == laneCountOfTile ? .max : (1 << UInt16(lanes)) - 1
  }

  /// Frees the lane of a track.
  mutating func vacate(_ row: Int) {
    let tile = row / laneCountOfTile
    let kind = kinds[tile]
    if kind < TileKind.firstCohort, live[tile] == .max {
      open[Int(kind)].append(UInt32(tile))
    }
    live[tile] &= ~(1 << UInt16(row % laneCountOfTile))
  }

  /// Asks for what ``vacate(_:)`` looks at.
  func prefetch(tileOf row: Int) {
    let tile = row / laneCountOfTile
    unsafe kinds.withUnsafeBufferPointer { unsafe lanes_prefetch($0.baseAddress.unsafelyUnwrapped + tile) }
    unsafe live.withUnsafeBufferPointer { unsafe lanes_prefetch($0.baseAddress.unsafelyUnwrapped + tile) }
  }

  /// Makes a tile one of a cohort. A tile that takes any track must be full.
  mutating func relabel(_ tile: Int, _ kind: Int32) {
    kinds[tile] = kind
    deadlines[tile] = .infinity
    isAsleep[tile] = false
  }

  /// Makes all tiles with tracks those of one cohort, and gives back the others.
  mutating func relabelAll(_ kind: Int32) {
    for index in open.indices {
      open[index].removeAll(keepingCapacity: true)
    }
    for tile in 0..<end where kinds[tile] != TileKind.free {
      if live[tile] == 0 {
        release(tile)
      } else {
        relabel(tile, kind)
      }
    }
  }

  /// Whether a lane has a track.
  func isLive(_ row: Int) -> Bool {
    live[row / laneCountOfTile] & (1 << UInt16(row % laneCountOfTile)) != 0
  }

  /// The kind of the tile of a row.
  func kind(ofRow row: Int) -> Int32 { kinds[row / laneCountOfTile] }

  /// Puts the track of a row of another table into a tile of this one that is being filled in order.
  mutating func place(_ row: Int, kind: Int32, like old: Int, of other: borrowing TileTable) {
    let tile = row / laneCountOfTile
    if kinds[tile] == TileKind.free {
      free.take(tile)
      kinds[tile] = kind
      end = max(end, tile + 1)
      if TileKind.isMixed(kind) {
        deadlines[tile] = -.infinity
      }
    }
    occupy(row)
    let bit = UInt16(1) << UInt16(row % laneCountOfTile)
    let oldTile = old / laneCountOfTile
    let oldBit = UInt16(1) << UInt16(old % laneCountOfTile)
    if other.reported[oldTile].logical & oldBit != 0 {
      reported[tile].logical |= bit
    }
    if other.reported[oldTile].settled & oldBit != 0 {
      reported[tile].settled |= bit
    }
  }

  /// Opens the tiles that take any track and have a lane free.
  mutating func openPartial() {
    for tile in 0..<end where 0..<TileKind.firstCohort ~= kinds[tile] && live[tile] != .max {
      open[Int(kinds[tile])].append(UInt32(tile))
    }
  }

  /// Frees every tile.
  mutating func removeAll() {
    for index in open.indices {
      open[index].removeAll(keepingCapacity: true)
    }
    for tile in 0..<end where kinds[tile] != TileKind.free {
      live[tile] = 0
      release(tile)
    }
    end = 0
  }
}
