// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// The tracks of a call: they are picked, room is made for them to move, and their columns are made to show the state
// that a new motion takes over. Tracks that head for their goals already are dropped, and the schedules of the others
// end. Until then a call may still be refused, and changes nothing that shows.
extension Engine {
  /// Checks the goal of a call about a track, makes ready to change the motion of the track, and returns its index.
  @inline(__always)
  mutating func prepare(
    _ handle: TrackHandle, for goal: InputValues, _ groups: ColumnGroups = .springs
  ) throws(BatchError) -> Int {
    if !goal.isAccepted { try goal.check("goal") }
    let index = try tracks.indices.index(of: handle)
    if !groups.isSubset(of: mappedColumns) { try reserveMemory(0, for: groups) }
    // With a prefetch, the lines of the track load at the same time, and not one after the other as they are written.
    tracks.prefetchState(index)
    if groups.contains(.curves) { curves.prefetch(index, tracks) } else { springs.prefetchStart(index) }
    makeReady(index)
    return index
  }

  /// Picks tracks for a call that sends them to goals with springs.
  ///
  /// Tracks that head for their goals already are dropped.
  mutating func pick(_ tracks: SelectedTracks, for given: GivenSprings, _ goals: InputValues) throws(BatchError) {
    guard case .handles(let handles) = tracks, pauses.isEmpty, curves.latestStart != time else {
      return try pick(tracks)
    }
    try picks.checkRoom(for: handles.count, self.tracks)
    try picks.pick(unsafe handles.span, self.tracks)
    try reserveMemory(0, for: .springs)
    dropHeading(for: goals)
    picks.areChecked = true
    makeReadyPicked()
  }

  /// Picks tracks for a call that changes their motions; without groups, for one that leaves them as they are.
  mutating func pick(_ tracks: SelectedTracks, for groups: ColumnGroups = .springs) throws(BatchError) {
    try picks.checkRoom(for: checkedCount(of: tracks), self.tracks)
    try reserveMemory(0, for: groups)
    if let indices = try indices(of: tracks) { picks.pick(indices, self.tracks) }
    if case .handles(let handles) = tracks { try picks.pick(unsafe handles.span, self.tracks) }
    if case .live(let handles) = tracks { try picks.pick(unsafe handles.span, passesOver: true, self.tracks) }
    if !groups.isEmpty { makeReadyPicked() }
  }

  private mutating func makeReadyPicked() {
    guard !computeVelocitiesOfPicked() || follows.count > 0 else { return }
    for position in 0..<picks.count where !picks[position].isDropped { makeReady(picks[position].index) }
  }

  /// Makes the columns of a track show the state that a new motion takes over: the value, and the velocity even if the
  /// last frame left velocities out.
  @inline(__always)
  private mutating func makeReady(_ index: Int) {
    if follows.count > 0, tracks.tiles.kind(at: index) == .following { return showGoal(index) }
    computeVelocity(at: index)
  }

  // MARK: - The same goal again

  /// Whether a track heads for a goal already, so that nothing changes. A track that plays a clip or follows heads for no
  /// goal for good, nor does a track that stands and was given a velocity by hand. Nor does a track that plays phases, as it would go on
  /// to the next phase.
  @inline(__always)
  func headsFor(_ index: Int, _ goal: (_ dimension: Int) -> Float) -> Bool {
    let kind = tracks.tiles.kind(at: index)
    guard !kind.isClip, kind != .following else { return false }
    let isStill = kind == .still
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      if tracks.columns.target[element] != goal(dimension) { return false }
      if isStill, tracks.columns.velocity[element] != 0 { return false }
    }
    return !phases.isPlaying(index) && !(isStill && pauses.isOfFollower(index))
  }

  /// Goes through the picks, by whole tiles where they fill some in order.
  ///
  /// - Parameters:
  ///   - whole: Deals with the tile that the picks from a position on fill; false if it leaves the first of them to `one`.
  ///   - one: Deals with the pick at a position, which was not dropped.
  @inline(__always)
  mutating func forEachPick(
    whole: (_ engine: inout Engine, _ position: Int) -> Bool, one: (_ engine: inout Engine, _ position: Int) -> Void
  ) {
    var position = 0
    while position < picks.count {
      if whole(&self, position) {
        position += laneCountOfTile
      } else {
        if !picks[position].isDropped { one(&self, position) }
        position += 1
      }
    }
  }

  /// Drops the picked tracks that head for their goals already. Paused tracks among them go on.
  ///
  /// - Parameter isDropped: Whether the track at a position among the picks may be dropped.
  @inline(__always)
  mutating func dropUnchanged(_ goals: InputValues, _ isDropped: (Int) -> Bool = { _ in true }) {
    guard !picks.areChecked else { return }
    dropHeading(for: goals, isDropped)
    guard !pauses.isEmpty else { return }
    for position in 0..<picks.count where picks[position].isDropped && pauses.contains(picks[position].index) {
      resume(picks[position].index)
    }
  }

  /// Drops the picked tracks that head for their goals already.
  @inline(__always)
  private mutating func dropHeading(for goals: InputValues, _ isDropped: (Int) -> Bool = { _ in true }) {
    var position = 0
    while position < picks.count {
      if let tile = picks.tileFilled(from: position, tracks) {
        var heading = lanesHeading(for: goals, from: position, tile)
        heading.forEachLane { if !isDropped(position + $0) { heading &= ~(1 << UInt16($0)) } }
        heading.forEachLane { picks.drop(position + $0) }
        position += laneCountOfTile
      } else {
        picks.prefetchTarget(after: position, tracks)
        if !picks[position].isDropped {
          let isThere = headsFor(picks[position].index) { goals[position, $0] }
          if isThere, isDropped(position) { picks.drop(position) }
        }
        position += 1
      }
    }
  }

  /// The lanes of a full tile that head for the goals of consecutive tracks already.
  func lanesHeading(for goals: InputValues, from first: Int, _ tile: Int) -> UInt16 {
    let index = tile * laneCountOfTile
    let equal = goals.withColumns(of: first..<first + laneCountOfTile) { goals, stride in
      let targets = tracks.columns.target + index
      return unsafe lanes_equal(
        goals.address, stride, targets.address, tracks.columns.dimensionStride, dimensions)
    }
    guard equal != 0, tracks.tiles.kept[tile] != 0 || phases.playerCount > 0 else { return UInt16(equal) }
    // Tracks with a velocity given by hand head nowhere, and tracks that play phases go on to the next phase.
    var lanes = UInt16(equal)
    UInt16(equal).forEachLane { lane in
      if !headsFor(index + lane, { goals[first + lane, $0] }) { lanes &= ~(1 << UInt16(lane)) }
    }
    return lanes
  }

  // MARK: - Schedules

  /// Whether calls wait, tracks play phases, or tracks are paused.
  @inline(__always)
  var haveSchedules: Bool { !pauses.isEmpty || waiting.count > 0 || phases.playerCount > 0 }

  /// Cancels the waiting call and the phases of a track. A paused track goes on until the next motion takes over.
  mutating func endSchedules(at index: Int) {
    waiting.cancel(index)
    if pauses.contains(index) { resume(index) }
    guard phases.isPlaying(index) else { return }
    phases.end(index)
    // The motion of a step may go on from here, and frames may not have watched for its rest.
    if tracks.tiles.kind(at: index) == .spring { springs.wake(index / laneCountOfTile, tracks) }
  }

  /// Cancels the waiting calls and the phases of the picked tracks.
  mutating func endSchedulesOfPicked() {
    guard haveSchedules else { return }
    for position in 0..<picks.count { endSchedules(at: picks[position].index) }
  }

  /// Cancels the waiting calls and the phases of the picked tracks, whose motions are about to end.
  mutating func endMotionsOfPicked() {
    endSchedulesOfPicked()
    guard curves.latestStart == time, !picks.arePutBack else { return }
    picks.arePutBack = true
    for position in 0..<picks.count where !picks[position].isDropped { putBackIfStarting(picks[position].index) }
  }
}
