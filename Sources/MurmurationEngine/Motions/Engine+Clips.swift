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
    let id = id(ofClip: clips.library.add(clip, isPrivate: false))
    #if !hasFeature(Embedded)
      recorder?.admit(id)
    #endif
    record { _ in BatchCall(.loadClip(clip)) }
    return id
  }

  /// Unloads a clip that no track plays.
  package mutating func unload(_ id: ClipID) throws(BatchError) {
    let index = try index(of: id)
    guard clips.library.entries[index].rows == 0, clips.library.entries[index].instances == 0 else {
      throw .clipInUse(id)
    }
    clips.library.remove(index)
    record { BatchCall(.unloadClip, clips: [$0.number(id)]) }
  }

  /// The index of a loaded clip.
  func index(of id: ClipID) throws(BatchError) -> Int {
    guard id.store == tracks.rows.store, clips.library.isLoaded(Int(id.index), generation: id.generation) else {
      throw .unknownClip(id)
    }
    return Int(id.index)
  }

  func id(ofClip index: Int) -> ClipID {
    ClipID(
      index: UInt32(index), generation: clips.library.entries[index].generation, store: tracks.rows.store)
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
    for index in 0..<picks.count where !picks[index].isDropped {
      if let defect = playback(index).defect { throw .invalidPlayback(index: index, reason: defect) }
      if start != .firstValue {
        remade[index] = try remadeClip(index, clip(index), playback(index), start)
      } else if areAlike {
        break
      }
    }
    let made = remade.mapValues { clips.library.add($0, isPrivate: true) }
    let picked = picks.list
    let isWhole =
      made.isEmpty ? picksOfWholeTiles(areAlike: areAlike, clip) : [Bool](repeating: false, count: picked.count)
    do {
      for index in picked.indices where isWhole[index] && picked[index].row % laneCountOfTile == 0 {
        try clips.library.makeTables(clip(index))
      }
      if isWhole.contains(false) {
        try clips.expectRows(picked.count, tracks) { index in
          picked[index].isDropped || isWhole[index]
            ? nil : (made[index] ?? clip(index), picked[index].row)
        }
      }
    } catch {
      for index in made.values { clips.library.remove(index) }
      throw error
    }
    endSchedulesOfPicked()
    let change = nextChange()
    forEachPick { engine, index in
      guard isWhole[index] else { return false }
      let row = engine.picks[index].row
      engine.play(tile: row / laneCountOfTile, clip(index))
      if areAlike {
        engine.begin(row, count: laneCountOfTile, clip(index), home: clip(index), playback(index), change)
      } else {
        for lane in 0..<laneCountOfTile {
          engine.begin(row + lane, clip(index), home: clip(index), playback(index + lane), change)
        }
      }
      return true
    } one: { engine, index in
      let (row, home) = (engine.picks[index].row, clip(index))
      engine.play(row, made[index] ?? home, home: home)
      engine.begin(row, made[index] ?? home, home: home, playback(index), change)
    }
    return change
  }

  /// For each pick, whether it is one of those that fill a tile in order, play no clip, and get the same one: these
  /// play it in their rows.
  private func picksOfWholeTiles(areAlike: Bool, _ clip: (Int) -> Int) -> [Bool] {
    var isWhole = [Bool](repeating: false, count: picks.count)
    guard clips.canTakeTiles else { return isWhole }
    var index = 0
    while index < picks.count {
      let lanes = index..<index + laneCountOfTile
      guard let tile = picks.tileFilled(from: index, tracks), tracks.tiles.playing[tile] == 0,
        areAlike || lanes.allSatisfy({ clip($0) == clip(index) })
      else {
        index += 1
        continue
      }
      for lane in lanes { isWhole[lane] = true }
      index += laneCountOfTile
    }
    return isWhole
  }

  /// Makes the tracks of a full tile play a clip in their rows.
  private mutating func play(tile: Int, _ clip: Int) {
    stand(tile: tile)
    clips.take(tile: tile, clip, &tracks)
    clips.library.entries[clip].instances += laneCountOfTile
    velocities.markAll(ofTile: tile)
  }

  /// Makes the track of a row play a clip, unless it plays that clip already.
  private mutating func play(_ row: Int, _ clip: Int, home: Int) {
    clips.library.entries[home].instances += 1
    if clips.plays(row, clip, tracks) {
      clips.library.entries[Int(clips.columns.states[row].home)].instances -= 1
      return
    }
    // A variation stays as long as the track plays clips.
    let keepsVariation = tracks.tiles.kind(ofRow: row).isClip
    if keepsVariation { clips.leave(row, &tracks) } else { stand(row) }
    clips.take(row, clip, &tracks, keepsVariation: keepsVariation)
    velocities.mark(row)
  }

  /// Begins a playback of the track of a row, or of those of a full tile, which play a clip in their rows.
  @inline(__always)
  private mutating func begin(
    _ row: Int, count: Int = 1, _ clip: Int, home: Int, _ playback: Playback, _ change: UInt32
  ) {
    (tracks.columns.change + row).update(repeating: change, count: count)
    var state = LaneState(home: home, changed: time)
    state.begin(playback, at: time, clips.library.timings[clip])
    clips.setState(state, ofRow: row, count: count)
  }

  /// Adds tracks that play clips, and writes their handles.
  ///
  /// - Parameters:
  ///   - clips: One for all, or one for each.
  ///   - playbacks: One for all, or one for each.
  package mutating func add(
    playing clips: Span<ClipID>, _ playbacks: Span<Playback>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    if clips.count == 1 {
      let index = try index(of: clips[0])
      return try add(handles: &handles, clip: { _ in index }) { playbacks[playbacks.count == 1 ? 0 : $0] }
    }
    var indices: [Int] = []
    for clip in clips.indices { indices.append(try index(of: clips[clip])) }
    try add(handles: &handles, clip: { indices[$0] }) { playbacks[playbacks.count == 1 ? 0 : $0] }
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
    for index in 0..<count {
      if let defect = playback(index).defect { throw .invalidPlayback(index: index, reason: defect) }
    }
    try reserve(count, for: .clips)
    try clips.expectRows(count, tracks) { (clip($0), nil) }
    let change = nextChange()
    for index in 0..<count {
      let clip = clip(index)
      let row = springs.takeRow(&tracks, moves: false)
      handles[index] = admit(row)
      clips.take(row, clip, &tracks)
      clips.library.entries[clip].instances += 1
      for dimension in 0..<dimensions {
        let (element, first) = (tracks.element(row, dimension), clips.library.entries[clip].firstValues[dimension])
        (tracks.columns.value[element], tracks.columns.target[element]) = (first, first)
        tracks.columns.velocity[element] = 0
      }
      begin(row, clip, home: clip, playback(index), change)
    }
    record { recorder in
      BatchCall(
        .addPlaying, clips: (0..<count).map { recorder.number(id(ofClip: clip($0))) },
        playbacks: (0..<count).map { playback($0) })
    }
  }

  // MARK: - Starts

  /// The clip made anew from the state that a picked track shows; nil if the clip starts with its first value.
  private func remadeClip(
    _ index: Int, _ clip: Int, _ playback: Playback, _ start: ClipStart
  ) throws(BatchError) -> Clip? {
    let row = picks[index].row
    let remake = clips.library.clip(clip).remake
    if start == .automatic {
      guard playback.speed > 0, remake != nil, isOnItsWay(row) else { return nil }
    }
    guard playback.speed >= 0 else {
      throw .invalidPlayback(
        index: index,
        reason: "backwards, at speed \(playback.speed), it starts at the clip's end, not from the current value")
    }
    let handle = tracks.rows.handle(ofRow: row)
    guard let remake else { throw .cannotRestart(handle, .notRestartable) }
    let shown = shown(ofRow: row, clip)
    // The velocities of the clip are those at speed 1.
    let speeds = shown.velocities.map { playback.speed == 0 ? 0 : $0 / playback.speed }
    let clip: Clip
    do throws(ClipError) { clip = try remake(shown.values, speeds) } catch { throw .cannotRestart(handle, error) }
    guard clip.dimensions == dimensions else {
      throw .wrongDimensions(of: "clip made anew", expected: dimensions, got: clip.dimensions)
    }
    return clip
  }

  /// Whether the motion of a row is under way.
  private func isOnItsWay(_ row: Int) -> Bool {
    guard tracks.tiles.kind(ofRow: row).isClip else { return !isAtRest(row) }
    return clips.leg(ofRow: row, at: time).phase == .playing
  }

  /// The values and velocities of a row, in Double if it plays a clip. They are values of the clip that it is to play,
  /// to which its variation applies.
  private func shown(ofRow row: Int, _ clip: Int) -> (values: [Double], velocities: [Double]) {
    let isClip = tracks.tiles.kind(ofRow: row).isClip
    if isClip, let shown = clips.shown(ofRow: row, at: time) { return shown }
    let values = (0..<dimensions).map { dimension in
      let element = tracks.element(row, dimension)
      guard isClip else { return Double(tracks.columns.value[element]) }
      let (scale, offset) = clips.variation(ofRow: row, dimension)
      let own = Double(tracks.columns.target[element])
      return scale == 0 ? Double(clips.library.entries[clip].firstValues[dimension]) : (own - offset) / scale
    }
    let still = [Double](repeating: 0, count: dimensions)
    return (
      values, isClip ? still : withVelocity(ofRow: row) { velocity in (0..<dimensions).map { Double(velocity($0)) } }
    )
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
    for index in times.indices where !times[index].isFinite { throw .invalidTime(times[index]) }
    if case .all = tracks, !areShares, times.count == indexCount { return seekAll(times) }
    try pick(tracks, for: [])
    forEachPickedClip { engine, index, row in
      let time = times[times.count == 1 ? 0 : index]
      engine.seek(row, to: areShares ? min(max(time, 0), 1) * engine.clips.timing(ofRow: row).duration : time)
    }
    record { BatchCall(areShares ? .seekProgress : .seek, $0.names(tracks), numbers: $0.list(times)) }
  }

  /// Goes through the picked tracks that play clips.
  @inline(__always)
  private mutating func forEachPickedClip(_ body: (_ engine: inout Engine, _ index: Int, _ row: Int) -> Void) {
    for index in 0..<picks.count where !picks[index].isDropped {
      let row = picks[index].row
      if tracks.tiles.kind(ofRow: row).isClip { body(&self, index, row) }
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
        let row = tile * laneCountOfTile + lane
        seek(row, to: seconds[row])
      }
    }
    record { BatchCall(.seek, .all, numbers: $0.list(seconds)) }
  }

  private mutating func seek(_ row: Int, to seconds: Double) {
    // A posed track stands still before and after the seek.
    if !clips.isPosed(row) { computeVelocity(ofRow: row) }
    clips.seek(row, to: seconds, at: time, tracks)
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
    if clips.isMapped { try reserveRows(0, for: .variations) }
    forEachPickedClip { engine, index, row in
      for dimension in 0..<engine.dimensions {
        engine.clips.vary(row, dimension, scale: scales[index, dimension], offset: offsets?[index, dimension] ?? 0)
      }
      engine.clips.tiles.refresh(row / laneCountOfTile, engine.tracks)
    }
    record {
      BatchCall(.setVariations, $0.names(tracks), scales: $0.numbers(scales), offsets: $0.numbers(offsets))
    }
  }

  // MARK: - Ends

  /// Ends the motions, schedules and waiting calls of tracks, which then stand at the values that they show.
  package mutating func stop(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks)
    endSchedulesOfPicked()
    forEachPick {
      $0.stop(tileFrom: $1)
    } one: { engine, index in
      let row = engine.picks[index].row
      engine.stand(row)
      let columns = engine.tracks.columns
      engine.stand(row, at: { columns.value[$0 * columns.dimensionStride + row] })
    }
    watched.mayHaveEnded = true
    record { BatchCall(.stop, $0.names(tracks)) }
  }

  /// Ends the motions of a full tile in its rows, if the picks from an index on fill one in order.
  ///
  /// - Returns: Whether that is so.
  private mutating func stop(tileFrom index: Int) -> Bool {
    guard let tile = picks.tileFilled(from: index, tracks) else { return false }
    stand(tile: tile)
    velocities.markAll(ofTile: tile)
    let columns = tracks.columns
    for dimension in 0..<dimensions {
      let element = tracks.element(tile * laneCountOfTile, dimension)
      // A value of −0 becomes a plain 0.
      let shown = columns.value.lanes(at: element, as: SIMD16<Float>.self) + SIMD16<Float>.zero
      columns.value.store(shown, at: element)
      columns.target.store(shown, at: element)
      columns.velocity.store(SIMD16<Float>.zero, at: element)
    }
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
