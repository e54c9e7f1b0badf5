// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// Pauses: no time passes for a paused track, for its motion, or for the calls and steps that wait for it.
extension Engine {
  /// Whether the track of a slot is paused.
  func isPaused(_ slot: Int) -> Bool {
    if pauses.contains(slot) { return true }
    let row = tracks.slots.row(of: slot)
    return tracks.tiles.kind(ofRow: row).isClip && clips.isPaused(row)
  }

  /// Pauses the picked tracks that move or wait for something.
  mutating func pausePicked() {
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let slot = Int(picks[index].slot)
      guard !isPaused(slot) else { continue }
      let row = picks.row(index, tracks)
      let hasSchedule = phases.isPlaying(slot) || waiting.isWaiting(slot)
      let velocities = (0..<dimensions).map { tracks.columns.velocity[tracks.element(row, $0)] }
      // A track that waits at rest stays at rest, even if the tolerance of rest changes.
      let motion = hold(row, evenAtRest: hasSchedule)
      if motion == nil, tracks.tiles.kind(ofRow: row).isClip {
        clips.pause(row, at: time)
      }
      guard hasSchedule || motion != nil else { continue }
      // A velocity given by hand waits too.
      if motion == nil, tracks.tiles.kind(ofRow: row) == .still { show([Float](repeating: 0, count: dimensions), row) }
      pauses.begin(slot, PausedTracks.Pause(since: time, motion: motion, velocities: velocities))
      phases.pause(slot)
      waiting.hold(slot, at: time)
    }
  }

  /// Resumes the picked tracks that are paused.
  mutating func resumePicked() {
    for index in 0..<picks.count where picks[index].row != Pick.noRow { resume(Int(picks[index].slot)) }
  }

  /// Resumes the track of a slot, if it is paused.
  mutating func resume(_ slot: Int) {
    let row = tracks.slots.row(of: slot)
    if tracks.tiles.kind(ofRow: row).isClip, clips.isPaused(row) {
      clips.change(row, at: time) { state, _ in state.mode = .running }
    }
    guard let pause = pauses.end(slot) else { return }
    if pause.motion == nil, tracks.tiles.kind(ofRow: row) == .still { show(pause.velocities, row) }
    phases.resume(slot, after: pause, at: time)
    waiting.reserve(1, slots: tracks.slots.count)
    waiting.release(slot, at: time)
    if let motion = pause.motion { release(slot, motion, pause) }
  }

  /// Holds the waiting call of a slot, if its track is paused.
  mutating func putOff(_ slot: Int) {
    guard isPaused(slot) else { return }
    if !pauses.contains(slot) {
      // It plays a clip, which keeps its own pause.
      pauses.begin(slot, PausedTracks.Pause(since: time, motion: nil, velocities: []))
    }
    waiting.hold(slot, at: time)
  }

  /// Stops the track of a row at its value, and returns its motion; nil if it stands already, or plays a clip.
  ///
  /// - Parameter evenAtRest: Whether a spring at rest is held too.
  private mutating func hold(_ row: Int, evenAtRest: Bool) -> PausedMotion? {
    let (slot, kind, change) = (tracks.slot(ofRow: row), tracks.tiles.kind(ofRow: row), change(ofRow: row))
    let held: PausedMotion
    if kind == .spring, evenAtRest || !springs.isAtRest(row) {
      held = .spring(springs.held(row, at: time, tracks), springs.watch.reported(ofRow: row))
    } else if kind == .called, !called[slot].isOver {
      held = .called(called[slot])
    } else if kind.isCurve, !curves.isOver(row) {
      held = heldCurves(row, change)
    } else if kind == .following {
      held = .following(coefficients(ofFollower: row))
    } else {
      return nil
    }
    // It keeps its target.
    let leader = follows.leader(slot)
    let stillRow = move(UInt32(slot), from: row, to: .held)
    follows.keepLeader(slot, leader)
    show([Float](repeating: 0, count: dimensions), stillRow)
    return held
  }

  /// Resumes a motion of the track of a slot, from its current value and with the velocity that it had.
  private mutating func release(_ slot: Int, _ motion: PausedMotion, _ pause: PausedTracks.Pause) {
    let old = tracks.slots.row(of: slot)
    let row: Int
    switch motion {
    case .spring(let held, let reported):
      let change = change(ofRow: old)
      row = move(UInt32(slot), from: old, to: .spring)
      tracks.columns.change[row] = change
      springs.release(row, held, reported, at: time, tracks)
    case .curve(let held):
      row = release(slot, held, startingAt: pause.moment(held.start, resumedAt: time))
    case .following(let coefficients):
      row = beginFollowing(old, coefficients, change(ofRow: old))
      showGoal(row)
    case .called(var motion):
      motion.value.delay(by: time - pause.since)
      motion.changed = pause.moment(motion.changed, resumedAt: time)
      row = move(UInt32(slot), from: old, to: .called)
      called.begin(slot, motion)
    }
    show(pause.velocities, row)
  }

  /// The curves of a row, to go on with later. Effects that add up go on as a called motion.
  private func heldCurves(_ row: Int, _ change: UInt32) -> PausedMotion {
    let (shape, start, reported) = (
      curves.shape(tracks.tiles.kind(ofRow: row)), curves.start(ofRow: row, tracks), curves.reported(ofRow: row)
    )
    let motion: MotionRequest?
    if let program = curves.program(0, row) {
      motion = .program(program)
    } else if case .curve(let curve) = curves.layer(0, row, shape).progress.form.base {
      motion = .curve(curve, duration: curves.end(ofRow: row, tracks) - start)
    } else {
      motion = nil
    }
    if shape.isPlain, let motion {
      return .curve(
        HeldCurve(
          motion: motion, start: start, origin: (0..<dimensions).map { curves.under(row, $0) }, reported: reported))
    }
    return .called(
      CalledMotions.Motion(value: value(ofCurveRow: row), changed: start, change: change, reported: reported))
  }

  private mutating func release(_ slot: Int, _ held: HeldCurve, startingAt start: Double) -> Int {
    let old = tracks.slots.row(of: slot)
    let values = (0..<dimensions).map { tracks.columns.value[tracks.element(old, $0)] }
    for dimension in 0..<dimensions {
      tracks.columns.value[tracks.element(old, dimension)] = held.origin[dimension]
    }
    let columns = tracks.columns
    begin(old, held.motion, at: start, columns.change[old]) {
      columns.target[$0 * columns.dimensionStride + old]
    }
    setReported(slot, held.reported)
    let row = tracks.slots.row(of: slot)
    for dimension in 0..<dimensions {
      tracks.columns.value[tracks.element(row, dimension)] = values[dimension]
    }
    return row
  }

  private func show(_ velocities: [Float], _ row: Int) {
    for (dimension, velocity) in velocities.enumerated() {
      tracks.columns.velocity[tracks.element(row, dimension)] = velocity
    }
  }
}
