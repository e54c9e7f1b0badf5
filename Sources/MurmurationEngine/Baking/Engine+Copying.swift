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

  /// Adds a copy of a track of the engine of which this is a copy.
  mutating func addCopy(ofRow old: Int, of other: borrowing Engine) throws(BatchError) {
    let kind = other.tracks.tiles.kind(ofRow: old)
    // With a goal that stands still, following is the motion of a spring from now on.
    let springOfFollower = kind == .following ? other.springs.coefficients(ofRow: old) : nil
    let pauses = other.pauses
    var groups: ColumnGroups = []
    if kind == .curves { groups.insert(.curves) }
    if kind.isClip { groups.formUnion(other.clips.varies ? [.clips, .variations] : .clips) }
    try reserveRows(1, for: groups)
    if kind == .curves, !curves.makeRoom(forEffects: other.curves.effectCount(ofRow: old)) {
      throw .capacityExceeded(tracks.capacity)
    }
    if kind.isClip { try clips.expectRows(1, tracks) { _ in (other.clips.clip(ofRow: old), nil) } }
    let row = springs.takeRow(&tracks, moves: kind == .spring || springOfFollower != nil)
    tracks.admit(row)
    velocities.mark(row)
    tracks.columns.change[row] = other.tracks.columns.change[old]
    for dimension in 0..<dimensions {
      let (to, from) = (tracks.element(row, dimension), other.tracks.element(old, dimension))
      tracks.columns.value[to] = other.tracks.columns.value[from]
      tracks.columns.target[to] = other.tracks.columns.target[from]
      tracks.columns.velocity[to] = other.withVelocity(ofRow: old) { $0(dimension) }
    }
    putTargetUnder(row)
    if let springOfFollower {
      let goals = (0..<dimensions).map { dimension -> Float in
        let (goal, element) = (other.follows.goal(old, dimension), tracks.element(row, dimension))
        if abs(goal) <= BatchLimits.maximumMagnitude { return goal }
        // Without a goal, a component stays where it is.
        tracks.columns.velocity[element] = 0
        return tracks.columns.value[element]
      }
      setOut(row, springOfFollower, at: time, other.tracks.columns.change[old]) { goals[$0] }
      follows.copies.insert(row)
    } else if kind == .spring {
      springs.copyStart(row, of: old, other.springs)
      springs.begin(row, other.springs.coefficients(ofRow: old), at: other.springs.columns.start[old], tracks)
    } else if kind.isClip {
      clips.take(row, other.clips.clip(ofRow: old), &tracks)
      let state = other.clips.state(ofRow: old)
      clips.library.entries[Int(state.home)].instances += 1
      clips.setState(state, ofRow: row)
      for dimension in 0..<dimensions where other.clips.varies {
        let variation = other.clips.variation(ofRow: old, dimension)
        clips.vary(row, dimension, scale: Float(variation.scale), offset: Float(variation.offset))
      }
    } else if kind == .curves {
      springs.copyMotion(row, of: old, other.springs)
      curves.lead(row, &tracks)
      curves.copy(row, of: old, other.curves)
    } else if kind == .called {
      tracks.tiles.call(row)
      called.begin(row, other.called[old])
    } else if other.tracks.tiles.keeps(old) {
      // It is paused, or has a velocity as it stands.
      keep(row)
    }
    phases.adopt(old, of: other.phases, as: row)
    if let pause = pauses[old] {
      if pause.keepsSpring { springs.copyMotion(row, of: old, other.springs) }
      self.pauses.begin(row, since: pause.since, pause.motion) { pauses.velocity(old, $0) }
    }
  }
}
