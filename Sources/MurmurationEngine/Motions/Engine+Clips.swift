// SPDX-License-Identifier: MIT
import Kernels

// Clips: loading, playing, seeking, speeds and variations.
extension Engine {
  // MARK: - Clips

  /// Loads a clip, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)``.
  package mutating func load(_ clip: Clip) throws(BatchError) -> ClipID {
    guard clip.dimensions == dimensions else {
      throw .wrongDimensions(of: "clip", expected: dimensions, got: clip.dimensions)
    }
    let index = clips.library.add(clip, isPrivate: false, store: tracks.indices.store)
    let id = clips.library.id(index)
    recorder?.admit(id)
    record { _ in BatchCall(.loadClip(clip)) }
    return id
  }

  /// Unloads a clip that no track plays.
  package mutating func unload(_ id: ClipID) throws(BatchError) {
    let index = try index(of: id)
    guard clips.library.entries[index].players == 0, clips.library.entries[index].instances == 0 else {
      throw .clipInUse(id)
    }
    clips.library.remove(index)
    record { BatchCall(.unloadClip, clips: [$0.number(id)]) }
  }

  /// The index of a loaded clip.
  func index(of id: ClipID) throws(BatchError) -> Int {
    guard clips.library.isLoaded(id) else { throw .unknownClip(id) }
    return Int(id.index)
  }

  // MARK: - Playing

  /// Starts clips on the picked tracks. The next frame shows them.
  ///
  /// - Parameters:
  ///   - start: Where each starts.
  ///   - areAlike: Whether all have one clip and one playback.
  ///   - clip: The index of the clip of each pick.
  ///   - playback: How each plays it.
  mutating func playPicked(
    _ start: ClipStart, areAlike: Bool, clip: (Int) -> Int, _ playback: (Int) -> Playback
  ) throws(BatchError) -> UInt32 {
    var remade: [Int: Clip] = [:]
    for position in 0..<picks.count where !picks[position].isDropped {
      if let defect = playback(position).defect { throw .invalidPlayback(index: position, reason: defect) }
      if start != .firstValue {
        remade[position] = try remadeClip(position, clip(position), playback(position), start)
      } else if areAlike {
        break
      }
    }
    let made = remade.mapValues { clips.library.add($0, isPrivate: true) }
    let picked = picks.list
    let isWhole =
      made.isEmpty ? picksOfWholeTiles(areAlike: areAlike, clip) : [Bool](repeating: false, count: picked.count)
    do {
      for position in picked.indices where isWhole[position] && picked[position].index % laneCountOfTile == 0 {
        try clips.library.makeTables(clip(position))
      }
      if isWhole.contains(false) {
        try clips.expectPlayers(picked.count, tracks) { position in
          picked[position].isDropped || isWhole[position]
            ? nil : (made[position] ?? clip(position), picked[position].index)
        }
      }
    } catch {
      for own in made.values { clips.library.remove(own) }
      throw error
    }
    endMotionsOfPicked()
    let change = nextChange()
    forEachPick { engine, position in
      guard isWhole[position] else { return false }
      let index = engine.picks[position].index
      engine.play(tile: index / laneCountOfTile, clip(position))
      if areAlike {
        engine.begin(index, count: laneCountOfTile, clip(position), home: clip(position), playback(position), change)
      } else {
        for lane in 0..<laneCountOfTile {
          engine.begin(index + lane, clip(position), home: clip(position), playback(position + lane), change)
        }
      }
      return true
    } one: { engine, position in
      let (index, home) = (engine.picks[position].index, clip(position))
      engine.play(index, made[position] ?? home, home: home)
      engine.begin(index, made[position] ?? home, home: home, playback(position), change)
    }
    return change
  }

  /// For each pick, whether it is one of those that fill a tile in order, play no clip, and get the same one: these
  /// play it together.
  private func picksOfWholeTiles(areAlike: Bool, _ clip: (Int) -> Int) -> [Bool] {
    var isWhole = [Bool](repeating: false, count: picks.count)
    guard clips.canTakeTiles else { return isWhole }
    var position = 0
    while position < picks.count {
      let lanes = position..<position + laneCountOfTile
      guard let tile = picks.tileFilled(from: position, tracks), tracks.tiles.playing[tile] == 0,
        areAlike || lanes.allSatisfy({ clip($0) == clip(position) })
      else {
        position += 1
        continue
      }
      for lane in lanes { isWhole[lane] = true }
      position += laneCountOfTile
    }
    return isWhole
  }

  /// Makes the tracks of a full tile play a clip.
  private mutating func play(tile: Int, _ clip: Int) {
    stand(tile: tile)
    clips.take(tile: tile, clip, &tracks)
    clips.library.entries[clip].instances += laneCountOfTile
    velocities.mark(.max, of: tile)
  }

  /// Makes a track play a clip, unless it plays that clip already.
  private mutating func play(_ index: Int, _ clip: Int, home: Int) {
    clips.library.entries[home].instances += 1
    if clips.plays(index, clip, tracks) {
      clips.library.entries[Int(clips.columns.states[index].home)].instances -= 1
      return
    }
    // A variation stays as long as the track plays clips.
    let keepsVariation = tracks.tiles.kind(at: index).isClip
    if keepsVariation { clips.leave(index, &tracks) } else { stand(index) }
    clips.take(index, clip, &tracks, keepsVariation: keepsVariation)
    velocities.mark(index)
  }

  /// Begins a playback of a track, or of those of a full tile, which play a clip.
  @inline(__always)
  private mutating func begin(
    _ index: Int, count: Int = 1, _ clip: Int, home: Int, _ playback: Playback, _ change: UInt32
  ) {
    (tracks.columns.change + index).update(repeating: change, count: count)
    var state = LaneState(home: home, changed: time)
    state.begin(playback, at: time, clips.library.timings[clip])
    clips.setState(state, of: index, count: count)
  }

  /// Adds tracks that play clips, and writes their handles.
  ///
  /// - Parameters:
  ///   - clips: One for all, or one for each.
  ///   - playbacks: One for all, or one for each.
  package mutating func add(
    playing clips: Span<ClipID>, _ playbacks: Span<Playback>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    var indices: [Int] = []
    for clip in clips.indices { indices.append(try index(of: clips[clip])) }
    try add(handles: &handles, clip: { indices[indices.count == 1 ? 0 : $0] }) {
      playbacks[playbacks.count == 1 ? 0 : $0]
    }
  }

  /// Adds tracks that play clips, from their first values.
  ///
  /// - Parameters:
  ///   - clip: The index of the clip of each.
  ///   - playback: How each plays it.
  ///   - handles: Gets the handles, one for each new track.
  /// - Throws: ``BatchError``; nothing is added or written then.
  mutating func add(
    handles: inout MutableSpan<TrackHandle>, clip: (Int) -> Int, _ playback: (Int) -> Playback
  ) throws(BatchError) {
    let count = handles.count
    for position in 0..<count {
      if let defect = playback(position).defect { throw .invalidPlayback(index: position, reason: defect) }
    }
    try reserve(count, for: .clips)
    try clips.expectPlayers(count, tracks) { (clip($0), nil) }
    let change = nextChange()
    for position in 0..<count {
      let clip = clip(position)
      let index = springs.takeIndex(&tracks, moves: false)
      handles[position] = admit(index)
      clips.take(index, clip, &tracks)
      clips.library.entries[clip].instances += 1
      for dimension in 0..<dimensions {
        let (element, first) = (tracks.element(index, dimension), clips.library.entries[clip].firstValues[dimension])
        (tracks.columns.value[element], tracks.columns.target[element]) = (first, first)
        tracks.columns.velocity[element] = 0
      }
      begin(index, clip, home: clip, playback(position), change)
    }
    record { recorder in
      BatchCall(
        .addPlaying, clips: (0..<count).map { recorder.number(clips.library.id(clip($0))) },
        playbacks: (0..<count).map { playback($0) })
    }
  }

  // MARK: - Starts

  /// The clip made anew from the state that a picked track shows; nil if the clip starts with its first value.
  private func remadeClip(
    _ position: Int, _ clip: Int, _ playback: Playback, _ start: ClipStart
  ) throws(BatchError) -> Clip? {
    let index = picks[position].index
    let remake = clips.library.clip(clip).remake
    if start == .automatic {
      guard playback.speed > 0, remake != nil, isOnItsWay(index) else { return nil }
    }
    guard playback.speed >= 0 else {
      throw .invalidPlayback(
        index: position,
        reason: "backwards, at speed \(playback.speed), it starts at the clip's end, not from the current value")
    }
    let handle = tracks.indices.handle(at: index)
    guard let remake else { throw .cannotRestart(handle, .notRestartable) }
    let shown = shown(of: index, clip)
    // The velocities of the clip are those at speed 1.
    let speeds = shown.velocities.map { playback.speed == 0 ? 0 : $0 / playback.speed }
    let clip: Clip
    do throws(ClipError) { clip = try remake(shown.values, speeds) } catch { throw .cannotRestart(handle, error) }
    guard clip.dimensions == dimensions else {
      throw .wrongDimensions(of: "clip made anew", expected: dimensions, got: clip.dimensions)
    }
    return clip
  }

  /// Whether the motion of a track is under way.
  private func isOnItsWay(_ index: Int) -> Bool {
    guard tracks.tiles.kind(at: index).isClip else { return !isAtRest(index) }
    return clips.leg(of: index, at: time).phase == .playing
  }

  /// The values and velocities of a track, in Double if it plays a clip. They are values of the clip that it is to play,
  /// to which its variation applies.
  private func shown(of index: Int, _ clip: Int) -> (values: [Double], velocities: [Double]) {
    let isClip = tracks.tiles.kind(at: index).isClip
    if isClip, let shown = clips.shown(of: index, at: time) { return shown }
    let values = (0..<dimensions).map { dimension in
      let element = tracks.element(index, dimension)
      guard isClip else { return Double(valueBeforeCurve(index, dimension) ?? tracks.columns.value[element]) }
      let (scale, offset) = clips.variation(at: index, dimension)
      let own = Double(tracks.columns.target[element])
      return scale == 0 ? Double(clips.library.entries[clip].firstValues[dimension]) : (own - offset) / scale
    }
    let still = [Double](repeating: 0, count: dimensions)
    guard !isClip, valueBeforeCurve(index, 0) == nil else { return (values, still) }
    return (values, withVelocity(at: index) { velocity in (0..<dimensions).map { Double(velocity($0)) } })
  }

  // MARK: - By hand

  /// Moves tracks that play clips to times of their clips. Other tracks are left alone.
  ///
  /// - Parameters:
  ///   - times: One for all, or one for each.
  ///   - areShares: Whether they are shares of the durations, which are clamped to 0…1.
  package mutating func seek(
    _ tracks: SelectedTracks, to times: Span<Double>, areShares: Bool = false
  ) throws(BatchError) {
    if times.count != 1 { try BatchError.check(times.count, of: "times", expected: count(of: tracks)) }
    for position in times.indices where !times[position].isFinite { throw .invalidTime(times[position]) }
    if case .all = tracks, !areShares, times.count == indexCount { return seekAll(times) }
    try pick(tracks, for: [])
    forEachPickedClip { engine, position, index in
      let time = times[times.count == 1 ? 0 : position]
      engine.seek(index, to: areShares ? min(max(time, 0), 1) * engine.clips.timing(at: index).duration : time)
    }
    record { BatchCall(areShares ? .seekProgress : .seek, $0.names(tracks), numbers: $0.list(times)) }
  }

  /// Goes through the picked tracks that play clips.
  @inline(__always)
  private mutating func forEachPickedClip(_ body: (_ engine: inout Engine, _ position: Int, _ index: Int) -> Void) {
    for position in 0..<picks.count where !picks[position].isDropped {
      let index = picks[position].index
      if tracks.tiles.kind(at: index).isClip { body(&self, position, index) }
    }
  }

  /// Moves every track that plays a clip to a time of its clip, tile by tile.
  ///
  /// - Parameter seconds: By index.
  private mutating func seekAll(_ seconds: Span<Double>) {
    for tile in 0..<tracks.tiles.end where tracks.tiles.playing[tile] != 0 {
      let posed = clips.tiles.posed[tile]
      clips.pose(posed, ofTile: tile, at: seconds, tracks)
      (tracks.tiles.playing[tile] & ~posed).forEachLane { lane in
        let index = tile * laneCountOfTile + lane
        seek(index, to: seconds[index])
      }
    }
    record { BatchCall(.seek, .all, numbers: $0.list(seconds)) }
  }

  private mutating func seek(_ index: Int, to seconds: Double) {
    // A posed track stands still before and after the seek.
    if !clips.isPosed(index) { computeVelocity(at: index) }
    clips.seek(index, to: seconds, at: time, tracks)
  }

  /// Gives variations to tracks that play clips, which the next frame shows. Other tracks are left alone.
  package mutating func vary(
    _ tracks: SelectedTracks, scales: InputValues, offsets: InputValues?
  ) throws(BatchError) {
    try pick(tracks, for: [])
    for (values, one, all) in [(scales, "scale", "scales"), (offsets, "offset", "offsets")] {
      guard let values else { continue }
      try BatchError.check(values.count, of: all, expected: picks.count)
      try values.check(one)
    }
    if clips.isMapped { try reserveMemory(0, for: .variations) }
    forEachPickedClip { engine, position, index in
      for dimension in 0..<engine.dimensions {
        engine.clips.vary(
          index, dimension, scale: scales[position, dimension], offset: offsets?[position, dimension] ?? 0)
      }
      engine.clips.tiles.refresh(index / laneCountOfTile, engine.tracks)
    }
    record {
      BatchCall(.setVariations, $0.names(tracks), scales: $0.numbers(scales), offsets: $0.numbers(offsets))
    }
  }

  // MARK: - Ends

  /// Ends the motions, schedules and waiting calls of tracks, which then stand at the values that they show.
  package mutating func stop(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks)
    endMotionsOfPicked()
    forEachPick {
      $0.stop(tileFrom: $1)
    } one: { engine, position in
      let index = engine.picks[position].index
      engine.stand(index)
      let columns = engine.tracks.columns
      engine.stand(index, at: { columns.value[$0 * columns.dimensionStride + index] })
    }
    watched.mayHaveEnded = true
    record { BatchCall(.stop, $0.names(tracks)) }
  }

  /// Ends the motions of a full tile, if the picks from a position on fill one in order.
  ///
  /// - Returns: Whether that is so.
  private mutating func stop(tileFrom position: Int) -> Bool {
    guard let tile = picks.tileFilled(from: position, tracks) else { return false }
    stand(tile: tile)
    velocities.mark(.max, of: tile)
    let shown = tracks.columns.value + tile * laneCountOfTile
    tracks.stand(tile: tile, at: shown.constant, every: tracks.columns.dimensionStride)
    return true
  }
}

/// Where a track starts to play a clip.
public enum ClipStart: Hashable, Sendable {
  /// With the clip's first value.
  case firstValue
  /// From the value and velocity that the track shows: the clip is made anew for it. A clip of given pieces cannot be
  /// made anew, and a playback backwards starts at the clip's end.
  case shownValue
  /// As SwiftUI does: from the value and velocity that the track shows if it is on its way, otherwise with the clip's
  /// first value. A clip that cannot be made anew starts with its first value too, and so does a playback that is not
  /// forwards.
  case automatic
}
