// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// Which kernel frames run over each tile. What may change that marks the tile, and the next frame looks at marked tiles
/// alone. Tiles in which nothing moves are left out, sixty-four at a time.
struct FrameTiles: ~Copyable {
  /// Neighbouring tiles of one kind.
  struct Run: Equatable {
    let kind: MotionKind
    let tiles: Range<Int>
  }

  /// The kind of each tile; ``MotionKind/still`` for a tile that is left out.
  private(set) var kinds = OwnedColumn<MotionKind>()
  /// The tiles that frames evaluate, and those that are marked: sixty-four in each number, the first in the lowest bit.
  private var awake = OwnedColumn<UInt64>()
  private var marked = OwnedColumn<UInt64>()
  /// The numbers of tiles of each family that frames evaluate, and of tiles all of whose tracks play one clip.
  private var familyTiles = MotionKind.PerFamily<Int>(repeating: 0)
  private(set) var ownClipTiles = 0

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    kinds.grow(to: tiles, with: .still)
    awake.grow(to: (tiles + 63) / 64, with: 0)
    marked.grow(to: awake.count, with: 0)
  }

  // MARK: - Kinds

  /// Makes the next frame find out how a tile is to be evaluated.
  @inline(__always)
  func mark(_ tile: Int) { marked.column[tile &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: tile) }

  /// Marks all tiles that frames evaluate.
  func markAwake() { for word in marked.indices { marked.column[word] |= awake.column[word] } }

  /// Whether a tile is marked.
  func isMarked(_ tile: Int) -> Bool { marked.column[tile &>> 6] & 1 &<< UInt64(tile & 63) != 0 }

  /// The number of groups of sixty-four tiles.
  var groupCount: Int { marked.count }

  /// The marked tiles of a group, whose marks go.
  @inline(__always)
  mutating func takeMarked(_ group: Int) -> UInt64 {
    let tiles = marked[group]
    if tiles != 0 { marked[group] = 0 }
    return tiles
  }

  /// Sets the kind of a tile.
  mutating func setKind(_ tile: Int, _ kind: MotionKind) {
    let old = kinds[tile]
    guard old != kind else { return }
    kinds[tile] = kind
    count(old, -1)
    count(kind, 1)
    let bit = 1 &<< UInt64(tile & 63)
    if kind == .still { awake[tile &>> 6] &= ~bit } else { awake[tile &>> 6] |= bit }
  }

  private mutating func count(_ kind: MotionKind, _ change: Int) {
    if let family = kind.family { familyTiles[family] += change }
    if kind.clip != nil { ownClipTiles += change }
  }

  /// The number of tiles of a family that frames evaluate.
  func count(of kind: MotionKind) -> Int { kind.family.map { familyTiles[$0] } ?? 0 }

  // MARK: - Runs

  /// The first run from a tile on; nil if there is none.
  ///
  /// - Complexity: O(tiles/64) for tiles that are left out, O(tiles/16) for those of the run.
  @inline(__always)
  func run(from tile: Int) -> Run? {
    var (group, count) = (tile &>> 6, awake.count)
    guard group < count else { return nil }
    var tiles = awake.column[group] & (.max &<< UInt64(tile & 63))
    while tiles == 0 {
      group &+= 1
      guard group < count else { return nil }
      tiles = awake.column[group]
    }
    let first = group &<< 6 &+ tiles.trailingZeroBitCount
    count = kinds.count
    let numbers = kinds.column.rebound(to: Int32.self)
    return Run(
      kind: kinds.column[first], tiles: first..<(unsafe lanes_end_of_equal_kinds(numbers.address, first, count)))
  }

  /// Calls `body` with each run, from the first rows to the last: the processor loads columns ahead in that order.
  @inline(__always)
  func forEachRun(_ body: (Run) -> Void) {
    var next = run(from: 0)
    while let run = next {
      body(run)
      next = self.run(from: run.tiles.upperBound)
    }
  }

  /// Calls `body` with the tiles of each run of a family.
  func forEachRun(of kind: MotionKind, _ body: (Range<Int>) -> Void) {
    guard count(of: kind) > 0 else { return }
    forEachRun { if $0.kind == kind { body($0.tiles) } }
  }

  /// Calls `body` with the tiles of each run in which tracks may follow springs.
  func forEachRunOfSprings(_ body: (Range<Int>) -> Void) {
    guard count(of: .spring) + count(of: .curves) > 0 else { return }
    forEachRun { if $0.kind == .spring || $0.kind == .curves { body($0.tiles) } }
  }
}

extension Engine {
  /// Gives marked tiles their kinds. All due rows must be placed before.
  mutating func settleTiles() {
    for group in 0..<tracks.frame.groupCount {
      var marked = tracks.frame.takeMarked(group)
      while marked != 0 {
        let tile = group * 64 + marked.trailingZeroBitCount
        tracks.frame.setKind(tile, frameKind(tile))
        marked &= marked - 1
      }
    }
  }

  /// The kind for which frames evaluate a tile.
  private mutating func frameKind(_ tile: Int) -> MotionKind {
    let kind = tracks.tiles.commonKind(tile)
    let keepsLanes = tracks.tiles.keptCount > 0 && tracks.tiles.kept[tile] != 0
    let playing = keepsLanes ? tracks.tiles.playing[tile] : 0
    var isAwake = playing != 0 && clips.plan(tile, playing, tracks)
    isAwake = isAwake || keepsLanes && tracks.tiles.following[tile] != 0 || !springs.rests(tile, tracks)
    if kind == .curves { isAwake = curves.plan(tile, tracks.tiles.led[tile], tracks, isAwake: isAwake) }
    return isAwake ? kind : .still
  }
}

extension ClipRun {
  /// A run of tiles of one clip, or of tiles that several clips share; nil for other kinds.
  init?(_ kind: MotionKind, _ tiles: Range<Int>) {
    guard let clip = kind == .pieces ? Self.mixed : kind.clip else { return nil }
    self.init(firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile, clip: clip)
  }
}
