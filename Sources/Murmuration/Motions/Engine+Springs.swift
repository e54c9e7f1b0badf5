// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// Calls that make tracks follow springs. The call alone decides which basis a track gets: one of its own if the call is
// about one track or has a spring for each track, and the basis of a cohort if many tracks share one spring.
extension Engine {
  // MARK: - One track

  /// Lets a track slide from its value, ever more slowly, to its projected end.
  ///
  /// - Parameter velocity: The velocity at the start; nil for the velocity that the track has.
  mutating func decelerate(
    _ handle: TrackHandle, velocity: InputValues?, by deceleration: Deceleration
  ) throws(BatchError) -> UInt32 {
    let coefficients = try SpringCoefficients(checked: deceleration)
    try velocity?.check("velocity")
    let row = try prepare(handle)
    for dimension in 0..<dimensions {
      let end = projectedEnd(row, dimension, velocity?[0, dimension] ?? ownVelocity(row, dimension), coefficients)
      guard abs(end) <= BatchLimits.maximumMagnitude else {
        throw .invalidValue(of: "component of the projected end", index: dimension, value: end)
      }
    }
    endSchedules(ofSlot: handle.index)
    let nextRow = tracks.slots.row(of: handle.index)
    if let velocity { setVelocity(nextRow, velocity, 0) }
    let change = nextChange()
    slide(nextRow, coefficients, change)
    record { BatchCall(.decelerate(deceleration), $0.name(handle), velocities: $0.numbers(velocity)) }
    return change
  }

  /// The velocity that a row has, or that it takes up again after its pause.
  private func ownVelocity(_ row: Int, _ dimension: Int) -> Float {
    pausedVelocity(row, dimension) ?? tracks.columns.velocity[tracks.element(row, dimension)]
  }

  /// The velocity that the track of a row takes up again after its pause; nil if it is not paused, or plays a clip.
  func pausedVelocity(_ row: Int, _ dimension: Int) -> Float? {
    guard !pauses.isEmpty, tracks.tiles.kind(ofRow: row) == .still, let pause = pauses[tracks.slot(ofRow: row)]
    else { return nil }
    return pause.velocities[dimension]
  }

  /// The spring that a row goes on with towards another target: its own, the critically damped one that decays as fast
  /// as a deceleration, or SwiftUI's usual one if it follows none.
  func coefficientsToKeep(ofRow row: Int) -> SpringCoefficients {
    tracks.tiles.kind(ofRow: row).isSpring
      ? springs.coefficients(ofRow: row, tracks).toAnyTarget : SpringCoefficients(accepted: Spring())
  }

  /// Starts the track of a row towards a target with a spring, with a start of its own.
  mutating func setOut(
    _ row: Int, _ coefficients: SpringCoefficients, at start: Double, _ change: UInt32, target: (Int) -> Float
  ) {
    let kind: MotionKind = coefficients.isOverdamped ? .overdamped : .oscillating
    var row = row
    if tracks.tiles.kind(ofRow: row) != kind {
      row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: kind)
    }
    springs.begin(row, coefficients, at: start)
    tracks.columns.change[row] = change
    velocities.mark(row)
    let rule = AmplitudeRule(coefficients)
    for dimension in 0..<dimensions { springs.start(row, dimension, target: target(dimension), rule) }
  }

  private mutating func put(
    _ row: Int, _ value: InputValues, _ velocity: InputValues, _ index: Int, goesOn: Bool, _ change: UInt32
  ) {
    var row = row
    let isStill = !goesOn || !tracks.tiles.kind(ofRow: row).isSpring
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      tracks.columns.value[element] = value[index, dimension]
      tracks.columns.velocity[element] = velocity[index, dimension]
      if isStill { tracks.columns.target[element] = value[index, dimension] }
    }
    velocities.mark(row)
    if tracks.tiles.kind(ofRow: row) == .following {
      follows.wake(row)
      tracks.columns.change[row] = change
      return
    }
    guard !isStill else {
      if tracks.tiles.kind(ofRow: row) != .still {
        row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: .still)
      }
      tracks.columns.change[row] = change
      return
    }
    // The new motion may be in another row, so the target is read from the old row.
    let columns = tracks.columns
    setOut(row, springs.coefficients(ofRow: row, tracks).toAnyTarget, at: time, change) {
      columns.target[$0 * columns.dimensionStride + row]
    }
  }

  mutating func setVelocity(_ row: Int, _ velocity: InputValues, _ index: Int) {
    for dimension in 0..<dimensions {
      tracks.columns.velocity[tracks.element(row, dimension)] = velocity[index, dimension]
    }
    velocities.mark(row)
  }

  private mutating func slide(_ row: Int, _ coefficients: SpringCoefficients, _ change: UInt32) {
    let columns = tracks.columns
    setOut(row, coefficients, at: time, change) {
      let element = $0 * columns.dimensionStride + row
      return Self.projectedEnd(columns.value[element], columns.velocity[element], coefficients)
    }
  }

  /// The value of a dimension at which a row ends that slides with a velocity.
  func projectedEnd(
    _ row: Int, _ dimension: Int, _ velocity: Float, _ coefficients: SpringCoefficients
  ) -> Float {
    Self.projectedEnd(tracks.columns.value[tracks.element(row, dimension)], velocity, coefficients)
  }

  private static func projectedEnd(_ value: Float, _ velocity: Float, _ coefficients: SpringCoefficients) -> Float {
    Float(Double(value) + Double(velocity) / coefficients.κ)
  }

  // MARK: - Many tracks

  /// Sends the picked tracks to goals: as one cohort if a spring is given, else each with its own spring. Tracks that
  /// follow no spring then set out as one cohort.
  mutating func animatePicked(_ goals: InputValues, coefficients: SpringCoefficients?) -> UInt32 {
    dropUnchanged(goals)
    endSchedulesOfPicked()
    let change = nextChange()
    if coefficients == nil, follows.count > 0 { setGoalsOfPicked(goals) }
    restartPicked(goals, coefficients, change)
    return change
  }

  /// Puts the picked tracks at values with velocities. Tracks that follow go on.
  ///
  /// - Parameter goesOn: Whether tracks that follow springs go on to their targets too. All other tracks stay at their
  ///   values.
  mutating func putPicked(_ values: InputValues, _ velocities: InputValues, goesOn: Bool) -> UInt32 {
    endSchedulesOfPicked()
    let change = nextChange()
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      put(picks.row(index, tracks), values, velocities, index, goesOn: goesOn, change)
    }
    return change
  }

  /// Lets the picked tracks slide to their projected ends, as one cohort.
  mutating func deceleratePicked(
    _ velocities: InputValues?, by deceleration: Deceleration
  ) throws(BatchError) -> UInt32 {
    let coefficients = try SpringCoefficients(checked: deceleration)
    let ends = unsafe [Float](unsafeUninitializedCapacity: picks.count * dimensions) { ends, count in
      unsafe ends.initialize(repeating: 0)
      for index in 0..<picks.count where picks[index].row != Pick.noRow {
        let row = Int(picks[index].row)
        for dimension in 0..<dimensions {
          unsafe ends[dimension * picks.count + index] = projectedEnd(
            row, dimension, velocities?[index, dimension] ?? ownVelocity(row, dimension), coefficients)
        }
      }
      count = picks.count * dimensions
    }
    try BatchLimits.check(ends.span, of: "component of the projected ends")
    endSchedulesOfPicked()
    if let velocities {
      for index in 0..<picks.count where picks[index].row != Pick.noRow {
        setVelocity(Int(picks[index].row), velocities, index)
      }
    }
    let change = nextChange()
    unsafe ends.withUnsafeBufferPointer { memory in
      guard let start = memory.baseAddress else { return }
      let goals = unsafe InputValues(
        start, count: picks.count, dimensions: dimensions, componentStride: picks.count, trackStride: 1)
      restartPicked(goals, coefficients, change)
    }
    return change
  }

  private mutating func restartPicked(_ goals: InputValues, _ coefficients: SpringCoefficients?, _ change: UInt32) {
    guard !picks.isEmpty else { return }
    guard let coefficients else {
      let newCohort = openSuccessors(change)
      var index = 0
      while index < picks.count { index += restartAsBefore(index, goals, change, newCohort: newCohort) }
      return
    }
    let cohort = springs.openCohort(coefficients, trackCount: picks.count, at: time, change: change)
    let rule = AmplitudeRule(coefficients)
    var index = 0
    while index < picks.count { index += restart(index, inCohort: cohort, gathers: true, rule, goals) }
    springs.closeIfEmpty(cohort)
  }

  /// Starts tracks in a cohort, from a pick on: a tile in place, scattered tracks that are gathered in a tile, or one
  /// track.
  ///
  /// - Parameter gathers: Whether all picks go to this cohort, so that scattered ones can be gathered.
  /// - Returns: The number of picks that this has dealt with.
  private mutating func restart(
    _ index: Int, inCohort cohort: Int, gathers: Bool, _ rule: AmplitudeRule, _ goals: InputValues
  ) -> Int {
    guard picks[index].row != Pick.noRow else { return 1 }
    if let tile = tileToTake(from: index, forCohort: cohort) {
      return restart(index, tile: tile, inCohort: cohort, gathers: gathers, rule, goals)
    }
    let gathered = gathers ? gatherTile(from: index, inCohort: cohort, rule, goals) : 0
    guard gathered == 0 else { return gathered }
    var row = picks.row(index, tracks)
    if !tracks.tiles.kind(ofRow: row).isSpring || springs.cohort(ofRow: row, tracks) != cohort {
      if springs.cohorts[cohort].isShared, tracks.tiles.kind(ofRow: row) == .shared {
        springs.move(row, toSharedCohort: cohort)
      } else {
        row = move(picks[index].slot, from: row, toCohort: cohort)
      }
    }
    startInCohort(row, index, cohort, rule, goals)
    return 1
  }

  private mutating func move(_ slot: UInt32, from row: Int, toCohort cohort: Int) -> Int {
    leave(row)
    let newRow = springs.takeRow(inCohort: cohort, &tracks)
    tracks.carry(slot, from: row, to: newRow)
    velocities.mark(newRow)
    return newRow
  }

  /// Moves scattered tracks into a new tile of a cohort, and starts them together.
  ///
  /// - Returns: The number of tracks that were moved: a whole tile, or the tracks before a pick that is started in
  ///   another way.
  private mutating func gatherTile(
    from index: Int, inCohort cohort: Int, _ rule: AmplitudeRule, _ goals: InputValues
  ) -> Int {
    guard !springs.cohorts[cohort].isShared, springs.cohorts[cohort].openRow % laneCountOfTile == 0,
      index + laneCountOfTile <= picks.count
    else { return 0 }
    var (first, moved) = (-1, 0)
    while moved < laneCountOfTile {
      picks.prefetch(after: index + moved, tracks)
      let pick = picks[index + moved]
      let row = Int(pick.row)
      guard pick.row != Pick.noRow, tracks.tiles.kind(ofRow: row) != .cohort(cohort),
        moved == 0 || tileToTake(from: index + moved, forCohort: cohort) == nil
      else { break }
      let newRow = move(pick.slot, from: row, toCohort: cohort)
      if moved == 0 { first = newRow }
      moved += 1
    }
    if moved == laneCountOfTile {
      let tile = first / laneCountOfTile
      springs.include(springs.start(tiles: tile..<tile + 1, goals, from: index, rule), inCohort: cohort)
    } else {
      for lane in 0..<moved { startInCohort(first + lane, index + lane, cohort, rule, goals) }
    }
    return moved
  }

  mutating func startInCohort(
    _ row: Int, _ index: Int, _ cohort: Int, _ rule: AmplitudeRule, _ goals: InputValues
  ) {
    var extent = Extent()
    for dimension in 0..<dimensions {
      extent.include(springs.start(row, dimension, target: goals[index, dimension], rule))
    }
    velocities.mark(row)
    springs.include(extent, inCohort: cohort)
  }

  /// The tile that the picks from an index on fill in order, if it can be given to a cohort.
  private func tileToTake(from index: Int, forCohort cohort: Int) -> Int? {
    guard picks[index].row != Pick.noRow else { return nil }
    let tile = Int(picks[index].row) / laneCountOfTile
    let kind = tracks.tiles.kinds[tile]
    let lanes = tracks.tiles.live[tile]
    // A family puts new tracks into tiles that are not full, so only a full tile of a family can be given away. A tile
    // of a cohort with few tracks is better left.
    guard !springs.cohorts[cohort].isShared, kind != .cohort(cohort), kind.changesHands,
      lanes == .max || kind.cohort != nil && lanes.nonzeroBitCount >= laneCountOfTile / 2
    else { return nil }
    return picks.tileFilled(from: index, tracks)
  }

  private mutating func restart(
    _ index: Int, tile: Int, inCohort cohort: Int, gathers: Bool, _ rule: AmplitudeRule, _ goals: InputValues
  ) -> Int {
    let (lanes, kind) = (tracks.tiles.live[tile], tracks.tiles.kinds[tile])
    guard lanes == .max else {
      take(tile, forCohort: cohort)
      for offset in 0..<lanes.nonzeroBitCount {
        startInCohort(Int(picks[index + offset].row), index + offset, cohort, rule, goals)
      }
      return lanes.nonzeroBitCount
    }
    // If not all picks go to this cohort, the picks of one kind do.
    let tiles = tilesFilled(from: index, goals.tilesAtOnce) {
      $0 == kind || gathers && $0 != .cohort(cohort) && $0.changesHands
    }
    for tile in tiles { take(tile, forCohort: cohort) }
    springs.include(springs.start(tiles: tiles, goals, from: index, rule), inCohort: cohort)
    return tiles.count * laneCountOfTile
  }

  /// Full neighbouring tiles whose tracks are the picks from an index on; one call of a kernel starts them all.
  ///
  /// - Parameters:
  ///   - limit: The largest number of tiles.
  ///   - isWanted: Whether a tile of a kind counts.
  private func tilesFilled(from index: Int, _ limit: Int, _ isWanted: (MotionKind) -> Bool) -> Range<Int> {
    let first = Int(picks[index].row) / laneCountOfTile
    var (end, next) = (first, index)
    while end - first < limit, next < picks.count, picks.tileFilled(from: next, tracks) == end,
      tracks.tiles.live[end] == .max, isWanted(tracks.tiles.kinds[end])
    {
      (end, next) = (end + 1, next + laneCountOfTile)
    }
    return first..<end
  }

  private mutating func take(_ tile: Int, forCohort cohort: Int) {
    springs.take(tile, forCohort: cohort, &tracks)
    velocities.markAll(ofTile: tile)
  }

  // MARK: - With the springs that tracks have

  /// Opens a successor for each cohort that picked tracks leave, and a cohort for the picked tracks that follow no spring:
  /// with a spring each, they would cost an exponential and a sine in every frame.
  ///
  /// - Returns: The cohort for tracks that follow no spring; nil if no such track is picked.
  private mutating func openSuccessors(_ change: UInt32) -> Int? {
    var newcomers = 0
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let row = Int(picks[index].row)
      if !tracks.tiles.kind(ofRow: row).isSpring {
        newcomers += 1
      } else if let cohort = springs.cohort(ofRow: row, tracks) {
        springs.setLeaving(cohort, springs.cohorts[cohort].leaving + 1)
      }
    }
    // The loop passes over the successors themselves, as no track leaves them.
    for cohort in springs.cohorts.indices where springs.cohorts[cohort].leaving > 0 {
      let leaving = springs.cohorts[cohort].leaving
      let coefficients = springs.cohorts[cohort].coefficients.toAnyTarget
      springs.setSuccessor(
        cohort, springs.openCohort(coefficients, trackCount: leaving, at: time, change: change))
      springs.setLeaving(cohort, 0)
    }
    guard newcomers > 0 else { return nil }
    return springs.openCohort(
      SpringCoefficients(accepted: Spring()), trackCount: newcomers, at: time, change: change)
  }

  private mutating func restartAsBefore(
    _ index: Int, _ goals: InputValues, _ change: UInt32, newCohort: Int?
  ) -> Int {
    guard picks[index].row != Pick.noRow else { return 1 }
    let row = picks.row(index, tracks)
    let kind = tracks.tiles.kind(ofRow: row)
    let successor = kind.isSpring ? springs.cohort(ofRow: row, tracks).map { springs.cohorts[$0].successor } : newCohort
    if let successor {
      let rule = AmplitudeRule(springs.cohorts[successor].coefficients)
      return restart(index, inCohort: successor, gathers: false, rule, goals)
    }
    let tiles = tilesFilled(from: index, goals.tilesAtOnce) { $0 == kind }
    guard tiles.isEmpty else {
      for tile in tiles { velocities.markAll(ofTile: tile) }
      restart(tiles, kind, goals, from: index, change)
      return tiles.count * laneCountOfTile
    }
    restartAlone(row, index, goals, change)
    return 1
  }

  /// Sends the track of a mixed row to a goal with the spring that it follows.
  mutating func restartAlone(_ row: Int, _ index: Int, _ goals: InputValues, _ change: UInt32) {
    springs.leadToAnyTarget(row, tracks)
    springs.restart(row, at: time)
    tracks.columns.change[row] = change
    velocities.mark(row)
    let rule = AmplitudeRule(springs.coefficients(ofRow: row, tracks))
    for dimension in 0..<dimensions { springs.start(row, dimension, target: goals[index, dimension], rule) }
  }
}
