// SPDX-License-Identifier: MIT
import Kernels

// Copies of single tracks, which can be played ahead while the originals stay as they are.
extension Engine {
  /// An engine without tracks that has the clips, curves, sequences and tolerances of another, and its time.
  init(emptyCopyOf other: borrowing Engine) throws(BatchError) {
    try self.init(
      dimensions: other.dimensions, capacity: 0, curveTolerance: other.curves.library.tolerance, kernels: other.kernels)
    clips.library = other.clips.library.copy()
    curves.library = other.curves.library
    phases.library = other.phases.library
    springs.setTolerance(other.springs.tolerance, tracks)
    clock.time = other.time
    phases.schedule.pass(to: time)
  }

  /// Adds a copy of a track of the engine of which this is a copy, and returns its slot.
  mutating func addCopy(ofSlot slot: Int, of other: borrowing Engine) throws(BatchError) -> Int {
    let kind = other.tracks.tiles.kind(ofRow: slot)
    // With a goal that stands still, following is the motion of a spring from now on.
    let springOfFollower = kind == .following ? other.springs.coefficients(ofRow: slot) : nil
    let pauses = other.pauses
    var groups: ColumnGroups = []
    if kind == .curves { groups.insert(.curves) }
    if kind.isClip { groups.formUnion(other.clips.varies ? [.clips, .variations] : .clips) }
    try reserveRows(1, for: groups)
    if kind == .curves, !curves.makeRoom(forEffects: other.curves.effectCount(ofRow: slot)) {
      throw .capacityExceeded(tracks.capacity)
    }
    if kind.isClip { try clips.expectRows(1, tracks) { _ in (other.clips.clip(ofRow: slot), nil) } }
    let row = springs.takeRow(&tracks, moves: kind == .spring || springOfFollower != nil)
    let copy = tracks.admit(row)
    velocities.mark(row)
    tracks.columns.change[row] = other.tracks.columns.change[slot]
    for dimension in 0..<dimensions {
      let (to, from) = (tracks.element(row, dimension), other.tracks.element(slot, dimension))
      tracks.columns.value[to] = other.tracks.columns.value[from]
      tracks.columns.target[to] = other.tracks.columns.target[from]
      tracks.columns.velocity[to] = other.withVelocity(ofRow: slot) { $0(dimension) }
    }
    putTargetUnder(row)
    if let springOfFollower {
      let goals = (0..<dimensions).map { dimension -> Float in
        let (goal, element) = (other.follows.goal(slot, dimension), tracks.element(row, dimension))
        if abs(goal) <= BatchLimits.maximumMagnitude { return goal }
        // Without a goal, a component stays where it is.
        tracks.columns.velocity[element] = 0
        return tracks.columns.value[element]
      }
      setOut(row, springOfFollower, at: time, other.tracks.columns.change[slot]) { goals[$0] }
      follows.copies.insert(copy)
    } else if kind == .spring {
      springs.copyStart(row, of: slot, other.springs)
      springs.begin(row, other.springs.coefficients(ofRow: slot), at: other.springs.columns.start[slot], tracks)
    } else if kind.isClip {
      clips.take(row, other.clips.clip(ofRow: slot), &tracks)
      let state = other.clips.state(ofRow: slot)
      clips.library.entries[Int(state.home)].instances += 1
      clips.setState(state, ofRow: row)
      for dimension in 0..<dimensions where other.clips.varies {
        let variation = other.clips.variation(ofRow: slot, dimension)
        clips.vary(row, dimension, scale: Float(variation.scale), offset: Float(variation.offset))
      }
    } else if kind == .curves {
      springs.copyMotion(row, of: slot, other.springs)
      curves.lead(row, &tracks)
      curves.copy(row, of: slot, other.curves)
    } else if kind == .called {
      tracks.tiles.call(row)
      called.begin(copy, other.called[slot])
    } else if other.tracks.tiles.keeps(slot) {
      // It is paused, or has a velocity as it stands.
      keep(row)
    }
    phases.adopt(slot, of: other.phases, as: copy)
    if let pause = pauses[slot] {
      if pause.keepsSpring { springs.copyMotion(row, of: slot, other.springs) }
      self.pauses.begin(copy, since: pause.since, pause.motion) { pauses.velocity(slot, $0) }
    }
    return copy
  }
}
