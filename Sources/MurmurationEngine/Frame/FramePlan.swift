// SPDX-License-Identifier: MIT
import Kernels

/// Which kernel runs over which tiles: rebuilt when tiles change, reused in between.
///
/// Neighbouring tiles of one kind are one run. The runs of each kind are linked, from the first rows to the last. Tiles of
/// tracks that rest are left out.
struct FramePlan {
  /// Neighbouring tiles of one kind.
  struct Run: Equatable {
    var kind: MotionKind
    var tiles: Range<Int>
    /// The next run of the same kind, or −1.
    var next: Int32
  }

  /// The runs, from the last rows to the first.
  private(set) var runs: [Run] = []
  /// The runs of clips, as kernels take them, from the first rows to the last.
  private(set) var clipRuns: [ClipRun] = []
  /// The first run of each family, or −1. The runs of clips with tiles of their own are not linked.
  private(set) var first = MotionKind.PerFamily<Int32>(repeating: -1)
  /// Planned tiles of each family, tiles all of whose tracks play one clip, and tiles in which some play clips.
  private var familyTiles = MotionKind.PerFamily<Int>(repeating: 0)
  private(set) var ownClipTiles = 0
  private(set) var clipTiles = 0
  /// Planned tracks that play clips in tiles with no other tracks, and have their own pieces.
  private(set) var sharedClipTracks = 0
  /// The layout of the rows for which the plan was made.
  private var layout: UInt64?

  /// Whether most runs are a tile or two, anywhere in memory: the processor does not load such tiles ahead.
  var isScattered: Bool { runs.count >= 512 && springTiles < 3 * runs.count }

  /// The numbers of planned tiles: of a family, of springs, and of curves.
  func tiles(ofFamily kind: MotionKind) -> Int { kind.family.map { familyTiles[$0] } ?? 0 }
  var springTiles: Int { tiles(ofFamily: .spring) }
  var curveTiles: Int { tiles(ofFamily: .curves) }

  /// Whether the plan fits the tracks and motions as they are, and has few tiles of clips and curves in which nothing moves.
  func isCurrent(
    _ tracks: borrowing TrackStore, _ springs: borrowing SpringMotions, _ clips: borrowing ClipMotions,
    _ curves: borrowing CurveMotions
  ) -> Bool {
    layout == tracks.layout && !springs.planIsStale && !clips.tiles.planIsStale && !curves.tiles.planIsStale
      && hasFewIdle(clips, curves)
  }

  /// Whether few of the planned tiles of clips and curves have nothing that moves.
  private func hasFewIdle(_ clips: borrowing ClipMotions, _ curves: borrowing CurveMotions) -> Bool {
    clips.tiles.idleCount * 8 <= clipTiles && curves.tiles.idleCount * 8 <= curveTiles
  }

  /// Plans the tiles of a store.
  ///
  /// All due rows must be placed before.
  ///
  /// - Complexity: O(tiles). It allocates only for more runs than ever before.
  mutating func rebuild(
    _ tracks: borrowing TrackStore, _ springs: inout SpringMotions, _ clips: inout ClipMotions,
    _ curves: inout CurveMotions
  ) {
    // While few tiles are idle they stay planned: when a track of theirs moves again, the plan is not made anew for it.
    let keepsIdle = hasFewIdle(clips, curves)
    runs.clear()
    clipRuns.clear()
    (ownClipTiles, clipTiles, sharedClipTracks) = (0, 0, 0)
    (clips.tiles.stillCount, curves.tiles.stillCount) = (0, 0)
    for family in first.indices { (first[family], familyTiles[family]) = (-1, 0) }
    // From the last tile to the first, so that each run can be linked to the one after it.
    var tile = tracks.tiles.end
    while tile > 0 {
      let kind = tracks.tiles.plannedKind(tile - 1)
      let keepsLanes = tracks.tiles.keptCount > 0 && tracks.tiles.kept[tile - 1] != 0
      let playing = keepsLanes ? tracks.tiles.playing[tile - 1] : 0
      let playsClips = playing != 0 && clips.plan(tile - 1, playing, tracks, keepsIdle: keepsIdle)
      let follows = keepsLanes && tracks.tiles.following[tile - 1] != 0
      var isPlanned = playsClips || follows || !springs.rests(tile - 1, tracks)
      if kind == .curves {
        let led = tracks.tiles.led[tile - 1]
        isPlanned = curves.plan(tile - 1, led, tracks, keepsIdle: keepsIdle, isAwake: isPlanned)
      }
      let count = isPlanned ? 1 : 0
      if playsClips {
        clipTiles += 1
        if kind == .pieces { sharedClipTracks += playing.nonzeroBitCount }
        if kind.clip != nil { ownClipTiles += 1 }
      }
      if let family = kind.family { familyTiles[family] += count }
      if count > 0 { extend(kind, tile - 1) }
      tile -= 1
    }
    for run in runs.reversed() {
      if let clipRun = ClipRun(run.kind, run.tiles) { clipRuns.append(clipRun) }
    }
    layout = tracks.layout
    springs.planIsStale = false
    clips.tiles.planIsStale = false
    curves.tiles.planIsStale = false
  }

  /// Adds the tile in front of those that were added before.
  private mutating func extend(_ kind: MotionKind, _ tile: Int) {
    let last = runs.count - 1
    if last >= 0, runs[last].kind == kind, runs[last].tiles.lowerBound == tile + 1 {
      runs[last].tiles = tile..<runs[last].tiles.upperBound
      return
    }
    runs.append(Run(kind: kind, tiles: tile..<tile + 1, next: kind.family.map { first[$0] } ?? -1))
    if let family = kind.family { first[family] = Int32(last + 1) }
  }

  /// Calls `body` with the tiles of each run in which tracks may follow springs.
  func forEachRunOfSprings(_ body: (Range<Int>) -> Void) {
    forEachRun(ofFamily: .spring, body)
    forEachRun(ofFamily: .curves, body)
  }

  /// Calls `body` with the tiles of each run of a family, by row.
  func forEachRun(ofFamily kind: MotionKind, _ body: (Range<Int>) -> Void) {
    guard let family = kind.family else { return }
    var run = first[family]
    while run >= 0 {
      body(runs[Int(run)].tiles)
      run = runs[Int(run)].next
    }
  }
}

extension ClipRun {
  /// A run of tiles of one clip, or of tiles that several clips share; nil for other kinds.
  init?(_ kind: MotionKind, _ tiles: Range<Int>) {
    guard let clip = kind == .pieces ? Self.mixed : kind.clip else { return nil }
    self.init(firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile, clip: clip)
  }
}
