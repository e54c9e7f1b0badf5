// SPDX-License-Identifier: MIT
import Kernels

// What holds between two calls of what is still to come, of the tiles of frames, and of the numbers: see
// ``Engine/checkInvariants()``.

#if DEBUG
  extension Engine {
    private func hasTrack(_ index: Int) -> Bool { index < tracks.indices.count && tracks.indices.isLive(index) }

    /// A call that waits is found at its moment, once, and only for the track that it was made for.
    func checkWaiting() throws(BrokenInvariant) {
      try expect(waiting.count, waiting.orders.indices.count { waiting.orders[$0].isWaiting }, "calls wait")
      for index in waiting.orders.indices {
        let order = waiting.orders[index]
        guard order.isWaiting || order.heldAt != nil else { continue }
        // An index that is used again must not inherit a call.
        try expect(hasTrack(index), "a call waits for index \(index), which has no track")
        if let since = order.heldAt {
          try expect(!order.isWaiting && pauses.contains(index), "the call of track \(index) is held, and goes on")
          try expect(order.time >= since, "the call of track \(index) was held at \(since), after its moment")
        } else {
          let isFound = waiting.schedule.isFound(index, by: order.time)
          try expect(isFound, "the call of track \(index) at \(order.time) is found later")
          // A frame begins all calls until its time.
          try expect(order.time >= time, "the call of track \(index) is late: \(order.time)")
        }
        let targets = (0..<dimensions).map { waiting.targets[index * dimensions + $0] }
        try expect(targets.allSatisfy(\.isFinite), "the call of track \(index) leads to \(targets)")
      }
    }

    /// A track takes its next step on time, and a sequence stays loaded as long as it is played. A pause holds everything
    /// of a track: its motion, its steps and its call.
    func checkPhases() throws(BrokenInvariant) {
      var players: [Int: Int] = [:]
      for (index, track) in phases.tracks.enumerated() where track.isPlaying {
        let sequence = Int(track.sequence)
        players[sequence, default: 0] += 1
        let isLoaded = phases.library.isLoaded(sequence, generation: track.generation)
        try expect(hasTrack(index) && isLoaded, "index \(index) plays, and has no track or no sequence")
        try expect(track.latest <= phases.latestStep, "track \(index) takes a step after the latest step")
        try expect(track.clock.isPaused == pauses.contains(index), "track \(index) is paused in part")
        let next = track.clock.isPaused ? .infinity : track.clock.next
        let isFound = next > BatchLimits.maximumTime || phases.schedule.isFound(index, by: next)
        try expect(isFound, "the step of track \(index) at \(next) is found later")
      }
      try expect(phases.playerCount, players.values.reduce(0, +), "tracks play phases")
      for (sequence, count) in players {
        try expect(phases.library.entries[sequence].players, count, "tracks play sequence \(sequence)")
      }
      try expect(pauses.count, Array(pauses.indices).count, "tracks are counted as paused")
      for index in pauses.indices {
        guard let pause = pauses[index] else { continue }
        try expect(hasTrack(index), "index \(index) is paused, and has no track")
        // The clock does not go back before a pause.
        try expect(pause.since <= pauses.latest, "track \(index) was paused after the latest pause")
        // It goes on with the motion that the pause keeps, so it follows no other.
        let stands = tracks.tiles.kind(at: index) == .still
        try expect(stands || pause.motion == nil, "track \(index) is paused, and moves")
        guard stands else { continue }
        let velocities = (0..<dimensions).map { tracks.columns.velocity[tracks.element(index, $0)] }
        try expect(velocities.allSatisfy { $0 == 0 }, "track \(index) is paused, with the velocities \(velocities)")
      }
    }

    /// Frames evaluate each tile that may move with the kernel of its kind, unless it is marked: a tile that they leave out
    /// shows the last frame for ever. (They may evaluate tiles that rest: these show the same again.)
    func checkFrameTiles() throws(BrokenInvariant) {
      for tile in 0..<tracks.frame.count where !tracks.frame.isMarked(tile) {
        let (kind, hasMemory) = (tracks.frame.kinds[tile], tile < tracks.tiles.capacity)
        let (isLeftOut, isLive) = (kind == .still, hasMemory && tracks.tiles.live[tile] != 0)
        try expect(isLeftOut || isLive && kind == tracks.tiles.commonKind(tile), "tile \(tile) has the wrong kernel")
        guard isLive else { continue }
        let rests = springs.rests(tile, tracks) && tracks.tiles.following[tile] == 0
        try expect(rests || !isLeftOut, "tile \(tile) moves, and is left out")
        if tracks.tiles.playing[tile] != 0 { try check(clips.tiles, tile, isLeftOut) }
        if tracks.tiles.led[tile] != 0 { try check(curves.tiles, tile, isLeftOut) }
      }
    }

    private func check(
      _ tiles: borrowing PlacedTiles, _ tile: Int, _ isLeftOut: Bool
    ) throws(BrokenInvariant) {
      try expect(!isLeftOut || !tiles.isEvaluated[tile], "tile \(tile) does not know that it is left out")
      // After a call the next frame looks at the tile first.
      let moves = tiles.moving[tile] != 0 && !tiles.hasChanges
      try expect(!moves || tiles.isEvaluated[tile], "tile \(tile) moves, and is left out")
    }

    /// Whatever was called, batches show finite numbers, and a mark says that a velocity is that of the current time.
    func checkColumns() throws(BrokenInvariant) {
      if !velocities.areComplete {
        try expect(velocities.lanes.count >= tracks.tiles.capacity, "some tiles have no marks of velocities")
        // Otherwise the marks would outlast the next frame.
        let noneIsMarked = velocities.lanes.indices.allSatisfy { velocities.lanes[$0] == 0 }
        try expect(velocities.someAreMarked || noneIsMarked, "marks of velocities are forgotten")
      }
      let common = tracks.columns
      for index in liveIndices {
        let (tile, kind) = (index / laneCountOfTile, tracks.tiles.kind(at: index))
        let isCurrent = velocities.current(tile) & TileStore.bit(index) != 0
        if kind == .spring {
          let numbers = [
            springs.columns.rate[index], Double(springs.columns.decay[index]), springs.columns.start[index],
          ]
          try expect(numbers.allSatisfy(\.isFinite), "track \(index) follows a spring of \(numbers)")
        }
        for dimension in 0..<dimensions {
          let element = tracks.element(index, dimension)
          var numbers = [common.value[element], common.target[element], isCurrent ? common.velocity[element] : 0]
          if kind == .spring {
            let start = dimension * springs.columns.startStride + index
            numbers += [springs.columns.displacement[start], springs.columns.amplitude[start]]
          }
          try expect(numbers.allSatisfy(\.isFinite), "component \(dimension) of track \(index) has \(numbers)")
        }
      }
    }
  }

  extension StepSchedule {
    /// Whether an advance to a time looks at a track: its entry is in the list in which it waits, and that list is looked at
    /// in time.
    fileprivate func isFound(_ track: Int, by time: Double) -> Bool {
      let list = Int64(lists[track])
      guard lists[track] != Self.nowhere, entries.contains(UInt32(track), in: Int(list)) else { return false }
      let number = max(Self.number(time), current)
      if list < Self.spanCount { return (list - current) & (Self.spanCount - 1) <= number - current }
      let turn = current >> Self.spanBits
      return (list - turn - 1) & (Self.spanCount - 1) + 1 <= number >> Self.spanBits - turn
    }
  }

  extension TrackLists {
    fileprivate func contains(_ track: UInt32, in list: Int) -> Bool {
      var (chunk, count) = (heads[list], Int(fills[list]))
      while chunk != Self.none {
        let first = Int(chunk) * Self.stride
        if (first..<first + count).contains(where: { chunks[$0] == track }) { return true }
        (chunk, count) = (chunks[first + Self.entryCount], Self.entryCount)
      }
      return false
    }
  }
#endif
