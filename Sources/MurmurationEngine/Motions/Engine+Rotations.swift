// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

// Calls about tracks that are rotations. A call gives tracks other goals: their offsets are turned into the tangent spaces of
// these, with the rotations that show and their angular velocities. The motions of a call then lead the offsets to 0.
extension Engine {
  #if !hasFeature(Embedded)
    /// An engine of rotations without tracks.
    ///
    /// - Throws: As for other values.
    package init(
      rotationsReservingCapacity capacity: Int, curveTolerance: Double, kernels: KernelSet?
    ) throws(BatchError) {
      guard ColumnMemory.hasRoom(RotationStore.shape, count: max(0, min(capacity, BatchLimits.maximumTracks))) else {
        throw .capacityExceeded(capacity)
      }
      try self.init(dimensions: 4, capacity: capacity, curveTolerance: curveTolerance, kernels: kernels)
      areRotations = true
      // The fourth component of offsets is 0.
      (springs.evaluatedDimensions, follows.steppedDimensions) = (3, 3)
      attach(.rotations)
    }
  #endif

  // MARK: - Checks

  /// Throws unless each of some values can be made a rotation.
  private func checkRotations(_ values: InputValues, _ what: String, count: Int) throws(BatchError) {
    try BatchError.check(values.count, of: what + "s", expected: count)
    if !values.areRotations(table) { try values.checkRotations(what, table) }
  }

  // MARK: - Tracks

  /// Adds tracks that stand, and writes their handles.
  package mutating func addRotations(
    _ rotations: InputValues, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    try checkRotations(rotations, "rotation", count: handles.count)
    try InputValues.withZeros(handles.count, dimensions: 4) { zeros throws(BatchError) in
      try add(zeros, handles: &handles)
    }
    for position in handles.indices {
      let index = handles[position].index
      self.rotations.setGoal(index) { rotations[position, $0] }
      self.rotations.quaternions[index / laneCountOfTile] &= ~TileStore.bit(index)
      showGoalOfRotation(index)
    }
  }

  /// Makes a track without an offset show its goal.
  private func showGoalOfRotation(_ index: Int) {
    for part in 0..<4 {
      let element = part * rotations.stride + index
      rotations.shown[element] = rotations.goal[element]
    }
  }

  // MARK: - Goals

  /// Sends tracks to rotations, with springs or with a motion each.
  ///
  /// - Parameters:
  ///   - given: The springs; nil for other motions.
  ///   - delays: Seconds until each track sets out; empty for now.
  ///   - motion: The motion of each track; nil to keep its spring.
  mutating func sendRotations(
    _ tracks: SelectedTracks, to goals: InputValues, for groups: ColumnGroups, _ given: GivenSprings?,
    _ delays: Span<Double>, _ motion: (Int) -> MotionRequest?
  ) throws(BatchError) -> UInt32 {
    try checkRotations(goals, "goal", count: count(of: tracks))
    try pick(tracks, for: groups)
    guard delays.isEmpty else { return try animatePicked(goals, delays: delays, motion) }
    for position in 0..<picks.count where !picks[position].isDropped {
      let index = picks[position].index
      let jumps = given == nil && motion(position)?.jumps ?? false
      guard !jumps, headsForRotation(index, { goals[position, $0] }) else { continue }
      picks.drop(position)
      if pauses.contains(index) { resume(index) }
    }
    picks.areChecked = true
    endMotionsOfPicked()
    turnPicked(goals)
    return InputValues.withZeros(picks.count, dimensions: 4) { zeros in
      if let given { return animatePicked(zeros, given) }
      for position in 0..<picks.count where !picks[position].isDropped {
        if motion(position)?.startsFromRest ?? false { standAtValue(picks[position].index) }
      }
      let change = animatePicked(zeros, motion)
      for position in 0..<picks.count where !picks[position].isDropped {
        if motion(position)?.jumps ?? false { showGoalOfRotation(picks[position].index) }
      }
      return change
    }
  }

  /// Whether a track heads for a rotation already.
  func headsForRotation(_ index: Int, _ goal: (Int) -> Float) -> Bool {
    rotations.quaternions[index / laneCountOfTile] & TileStore.bit(index) == 0 && headsFor(index) { _ in 0 }
      && rotations.hasGoal(index, goal)
  }

  /// Makes a track stand at the offset that its column shows, from which a curve starts.
  private mutating func standAtValue(_ index: Int) {
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      tracks.columns.target[element] = tracks.columns.value[element]
    }
    stand(index)
  }

  /// Begins the motion of a waiting call, whose track shows its state at that moment.
  mutating func beginRotation(
    _ index: Int, _ motion: MotionRequest?, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) {
    turn(index, to: SIMD4(goal), atMoment: true)
    if motion?.startsFromRest ?? false { standAtValue(index) }
    begin(index, motion, at: moment, change) { _ in 0 }
    if motion?.jumps ?? false { showGoalOfRotation(index) }
  }

  // MARK: - Turning offsets

  /// Gives a track another goal, with what its columns show.
  ///
  /// - Parameter atMoment: Whether they show a moment within the frame to come.
  mutating func turn(_ index: Int, to goal: SIMD4<Float>, atMoment: Bool = false) {
    let lane = index % laneCountOfTile
    withTemporaryLines(of: 4 * laneCountOfTile) { lines in
      lines.update(repeating: 0, count: 4 * laneCountOfTile)
      for part in 0..<4 { lines[part * laneCountOfTile + lane] = goal[part] }
      turn(tile: index / laneCountOfTile, TileStore.bit(index), to: lines.constant, atMoment: atMoment)
    }
  }

  /// Gives the picked tracks other goals.
  private mutating func turnPicked(_ goals: InputValues) {
    withTemporaryLines(of: 4 * laneCountOfTile) { lines in
      lines.update(repeating: 0, count: 4 * laneCountOfTile)
      var (tile, lanes) = (0, UInt16(0))
      for position in 0..<picks.count where !picks[position].isDropped {
        let index = picks[position].index
        if index / laneCountOfTile != tile {
          turn(tile: tile, lanes, to: lines.constant)
          (tile, lanes) = (index / laneCountOfTile, 0)
        }
        lanes |= TileStore.bit(index)
        for part in 0..<4 { lines[part * laneCountOfTile + index % laneCountOfTile] = goals[position, part] }
      }
      turn(tile: tile, lanes, to: lines.constant)
    }
  }

  /// Gives lanes of a tile other goals, which stand in four lines.
  private mutating func turn(
    tile: Int, _ lanes: UInt16, to goals: ConstantColumn<Float>, atMoment: Bool = false
  ) {
    guard lanes != 0 else { return }
    let (columns, quaternions) = (rotations.columns(tracks), lanes & rotations.quaternions[tile])
    if lanes != quaternions {
      table.turn(columns, tile, lanes & ~quaternions, atMoment ? .offset : .shown, to: goals)
    }
    if quaternions != 0 {
      table.turn(columns, tile, quaternions, .quaternion, to: goals)
      quaternions.forEachLane { lane in
        let element = tracks.element(tile * laneCountOfTile + lane, 3)
        (tracks.columns.value[element], tracks.columns.velocity[element]) = (0, 0)
        tracks.columns.target[element] = 0
      }
      rotations.quaternions[tile] &= ~quaternions
    }
    lanes.forEachLane { velocities.mark(tile * laneCountOfTile + $0) }
  }

  // MARK: - Clips

  /// The columns of a track. They hold an offset or a quaternion.
  typealias ColumnState = (index: Int, value: SIMD4<Float>, velocity: SIMD4<Float>, target: SIMD4<Float>)

  /// Makes quaternions of the values of picked tracks that are about to play clips: a clip may start from them.
  ///
  /// - Parameter clip: The clip of each pick, which decides between a quaternion and its negative.
  /// - Returns: What they were, should the call throw.
  mutating func makeQuaternionsOfPicked(_ clip: (Int) -> Int) -> [ColumnState] {
    var states: [ColumnState] = []
    for position in 0..<picks.count where !picks[position].isDropped {
      let (index, columns) = (picks[position].index, tracks.columns)
      guard rotations.quaternions[index / laneCountOfTile] & TileStore.bit(index) == 0 else { continue }
      states.append(columnState(at: index))
      putBackIfStarting(index)
      let target = rotationTarget(at: index).quaternion
      let (shown, spin) = (rotation(at: index), angularVelocity(at: index))
      let first = clips.library.entries[clip(position)].firstValues
      var nearness = 0.0
      for part in 0..<4 { nearness += shown[part] * Double(first[part]) }
      makeQuaternion(index, nearness < 0 ? -shown : shown, spin)
      for part in 0..<4 { columns.target[tracks.element(index, part)] = Float(target[part]) }
    }
    picks.arePutBack = true
    return states
  }

  /// Gives tracks back the offsets that they had before a call that throws.
  mutating func restoreOffsets(_ states: [ColumnState]) {
    write(states)
    for state in states { rotations.quaternions[state.index / laneCountOfTile] &= ~TileStore.bit(state.index) }
  }

  func columnState(at index: Int) -> ColumnState {
    let columns = tracks.columns
    return (
      index, SIMD4 { columns.value[tracks.element(index, $0)] },
      SIMD4 { columns.velocity[tracks.element(index, $0)] },
      SIMD4 { columns.target[tracks.element(index, $0)] }
    )
  }

  func write(_ states: [ColumnState]) {
    for (index, value, velocity, target) in states {
      tracks.show(index) { (value[$0], velocity[$0]) }
      for part in 0..<4 { tracks.columns.target[tracks.element(index, part)] = target[part] }
    }
  }

  /// Makes the value of a track a quaternion.
  private mutating func makeQuaternion(_ index: Int, _ q: SIMD4<Double>, _ velocity: SIMD3<Double>) {
    // q̇ = ½qω.
    let ω = SIMD4(velocity, 0) / 2
    let rate = SIMD4(
      q.w * ω.x + q.y * ω.z - q.z * ω.y, q.w * ω.y + q.z * ω.x - q.x * ω.z, q.w * ω.z + q.x * ω.y - q.y * ω.x,
      -(q.x * ω.x + q.y * ω.y + q.z * ω.z))
    tracks.show(index) { (Float(q[$0]), Float(rate[$0])) }
    rotations.quaternions[index / laneCountOfTile] |= TileStore.bit(index)
    velocities.mark(index)
  }

  // MARK: - By hand

  /// Puts tracks at rotations with angular velocities, nil for 0. Tracks that follow go on.
  ///
  /// - Parameter goesOn: Whether tracks that follow springs go on to their goals too. All other tracks stay.
  package mutating func putRotations(
    _ tracks: SelectedTracks, _ values: InputValues, _ spins: InputValues?, goesOn: Bool
  ) throws(BatchError) -> UInt32 {
    if let spins { try check(spins, for: tracks, ("angular velocity", "angular velocities")) }
    try checkRotations(values, "rotation", count: count(of: tracks))
    try pick(tracks)
    endMotionsOfPicked()
    let change = nextChange()
    for position in 0..<picks.count where !picks[position].isDropped {
      let index = picks[position].index
      let kind = self.tracks.tiles.kind(at: index)
      let isStill = kind != .following && !(goesOn && kind == .spring)
      let spin = SIMD3 { Double(spins?[position, $0] ?? 0) }
      let rotation = SIMD4 { Double(values[position, $0]) }
      makeQuaternion(index, rotation / (rotation * rotation).sum().squareRoot(), spin)
      turn(index, to: isStill ? SIMD4 { values[position, $0] } : rotations.goal(of: index))
      self.tracks.columns.change[index] = change
      if kind == .following {
        follows.wake(index)
      } else if isStill {
        standAtValue(index)
        if spin != .zero { keep(index) }
      } else {
        setOut(index, springs.coefficients(at: index).toAnyTarget, at: time, change) { _ in 0 }
      }
      showRotations(index / laneCountOfTile..<index / laneCountOfTile + 1)
    }
    return change
  }

  // MARK: - Following

  /// Makes the rotations that show the goals of picked tracks that do not follow yet.
  mutating func turnNewFollowers() {
    for position in 0..<picks.count where !picks[position].isDropped {
      let index = picks[position].index
      guard tracks.tiles.kind(at: index) != .following else { continue }
      turn(index, to: rotations.shown(by: index))
    }
  }

  /// Sets the goals of tracks that follow. Those of other tracks have no effect.
  package mutating func setRotationGoals(_ tracks: SelectedTracks, _ goals: InputValues) throws(BatchError) {
    try checkRotations(goals, "goal", count: count(of: tracks))
    if let indices = try indices(of: tracks) {
      guard follows.count > 0 else { return }
      let aligned = indices.lowerBound % laneCountOfTile == 0
      var position = 0
      while position < indices.count {
        let index = indices.lowerBound + position
        let tiles = aligned ? followingTiles(index..<indices.upperBound, atMost: goals.tilesAtOnce) : 0
        if tiles > 0 {
          let (count, columns) = (tiles * laneCountOfTile, rotations.columns(self.tracks))
          goals.withColumns(of: position..<position + count) { goals, stride in
            table.rotations.turn(
              columns, LaneRun(firstLane: index, laneCount: count), .shown, goals, stride, columns)
          }
          position += count
        } else {
          if self.tracks.indices.isLive(index), self.tracks.tiles.kind(at: index) == .following {
            turn(index, to: SIMD4 { goals[position, $0] })
          }
          position += 1
        }
      }
      return
    }
    try pick(tracks, for: [])
    for position in 0..<picks.count where !picks[position].isDropped {
      if self.tracks.tiles.kind(at: picks[position].index) != .following { picks.drop(position) }
    }
    turnPicked(goals)
  }

  /// The number of full tiles from the beginning of some indices on whose tracks all follow.
  private func followingTiles(_ indices: Range<Int>, atMost limit: Int) -> Int {
    let first = indices.lowerBound / laneCountOfTile
    let count = min(limit, indices.count / laneCountOfTile)
    return (0..<count).first {
      tracks.tiles.following[first + $0] != .max || rotations.quaternions[first + $0] != 0
    } ?? count
  }

  // MARK: - Reading

  /// Shows the rotations of some tiles.
  func showRotations(_ tiles: Range<Int>) {
    table.show(rotations.columns(tracks), tiles, rotations.quaternions.column.constant)
  }

  /// The quaternion that a track shows.
  package func rotation(at index: Int) -> SIMD4<Double> {
    outputsAreRead.store(true, ordering: .relaxed)
    return SIMD4<Double>(rotations.shown(by: index))
  }

  /// The offset of a track from its goal and its rate of change, or its value and velocity if they are quaternions.
  package func offset(at index: Int) -> (value: SIMD4<Double>, rate: SIMD4<Double>, isQuaternion: Bool) {
    let value = SIMD4 { Double(tracks.columns.value[tracks.element(index, $0)]) }
    let isQuaternion = rotations.quaternions[index / laneCountOfTile] & TileStore.bit(index) != 0
    return (value, withVelocity(at: index) { rate in SIMD4 { Double(rate($0)) } }, isQuaternion)
  }

  /// The angular velocity of a track, in the axes of the body.
  package func angularVelocity(at index: Int) -> SIMD3<Double> {
    let (value, rate, isQuaternion) = offset(at: index)
    let (v, r) = (SIMD3(value.x, value.y, value.z), SIMD3(rate.x, rate.y, rate.z))
    guard isQuaternion else { return Rotation.angularVelocity(at: v, rate: r) }
    // 2q⁻¹q̇.
    let cross = SIMD3(v.y * r.z - v.z * r.y, v.z * r.x - v.x * r.z, v.x * r.y - v.y * r.x)
    return (r * value.w - v * rate.w - cross) * (2 / max((value * value).sum(), 1e-30))
  }

  /// The quaternion to which a track heads: its goal, turned by its target.
  package func rotationTarget(at index: Int) -> Rotation {
    let target = SIMD4 { Double(self.target(at: index, $0)) }
    if rotations.quaternions[index / laneCountOfTile] & TileStore.bit(index) != 0 {
      return Rotation(quaternion: target) ?? .identity
    }
    let goal = Rotation(quaternion: SIMD4<Double>(rotations.goal(of: index))) ?? .identity
    return goal * Rotation(vector: SIMD3(target.x, target.y, target.z))
  }
}

extension SIMD4 {
  init(_ part: (Int) -> Scalar) { self.init(part(0), part(1), part(2), part(3)) }
}

extension SIMD3 {
  fileprivate init(_ part: (Int) -> Scalar) { self.init(part(0), part(1), part(2)) }
}

extension MotionRequest {
  /// Whether a motion to a rotation starts at the rotation that shows, without its angular velocity.
  fileprivate var startsFromRest: Bool {
    isOther && !jumps
  }
}
