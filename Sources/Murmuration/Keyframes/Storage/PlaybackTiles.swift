// SPDX-License-Identifier: MIT
import Kernels

/// What each tile of playing instances holds: instances of one clip, or of a clip each.
struct PlaybackTiles {
  /// No clip.
  static let free: Int32 = -1
  /// A clip for each lane.
  static let mixed = Int32(ClipRun.mixed)

  /// The clip of each tile, ``mixed`` or ``free``.
  private(set) var clips: [Int32] = []
  /// The lanes that have an instance, lane 0 lowest.
  private(set) var live: [UInt16] = []
  /// Those of them that move with the clock.
  var moving: [UInt16] = []
  /// Those that show their own value.
  var own: [UInt16] = []
  /// Those that are paused within a leg: their base alone says where they stand.
  var posed: [UInt16] = []
  /// The interval of the clock for which all lanes hold, ends included; empty where one has to be placed. Up to a multiple
  /// of the lanes of a tile there are more, for kernels to read, in which nothing ever has to be.
  var from: [Double] = []
  var until: [Double] = []
  /// Whether it was planned when the plan was made.
  var isPlanned: [Bool] = []
  /// Whether it has to be evaluated though nothing in it moves.
  var isFresh: [Bool] = []
  /// Whether a call changed it since a frame that left velocities out: what that frame showed is not to be computed again.
  private(set) var isTouched: [Bool] = []
  /// Whether there is such a tile.
  private(set) var someAreTouched = false

  private var freeTiles = FreeTiles()
  /// One past the last tile that was ever taken.
  private(set) var end = 0

  /// Bytes for each tile.
  static let bytesPerTile = 4 + 4 * 2 + 2 * 8 + 3 + 1

  /// Tiles there is memory for.
  var capacity: Int { clips.count }
  /// Those of them that are nobody's.
  var freeCount: Int { freeTiles.count }

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    let more = tiles - capacity
    guard more > 0 else { return }
    freeTiles.grow(from: capacity, to: tiles)
    clips.append(contentsOf: repeatElement(Self.free, count: more))
    live.append(contentsOf: repeatElement(0, count: more))
    moving.append(contentsOf: repeatElement(0, count: more))
    own.append(contentsOf: repeatElement(0, count: more))
    posed.append(contentsOf: repeatElement(0, count: more))
    let padding = (tiles + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile - from.count
    from.append(contentsOf: repeatElement(-.infinity, count: padding))
    until.append(contentsOf: repeatElement(.infinity, count: padding))
    isPlanned.append(contentsOf: repeatElement(false, count: more))
    isFresh.append(contentsOf: repeatElement(false, count: more))
    isTouched.append(contentsOf: repeatElement(false, count: more))
  }

  /// Takes the first free tile, of which there must be one, for a clip or mixed instances.
  mutating func take(_ clip: Int) -> Int {
    let tile = freeTiles.takeFirst()
    clips[tile] = Int32(clip)
    end = max(end, tile + 1)
    return tile
  }

  /// Gives back a tile without instances.
  private mutating func release(_ tile: Int) {
    clips[tile] = Self.free
    freeTiles.giveBack(tile)
    (from[tile], until[tile]) = (-.infinity, .infinity)
    // Whoever takes it is planned anew.
    isPlanned[tile] = false
    isFresh[tile] = false
  }

  /// Gives the first free lane of a tile to an instance, and returns its row.
  mutating func takeLane(ofTile tile: Int) -> Int {
    let lane = (~live[tile]).trailingZeroBitCount
    live[tile] |= 1 << UInt16(lane)
    return tile * laneCountOfTile + lane
  }

  /// Gives a lane back; with the last one the tile.
  ///
  /// - Returns: Whether the tile was full.
  mutating func vacate(_ row: Int) -> Bool {
    let (tile, bit) = (row / laneCountOfTile, Self.bit(row))
    let wasFull = live[tile] == .max
    live[tile] &= ~bit
    moving[tile] &= ~bit
    own[tile] &= ~bit
    posed[tile] &= ~bit
    if live[tile] == 0 { release(tile) }
    return wasFull
  }

  /// Notes that a call changes a tile.
  mutating func touch(_ tile: Int) {
    isTouched[tile] = true
    someAreTouched = true
  }

  /// Forgets which tiles calls changed: there is a new frame.
  mutating func forgetTouches() {
    guard someAreTouched else { return }
    someAreTouched = false
    for tile in isTouched.indices { isTouched[tile] = false }
  }

  /// The bit of a row among the lanes of its tile.
  static func bit(_ row: Int) -> UInt16 { 1 << UInt16(row % laneCountOfTile) }

  /// Notes what a live lane does.
  mutating func setLane(_ row: Int, isMoving: Bool, showsOwn: Bool, isPosed: Bool) {
    let (tile, bit) = (row / laneCountOfTile, Self.bit(row))
    // Most of what is placed does what it did.
    if (moving[tile] & bit != 0) != isMoving { moving[tile] ^= bit }
    if (own[tile] & bit != 0) != showsOwn { own[tile] ^= bit }
    if (posed[tile] & bit != 0) != isPosed { posed[tile] ^= bit }
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

  /// Whether a row has an instance.
  func isLive(_ row: Int) -> Bool { live[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// Whether the instances of the tile of a row play a clip each.
  func isMixed(_ row: Int) -> Bool { clips[row / laneCountOfTile] == Self.mixed }

  /// Lends what moving many posed lanes needs: live lanes, posed ones, whether planned, whether to be evaluated.
  @unsafe
  mutating func withLanes(
    _ body: (
      UnsafeBufferPointer<UInt16>, UnsafeBufferPointer<UInt16>, UnsafeBufferPointer<Bool>,
      UnsafeMutableBufferPointer<Bool>
    ) -> Void
  ) {
    unsafe live.withUnsafeBufferPointer { live in
      unsafe posed.withUnsafeBufferPointer { posed in
        unsafe isPlanned.withUnsafeBufferPointer { isPlanned in
          unsafe isFresh.withUnsafeMutableBufferPointer { isFresh in
            unsafe body(live, posed, isPlanned, isFresh)
          }
        }
      }
    }
  }

  /// Frees every tile.
  mutating func removeAll() {
    for tile in 0..<end where clips[tile] != Self.free {
      (live[tile], moving[tile], own[tile], posed[tile]) = (0, 0, 0, 0)
      release(tile)
    }
    end = 0
  }
}
