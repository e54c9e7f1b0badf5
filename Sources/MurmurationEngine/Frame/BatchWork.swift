// SPDX-License-Identifier: MIT
import Kernels

/// The work of the last frame of a batch: tracks by what they do, tiles by the kernels that ran over them, and bytes.
///
/// Read it after an advance: a call that changes what tracks do counts at once for ``tracks``, and with the next advance for
/// ``tiles``. The article <doc:WhatAFrameCosts> turns it into microseconds.
public struct BatchWork: Hashable, Sendable {
  /// Tracks by what they do.
  public var tracks = Tracks()
  /// Tiles by what their kernels do.
  public var tiles = Tiles()
  /// Effects along curves that frames add up, also those that are over and that no call has ended yet.
  public var effects = 0
  /// Tracks that the frame had to see to besides running its kernels: tracks that were placed in another piece, iteration or
  /// phase, calls whose moment had come, and all springs of a tile in which one may have completed.
  public var dueTracks = 0
  /// Tracks with springs whose ends the frame computed: all springs of a tile, some frames before the first of them may
  /// complete.
  public var computedEnds = 0
  /// Events of the frame.
  public var events = 0
  /// Bytes that the kernels read and wrote: columns of the tiles, see ``Tiles``, and of the effects. Tracks that are called,
  /// and due ones, are not in it.
  public var bytes = 0

  /// No work.
  package init() {}

  /// Tracks by what they do. Each live track is in one of `springs`, `effects`, `clips`, `following`, `called`, `paused` and
  /// `still`; the other numbers count some of them again.
  public struct Tracks: Hashable, Sendable {
    /// Tracks with springs and decelerations, at rest or not.
    public var springs = 0
    /// Tracks that one or more effects along curves lead, over or not.
    public var effects = 0
    /// Tracks that play clips, paused or not.
    public var clips = 0
    /// Tracks that follow goals.
    public var following = 0
    /// Tracks that custom animations move, computed one by one.
    public var called = 0
    /// Paused tracks, but those that play clips or whose motion is over already.
    public var paused = 0
    /// Tracks without a motion.
    public var still = 0
    /// Tracks at rest, see ``TrackSet/isAtRest(_:)``; those that stand still are too.
    public var atRest = 0
    /// Tracks for which a call waits for its moment.
    public var waiting = 0
    /// Tracks that go through phases.
    public var inPhases = 0

    /// No tracks.
    package init() {}

    /// All live tracks.
    public var all: Int { springs + effects + clips + following + called + paused + still }
  }

  /// Tiles, of sixteen neighbouring indices each, by what their kernels do. A tile whose tracks have several kinds of motion
  /// counts for each kernel that runs over it.
  ///
  /// Bytes a track, in n dimensions and with velocities: uniform 20 n, lane by lane 20 + 20 n, following 20 n, clips 24 + 8 n,
  /// clips of pieces 24 + 36 n, effects 12 n; each effect adds 20 + 4 n.
  public struct Tiles: Hashable, Sendable {
    /// Tiles of springs that all have one spring and began at one moment: evaluated with one set of factors.
    public var uniform = 0
    /// Tiles of springs that are evaluated lane by lane, also those under effects.
    public var laneWise = 0
    /// Tiles with effects along curves.
    public var effects = 0
    /// Tiles whose tracks look their pieces up in the tables of one clip.
    public var clips = 0
    /// Tiles whose tracks keep copies of the pieces of their clips.
    public var pieces = 0
    /// Tiles of tracks that follow goals.
    public var following = 0
    /// Tiles with tracks that the frame left out, as nothing in them moves.
    public var atRest = 0
    /// Tiles with effects over springs; they are in ``laneWise`` too.
    var effectsOnSprings = 0

    /// No tiles.
    package init() {}

    /// Runs of kernels over a tile, and tiles at rest: a tile counts several times if several kernels run over it.
    public var all: Int { evaluated + atRest }

    /// Runs of kernels over a tile.
    public var evaluated: Int { uniform + laneWise + effects + clips + pieces + following }
  }

  /// The work of two batches, or of two frames.
  package static func + (left: BatchWork, right: BatchWork) -> BatchWork {
    var sum = left
    sum.tracks.springs += right.tracks.springs
    sum.tracks.effects += right.tracks.effects
    sum.tracks.clips += right.tracks.clips
    sum.tracks.following += right.tracks.following
    sum.tracks.called += right.tracks.called
    sum.tracks.paused += right.tracks.paused
    sum.tracks.still += right.tracks.still
    sum.tracks.atRest += right.tracks.atRest
    sum.tracks.waiting += right.tracks.waiting
    sum.tracks.inPhases += right.tracks.inPhases
    sum.tiles.uniform += right.tiles.uniform
    sum.tiles.laneWise += right.tiles.laneWise
    sum.tiles.effects += right.tiles.effects
    sum.tiles.clips += right.tiles.clips
    sum.tiles.pieces += right.tiles.pieces
    sum.tiles.following += right.tiles.following
    sum.tiles.atRest += right.tiles.atRest
    sum.tiles.effectsOnSprings += right.tiles.effectsOnSprings
    sum.effects += right.effects
    sum.dueTracks += right.dueTracks
    sum.computedEnds += right.computedEnds
    sum.events += right.events
    sum.bytes += right.bytes
    return sum
  }
}

extension Engine {
  /// The work of the last frame.
  ///
  /// - Complexity: O(tiles), and O(indices) if tracks are paused.
  package var work: BatchWork {
    var work = BatchWork()
    work.tiles = kernelTiles()
    for tile in 0..<tracks.tiles.end where tracks.tiles.live[tile] != 0 {
      count(tile, in: &work.tracks)
      if tracks.frame.kinds[tile] == .still { work.tiles.atRest += 1 }
    }
    work.tracks.called = called.indices.count
    work.tracks.paused = pauses.indices.reduce(0) { tracks.tiles.kind(at: $1) == .still ? $0 + 1 : $0 }
    work.tracks.still = tracks.count - work.tracks.all
    work.tracks.waiting = waiting.count
    work.tracks.inPhases = phases.playerCount
    work.tracks.atRest += work.tracks.still + called.indices.reduce(0) { called[Int($1)].isOver ? $0 + 1 : $0 }
    work.effects = curves.isMapped ? curves.effects.effectCount : 0
    (work.dueTracks, work.computedEnds) = (frames.dueCount, frames.computedEndCount)
    work.events = events.events.count
    work.bytes = bytes(of: work.tiles, velocities: velocities.areComplete)
    return work
  }

  /// Counts tracks of a tile that have motions, and those of them that are at rest, but for called ones.
  private func count(_ tile: Int, in counts: inout BatchWork.Tracks) {
    let (moving, led) = (tracks.tiles.moving[tile], tracks.tiles.led[tile])
    counts.springs += moving.nonzeroBitCount
    if moving != 0, !springs.watch.noneRests(tile) {
      moving.forEachLane { if springs.isAtRest(tile * laneCountOfTile + $0) { counts.atRest += 1 } }
    }
    if led != 0 {
      counts.effects += led.nonzeroBitCount
      counts.atRest += (led & curves.tiles.own[tile]).nonzeroBitCount
    }
    guard tracks.tiles.keptCount > 0 else { return }
    let (playing, following) = (tracks.tiles.playing[tile], tracks.tiles.following[tile])
    if playing != 0 {
      counts.clips += playing.nonzeroBitCount
      counts.atRest += (playing & ~clips.tiles.moving[tile]).nonzeroBitCount
    }
    if following != 0 {
      counts.following += following.nonzeroBitCount
      counts.atRest += (following & follows.resting(tile)).nonzeroBitCount
    }
  }

  /// The tiles over which the kernels of the last frame ran.
  private func kernelTiles() -> BatchWork.Tiles {
    var counts = BatchWork.Tiles()
    let watch = springs.isMapped ? springs.watch.loan(tracks.tiles) : nil
    tracks.frame.forEachRun { run in
      if run.kind == .following { return counts.following += run.tiles.count }
      if run.kind.isClip { return count(clips: run.kind, run.tiles.count, in: &counts) }
      var first = run.tiles.lowerBound
      for tile in run.tiles {
        let keepsLanes = tracks.tiles.keptCount > 0 && tracks.tiles.kept[tile] != 0
        if run.kind == .curves {
          counts.effects += 1
          if !standsUnderEffects(tile) {
            counts.laneWise += 1
            counts.effectsOnSprings += 1
          }
        }
        guard keepsLanes else { continue }
        if run.kind == .spring {
          count(springs: first..<tile, watch, in: &counts)
          count(springs: tile..<tile + 1, watch, in: &counts)
          first = tile + 1
        }
        if tracks.tiles.playing[tile] != 0, clips.tiles.isEvaluated[tile] {
          count(clips: tracks.tiles.clipKinds[tile], 1, in: &counts)
        }
        if tracks.tiles.following[tile] != 0 { counts.following += 1 }
      }
      if run.kind == .spring { count(springs: first..<run.tiles.upperBound, watch, in: &counts) }
    }
    return counts
  }

  private func count(clips kind: MotionKind, _ tiles: Int, in counts: inout BatchWork.Tiles) {
    if kind == .pieces { counts.pieces += tiles } else { counts.clips += tiles }
  }

  /// Whether the effects of a tile are over values that stand.
  func standsUnderEffects(_ tile: Int) -> Bool { curves.onSprings[tile] == 0 && springs.rests(tile, tracks) }

  /// Counts tiles of springs as frames evaluate them. Those that fell asleep in the last frame are left out.
  private func count(springs tiles: Range<Int>, _ watch: SpringWatch.Loan?, in counts: inout BatchWork.Tiles) {
    guard let watch, !tiles.isEmpty else { return }
    watch.forEachStretch(tiles) { stretch, uniformLane in
      if uniformLane == nil { counts.laneWise += stretch.count } else { counts.uniform += stretch.count }
    }
  }

  /// The bytes that kernels read and write for some tiles, and for the effects.
  func bytes(of tiles: BatchWork.Tiles, velocities: Bool) -> Int {
    let (dimensions, varies) = (dimensions, clips.varies)
    let perValue =
      Traffic.standing(dimensions: dimensions) + Traffic.shown(dimensions: dimensions, velocities: velocities)
    var perLane = tiles.uniform * Traffic.uniform(dimensions: dimensions, velocities: velocities)
    perLane += tiles.laneWise * Traffic.mixed(dimensions: dimensions, velocities: velocities)
    perLane += tiles.following * Traffic.following(dimensions: dimensions)
    perLane += tiles.clips * Traffic.clips(dimensions: dimensions, velocities: velocities, varies: varies)
    perLane += (tiles.effects - tiles.effectsOnSprings) * perValue
    // Where all lanes of a block have the same effect, fewer bytes are read.
    if tiles.effects > 0 { perLane += curves.effects.count * Traffic.curve(dimensions: dimensions) }
    guard dimensions >= ClipMotions.wideDimensions else {
      perLane += tiles.pieces * Traffic.pieces(dimensions: dimensions, velocities: velocities, varies: varies)
      return laneCountOfTile * perLane
    }
    // Lanes without a track are skipped.
    var lanes = 0
    tracks.frame.forEachRun(of: .pieces) { tiles in
      for tile in tiles { lanes += tracks.tiles.playing[tile].nonzeroBitCount }
    }
    return laneCountOfTile * perLane + lanes
      * Traffic.wide(dimensions: dimensions, velocities: velocities, varies: varies)
  }
}
