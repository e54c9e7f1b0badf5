// SPDX-License-Identifier: MIT
import Kernels

// Copies of single tracks, which can be played ahead while the originals stay as they are.
extension Engine {
  /// An engine without tracks that has the clips, curves, sequences and tolerances of another, and its time.
  init(emptyCopyOf other: borrowing Engine) throws(BatchError) {
    try self.init(
      dimensions: other.dimensions, capacity: 0, curveTolerance: other.curves.library.tolerance, kernels: other.kernels)
    clips.library = other.clips.library
    curves.library = other.curves.library
    phases.library = other.phases.library
    springs.setTolerance(other.springs.tolerance, tracks)
    begin(at: other.time)
  }

  /// Adds a copy of a track of the engine of which this is a copy.
  mutating func addCopy(at old: Int, of other: borrowing Engine) throws(BatchError) {
    let kind = other.tracks.tiles.kind(at: old)
    // With a goal that stands still, following is the motion of a spring from now on.
    let springOfFollower = kind == .following ? other.springs.coefficients(at: old) : nil
    let pauses = other.pauses
    var groups: ColumnGroups = []
    if kind == .curves { groups.insert(.curves) }
    if kind.isClip { groups.formUnion(other.clips.varies ? [.clips, .variations] : .clips) }
    try reserveMemory(1, for: groups)
    if kind == .curves, !curves.makeRoom(forEffects: other.curves.effectCount(of: old)) {
      throw .capacityExceeded(tracks.capacity)
    }
    if kind.isClip { try clips.expectPlayers(1, tracks) { _ in (other.clips.clip(at: old), nil) } }
    let index = springs.takeIndex(&tracks, moves: kind == .spring || springOfFollower != nil)
    tracks.admit(index)
    velocities.mark(index)
    tracks.columns.change[index] = other.tracks.columns.change[old]
    // A velocity that is not in its column is computed, for all components at once.
    other.withVelocity(at: old) { velocity in
      for dimension in 0..<dimensions {
        let (to, from) = (tracks.element(index, dimension), other.tracks.element(old, dimension))
        tracks.columns.value[to] = other.tracks.columns.value[from]
        tracks.columns.target[to] = other.tracks.columns.target[from]
        tracks.columns.velocity[to] = velocity(dimension)
      }
    }
    putTargetUnder(index)
    if let springOfFollower {
      let goals = (0..<dimensions).map { dimension -> Float in
        let (goal, element) = (other.follows.goal(old, dimension), tracks.element(index, dimension))
        if abs(goal) <= BatchLimits.maximumMagnitude { return goal }
        // Without a goal, a component stays where it is.
        tracks.columns.velocity[element] = 0
        return tracks.columns.value[element]
      }
      setOut(index, springOfFollower, at: time, other.tracks.columns.change[old]) { goals[$0] }
      follows.copies.insert(index)
    } else if kind == .spring {
      springs.copyStart(index, of: old, other.springs)
      springs.begin(index, other.springs.coefficients(at: old), at: other.springs.columns.start[old], tracks)
    } else if kind.isClip {
      clips.take(index, other.clips.clip(at: old), &tracks)
      let state = other.clips.state(at: old)
      clips.library.entries[Int(state.home)].instances += 1
      clips.setState(state, of: index)
      for dimension in 0..<dimensions where other.clips.varies {
        let variation = other.clips.variation(at: old, dimension)
        clips.vary(index, dimension, scale: Float(variation.scale), offset: Float(variation.offset))
      }
    } else if kind == .curves {
      springs.copyMotion(index, of: old, other.springs)
      curves.lead(TileStore.bit(index), of: TileStore.tile(index), &tracks)
      curves.copy(index, of: old, other.curves)
    } else if kind == .called {
      tracks.tiles.call(index)
      called.begin(index, other.called[old])
    } else if other.tracks.tiles.keeps(old) {
      // It is paused, or has a velocity as it stands.
      keep(index)
    }
    phases.adopt(old, of: other.phases, as: index)
    if let pause = pauses[old] {
      if pause.keepsSpring { springs.copyMotion(index, of: old, other.springs) }
      self.pauses.begin(index, since: pause.since, pause.motion) { pauses.velocity(old, $0) }
    }
  }
}
