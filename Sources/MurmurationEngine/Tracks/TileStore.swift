// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tiles of a store: which lanes of each have a track, and what these tracks do.
///
/// A tile is sixteen neighbouring indices, which kernels evaluate together. A lane of a track that stands shows its target,
/// whatever its spring, unless the tile keeps what it shows.
struct TileStore: ~Copyable {
  /// The lanes of each tile that have a track, lane 0 lowest.
  private(set) var live = OwnedColumn<UInt16>()
  /// The lanes of each tile whose tracks follow springs.
  private(set) var moving = OwnedColumn<UInt16>()
  /// The lanes of each tile that effects lead; none of them is in ``moving``.
  private(set) var led = OwnedColumn<UInt16>()
  /// The lanes of each tile that show what was written to their columns, as kernels leave them alone: their
  /// tracks play clips, follow goals, are called, paused, or were given a velocity as they stand. None of them is in
  /// ``moving`` or ``led``.
  private(set) var kept = OwnedColumn<UInt16>()
  /// The number of these lanes in all tiles.
  private(set) var keptCount = 0
  /// The kept lanes of each tile whose tracks are called: their animations are computed track by track.
  private(set) var called = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks follow goals.
  private(set) var following = OwnedColumn<UInt16>()
  /// The kept lanes of each tile whose tracks play clips, and how: a clip that all of them play, or their own pieces.
  private(set) var playing = OwnedColumn<UInt16>()
  private(set) var clipKinds = OwnedColumn<MotionKind>()
  /// One past the last tile that ever had a track.
  private(set) var end = 0

  /// The number of tiles that there is memory for.
  private(set) var capacity = 0
  /// The memory of all columns: small batches are made and dropped often, and one block takes one allocation.
  private var memory: MemoryBlock?

  /// Makes room for a number of tiles. There must be no tracks behind them.
  mutating func resize(to tiles: Int) {
    (capacity, end) = (tiles, min(end, tiles))
    guard tiles > live.count else { return }
    let byteCount = 7 * OwnedColumn<UInt16>.lineBytes(tiles) + OwnedColumn<MotionKind>.lineBytes(tiles)
    let larger = MemoryBlock(byteCount: byteCount, alignment: 64, isZeroed: false)
    var rest = larger.bytes
    live.move(to: &rest, count: tiles, with: 0)
    moving.move(to: &rest, count: tiles, with: 0)
    led.move(to: &rest, count: tiles, with: 0)
    kept.move(to: &rest, count: tiles, with: 0)
    called.move(to: &rest, count: tiles, with: 0)
    following.move(to: &rest, count: tiles, with: 0)
    playing.move(to: &rest, count: tiles, with: 0)
    clipKinds.move(to: &rest, count: tiles, with: .pieces)
    memory = consume larger
  }

  mutating func code(_ coder: inout StateCoder) {
    live.code(&coder)
    moving.code(&coder)
    led.code(&coder)
    kept.code(&coder)
    called.code(&coder)
    following.code(&coder)
    playing.code(&coder)
    clipKinds.code(&coder)
    coder.code(&keptCount)
    coder.code(&end)
    coder.code(&capacity)
  }

  /// Forgets every track.
  mutating func removeAll() {
    for tile in 0..<end {
      (live[tile], moving[tile], led[tile]) = (0, 0, 0)
      letGo(.max, of: tile)
    }
    end = 0
  }

  // MARK: - Lanes

  /// Notes that an index has a track, which stands.
  ///
  /// - Returns: Whether the tile of the index had none.
  @inline(__always)
  mutating func occupy(_ index: Int) -> Bool {
    let tile = Self.tile(index)
    defer { live[tile] |= Self.bit(index) }
    end = max(end, tile + 1)
    return live[tile] == 0
  }

  /// Notes that all lanes of a tile have tracks.
  mutating func occupy(tile: Int) {
    live[tile] = .max
    end = max(end, tile + 1)
  }

  /// Frees lanes of a tile. No effects may lead them.
  @inline(__always)
  mutating func vacate(_ tile: Int, lanes: UInt16) {
    assert(led[tile] & lanes == 0)
    live[tile] &= ~lanes
    moving[tile] &= ~lanes
    letGo(lanes, of: tile)
  }

  /// Notes that a track follows a spring from now on, or stands at its target.
  @inline(__always)
  mutating func setMoving(_ index: Int, _ moves: Bool) {
    let tile = Self.tile(index)
    if moves { moving[tile] |= Self.bit(index) } else { moving[tile] &= ~Self.bit(index) }
    letGo(Self.bit(index), of: tile)
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

  /// Notes that a track that stands is called from now on.
  mutating func call(_ index: Int) {
    let (tile, bit) = (Self.tile(index), Self.bit(index))
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

  /// Notes that effects lead the tracks of lanes of a tile from now on, under which they may have springs.
  @inline(__always)
  mutating func lead(_ lanes: UInt16, of tile: Int) {
    led[tile] |= lanes
    moving[tile] &= ~lanes
    letGo(lanes, of: tile)
  }

  /// Notes that no effects lead some lanes of a tile any more.
  @inline(__always)
  mutating func release(_ lanes: UInt16, of tile: Int) { led[tile] &= ~lanes }

  /// Prefetches what ``vacate(_:lanes:)`` reads.
  func prefetch(tileOf index: Int) {
    let tile = Self.tile(index)
    live.column.prefetch(tile)
  }

  /// Whether an index has a track.
  func isLive(_ index: Int) -> Bool { live[Self.tile(index)] & Self.bit(index) != 0 }

  /// The kind of the motion of a track.
  @inline(__always)
  func kind(at index: Int) -> MotionKind {
    if moves(index) { return .spring }
    if led[Self.tile(index)] & Self.bit(index) != 0 { return .curves }
    guard keptCount > 0 else { return .still }
    if playing[Self.tile(index)] & Self.bit(index) != 0 { return clipKinds[Self.tile(index)] }
    if called[Self.tile(index)] & Self.bit(index) != 0 { return .called }
    return following[Self.tile(index)] & Self.bit(index) != 0 ? .following : .still
  }

  /// Whether a track follows a spring.
  @inline(__always)
  func moves(_ index: Int) -> Bool { moving[Self.tile(index)] & Self.bit(index) != 0 }

  /// Whether all tracks of a tile stand.
  @inline(__always)
  func stands(_ tile: Int) -> Bool {
    moving[tile] | led[tile] == 0 && (keptCount == 0 || called[tile] | following[tile] | playing[tile] == 0)
  }

  /// Whether a tile keeps what a track shows.
  @inline(__always)
  func keeps(_ index: Int) -> Bool { keptCount > 0 && kept[Self.tile(index)] & Self.bit(index) != 0 }

  /// The kind of the kernel for a tile: of clips or of followers if it has no other tracks, and of curves if effects lead
  /// some.
  @inline(__always)
  func commonKind(_ tile: Int) -> MotionKind {
    if keptCount > 0, kept[tile] != 0, kept[tile] == live[tile] {
      if playing[tile] == live[tile] { return clipKinds[tile] }
      if following[tile] == live[tile] { return .following }
    }
    return led[tile] == 0 ? .spring : .curves
  }

  /// The tile of an index.
  @inline(__always)
  static func tile(_ index: Int) -> Int { index &>> laneCountOfTile.trailingZeroBitCount }

  /// The bit of an index among the lanes of its tile.
  @inline(__always)
  static func bit(_ index: Int) -> UInt16 { 1 &<< UInt16(truncatingIfNeeded: index) }
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

// The lanes of a tile, component by component: each component is in a column of its own, some floats behind the one before.
extension Column<Float> {
  /// Copies all lanes of a tile.
  ///
  /// - Parameters:
  ///   - source: The lanes of component 0, and `distance` floats on those of the next component.
  ///   - stride: Floats from a component to the next one here.
  @inline(__always)
  func copyTile(
    _ components: Int, from source: Column<Float>, every distance: Int, to stride: Int = laneCountOfTile
  ) {
    for component in 0..<components {
      (self + component * stride).update(from: source + component * distance, count: laneCountOfTile)
    }
  }

  /// Writes some lanes of a tile, from lanes as ``copyTile(_:from:every:to:)`` takes them; zeros for nil.
  @inline(__always)
  func writeTile(
    _ lanes: UInt16, _ components: Int, from source: Column<Float>?, every distance: Int = laneCountOfTile,
    to stride: Int
  ) {
    for component in 0..<components {
      let numbers = source?.lanes(at: component * distance, as: SIMD16<Float>.self) ?? .zero
      unsafe lanes_write((self + component * stride).address, numbers, UInt32(lanes))
    }
  }
}

/// The kind of motion of a track; and of the tracks of a tile: which kernel runs over them.
///
/// Families, such as springs, are kinds, and each clip that many tracks play is a kind of its own.
struct MotionKind: Hashable, Sendable {
  /// The list that the index of a kind refers to.
  private enum Sort: Int32 { case family, clip }

  /// Twice the index, plus the sort.
  private let number: Int32

  private init(_ sort: Sort, _ index: Int) { number = Int32(index) * 2 + sort.rawValue }

  /// A track that stands and follows nothing, or is paused. Frames leave tiles of such tracks out.
  static let still = MotionKind(.family, -1)
  /// Custom animations, whose values are computed track by track, in Double. No tile is of this kind.
  static let called = MotionKind(.family, -2)
  /// Springs of any bounce, and decelerations. Tiles of any tracks.
  static let spring = MotionKind(.family, 0)
  /// Clips of which each track has a copy of the piece that it shows, unless values have many components. Tiles with
  /// no other tracks.
  static let pieces = MotionKind(.family, 1)
  /// Tracks that follow goals, step by step. Tiles with no other tracks.
  static let following = MotionKind(.family, 2)
  /// Effects along curves, on top of a spring or of where the track stood. Tiles with such tracks.
  static let curves = MotionKind(.family, 3)

  /// A number for each family that tiles may have.
  typealias PerFamily<Number> = InlineArray<4, Number>

  /// Tracks that play one clip, whose tables tell the piece of each. Tiles with no other tracks.
  static func clip(_ index: Int) -> MotionKind { MotionKind(.clip, index) }

  /// The index of a family that tiles may have; nil for other kinds.
  var family: Int? { number >= 0 ? index(.family) : nil }

  /// The index of the clip that tracks play; nil for other kinds.
  var clip: Int? { index(.clip) }

  private func index(_ sort: Sort) -> Int? { number & 1 == sort.rawValue ? Int(number >> 1) : nil }

  /// Whether tracks play clips.
  var isClip: Bool { self == .pieces || clip != nil }
}
