// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Tracks that follow: calls about them, and the parts of a frame that they need besides their kernel.
extension Engine {
  // MARK: - Calls

  /// Lets tracks follow their goals from their values and velocities on. The goal of a track that did not follow before is
  /// its value.
  ///
  /// - Parameter springs: One for all, or one for each.
  package mutating func follow(_ tracks: SelectedTracks, with springs: Span<Spring>) throws(BatchError) -> UInt32 {
    let change = try beginFollowing(tracks, springs)
    record { BatchCall(.follow, $0.names(tracks), springs: $0.list(springs)) }
    return change
  }

  /// Lets tracks follow the values of other tracks.
  ///
  /// - Parameters:
  ///   - leaders: The tracks that lead, one for each.
  ///   - offsets: Added to the values of the leaders, one for each; nil for 0.
  package mutating func follow(
    _ tracks: SelectedTracks, valuesOf leaders: Span<TrackHandle>, offsets: InputValues?, with springs: Span<Spring>
  ) throws(BatchError) -> UInt32 {
    let count = count(of: tracks)
    try BatchError.check(leaders.count, of: "leaders", expected: count)
    try BatchError.check(offsets?.count ?? count, of: "offsets", expected: count)
    try self.tracks.indices.check(leaders)
    try offsets?.check("offset")
    let change = try beginFollowing(tracks, springs)
    for position in 0..<picks.count where !picks[position].isDropped {
      follows.setLeader(picks[position].index, leaders[position]) { offsets?[position, $0] ?? 0 }
    }
    record {
      var call = BatchCall(
        .followTracks, $0.names(tracks), offsets: $0.numbers(offsets), springs: $0.list(springs))
      call.leaders = $0.numbers(leaders)
      return call
    }
    return change
  }

  /// Lets tracks follow their goals, and picks them.
  private mutating func beginFollowing(_ tracks: SelectedTracks, _ springs: Span<Spring>) throws(BatchError) -> UInt32 {
    if springs.count != 1 { try BatchError.check(springs.count, of: "springs", expected: count(of: tracks)) }
    try coefficients.set(springs, table)
    let (list, isShared) = (coefficients, springs.count == 1)
    func spring(_ position: Int) -> SpringCoefficients { list[isShared ? 0 : position] }
    try follows.reserveGoals(indexCount)
    try pick(tracks, for: [.springs, .following])
    endMotionsOfPicked()
    if areRotations { turnNewFollowers() }
    let change = nextChange()
    forEachPick { engine, position in
      guard let tile = engine.picks.tileFilled(from: position, engine.tracks) else { return false }
      return engine.beginFollowing(tile: tile, from: position, spring, change)
    } one: { engine, position in
      let index = engine.picks[position].index
      engine.follows.release(index)
      if engine.tracks.tiles.kind(at: index) != .following { engine.putGoalAtValue(index) }
      engine.beginFollowing(index, spring(position), change)
    }
    return change
  }

  /// Makes the tracks of a full tile follow together, if they have one spring, and none or all of them follow already.
  ///
  /// - Returns: Whether they do.
  private mutating func beginFollowing(
    tile: Int, from position: Int, _ coefficients: (Int) -> SpringCoefficients, _ change: UInt32
  ) -> Bool {
    let (following, index) = (tracks.tiles.following[tile], tile * laneCountOfTile)
    let spring = coefficients(position)
    guard following == 0 || following == .max,
      (1..<laneCountOfTile).allSatisfy({ coefficients(position + $0) == spring })
    else { return false }
    if following == 0 {
      stand(tile: tile)
      for lane in 0..<laneCountOfTile { putGoalAtValue(index + lane) }
      tracks.tiles.follow(.max, of: tile)
      tracks.frame.mark(tile)
    }
    for lane in 0..<laneCountOfTile { follows.release(picks[position + lane].index) }
    follows.begin(tile: tile, spring, springs.columns, joining: following == 0 ? laneCountOfTile : 0)
    (tracks.columns.change + index).update(repeating: change, count: laneCountOfTile)
    velocities.mark(.max, of: tile)
    return true
  }

  private func putGoalAtValue(_ index: Int) {
    for dimension in 0..<dimensions {
      follows.setGoal(index, dimension, tracks.columns.value[tracks.element(index, dimension)])
    }
  }

  /// Makes a track follow the goal that is in the column.
  mutating func beginFollowing(_ index: Int, _ coefficients: SpringCoefficients, _ change: UInt32) {
    let joins = tracks.tiles.kind(at: index) != .following
    if joins {
      stand(index)
      tracks.tiles.follow(TileStore.bit(index), of: index / laneCountOfTile)
      tracks.frame.mark(index / laneCountOfTile)
    }
    let isFirst = tracks.tiles.following[index / laneCountOfTile] == TileStore.bit(index)
    follows.begin(index, coefficients, springs.columns, isFirst: isFirst, joins: joins)
    tracks.columns.change[index] = change
    velocities.mark(index)
  }

  /// Sets the goals of tracks. Goals of tracks that do not follow have no effect.
  package mutating func setGoals(_ tracks: SelectedTracks, _ goals: InputValues) throws(BatchError) {
    try BatchError.check(goals.count, of: "goals", expected: count(of: tracks))
    try goals.check("goal")
    if follows.isMapped { try follows.reserveGoals(indexCount) }
    if case .handles(let handles) = tracks {
      let handles = unsafe handles.span
      try self.tracks.indices.check(handles)
      for position in handles.indices where follows.isMapped {
        setGoal(at: handles[position].index) { goals[position, $0] }
      }
    } else if case .live(let handles) = tracks {
      try picks.pick(unsafe handles.span, passesOver: true, self.tracks)
      for position in 0..<picks.count where !picks[position].isDropped && follows.isMapped {
        setGoal(at: picks[position].index) { goals[position, $0] }
      }
    } else if let indices = try indices(of: tracks), follows.isMapped {
      let column = follows.goals
      goals.copy(0..<indices.count, to: column.first + indices.lowerBound, stride: column.stride)
      for index in indices.clamped(to: follows.ledIndices) { follows.release(index) }
    }
    record { BatchCall(.setGoals, $0.names(tracks), goals: $0.numbers(goals)) }
  }

  /// Sets the goal of an index, which no track leads any more.
  mutating func setGoal(at index: Int, _ goal: (Int) -> Float) {
    for dimension in 0..<dimensions { follows.setGoal(index, dimension, goal(dimension)) }
    follows.release(index)
  }

  /// Sets the goals of the picked tracks that follow, and drops them from the call.
  mutating func setGoalsOfPicked(_ goals: InputValues) {
    for position in 0..<picks.count
    where !picks[position].isDropped && tracks.tiles.kind(at: picks[position].index) == .following {
      setGoal(at: picks[position].index) { goals[position, $0] }
      picks.drop(position)
    }
  }

  /// The goals of one component by index, to be changed in place; no elements if no track ever followed. Only calls about
  /// goals and following move them, and only after tracks were added.
  ///
  /// - Parameter staysLent: Whether the caller may write at any time: a recording takes all goals with each frame from now
  ///   on.
  package mutating func goals(
    component: Int, staysLent: Bool = false
  ) throws(BatchError) -> UnsafeMutableBufferPointer<Float> {
    try check(component: component)
    guard follows.isMapped else { return unsafe UnsafeMutableBufferPointer(start: nil, count: 0) }
    try follows.reserveGoals(indexCount)
    follows.areLent = follows.areLent || staysLent
    let column = follows.goals.first + component * follows.goals.stride
    return unsafe UnsafeMutableBufferPointer(start: column.address, count: indexCount)
  }

  /// Records the goals of all indices after they were changed in place.
  package func recordGoals() {
    guard follows.isMapped else { return }
    record { _ in
      let goals = (0..<indexCount).flatMap { index in (0..<dimensions).map { follows.goal(index, $0) } }
      return BatchCall(.writeGoals, .all, goals: goals)
    }
  }

  // MARK: - States

  /// The target of a track: a goal where it follows, or goes on to follow after a pause.
  package func target(at index: Int, _ dimension: Int) -> Float {
    tracks.tiles.kind(at: index) == .following || pauses.isOfFollower(index)
      ? goalShown(index, dimension) : tracks.columns.target[tracks.element(index, dimension)]
  }

  /// The goal of a track that follows; its value in a component whose goal is no number.
  private func goalShown(_ index: Int, _ dimension: Int) -> Float {
    let goal = follows.goal(index, dimension)
    return abs(goal) <= BatchLimits.maximumMagnitude ? goal : tracks.columns.value[tracks.element(index, dimension)]
  }

  /// Makes the column of targets show the goal of a track that follows.
  func showGoal(_ index: Int) {
    for dimension in 0..<dimensions {
      tracks.columns.target[tracks.element(index, dimension)] = goalShown(index, dimension)
    }
  }

  /// Makes the column of targets show the goals of all tracks that follow, or go on to.
  func showGoals() {
    for index in pauses.indices where pauses.isOfFollower(index) { showGoal(index) }
    for tile in 0..<tracks.tiles.end {
      tracks.tiles.following[tile].forEachLane { showGoal(tile * laneCountOfTile + $0) }
    }
  }

  // MARK: - Frames

  /// Makes the columns of a track show where it follows to at a moment within the frame to come, in which another motion takes
  /// over.
  func showFollower(_ index: Int, at moment: Double) {
    follows.step(index, springs.coefficients(at: index), by: moment - time, tracks)
    showGoal(index)
  }

  /// Gives a track that follows another goal at a moment within the frame to come.
  mutating func retargetFollower(_ index: Int, at moment: Double, until end: Double, goal: (Int) -> Float) {
    let coefficients = springs.coefficients(at: index)
    follows.step(index, coefficients, by: moment - time, tracks)
    if areRotations { turn(index, to: SIMD4(goal), atMoment: true) } else { setGoal(at: index, goal) }
    follows.step(index, coefficients, by: end - max(moment, time), tracks)
    follows.keep(index, tracks)
  }

  /// Takes over the values of leaders as goals, before any track moves.
  mutating func gatherGoals() {
    for index in follows.ledIndices {
      guard let leader = follows.leader(index), tracks.indices.isLive(index),
        tracks.tiles.kind(at: index) == .following
      else { continue }
      guard let leaderIndex = tracks.index(of: leader) else {
        // The leader was removed: the goal stays as it is.
        follows.release(index)
        continue
      }
      for dimension in 0..<dimensions {
        let value = tracks.columns.value[tracks.element(leaderIndex, dimension)]
        follows.setGoal(index, dimension, value + follows.offset(index, dimension))
      }
    }
  }

  /// Reports the followers that arrived, and those that lost their goals.
  mutating func reportFollowers() {
    let tiles = follows.tiles
    for tile in 0..<tracks.tiles.end where tracks.tiles.following[tile] != 0 {
      let known = tiles[tile]
      guard known.arrived | known.strayed != 0 else { continue }
      if events.reports.contains(.arrivals) { report(.settled, known.arrived, tile) }
      report(.invalidGoal, known.strayed, tile)
    }
  }

  private mutating func report(_ kind: AnimationEvent.Kind, _ lanes: UInt16, _ tile: Int) {
    lanes.forEachLane { lane in
      let index = tile * laneCountOfTile + lane
      events.append(kind, index: index, tracks.columns.change[index], at: time)
    }
  }
}

extension FrameWork {
  /// Takes a step in some tiles of followers.
  func follow(_ tiles: Range<Int>) {
    guard engine.follows.step > 0 else { return }
    let springs = engine.follows.springs
    withColumns { columns, ownFactors in
      var first = tiles.lowerBound
      while first < tiles.upperBound {
        let end = springs.endOfEqual(from: first, before: tiles.upperBound)
        if springs[first] != 0 {
          let lane = engine.tracks.tiles.following[first].trailingZeroBitCount % laneCountOfTile
          follow(first..<end, columns, source: first * laneCountOfTile + lane)
        } else {
          follow(first..<end, ownFactors, source: nil)
        }
        first = end
      }
    }
  }

  /// Lends the columns of followers, for tiles with one spring and for tiles whose lanes have several.
  private func withColumns(_ body: (FollowColumns, _ ownFactors: FollowColumns) -> Void) {
    let columns = engine.follows.columns(engine.tracks, engine.springs.columns)
    guard !engine.follows.keepsFactors else { return body(columns, columns) }
    withTemporaryLines(of: FollowColumns.factorCount * FollowColumns.lanesOfSteps) { factors in
      var once = columns
      (once.factors, once.factorStride, once.steps) = (factors, FollowColumns.lanesOfSteps, nil)
      body(columns, once)
    }
  }

  /// Takes a step in tiles with the spring of one lane, or in tiles whose lanes have several.
  private func follow(_ tiles: Range<Int>, _ columns: FollowColumns, source: Int?) {
    let (goals, step, tolerance) = (engine.follows.goals, engine.follows.step, engine.springs.tolerance.kernel)
    let first = (goals.first + tiles.lowerBound * laneCountOfTile).constant
    if table.follow(columns, tiles, FollowGoals(first, stride: goals.stride), step, source, tolerance) {
      noteNewsOfFollowers()
    }
  }
}

extension [UInt32] {
  /// The first index behind `first` with another number than that; at most `end`.
  fileprivate func endOfEqual(from first: Int, before end: Int) -> Int {
    precondition(end <= count)
    return unsafe withUnsafeBytes { Int(unsafe lanes_end_of_steps($0.baseAddress, first, end, 0)) }
  }
}
