// SPDX-License-Identifier: MIT
import Kernels

// Pauses: no time passes for a paused track, for its motion, or for the calls and steps that wait for it.
extension Engine {
  /// Whether a track is paused.
  package func isPaused(_ index: Int) -> Bool {
    if pauses.contains(index) { return true }
    return tracks.tiles.kind(at: index).isClip && clips.isPaused(index)
  }

  /// Pauses the tracks that move or wait for something.
  package mutating func pause(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks)
    try pauses.makeRoom(for: indexCount)
    forEachPick {
      $0.pause(tileFrom: $1)
    } one: {
      $0.pause($0.picks[$1].index)
    }
    record { BatchCall(.pause, $0.names(tracks)) }
  }

  private mutating func pause(_ index: Int) {
    guard !isPaused(index) else { return }
    let hasSchedule = phases.isPlaying(index) || waiting.isWaiting(index)
    // A track that waits at rest stays at rest, even if the tolerance of rest changes.
    let motion = hold(index, evenAtRest: hasSchedule)
    if motion == nil, tracks.tiles.kind(at: index).isClip {
      clips.pause(index, at: time)
    }
    guard hasSchedule || motion != nil else { return }
    let columns = tracks.columns
    pauses.begin(index, since: time, motion) { columns.velocity[$0 * columns.dimensionStride + index] }
    // A velocity given by hand waits too.
    if tracks.tiles.kind(at: index) == .still {
      for dimension in 0..<dimensions { columns.velocity[tracks.element(index, dimension)] = 0 }
    }
    phases.pause(index)
    waiting.hold(index, at: time)
  }

  /// Pauses the tracks of a full tile of springs, if the picks from a position on fill one in order, all of its
  /// tracks move, and nothing waits.
  ///
  /// - Returns: Whether that is so.
  private mutating func pause(tileFrom position: Int) -> Bool {
    guard phases.playerCount == 0, waiting.count == 0, let tile = picks.tileFilled(from: position, tracks),
      tracks.tiles.moving[tile] == .max, springs.watch.noneRests(tile)
    else { return false }
    let columns = tracks.columns
    for lane in 0..<laneCountOfTile {
      let index = tile * laneCountOfTile + lane
      pauses.begin(index, since: time, .spring(springs.watch.reported(at: index))) {
        columns.velocity[$0 * columns.dimensionStride + index]
      }
    }
    tracks.tiles.keep(.max, of: tile)
    springs.watch.sleep(tile)
    springs.letLast(tile, .max)
    (columns.velocity + tile * laneCountOfTile).writeTile(.max, dimensions, from: nil, to: columns.dimensionStride)
    return true
  }

  /// Resumes the tracks that are paused.
  package mutating func resume(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks, for: [])
    forEachPick {
      $0.resume(tileFrom: $1)
    } one: {
      $0.resume($0.picks[$1].index)
    }
    record { BatchCall(.resume, $0.names(tracks)) }
  }

  /// Resumes a track, if it is paused.
  mutating func resume(_ index: Int) {
    if tracks.tiles.kind(at: index).isClip, clips.isPaused(index) {
      clips.change(index, at: time) { state, _ in state.mode = .running }
    }
    guard let pause = pauses.end(index) else { return }
    if pause.motion == nil, tracks.tiles.kind(at: index) == .still { showVelocity(index) }
    phases.resume(index, after: pause, at: time)
    waiting.release(index, at: time)
    if let motion = pause.motion { release(index, motion, pause) }
  }

  /// Resumes the tracks of a full tile, if the picks from a position on fill one in order, and all of its tracks
  /// go on with springs and nothing else.
  ///
  /// - Returns: Whether that is so.
  private mutating func resume(tileFrom position: Int) -> Bool {
    guard !pauses.isEmpty, phases.playerCount == 0, let tile = picks.tileFilled(from: position, tracks),
      tracks.tiles.kept[tile] == .max
    else { return false }
    let indices = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    for index in indices {
      guard case .spring? = pauses[index]?.motion, !waiting.isHeld(index) else { return false }
    }
    tracks.tiles.setMoving(tile: tile)
    let starts = springs.columns.start
    var reported = SpringWatch.Lanes()
    for index in indices {
      guard let pause = pauses.end(index), case .spring(let known)? = pause.motion else { continue }
      starts[index] = time - (pause.since - starts[index])
      reported[index] = known
      showVelocity(index)
    }
    springs.goOn(tile, reported, tracks)
    return true
  }

  /// Holds the waiting call of a track, if it is paused.
  mutating func putOff(_ index: Int) {
    guard isPaused(index) else { return }
    if !pauses.contains(index) {
      // It plays a clip, which keeps its own pause.
      pauses.begin(index, since: time, nil) { _ in 0 }
    }
    waiting.hold(index, at: time)
  }

  /// Stops a track at its value, and returns its motion; nil if it stands already, or plays a clip.
  ///
  /// - Parameter evenAtRest: Whether a spring at rest is held too.
  mutating func hold(_ index: Int, evenAtRest: Bool) -> PausedMotion? {
    let kind = tracks.tiles.kind(at: index)
    let held: PausedMotion
    if kind == .spring, evenAtRest || !springs.isAtRest(index) {
      held = .spring(springs.watch.reported(at: index))
    } else if kind == .called, !called[index].isOver {
      held = .called(called[index])
    } else if kind == .curves, !curves.isOver(index) {
      held = .curves(heldCurves(index))
    } else if kind == .following {
      held = .following(springs.coefficients(at: index))
    } else {
      return nil
    }
    // It keeps its target, and its spring.
    if kind == .spring {
      springs.goOnUnwatched(index)
    } else if kind == .curves {
      curves.leave(index, &tracks)
    } else {
      let leader = follows.leader(index)
      endKept(index)
      follows.keepLeader(index, leader)
    }
    keep(index)
    return held
  }

  /// Resumes a motion of a track, from its current value and with the velocity that it had.
  mutating func release(_ index: Int, _ motion: PausedMotion, _ pause: Pauses.Pause) {
    switch motion {
    case .spring(let reported):
      releaseSpring(index, pause)
      springs.watch.setReported(index, reported)
    case .curves(let held): release(index, held, pause)
    case .following(let coefficients):
      beginFollowing(index, coefficients, tracks.columns.change[index])
      showGoal(index)
    case .called(var motion):
      motion.value.delay(by: time - pause.since)
      motion.changed = pause.moment(motion.changed, resumedAt: time)
      tracks.tiles.setMoving(index, false)
      tracks.tiles.call(index)
      called.begin(index, motion)
    }
    showVelocity(index)
  }

  /// Resumes the spring that the columns of a paused track keep.
  private mutating func releaseSpring(_ index: Int, _ pause: Pauses.Pause) {
    let (coefficients, start) = (springs.coefficients(at: index), springs.columns.start[index])
    tracks.tiles.setMoving(index, true)
    springs.begin(index, coefficients, at: time - (pause.since - start), tracks)
  }

  /// The curves of a track, to go on with later.
  private func heldCurves(_ index: Int) -> HeldCurves {
    var held = HeldCurves(
      under: (0..<dimensions).map { curves.under(index, $0) }, areOnSpring: curves.isOnSpring(index),
      reported: curves.reported(at: index))
    curves.forEachEffect(at: index) { effect, _ in
      let goal = (0..<dimensions).map { effect.goal($0) }
      held.effects.append(.init(motion: curves.motion(of: effect), start: effect.start, goal: goal))
    }
    return held
  }

  private mutating func release(_ index: Int, _ held: HeldCurves, _ pause: Pauses.Pause) {
    let change = tracks.columns.change[index]
    let values = (0..<dimensions).map { tracks.columns.value[tracks.element(index, $0)] }
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      (tracks.columns.value[element], tracks.columns.target[element]) = (held.under[dimension], held.under[dimension])
    }
    putTargetUnder(index)
    if held.areOnSpring { releaseSpring(index, pause) }
    for (position, effect) in held.effects.enumerated() {
      follow(
        index, effect.motion, at: pause.moment(effect.start, resumedAt: time), change,
        adds: position > 0 || held.areOnSpring
      ) { effect.goal[$0] }
    }
    setReported(index, held.reported)
    for dimension in 0..<dimensions { tracks.columns.value[tracks.element(index, dimension)] = values[dimension] }
  }

  /// Gives a track the velocity that it had before its pause.
  private mutating func showVelocity(_ index: Int) {
    velocities.mark(index)
    for dimension in 0..<dimensions {
      tracks.columns.velocity[tracks.element(index, dimension)] = pauses.velocity(index, dimension)
    }
  }
}
