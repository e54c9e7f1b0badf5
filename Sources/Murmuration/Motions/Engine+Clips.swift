// SPDX-License-Identifier: MIT
import Kernels

// Clips: loading them, playing them on tracks, and what a hand does with the playing ones.
extension Engine {
  // MARK: - Clips

  /// Takes a clip, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)``.
  mutating func load(_ clip: Clip) throws(BatchError) -> ClipID {
    guard clip.dimensions == dimensions else {
      throw .wrongDimensions(of: "clip", expected: dimensions, got: clip.dimensions)
    }
    let index = clips.library.add(clip, isPrivate: false)
    return id(ofClip: index)
  }

  /// Lets a clip go that no track plays.
  mutating func unload(_ id: ClipID) throws(BatchError) {
    let index = try index(of: id)
    guard clips.library.entries[index].rows == 0, clips.library.entries[index].instances == 0 else {
      throw .clipInUse(id)
    }
    clips.library.remove(index)
  }

  /// The index of a loaded clip.
  func index(of id: ClipID) throws(BatchError) -> Int {
    guard id.store == tracks.slots.store, clips.library.isLoaded(Int(id.place), generation: id.generation) else {
      throw .unknownClip(id)
    }
    return Int(id.place)
  }

  func id(ofClip index: Int) -> ClipID {
    ClipID(
      place: UInt32(index), generation: clips.library.entries[index].generation, store: tracks.slots.store)
  }

  // MARK: - Playing

  /// Has the picked tracks play clips. What it changes shows with the next frame.
  ///
  /// - Parameters:
  ///   - clip: The index of the clip of each pick.
  ///   - playback: How each plays it.
  ///   - start: Where each starts.
  mutating func playPicked(
    _ start: ClipStart, clip: (Int) -> Int, _ playback: (Int) -> Playback
  ) throws(BatchError) -> UInt32 {
    var remade: [Int: Clip] = [:]
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      if let defect = playback(index).defect { throw .invalidPlayback(index: index, reason: defect) }
      if start == .shown { remade[index] = try remadeClip(index, clip(index), playback(index)) }
    }
    endSchedulesOfPicked()
    let change = nextChange()
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      play(picks.row(index, tracks), home: clip(index), remade[index], playback(index), change)
    }
    return change
  }

  private mutating func play(_ row: Int, home: Int, _ remade: Clip?, _ playback: Playback, _ change: UInt32) {
    let played = remade.map { clips.library.add($0, isPrivate: true) } ?? home
    clips.library.countInstance(home, 1)
    var row = row
    if tracks.tiles.kind(ofRow: row).isClip, clips.clip(ofRow: row) == played {
      clips.library.countInstance(unsafe Int(clips.columns.states[row].home), -1)
    } else {
      row = moveToClip(row, played)
    }
    unsafe tracks.columns.change[row] = change
    var state = LaneState(home: home, changed: time)
    state.begin(playback, at: time, clips.library.timings[played])
    clips.setState(state, ofRow: row)
  }

  /// Gives a track a row in which it plays a clip, with what it shows and where it heads.
  private mutating func moveToClip(_ row: Int, _ clip: Int) -> Int {
    let (slot, newRow) = (UInt32(tracks.slot(ofRow: row)), clips.takeRow(clip, &tracks))
    tracks.carry(slot, from: row, to: newRow)
    tracks.copyTarget(of: row, to: newRow)
    velocities.mark(newRow)
    leave(row)
    return newRow
  }

  /// The clip made anew from what a picked track shows.
  private func remadeClip(_ index: Int, _ clip: Int, _ playback: Playback) throws(BatchError) -> Clip {
    let row = Int(picks[index].row)
    let handle = tracks.handle(ofRow: row)
    guard playback.speed >= 0 else {
      throw .invalidPlayback(
        index: index,
        reason: "backwards, at speed \(playback.speed), it starts at the clip's end, not from the current value")
    }
    guard let remake = clips.library.clip(clip).remake else { throw .cannotRestart(handle, .notRestartable) }
    let shown = shown(ofRow: row)
    // The clip runs at its own speed.
    let speeds = shown.velocities.map { playback.speed == 0 ? 0 : $0 / playback.speed }
    let clip: Clip
    do throws(ClipError) { clip = try remake(shown.values, speeds) } catch { throw .cannotRestart(handle, error) }
    guard clip.dimensions == dimensions else {
      throw .wrongDimensions(of: "clip made anew", expected: dimensions, got: clip.dimensions)
    }
    return clip
  }

  /// What a row shows and how fast, of a clip as exactly as that is known.
  private func shown(ofRow row: Int) -> (values: [Double], velocities: [Double]) {
    guard tracks.tiles.kind(ofRow: row).isClip else {
      return (
        (0..<dimensions).map { unsafe Double(tracks.columns.value[tracks.element(row, $0)]) },
        withVelocity(ofRow: row) { velocity in (0..<dimensions).map { Double(velocity($0)) } }
      )
    }
    return shown(ofClipRow: row, at: time)
  }

  /// What a row that plays a clip shows at a moment and how fast, as exactly as that is known.
  func shown(ofClipRow row: Int, at moment: Double) -> (values: [Double], velocities: [Double]) {
    if let shown = clips.shown(ofRow: row, at: moment) { return shown }
    let own = (0..<dimensions).map { unsafe Double(tracks.columns.target[tracks.element(row, $0)]) }
    return (own, [Double](repeating: 0, count: dimensions))
  }

  // MARK: - By hand

  /// Changes the playback of the picked tracks that play clips; others are left alone.
  mutating func changePlayback(
    where isConcerned: (LaneState.Mode) -> Bool = { _ in true }, _ body: (inout LaneState, ClipTiming) -> Void
  ) {
    let now = time
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let row = Int(picks[index].row)
      guard tracks.tiles.kind(ofRow: row).isClip, unsafe isConcerned(clips.columns.states[row].mode) else { continue }
      clips.change(row, at: now, body)
    }
  }

  /// Moves the picked tracks that play clips to times of these.
  mutating func seekPicked(_ seconds: (Int, ClipTiming) -> Double) {
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let row = Int(picks[index].row)
      guard tracks.tiles.kind(ofRow: row).isClip else { continue }
      computeVelocity(ofRow: row)
      clips.seek(row, to: seconds(index, clips.timing(ofRow: row)), at: time)
    }
  }
}

/// Where a track starts to play a clip.
public enum ClipStart: Hashable, Sendable {
  /// With the clip's first value, as SwiftUI does.
  case firstValue
  /// From what the track shows, value and velocity: the clip is made anew for it. A clip of given pieces cannot be.
  case shown
}
