// SPDX-License-Identifier: MIT
import Kernels

/// What is known of tiles whose tracks play clips.
struct ClipTiles {
  /// The lanes that move with the clock.
  private(set) var moving: [UInt16] = []
  /// The lanes that show their track's own value, as no playback says otherwise.
  private(set) var own: [UInt16] = []
  /// The lanes that are paused within an iteration: their base alone says where they stand.
  private(set) var posed: [UInt16] = []
  /// The interval of the clock for which the columns of all lanes hold, ends included; empty where one has to be placed. Up
  /// to a multiple of the lanes of a tile there are more, for kernels to read, in which nothing ever has to be.
  private var from: [Double] = []
  private var until: [Double] = []
  /// Whether a tile was planned when the plan was made.
  private(set) var isPlanned: [Bool] = []
  /// Whether a tile has to be evaluated though nothing in it moves, until a frame has done so.
  private(set) var isFresh: [Bool] = []
  private var someAreFresh = false

  /// Bytes for each tile.
  static let bytesPerTile = 3 * 2 + 2 * 8 + 2

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    let more = tiles - moving.count
    guard more > 0 else { return }
    moving.append(contentsOf: repeatElement(0, count: more))
    own.append(contentsOf: repeatElement(0, count: more))
    posed.append(contentsOf: repeatElement(0, count: more))
    let padding = (tiles + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile - from.count
    from.append(contentsOf: repeatElement(-.infinity, count: padding))
    until.append(contentsOf: repeatElement(.infinity, count: padding))
    isPlanned.append(contentsOf: repeatElement(false, count: more))
    isFresh.append(contentsOf: repeatElement(false, count: more))
  }

  /// Begins with a tile that has just been taken.
  mutating func begin(_ tile: Int) {
    (moving[tile], own[tile], posed[tile]) = (0, 0, 0)
    (from[tile], until[tile]) = (-.infinity, .infinity)
    (isPlanned[tile], isFresh[tile]) = (false, false)
  }

  /// Forgets a lane that a track left.
  mutating func clear(_ row: Int) {
    let (tile, bit) = (row / laneCountOfTile, TileStore.bit(row))
    moving[tile] &= ~bit
    own[tile] &= ~bit
    posed[tile] &= ~bit
  }

  /// Notes what a lane does.
  mutating func setLane(_ row: Int, isMoving: Bool, showsOwn: Bool, isPosed: Bool) {
    let (tile, bit) = (row / laneCountOfTile, TileStore.bit(row))
    // Most due rows only move to the next iteration of the same clip.
    if (moving[tile] & bit != 0) != isMoving { moving[tile] ^= bit }
    if (own[tile] & bit != 0) != showsOwn { own[tile] ^= bit }
    if (posed[tile] & bit != 0) != isPosed { posed[tile] ^= bit }
  }

  /// Has a lane placed with the next frame.
  mutating func invalidate(_ row: Int) {
    let tile = row / laneCountOfTile
    (from[tile], until[tile]) = (.infinity, -.infinity)
    posed[tile] &= ~TileStore.bit(row)
  }

  /// Has a tile evaluated with the next frame though nothing in it moves.
  mutating func refresh(_ tile: Int) {
    isFresh[tile] = true
    someAreFresh = true
  }

  /// Notes that a frame has evaluated what is planned.
  mutating func forgetFresh() {
    guard someAreFresh else { return }
    someAreFresh = false
    for tile in isFresh.indices { isFresh[tile] = false }
  }

  /// Notes whether a tile is planned.
  ///
  /// - Returns: Whether it was, and no longer is.
  mutating func plan(_ tile: Int, isPlanned now: Bool) -> Bool {
    let fellAsleep = isPlanned[tile] && !now
    isPlanned[tile] = now
    return fellAsleep
  }

  /// Lends the intervals of all tiles.
  @unsafe
  mutating func withIntervals<Result>(_ body: (IntervalColumns) -> Result) -> Result {
    unsafe from.withUnsafeMutableBufferPointer { from in
      unsafe until.withUnsafeMutableBufferPointer { until in
        unsafe body(
          IntervalColumns(from: from.baseAddress.unsafelyUnwrapped, until: until.baseAddress.unsafelyUnwrapped))
      }
    }
  }
}
