// SPDX-License-Identifier: MIT
import Kernels

// What holds in an engine between two calls, whatever the calls were. Random programs ask after each of their calls.

extension Engine {
  /// The first thing found that should hold between two calls and does not; nil if all holds, and in release builds.
  package func checkInvariants() -> String? {
    #if DEBUG
      do throws(BrokenInvariant) {
        try checkIndices()
        try check(tracks.tiles)
        try checkColumns()
        try checkSprings()
        try checkFollowers()
        try checkOffsets()
        if clips.isMapped { try check(clips) { tracks.tiles.playing[$0] } }
        if curves.isMapped { try check(curves) { tracks.tiles.led[$0] } }
        try checkLibraries()
        try checkWaiting()
        try checkPhases()
        try checkFrameTiles()
        return nil
      } catch { return error.text }
    #else
      return nil
    #endif
  }
}

#if DEBUG
  struct BrokenInvariant: Error { let text: String }

  func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws(BrokenInvariant) {
    if !holds { throw BrokenInvariant(text: text()) }
  }

  /// Expects that a count which was kept is the number of things that are there.
  func expect(_ counted: Int, _ found: Int, _ what: @autoclosure () -> String) throws(BrokenInvariant) {
    if counted != found { throw BrokenInvariant(text: "\(counted) \(what()), not \(found)") }
  }

  extension Engine {
    /// The indices whose lanes have a track.
    var liveIndices: [Int] { (0..<tracks.tiles.end * laneCountOfTile).filter { tracks.tiles.isLive($0) } }

    // MARK: - Who stands where

    /// Each index with a track has its lane, and no other lane has one.
    private func checkIndices() throws(BrokenInvariant) {
      let indices = tracks.indices
      let live = (0..<indices.count).filter(indices.isLive)
      try expect(liveIndices == live, "\(live.count) indices have tracks, and \(liveIndices.count) lanes")
      try expect((live.last ?? -1) < tracks.indexCount, "a track stands behind index \(tracks.indexCount)")
      try expect(tracks.count, live.count, "tracks are counted")
      // Only an index whose generations are used up is lost.
      for index in 0..<indices.count {
        let isRight = indices.isFree(index) == (!indices.isLive(index) && !indices.isLost(index))
        try expect(isRight, "index \(index) is neither live nor free, or both")
      }
    }

    /// Each track has one motion, and kernels leave alone what others write.
    private func check(_ tiles: borrowing TileStore) throws(BrokenInvariant) {
      var keptCount = 0
      for tile in 0..<tiles.capacity {
        let lanes = tiles.live[tile]
        try expect(lanes == 0 || tile < tiles.end, "tile \(tile) is beyond the last one")
        let kept = tiles.kept[tile]
        let families = [
          tiles.moving[tile], tiles.led[tile], tiles.called[tile], tiles.following[tile], tiles.playing[tile],
        ]
        let all = families.reduce(0, |)
        try expect(all & ~lanes == 0, "lanes of tile \(tile) move, and have no track")
        let count = families.reduce(0) { $0 + $1.nonzeroBitCount }
        try expect(count == all.nonzeroBitCount, "lanes of tile \(tile) have several motions")
        let (written, computed) = (families[2...].reduce(0, |), families[..<2].reduce(0, |))
        let isRight = written & ~kept == 0 && kept & (computed | ~lanes) == 0
        try expect(isRight, "tile \(tile) keeps the lanes \(kept), of which \(computed) are computed")
        keptCount += kept.nonzeroBitCount
        // Kernels read the columns of the motions.
        let hasCurves = tiles.led[tile] == 0 || curves.isMapped
        let hasClips = tiles.playing[tile] == 0 || clips.isMapped && tiles.clipKinds[tile].isClip
        try expect(
          (lanes == 0 || springs.isMapped) && hasCurves && hasClips, "tile \(tile) has no columns for its motions")
      }
      try expect(tiles.keptCount, keptCount, "lanes are counted as kept")
    }

    // MARK: - Springs

    /// A frame looks for leaders only if followers and leaders are counted.
    private func checkFollowers() throws(BrokenInvariant) {
      let followers = liveIndices.count { tracks.tiles.kind(at: $0) == .following }
      try expect(follows.count, followers, "followers are counted")
      let leaders = (0..<tracks.indices.count).count { follows.leader($0) != nil }
      try expect(follows.leaderCount, leaders, "leaders are counted")
    }

    /// The fourth component of the offset of a rotation is 0: motions take it over, and ages of rest count it.
    private func checkOffsets() throws(BrokenInvariant) {
      guard areRotations else { return }
      for index in liveIndices where rotations.quaternions[index / laneCountOfTile] & TileStore.bit(index) == 0 {
        let (value, velocity) = (
          tracks.columns.value[tracks.element(index, 3)], tracks.columns.velocity[tracks.element(index, 3)]
        )
        try expect(value == 0 && velocity == 0, "track \(index) has the offset \(value), \(velocity) in no direction")
      }
    }

    /// A frame looks at the tiles of springs that are due, and shows those that are awake. In a uniform tile all lanes have
    /// one spring and start.
    private func checkSprings() throws(BrokenInvariant) {
      // A track that stands shows its target, whatever the spring of its lane, unless its tile keeps what it shows.
      for index in liveIndices where tracks.tiles.kind(at: index) == .still {
        let isAlone = tracks.tiles.moving[index / laneCountOfTile] == 0
        try expect(!springs.watch.isUniform(index / laneCountOfTile), "track \(index) stands, and may move")
        try expect(
          !isAlone || springs.watch.isAsleep(index / laneCountOfTile), "track \(index) stands, and is evaluated")
        if tracks.tiles.keeps(index) {
          let isMoving = (0..<dimensions).contains { tracks.columns.velocity[tracks.element(index, $0)] != 0 }
          try expect(isMoving || pauses.contains(index), "track \(index) stands, and its tile keeps it")
          continue
        }
        try expect(springs.columns.start[index] == -BatchLimits.maximumTime, "track \(index) stands, and may move")
        for dimension in 0..<dimensions {
          let (element, start) = (tracks.element(index, dimension), dimension * springs.columns.startStride + index)
          let (value, target) = (tracks.columns.value[element], tracks.columns.target[element])
          let stands = springs.columns.displacement[start] == 0 && springs.columns.amplitude[start] == 0
          try expect(
            stands && value.bitPattern == target.bitPattern, "track \(index) stands at \(value), not at \(target)")
        }
      }
      for index in liveIndices where tracks.tiles.kind(at: index) == .spring {
        if springs.watch.isUniform(index / laneCountOfTile) {
          let first = index / laneCountOfTile * laneCountOfTile
          let lane = first + tracks.tiles.live[index / laneCountOfTile].trailingZeroBitCount
          let columns = springs.columns
          let isSame =
            columns.start[index] == columns.start[lane] && columns.rate[index] == columns.rate[lane]
            && columns.decay[index].bitPattern == columns.decay[lane].bitPattern
          try expect(isSame, "track \(index) does not move as its tile does")
        }
        let (tile, start) = (index / laneCountOfTile, springs.columns.start[index])
        try expect(start <= springs.latestStart, "track \(index) starts after the latest start")
        let isAwake = !springs.watch.isAsleep(tile)
        try expect(isAwake || springs.isAtRest(index), "track \(index) moves, and its tile sleeps")
        let (reported, due) = (springs.watch.reported(at: index), springs.watch.deadlines[tile])
        let isLooked = !isAwake || springs.watch.soonest <= due
        try expect(isLooked, "tile \(tile) is due at \(due), and frames look from \(springs.watch.soonest) on")
        guard isAwake, !reported.settled, due > -.infinity else { continue }
        let rest = springs.columns.restAge[index]
        let next = start + Double(reported.logical ? rest : min(rest, springs.columns.logicalAge[index]))
        // Enduring steps are not looked at.
        guard !springs.watch.states[tile].isFresh, rest < .infinity else { continue }
        if springs.watch.states[tile].estimated & TileStore.bit(index) != 0 {
          let isEarly = springs.withRestAges(ofTile: tile) { ages in
            let lane = index % laneCountOfTile
            return rest <= ages[lane] && springs.columns.logicalAge[index] <= ages[laneCountOfTile + lane]
          }
          try expect(isEarly, "track \(index) may rest before \(rest) s")
        }
        // A motion that set out in the past may be due before the frame that follows.
        guard next > time else { continue }
        try expect(due <= next.nextUp, "track \(index) is due at \(next), and its tile at \(due)")
      }
    }

    // MARK: - Clips and curves

    /// A frame places the lanes whose columns no longer hold, and finds them by the intervals of tiles and of blocks: each
    /// interval lies within those of what it stands for. What has no track is never due, since its columns may be anything.
    private func check<Motions: PlacedMotions & ~Copyable>(
      _ motions: borrowing Motions, _ own: (_ tile: Int) -> UInt16
    ) throws(BrokenInvariant) {
      let (intervals, tiles, blocks) = (
        motions.intervals, motions.tiles.intervals.columns, motions.tiles.blocks.columns
      )
      for tile in 0..<tracks.tiles.capacity {
        let live = own(tile)
        let lanes = motions.tiles.moving[tile] | motions.tiles.own[tile] | motions.tiles.posed[tile]
        try expect(lanes & ~live == 0, "lanes \(lanes) of tile \(tile) are placed, of which \(live) have a track")
        let block = tile / laneCountOfTile
        let isFound = blocks.from[block] >= tiles.from[tile] && blocks.until[block] <= tiles.until[tile]
        try expect(isFound, "tile \(tile) is due before its block")
        if tiles.from[tile] == -.infinity, tiles.until[tile] == .infinity, live == 0 { continue }
        for lane in 0..<laneCountOfTile {
          let index = tile * laneCountOfTile + lane
          let (from, until) = (intervals.from[index], intervals.until[index])
          if live & TileStore.bit(index) == 0 {
            try expect(from == -.infinity && until == .infinity, "index \(index) has no track, and is due")
          } else {
            try expect(tiles.from[tile] >= from && tiles.until[tile] <= until, "track \(index) is due before its tile")
          }
        }
      }
    }

    /// Kernels follow the chains of tiles: each block in use is in one chain, its effects are those of tracks of the tile, and
    /// its other lanes lead nowhere. What has no effect has its target under those of its neighbours.
    private func checkChains() throws(BrokenInvariant) {
      guard curves.isMapped else { return }
      var (count, isUnder, stands) = (0, true, true)
      for tile in 0..<tracks.tiles.capacity {
        let live = tracks.tiles.led[tile]
        try expect(curves.onSprings[tile] & ~live == 0, "lanes of tile \(tile) have springs under no effects")
        (live & ~curves.onSprings[tile]).forEachLane { lane in
          for dimension in 0..<dimensions {
            let start = dimension * springs.columns.startStride + tile * laneCountOfTile + lane
            stands = stands && springs.columns.displacement[start] == 0 && springs.columns.amplitude[start] == 0
          }
        }
        try expect(stands, "a lane of tile \(tile) has a spring that is not under its effects")
        var (block, last, effects) = (Int(curves.first[tile]), -1, 0 as UInt16)
        while block >= 0, count <= curves.effects.count {
          count += 1
          let lanes = curves.effects[block].lanes
          try expect(lanes != 0 && lanes & ~live == 0, "block \(block) has effects of lanes \(lanes) of tile \(tile)")
          effects |= lanes
          let (columns, areAlike) = (curves.effects.columns(block), curves.effects[block].areAlike)
          for lane in 0..<laneCountOfTile {
            if !areAlike, lanes & 1 << UInt16(lane) == 0 {
              let leads = columns.rate[lane] != 0 || columns.scale[lane] != PlaybackColumns.vacant
              try expect(!leads, "lane \(lane) of block \(block) is vacant, and has an effect")
            }
            let goals = (0..<dimensions).map { columns.offset[$0 * columns.stride + lane] }
            try expect(goals.allSatisfy(\.isFinite), "lane \(lane) of block \(block) has the goals \(goals)")
          }
          (last, block) = (block, Int(curves.effects[block].next))
        }
        try expect(last == curves.last[tile], "the last block of tile \(tile) is \(last), not \(curves.last[tile])")
        try expect(effects == live, "lanes \(effects) of tile \(tile) have effects, of which \(live) are led by some")
        guard live != 0 else { continue }
        (tracks.tiles.live[tile] & ~(live | tracks.tiles.kept[tile])).forEachLane { lane in
          for dimension in 0..<dimensions {
            let (index, target) = (tile * laneCountOfTile + lane, tracks.columns.target)
            isUnder = isUnder && curves.under(index, dimension) == target[tracks.element(index, dimension)]
          }
        }
        try expect(isUnder, "a lane of tile \(tile) has another target than under effects")
      }
      try expect(count == curves.effects.count, "\(count) blocks are in chains, of \(curves.effects.count)")
    }

    /// A clip and a curve may go when no track follows them.
    private func checkLibraries() throws(BrokenInvariant) {
      var (players, homes, users) = ([Int: Int](), [Int: Int](), [Int: Int]())
      var called = Set<UInt32>()
      for index in liveIndices {
        let kind = tracks.tiles.kind(at: index)
        if kind.isClip {
          let (clip, state) = (clips.clip(at: index), clips.columns.states[index])
          let isThere = clips.library.entries.indices ~= clip && clips.library.entries[clip].clip != nil
          let isRight = isThere && (kind == .pieces || kind.clip == clip)
          try expect(isRight, "track \(index) plays clip \(clip), which is not there")
          try expect(state.changed <= clips.latestChange, "track \(index) changes after the latest change")
          try expect(!clips.isPosed(index) || clips.isPaused(index), "track \(index) is posed, and plays")
          players[clip, default: 0] += 1
          homes[Int(state.home), default: 0] += 1
        } else if kind == .curves {
          try expect(curves.start(at: index) <= curves.latestStart, "track \(index) starts after the latest curve")
          var (last, areInOrder) = (-Double.infinity, true)
          curves.forEachEffect(at: index) { effect, _ in
            // Effects are in the order in which they began.
            areInOrder = areInOrder && last <= effect.start && effect.start <= effect.end
            last = effect.start
            users[effect.curve, default: 0] += 1
          }
          try expect(areInOrder, "an effect of track \(index) begins too early, or ends before")
          try expect(last == curves.start(at: index), "the last effect of track \(index) begins at \(last)")
        } else if kind == .called {
          called.insert(UInt32(index))
        }
      }
      for (clip, entry) in clips.library.entries.enumerated() {
        try expect(entry.players, players[clip] ?? 0, "tracks play clip \(clip)")
        try expect(entry.instances, homes[clip] ?? 0, "tracks were given clip \(clip)")
        try expect(!entry.isPrivate || entry.players == 1, "clip \(clip) outlives its track")
        try expect(clips.library.expectedPlayers[clip] == 0, "tracks are still expected to play clip \(clip)")
      }
      for (curve, count) in curves.library.users.enumerated() {
        try expect(count, users[curve] ?? 0, "effects follow curve \(curve)")
      }
      try checkChains()
      // A frame calls the motions of this list, each once.
      let listed = self.called.indices
      try expect(Set(listed) == called && listed.count == called.count, "\(listed) are called, not \(called)")
    }
  }
#endif
