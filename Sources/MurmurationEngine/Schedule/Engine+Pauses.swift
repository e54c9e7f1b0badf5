// SPDX-License-Identifier: MIT
import Kernels

// Pauses: no time passes for a paused track, for its motion, or for the calls and steps that wait for it.
extension Engine {
  /// Whether the track of a row is paused.
  package func isPaused(_ row: Int) -> Bool {
    if pauses.contains(row) { return true }
    return tracks.tiles.kind(ofRow: row).isClip && clips.isPaused(row)
  }

  /// Pauses the tracks that move or wait for something.
  package mutating func pause(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks)
    try pauses.makeRoom(for: indexCount)
    forEachPick {
      $0.pause(tileFrom: $1)
    } one: {
      $0.pause($0.picks[$1].row)
    }
    record { BatchCall(.pause, $0.names(tracks)) }
  }

  private mutating func pause(_ row: Int) {
    guard !isPaused(row) else { return }
    let hasSchedule = phases.isPlaying(row) || waiting.isWaiting(row)
    // A track that waits at rest stays at rest, even if the tolerance of rest changes.
    let motion = hold(row, evenAtRest: hasSchedule)
    if motion == nil, tracks.tiles.kind(ofRow: row).isClip {
      clips.pause(row, at: time)
    }
    guard hasSchedule || motion != nil else { return }
    let columns = tracks.columns
    pauses.begin(row, since: time, motion) { columns.velocity[$0 * columns.dimensionStride + row] }
    // A velocity given by hand waits too.
    if tracks.tiles.kind(ofRow: row) == .still {
      for dimension in 0..<dimensions { columns.velocity[tracks.element(row, dimension)] = 0 }
    }
    phases.pause(row)
    waiting.hold(row, at: time)
  }

  /// Pauses the tracks of a full tile of springs in their rows, if the picks from an index on fill one in order, all of its
  /// tracks move, and nothing waits.
  ///
  /// - Returns: Whether that is so.
  private mutating func pause(tileFrom index: Int) -> Bool {
    guard phases.playerCount == 0, waiting.count == 0, let tile = picks.tileFilled(from: index, tracks),
      tracks.tiles.moving[tile] == .max, springs.watch.noneRests(tile)
    else { return false }
    let columns = tracks.columns
    for lane in 0..<laneCountOfTile {
      let row = tile * laneCountOfTile + lane
      pauses.begin(row, since: time, .spring(springs.watch.reported(ofRow: row))) {
        columns.velocity[$0 * columns.dimensionStride + row]
      }
    }
    tracks.tiles.keep(.max, of: tile)
    springs.watch.sleep(tile)
    springs.letLast(tile, .max)
    for dimension in 0..<dimensions {
      let first = tracks.element(tile * laneCountOfTile, dimension)
      (columns.velocity + first).update(repeating: 0, count: laneCountOfTile)
    }
    return true
  }

  /// Resumes the tracks that are paused.
  package mutating func resume(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks, for: [])
    forEachPick {
      $0.resume(tileFrom: $1)
    } one: {
      $0.resume($0.picks[$1].row)
    }
    record { BatchCall(.resume, $0.names(tracks)) }
  }

  /// Resumes the track of a row, if it is paused.
  mutating func resume(_ row: Int) {
    if tracks.tiles.kind(ofRow: row).isClip, clips.isPaused(row) {
      clips.change(row, at: time) { state, _ in state.mode = .running }
    }
    guard let pause = pauses.end(row) else { return }
    if pause.motion == nil, tracks.tiles.kind(ofRow: row) == .still { showVelocity(row) }
    phases.resume(row, after: pause, at: time)
    waiting.release(row, at: time)
    if let motion = pause.motion { release(row, motion, pause) }
  }

  /// Resumes the tracks of a full tile in their rows, if the picks from an index on fill one in order, and all of its tracks
  /// go on with springs and nothing else.
  ///
  /// - Returns: Whether that is so.
  private mutating func resume(tileFrom index: Int) -> Bool {
    guard !pauses.isEmpty, phases.playerCount == 0, let tile = picks.tileFilled(from: index, tracks),
      tracks.tiles.kept[tile] == .max
    else { return false }
    let rows = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    for row in rows {
      guard case .spring? = pauses[row]?.motion, !waiting.isHeld(row) else { return false }
    }
    tracks.tiles.setMoving(tile: tile)
    let starts = springs.columns.start
    var reported = SpringWatch.Lanes()
    for row in rows {
      guard let pause = pauses.end(row), case .spring(let known)? = pause.motion else { continue }
      starts[row] = time - (pause.since - starts[row])
      reported[row] = known
      showVelocity(row)
    }
    springs.goOn(tile, reported, tracks)
    return true
  }

  /// Holds the waiting call of a row, if its track is paused.
  mutating func putOff(_ row: Int) {
    guard isPaused(row) else { return }
    if !pauses.contains(row) {
      // It plays a clip, which keeps its own pause.
      pauses.begin(row, since: time, nil) { _ in 0 }
    }
    waiting.hold(row, at: time)
  }

  /// Stops the track of a row at its value, and returns its motion; nil if it stands already, or plays a clip.
  ///
  /// - Parameter evenAtRest: Whether a spring at rest is held too.
  mutating func hold(_ row: Int, evenAtRest: Bool) -> PausedMotion? {
    let kind = tracks.tiles.kind(ofRow: row)
    let held: PausedMotion
    if kind == .spring, evenAtRest || !springs.isAtRest(row) {
      held = .spring(springs.watch.reported(ofRow: row))
    } else if kind == .called, !called[row].isOver {
      held = .called(called[row])
    } else if kind == .curves, !curves.isOver(row) {
      held = .curves(heldCurves(row))
    } else if kind == .following {
      held = .following(springs.coefficients(ofRow: row))
    } else {
      return nil
    }
    // It keeps its target, and its spring.
    if kind == .spring {
      springs.goOnUnwatched(row)
    } else if kind == .curves {
      curves.leave(row, &tracks)
    } else {
      let leader = follows.leader(row)
      endKept(row)
      follows.keepLeader(row, leader)
    }
    keep(row)
    return held
  }

  /// Resumes a motion of the track of a row, from its current value and with the velocity that it had.
  mutating func release(_ row: Int, _ motion: PausedMotion, _ pause: PausedTracks.Pause) {
    switch motion {
    case .spring(let reported):
      releaseSpring(row, pause)
      springs.watch.setReported(row, reported)
    case .curves(let held): release(row, held, pause)
    case .following(let coefficients):
      beginFollowing(row, coefficients, tracks.columns.change[row])
      showGoal(row)
    case .called(var motion):
      motion.value.delay(by: time - pause.since)
      motion.changed = pause.moment(motion.changed, resumedAt: time)
      tracks.tiles.setMoving(row, false)
      tracks.tiles.call(row)
      called.begin(row, motion)
    }
    showVelocity(row)
  }

  /// Resumes the spring that the row of a paused track keeps.
  private mutating func releaseSpring(_ row: Int, _ pause: PausedTracks.Pause) {
    let (coefficients, start) = (springs.coefficients(ofRow: row), springs.columns.start[row])
    tracks.tiles.setMoving(row, true)
    springs.begin(row, coefficients, at: time - (pause.since - start), tracks)
  }

  /// The curves of a row, to go on with later.
  private func heldCurves(_ row: Int) -> HeldCurves {
    var held = HeldCurves(
      under: (0..<dimensions).map { curves.under(row, $0) }, areOnSpring: curves.isOnSpring(row),
      reported: curves.reported(ofRow: row))
    curves.forEachEffect(ofRow: row) { effect, _ in
      let goal = (0..<dimensions).map { effect.goal($0) }
      held.effects.append(.init(motion: curves.motion(of: effect), start: effect.start, goal: goal))
    }
    return held
  }

  private mutating func release(_ row: Int, _ held: HeldCurves, _ pause: PausedTracks.Pause) {
    let change = tracks.columns.change[row]
    let values = (0..<dimensions).map { tracks.columns.value[tracks.element(row, $0)] }
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      (tracks.columns.value[element], tracks.columns.target[element]) = (held.under[dimension], held.under[dimension])
    }
    putTargetUnder(row)
    if held.areOnSpring { releaseSpring(row, pause) }
    for (index, effect) in held.effects.enumerated() {
      follow(
        row, effect.motion, at: pause.moment(effect.start, resumedAt: time), change,
        adds: index > 0 || held.areOnSpring
      ) { effect.goal[$0] }
    }
    setReported(row, held.reported)
    for dimension in 0..<dimensions { tracks.columns.value[tracks.element(row, dimension)] = values[dimension] }
  }

  /// Gives a row the velocity that its track had before its pause.
  private mutating func showVelocity(_ row: Int) {
    velocities.mark(row)
    for dimension in 0..<dimensions {
      tracks.columns.velocity[tracks.element(row, dimension)] = pauses.velocity(row, dimension)
    }
  }
}
