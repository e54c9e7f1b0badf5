// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tiles of a store: the kind of each, the lanes that have a track, and where the next track of a kind goes.
///
/// A tile is sixteen rows of one kind, which kernels evaluate together. Tracks that stand, follow springs, are led by the
/// effects of curves, follow goals, are called or paused have lanes in tiles of springs: they set out and stop in their rows. A
/// lane that stands shows its target, whatever its spring, unless the tile keeps what it shows.
struct TileStore: ~Copyable {
  /// The kind of each tile.
  private(set) var kinds = OwnedColumn<MotionKind>()
  /// The lanes of each tile that have a track, lane 0 lowest.
  private(set) var live = OwnedColumn<UInt16>()
  /// The lanes of each tile of springs whose tracks follow one; the others stand. Other tiles have none.
  private(set) var moving = OwnedColumn<UInt16>()
  /// The lanes of each tile of springs that effects lead; none of them is in ``moving``.
  private(set) var led = OwnedColumn<UInt16>()
  /// The lanes of each tile of springs that show what was written to their columns, as kernels leave them alone: their
  /// tracks follow goals, are called, paused, or were given a velocity as they stand. None of them is in ``moving`` or
  /// ``led``.
  private(set) var kept = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks are called: their animations are computed track by track.
  private(set) var called = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks follow goals.
  private(set) var following = OwnedColumn<UInt16>()
  /// The number of these lanes in all tiles.
  private(set) var keptCount = 0
  /// The tiles of each family and clip that have a free lane, by ``MotionKind/openList``. Each tile is listed
  /// once, and the last tile of a list is filled first.
  private(set) var open: [[UInt32]] = []
  /// The tile that was last taken for each of these lists.
  private var latest: [Int?] = []
  private(set) var free = FreeNumbers()
  /// The tile that became empty most recently.
  private var emptied: Int?
  /// One past the last tile that was ever taken.
  private(set) var end = 0

  /// The number of tiles that there is memory for.
  var capacity: Int { kinds.count }
  /// The number of free tiles.
  var freeCount: Int { free.count }

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    guard tiles > capacity else { return }
    free.grow(from: capacity, to: tiles)
    kinds.grow(to: tiles, with: .free)
    live.grow(to: tiles, with: 0)
    moving.grow(to: tiles, with: 0)
    led.grow(to: tiles, with: 0)
    kept.grow(to: tiles, with: 0)
    called.grow(to: tiles, with: 0)
    following.grow(to: tiles, with: 0)
  }

  // MARK: - Tiles

  /// Takes the first free tile for a kind; there must be one.
  mutating func take(_ kind: MotionKind) -> Int { begin(free.takeFirst(), kind) }

  private mutating func begin(_ tile: Int, _ kind: MotionKind) -> Int {
    kinds[tile] = kind
    (live[tile], moving[tile], led[tile]) = (0, 0, 0)
    letGo(.max, of: tile)
    end = max(end, tile + 1)
    return tile
  }

  /// Frees a tile that has no tracks and is in no open list.
  mutating func release(_ tile: Int) {
    kinds[tile] = .free
    free.giveBack(tile)
  }

  /// Gives a full tile another kind. No effects may lead it.
  mutating func relabel(_ tile: Int, _ kind: MotionKind) {
    assert(live[tile] == .max && led[tile] == 0)
    kinds[tile] = kind
    moving[tile] = 0
    letGo(.max, of: tile)
  }

  /// Frees the tiles of families and clips that have no track left.
  mutating func releaseEmpty() {
    var isAnyReleased = false
    for tile in 0..<end where live[tile] == 0 && kinds[tile].openList != nil {
      release(tile)
      isAnyReleased = true
    }
    guard isAnyReleased else { return }
    let kinds = kinds.column
    for list in open.indices { open[list].removeAll { kinds[Int($0)] == .free } }
  }

  /// Frees every tile.
  mutating func removeAll() {
    for family in open.indices { open[family].clear() }
    for tile in 0..<end where kinds[tile] != .free {
      (live[tile], moving[tile], led[tile]) = (0, 0, 0)
      letGo(.max, of: tile)
      release(tile)
    }
    end = 0
  }

  // MARK: - Lanes

  /// Takes the first free tiles for tracks of a kind that are about to come, and opens them. There must be `tileCount`
  /// free tiles.
  mutating func open(_ kind: MotionKind, tileCount: Int) {
    guard tileCount > 0, let list = kind.openList else { return }
    makeList(list)
    // The last tile of a list is filled first.
    let first = open[list].count
    for _ in 0..<tileCount { open[list].append(UInt32(take(kind))) }
    latest[list] = Int(open[list][open[list].count - 1])
    open[list][first...].reverse()
  }

  /// Whether a tile of a kind has a free lane.
  func hasOpenLane(_ kind: MotionKind) -> Bool {
    guard let list = kind.openList, list < open.count else { return false }
    return !open[list].isEmpty
  }

  /// Takes a lane of a kind that has an open list; there must be an open tile or a free one.
  ///
  /// - Returns: The row, and whether its tile had no track.
  @inline(__always)
  mutating func takeLane(_ kind: MotionKind, list: Int) -> (row: Int, isFirst: Bool) {
    guard list < open.count, let last = open[list].last else {
      return (takeTile(kind, list: list) * laneCountOfTile, true)
    }
    let tile = Int(last)
    let before = live[tile]
    let lane = (~before).trailingZeroBitCount
    let lanes = before | 1 << UInt16(lane)
    live[tile] = lanes
    if lanes == .max { open[list].removeLast() }
    return (tile * laneCountOfTile + lane, before == 0)
  }

  /// Takes a free tile for a list, and its first lane.
  @inline(never)
  private mutating func takeTile(_ kind: MotionKind, list: Int) -> Int {
    makeList(list)
    // Several clips take tiles by turns, and a kernel is fastest over neighbouring tiles.
    let tile = kind.clip == nil ? take(kind) : begin(free.takeNeighbour(of: latest[list], groupSize: 16), kind)
    latest[list] = tile
    open[list].append(UInt32(tile))
    live[tile] = 1
    return tile
  }

  private mutating func makeList(_ list: Int) {
    latest.grow(to: list + 1, with: nil)
    open.grow(to: list + 1, with: [])
  }

  /// Marks a lane of a tile that is not open as taken.
  mutating func occupy(_ row: Int) { live[row / laneCountOfTile] |= Self.bit(row) }

  /// Marks all lanes of a tile that is not open as taken.
  mutating func occupyAll(ofTile tile: Int) { live[tile] = .max }

  /// Frees lanes of a tile, which is in an open list afterwards. No effects may lead them.
  @inline(__always)
  mutating func vacate(_ tile: Int, lanes: UInt16) {
    assert(led[tile] & lanes == 0)
    if live[tile] == .max, let list = kinds[tile].openList {
      makeList(list)
      open[list].append(UInt32(tile))
    }
    live[tile] &= ~lanes
    moving[tile] &= ~lanes
    letGo(lanes, of: tile)
    if live[tile] == 0 { emptied = tile }
  }

  /// Notes that the track of a row of springs follows one from now on, or stands at its target.
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

  /// Notes that all tracks of a full tile of springs stand at their targets.
  mutating func setStanding(tile: Int) {
    moving[tile] = 0
    letGo(.max, of: tile)
  }

  /// Notes that the tracks of lanes of a tile of springs show what is written to their columns. No effects may lead them, and
  /// none follows a goal or is called.
  mutating func keep(_ lanes: UInt16, of tile: Int) {
    assert((led[tile] | called[tile] | following[tile]) & lanes == 0)
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

  /// Notes that lanes of a tile show what kernels compute.
  @inline(__always)
  private mutating func letGo(_ lanes: UInt16, of tile: Int) {
    guard keptCount > 0 else { return }
    keptCount -= (kept[tile] & lanes).nonzeroBitCount
    kept[tile] &= ~lanes
    called[tile] &= ~lanes
    following[tile] &= ~lanes
  }

  /// Notes that effects lead the track of a row of springs from now on, under which it may have a spring.
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

  /// Frees the tile that became empty most recently, if it is the last of its open list and of springs.
  ///
  /// So tracks that change their kind in one call after another need only one tile more at a time, and their new rows
  /// are near the old ones. It is called when a call begins: within a call, a row that a track has left is given to no
  /// other track.
  mutating func releaseEmptied() {
    guard let tile = emptied else { return }
    emptied = nil
    guard live[tile] == 0, kinds[tile] == .spring, let list = kinds[tile].openList, open[list].last == UInt32(tile)
    else { return }
    open[list].removeLast()
    release(tile)
  }

  /// Prefetches what ``vacate(_:lanes:)`` reads.
  func prefetch(tileOf row: Int) {
    let tile = row / laneCountOfTile
    kinds.column.prefetch(tile)
    live.column.prefetch(tile)
  }

  /// Whether a row has a track.
  func isLive(_ row: Int) -> Bool { live[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// The kind of the motion of a row.
  @inline(__always)
  func kind(ofRow row: Int) -> MotionKind {
    let kind = kinds[row / laneCountOfTile]
    guard kind == .spring, !moves(row) else { return kind }
    if led[row / laneCountOfTile] & Self.bit(row) != 0 { return .curves }
    guard keptCount > 0 else { return .still }
    if called[row / laneCountOfTile] & Self.bit(row) != 0 { return .called }
    return following[row / laneCountOfTile] & Self.bit(row) != 0 ? .following : .still
  }

  /// Whether the track of a row follows a spring.
  @inline(__always)
  func moves(_ row: Int) -> Bool { moving[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// Whether all tracks of a tile stand.
  func stands(_ tile: Int) -> Bool {
    kinds[tile] == .spring && moving[tile] | led[tile] | called[tile] | following[tile] == 0
  }

  /// Whether a tile keeps what the track of a row shows.
  @inline(__always)
  func keeps(_ row: Int) -> Bool { keptCount > 0 && kept[row / laneCountOfTile] & Self.bit(row) != 0 }

  /// The kind for which a tile is planned: for followers if it has no other tracks, and for curves if effects lead some.
  func plannedKind(_ tile: Int) -> MotionKind {
    guard kinds[tile] == .spring else { return kinds[tile] }
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
  ///   - kind: The kind of its tile.
  ///   - own: The kind of its own motion.
  ///   - isKept: Whether the tile keeps what the track shows.
  mutating func place(_ row: Int, _ kind: MotionKind, own: MotionKind, isKept: Bool) {
    let tile = row / laneCountOfTile
    if kinds[tile] == .free {
      free.take(tile)
      kinds[tile] = kind
      end = max(end, tile + 1)
    }
    occupy(row)
    setMoving(row, own == .spring)
    if own == .curves { lead(row) }
    if own == .called {
      call(row)
    } else if own == .following {
      follow(Self.bit(row), of: tile)
    } else if isKept {
      keep(Self.bit(row), of: tile)
    }
  }

  /// Puts the tiles of families and clips that have a free lane into open lists, after all tiles were filled in
  /// order.
  mutating func openPartial() {
    for tile in 0..<end where live[tile] != .max {
      guard let list = kinds[tile].openList else { continue }
      makeList(list)
      open[list].append(UInt32(tile))
    }
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
