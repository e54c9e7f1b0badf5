// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tiles of a store: the kind of each, the lanes that have a track, and where the next track of a kind goes.
///
/// A tile is sixteen rows of one kind, which kernels evaluate together. Tracks that stand, follow springs, are led by the
/// effects of curves, follow goals, are called or paused have lanes in tiles of springs: they set out and stop in their rows. A
/// lane that stands shows its target, whatever its spring, unless the tile keeps what it shows.
struct TileStore: ~Copyable {
  /// The lanes of each tile that have a track, lane 0 lowest.
  private(set) var live = OwnedColumn<UInt16>()
  /// The lanes of each tile whose tracks follow one; the others stand. Other tiles have none.
  private(set) var moving = OwnedColumn<UInt16>()
  /// The lanes of each tile that effects lead; none of them is in ``moving``.
  private(set) var led = OwnedColumn<UInt16>()
  /// The lanes of each tile that show what was written to their columns, as kernels leave them alone: their
  /// tracks play clips, follow goals, are called, paused, or were given a velocity as they stand. None of them is in
  /// ``moving`` or ``led``.
  private(set) var kept = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks are called: their animations are computed track by track.
  private(set) var called = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks follow goals.
  private(set) var following = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks play clips, and how: a clip that all of them play, or their own pieces.
  private(set) var playing = OwnedColumn<UInt16>()
  private(set) var clipKinds = OwnedColumn<MotionKind>()
  /// The number of these lanes in all tiles.
  private(set) var keptCount = 0
  /// The tiles that have a free lane. Each is listed once, and the last one is filled first.
  private(set) var open: [UInt32] = []
  private(set) var free = FreeNumbers()
  /// One past the last tile that was ever taken.
  private(set) var end = 0

  /// The number of tiles that there is memory for.
  var capacity: Int { live.count }
  /// The number of free tiles.
  var freeCount: Int { free.count }

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    guard tiles > capacity else { return }
    free.grow(from: capacity, to: tiles)
    live.grow(to: tiles, with: 0)
    moving.grow(to: tiles, with: 0)
    led.grow(to: tiles, with: 0)
    kept.grow(to: tiles, with: 0)
    called.grow(to: tiles, with: 0)
    following.grow(to: tiles, with: 0)
    playing.grow(to: tiles, with: 0)
    clipKinds.grow(to: tiles, with: .pieces)
  }

  // MARK: - Tiles

  /// Takes the first free tile; there must be one.
  mutating func take() -> Int {
    let tile = free.takeFirst()
    (live[tile], moving[tile], led[tile]) = (0, 0, 0)
    letGo(.max, of: tile)
    end = max(end, tile + 1)
    return tile
  }

  /// Frees a tile that has no tracks and is not open.
  private mutating func release(_ tile: Int) { free.giveBack(tile) }

  /// Frees the tiles that have no track left.
  mutating func releaseEmpty() {
    var isAnyReleased = false
    for tile in 0..<end where live[tile] == 0 && !free.isFree(tile) {
      release(tile)
      isAnyReleased = true
    }
    guard isAnyReleased else { return }
    open.removeAll { free.isFree(Int($0)) }
  }

  /// Frees every tile.
  mutating func removeAll() {
    open.clear()
    for tile in 0..<end where !free.isFree(tile) {
      (live[tile], moving[tile], led[tile]) = (0, 0, 0)
      letGo(.max, of: tile)
      release(tile)
    }
    end = 0
  }

  // MARK: - Lanes

  /// Takes a lane; there must be an open tile or a free one.
  ///
  /// - Returns: The row, and whether its tile had no track.
  @inline(__always)
  mutating func takeLane() -> (row: Int, isFirst: Bool) {
    guard let last = open.last else {
      let tile = take()
      open.append(UInt32(tile))
      live[tile] = 1
      return (tile * laneCountOfTile, true)
    }
    let tile = Int(last)
    let before = live[tile]
    let lane = (~before).trailingZeroBitCount
    let lanes = before | 1 << UInt16(lane)
    live[tile] = lanes
    if lanes == .max { open.removeLast() }
    return (tile * laneCountOfTile + lane, before == 0)
  }

  /// Marks a lane of a tile that is not open as taken.
  mutating func occupy(_ row: Int) { live[row / laneCountOfTile] |= Self.bit(row) }

  /// Marks all lanes of a tile that is not open as taken.
  mutating func occupyAll(ofTile tile: Int) { live[tile] = .max }

  /// Frees lanes of a tile, which is in an open list afterwards. No effects may lead them.
  @inline(__always)
  mutating func vacate(_ tile: Int, lanes: UInt16) {
    assert(led[tile] & lanes == 0)
    if live[tile] == .max { open.append(UInt32(tile)) }
    live[tile] &= ~lanes
    moving[tile] &= ~lanes
    letGo(lanes, of: tile)
  }

  /// Notes that the track of a row follows one from now on, or stands at its target.
  @inline(__always)
  mutating func setMoving(_ row: Int, _ moves: Bool) {
    let tile = row / laneCountOfTile
    if moves { moving[tile] |= Self.bit(row) } else { moving[tile] &= ~Self.bit(row) }
    letGo(Self.bit(row), of: tile)
  }

  /// Notes that all tracks of a full tile follow springs from now on.
  mutating func setMoving(tile: Int) {
    moving[tile] = .max
    letGo(.max, of: tile)
  }

  /// Notes that all tracks of a full tile stand at their targets.
  mutating func setStanding(tile: Int) {
    moving[tile] = 0
    letGo(.max, of: tile)
  }

  /// Notes that the tracks of lanes of a tile show what is written to their columns. No effects may lead them, and
  /// none plays a clip, follows a goal or is called.
  mutating func keep(_ lanes: UInt16, of tile: Int) {
    assert((led[tile] | called[tile] | following[tile] | playing[tile]) & lanes == 0)
    moving[tile] &= ~lanes
    keptCount += (lanes & ~kept[tile]).nonzeroBitCount
    kept[tile] |= lanes
  }

  /// Notes that the track of a row that stands is called from now on.
  mutating func call(_ row: Int) {
    let (tile, bit) = (row / laneCountOfTile, Self.bit(row))
    keep(bit, of: tile)
    called[tile] |= bit
  }

  /// Notes that the tracks of lanes of a tile, which stand, follow goals from now on.
  mutating func follow(_ lanes: UInt16, of tile: Int) {
    keep(lanes, of: tile)
    following[tile] |= lanes
  }

  /// Notes that the tracks of lanes of a tile, which stand, play clips from now on.
  mutating func play(_ lanes: UInt16, of tile: Int) {
    keep(lanes, of: tile)
    playing[tile] |= lanes
  }

  /// Notes how the tracks of a tile play clips.
  mutating func setClipKind(_ tile: Int, _ kind: MotionKind) { clipKinds[tile] = kind }

  /// Notes that lanes of a tile show what kernels compute.
  @inline(__always)
  private mutating func letGo(_ lanes: UInt16, of tile: Int) {
    guard keptCount > 0 else { return }
    keptCount -= (kept[tile] & lanes).nonzeroBitCount
    kept[tile] &= ~lanes
    called[tile] &= ~lanes
    following[tile] &= ~lanes
    playing[tile] &= ~lanes
  }

  /// Notes that effects lead the track of a row from now on, under which it may have a spring.
  @inline(__always)
  mutating func lead(_ row: Int) {
    led[row / laneCountOfTile] |= Self.bit(row)
    setMoving(row, false)
  }

  /// Notes that effects lead all tracks of a full tile.
  mutating func lead(tile: Int) {
    (led[tile], moving[tile]) = (.max, 0)
    letGo(.max, of: tile)
  }

  /// Notes that no effects lead some lanes of a tile any more.
  @inline(__always)
  mutating func release(_ lanes: UInt16, of tile: Int) { led[tile] &= ~lanes }

  /// Prefetches what ``vacate(_:lanes:)`` reads.
  func prefetch(tileOf row: Int) {
    let tile = row / laneCountOfTile
    live.column.prefetch(tile)
  }

  /// Whether a row has a track.
  func isLive(_ row: Int) -> Bool { live[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// The kind of the motion of a row.
  @inline(__always)
  func kind(ofRow row: Int) -> MotionKind {
    if moves(row) { return .spring }
    if led[row / laneCountOfTile] & Self.bit(row) != 0 { return .curves }
    guard keptCount > 0 else { return .still }
    if playing[row / laneCountOfTile] & Self.bit(row) != 0 { return clipKinds[row / laneCountOfTile] }
    if called[row / laneCountOfTile] & Self.bit(row) != 0 { return .called }
    return following[row / laneCountOfTile] & Self.bit(row) != 0 ? .following : .still
  }

  /// Whether the track of a row follows a spring.
  @inline(__always)
  func moves(_ row: Int) -> Bool { moving[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// Whether all tracks of a tile stand.
  @inline(__always)
  func stands(_ tile: Int) -> Bool {
    moving[tile] | led[tile] == 0 && (keptCount == 0 || called[tile] | following[tile] | playing[tile] == 0)
  }

  /// Whether a tile keeps what the track of a row shows.
  @inline(__always)
  func keeps(_ row: Int) -> Bool { keptCount > 0 && kept[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// The kind for which a tile is planned: for clips or followers if it has no other tracks, and for curves if effects lead
  /// some.
  func plannedKind(_ tile: Int) -> MotionKind {
    if playing[tile] != 0, playing[tile] == live[tile] { return clipKinds[tile] }
    if following[tile] != 0, following[tile] == live[tile] { return .following }
    return led[tile] == 0 ? .spring : .curves
  }

  /// The bit of a row among the lanes of its tile.
  @inline(__always)
  static func bit(_ row: Int) -> UInt16 { 1 << UInt16(row % laneCountOfTile) }

  // MARK: - Compacting

  /// Gives a row to a track, in a new table whose tiles are filled in order.
  ///
  /// - Parameters:
  ///   - own: The kind of its own motion.
  ///   - isKept: Whether the tile keeps what the track shows.
  mutating func place(_ row: Int, own: MotionKind, isKept: Bool) {
    let tile = row / laneCountOfTile
    if free.isFree(tile) {
      free.take(tile)
      end = max(end, tile + 1)
    }
    occupy(row)
    setMoving(row, own == .spring)
    if own == .curves { lead(row) }
    if own == .called {
      call(row)
    } else if own == .following {
      follow(Self.bit(row), of: tile)
    } else if own.isClip {
      play(Self.bit(row), of: tile)
    } else if isKept {
      keep(Self.bit(row), of: tile)
    }
  }

  /// Opens the tiles that have a free lane, after all tiles were filled in order.
  mutating func openPartial() {
    for tile in 0..<end where live[tile] != .max { open.append(UInt32(tile)) }
  }
}

extension UInt16 {
  /// Calls `body` with each lane whose bit is set, the lowest first.
  @inline(__always)
  func forEachLane(_ body: (Int) -> Void) {
    var left = self
    while left != 0 {
      body(left.trailingZeroBitCount)
      left &= left - 1
    }
  }
}
