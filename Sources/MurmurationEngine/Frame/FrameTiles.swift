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
  /// Sixty-four tiles in each number, the first in the lowest bit: those that have another kind than the tile before them, and
  /// those that are marked. Tiles that are left out are before the first.
  private var bounds = OwnedColumn<UInt64>()
  private var marked = OwnedColumn<UInt64>()
  private(set) var runCount = 0
  /// The numbers of tiles of each family that frames evaluate, and of tiles all of whose tracks play one clip.
  private var familyTiles = MotionKind.PerFamily<Int>(repeating: 0)
  private(set) var ownClipTiles = 0
  /// The memory of all columns.
  private var memory: MemoryBlock?

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    let before = kinds.count
    guard tiles > before else { return }
    let groups = (tiles + 63) / 64
    let byteCount = OwnedColumn<MotionKind>.lineBytes(tiles) + 2 * OwnedColumn<UInt64>.lineBytes(groups)
    let larger = MemoryBlock(byteCount: byteCount, alignment: 64, isZeroed: false)
    var rest = larger.bytes
    kinds.move(to: &rest, count: tiles, with: .still)
    bounds.move(to: &rest, count: groups, with: 0)
    marked.move(to: &rest, count: groups, with: 0)
    memory = consume larger
    // A run that ended with the last tile ends before the first new one.
    if before > 0 { setBound(before, .still) }
  }

  mutating func code(_ coder: inout StateCoder) {
    kinds.code(&coder)
    bounds.code(&coder)
    marked.code(&coder)
    coder.code(&runCount)
    coder.code(&familyTiles)
    coder.code(&ownClipTiles)
  }

  /// The number of tiles.
  var count: Int { kinds.count }

  // MARK: - Kinds

  /// Makes the next frame find out how a tile is to be evaluated.
  @inline(__always)
  func mark(_ tile: Int) { marked.column[tile &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: tile) }

  /// Marks all tiles.
  func markAll() { marked.column.update(repeating: .max, count: marked.count) }

  /// Whether a tile is marked.
  func isMarked(_ tile: Int) -> Bool { marked.column[tile &>> 6] & 1 &<< UInt64(tile & 63) != 0 }

  /// The first group of sixty-four tiles from one on in which some are marked, and these tiles, whose marks go; nil if there
  /// is none.
  mutating func takeMarked(from group: Int) -> (group: Int, tiles: UInt64)? {
    let found = unsafe lanes_first_nonzero(marked.column.address, group, marked.count)
    guard found < marked.count else { return nil }
    defer { marked[found] = 0 }
    return (found, marked[found])
  }

  /// Sets the kind of a tile.
  mutating func setKind(_ tile: Int, _ kind: MotionKind) {
    let old = kinds[tile]
    guard old != kind else { return }
    kinds[tile] = kind
    count(old, -1)
    count(kind, 1)
    setBound(tile, old)
    if tile + 1 < kinds.count { setBound(tile + 1, kinds[tile + 1]) }
  }

  /// Finds out whether a run begins or ends before a tile.
  ///
  /// - Parameter old: The kind that the tile had.
  private mutating func setBound(_ tile: Int, _ old: MotionKind) {
    let before = tile == 0 ? .still : kinds[tile - 1]
    let (group, bit) = (tile &>> 6, 1 &<< UInt64(tile & 63))
    if bounds[group] & bit != 0, old != .still { runCount -= 1 }
    bounds[group] = kinds[tile] == before ? bounds[group] & ~bit : bounds[group] | bit
    if bounds[group] & bit != 0, kinds[tile] != .still { runCount += 1 }
  }

  private mutating func count(_ kind: MotionKind, _ change: Int) {
    if let family = kind.family { familyTiles[family] += change }
    if kind.clip != nil { ownClipTiles += change }
  }

  /// The number of tiles of a family that frames evaluate.
  func count(of kind: MotionKind) -> Int { kind.family.map { familyTiles[$0] } ?? 0 }

  // MARK: - Runs

  /// Goes through the runs, from the first to the last: the processor loads columns ahead in that order.
  ///
  /// - Complexity: O(runs), and O(tiles/64).
  struct Runs {
    private let kinds: ConstantColumn<MotionKind>
    private let bounds: ConstantColumn<UInt64>
    private let counts: (tiles: Int, groups: Int)
    /// The bounds of a group that have not been passed.
    private var group = 0
    private var left: UInt64

    @inline(__always)
    init(_ frame: borrowing FrameTiles) {
      (kinds, bounds) = (frame.kinds.column.constant, frame.bounds.column.constant)
      counts = (frame.kinds.count, frame.bounds.count)
      left = counts.groups > 0 ? bounds[0] : 0
    }

    /// The next run; nil after the last.
    @inline(__always)
    mutating func next() -> Run? {
      while let first = findBound() {
        left &= left &- 1
        let kind = kinds[first]
        if kind != .still {
          return unsafe Run(kind: kind, tiles: Range(uncheckedBounds: (first, findBound() ?? counts.tiles)))
        }
      }
      return nil
    }

    /// The next bound, which stays the next one.
    @inline(__always)
    private mutating func findBound() -> Int? {
      while left == 0 {
        guard group &+ 1 < counts.groups else { return nil }
        group &+= 1
        left = bounds[group]
      }
      return group &<< 6 &+ left.trailingZeroBitCount
    }
  }

  /// Whether most runs are a tile or two, anywhere in memory: the processor does not load such tiles ahead.
  var isScattered: Bool { runCount >= 512 && count(of: .spring) < 3 * runCount }

  /// Calls `body` with each run.
  @inline(__always)
  func forEachRun(_ body: (Run) -> Void) {
    var runs = Runs(self)
    while let run = runs.next() { body(run) }
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
  /// Gives marked tiles their kinds. All due tracks must be placed before.
  mutating func settleTiles() {
    var next = 0
    while let (group, tiles) = tracks.frame.takeMarked(from: next) {
      var left = tiles
      while left != 0 {
        let tile = group * 64 + left.trailingZeroBitCount
        // Tiles may be marked whose memory has been given back since.
        if tile < tracks.frame.count {
          tracks.frame.setKind(tile, tile < tracks.tiles.capacity ? frameKind(tile) : .still)
        }
        left &= left - 1
      }
      next = group + 1
    }
  }

  /// The kind for which frames evaluate a tile.
  private mutating func frameKind(_ tile: Int) -> MotionKind {
    let kind = tracks.tiles.commonKind(tile)
    let keepsLanes = tracks.tiles.keptCount > 0 && tracks.tiles.kept[tile] != 0
    let playing = keepsLanes ? tracks.tiles.playing[tile] : 0
    var isAwake = playing != 0 && clips.settle(tile, playing, tracks)
    isAwake = isAwake || keepsLanes && tracks.tiles.following[tile] != 0 || !springs.rests(tile, tracks)
    if kind == .curves { isAwake = curves.settle(tile, tracks.tiles.led[tile], tracks, isAwake: isAwake) }
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
