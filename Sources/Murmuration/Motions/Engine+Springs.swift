// SPDX-License-Identifier: MIT
import AnimationModel
import CProcessor
import Kernels

// Calls that have tracks follow springs. Which basis a track gets follows from the call and nothing else: its own where the
// call is about one track or names a spring for each, that of a cohort where many share one spring.
extension Engine {
  // MARK: - One track

  /// Puts a track at a value with a velocity. One that follows a spring goes on to its target, with a start of its own.
  mutating func set(_ handle: TrackHandle, _ value: InputValues, velocity: InputValues) throws(BatchError) -> UInt32 {
    try value.check("value")
    try velocity.check("velocity")
    let row = try prepare(handle)
    endSchedules(ofSlot: handle.index)
    let change = nextChange()
    put(row, value, velocity, 0, change)
    return change
  }

  /// Lets a track slide from its value, ever more slowly, to its projected end.
  ///
  /// - Parameter velocity: What it starts with; nil for its own.
  mutating func decelerate(
    _ handle: TrackHandle, velocity: InputValues?, by deceleration: Deceleration
  ) throws(BatchError) -> UInt32 {
    try Self.check(deceleration)
    try velocity?.check("velocity")
    let row = try prepare(handle)
    let coefficients = SpringCoefficients(accepted: deceleration)
    for dimension in 0..<dimensions {
      let end = projectedEnd(row, dimension, velocity?[0, dimension], coefficients)
      guard abs(end) <= BatchLimits.maximumMagnitude else {
        throw .invalidValue(of: "component of the projected end", index: dimension, value: end)
      }
    }
    endSchedules(ofSlot: handle.index)
    if let velocity { setVelocity(row, velocity, 0) }
    let change = nextChange()
    slide(row, coefficients, change)
    return change
  }

  /// Makes ready to change the motion of a track, and returns its row.
  mutating func prepare(_ handle: TrackHandle, for groups: ColumnGroups = .springs) throws(BatchError) -> Int {
    _ = try tracks.slots.row(of: handle)
    try reserveTiles(1, for: groups)
    let row = tracks.slots.row(of: handle.index)
    makeReady(row)
    return row
  }

  /// Whether a row heads for a goal already, so that nothing changes. One that stands and was given a velocity by hand does
  /// not, and neither does one that plays phases, which would head on.
  func headsFor(_ row: Int, _ goal: InputValues, _ index: Int) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    guard !kind.isClip, !phases.isPlaying(tracks.slot(ofRow: row)) else { return false }
    let isStill = kind == .still
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      if unsafe tracks.columns.target[element] != goal[index, dimension] { return false }
      if isStill, unsafe tracks.columns.velocity[element] != 0 { return false }
    }
    return true
  }

  /// The spring that a row goes on with towards another target: its own, the critically damped one that decays as fast as
  /// a deceleration, or SwiftUI's usual one where it follows none.
  func coefficientsToKeep(ofRow row: Int) -> SpringCoefficients {
    tracks.tiles.kind(ofRow: row).isSpring
      ? springs.coefficients(ofRow: row, tracks).toAnyTarget : SpringCoefficients(accepted: Spring())
  }

  /// Has the track of a row follow a spring with a start of its own, towards a target.
  mutating func setOut(
    _ row: Int, _ coefficients: SpringCoefficients, at start: Double, _ change: UInt32, target: (Int) -> Float
  ) {
    let kind: MotionKind = coefficients.isOverdamped ? .overdamped : .oscillating
    var row = row
    if tracks.tiles.kind(ofRow: row) != kind {
      row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: kind)
    }
    springs.begin(row, coefficients, at: start)
    unsafe tracks.columns.change[row] = change
    velocities.mark(row)
    let rule = AmplitudeRule(coefficients)
    for dimension in 0..<dimensions { springs.start(row, dimension, target: target(dimension), rule) }
  }

  private mutating func put(_ row: Int, _ value: InputValues, _ velocity: InputValues, _ index: Int, _ change: UInt32) {
    let isStill = !tracks.tiles.kind(ofRow: row).isSpring
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      unsafe tracks.columns.value[element] = value[index, dimension]
      unsafe tracks.columns.velocity[element] = velocity[index, dimension]
      if isStill { unsafe tracks.columns.target[element] = value[index, dimension] }
    }
    velocities.mark(row)
    guard !isStill else {
      if tracks.tiles.kind(ofRow: row) != .still { _ = move(UInt32(tracks.slot(ofRow: row)), from: row, to: .still) }
      return
    }
    // The row of the new motion may be another one, so the target is read from the old.
    let columns = tracks.columns
    setOut(row, springs.coefficients(ofRow: row, tracks).toAnyTarget, at: time, change) {
      unsafe columns.target[$0 * columns.dimensionStride + row]
    }
  }

  private mutating func setVelocity(_ row: Int, _ velocity: InputValues, _ index: Int) {
    for dimension in 0..<dimensions {
      unsafe tracks.columns.velocity[tracks.element(row, dimension)] = velocity[index, dimension]
    }
    velocities.mark(row)
  }

  private mutating func slide(_ row: Int, _ coefficients: SpringCoefficients, _ change: UInt32) {
    let columns = tracks.columns
    setOut(row, coefficients, at: time, change) {
      let element = $0 * columns.dimensionStride + row
      return unsafe Self.projectedEnd(columns.value[element], columns.velocity[element], coefficients)
    }
  }

  private func projectedEnd(
    _ row: Int, _ dimension: Int, _ velocity: Float?, _ coefficients: SpringCoefficients
  ) -> Float {
    let element = tracks.element(row, dimension)
    return unsafe Self.projectedEnd(
      tracks.columns.value[element], velocity ?? tracks.columns.velocity[element], coefficients)
  }

  private static func projectedEnd(_ value: Float, _ velocity: Float, _ coefficients: SpringCoefficients) -> Float {
    Float(Double(value) + Double(velocity) / coefficients.κ)
  }

  private static func check(_ deceleration: Deceleration) throws(BatchError) {
    guard deceleration.rate < 1, BatchLimits.decelerationConstants ~= deceleration.decayConstant else {
      throw .invalidDeceleration(rate: deceleration.rate)
    }
  }

  // MARK: - Many tracks

  /// Picks the tracks of handles for a call that changes their motions.
  ///
  /// - Parameter kinds: Kinds of motion that they may take up, if these are many.
  mutating func pick(
    _ handles: Span<TrackHandle>, for groups: ColumnGroups = .springs, kinds: Int = 1
  ) throws(BatchError) {
    try makeRoomToMove(handles.count, for: groups, kinds: kinds)
    try picks.pick(handles, tracks)
    makeReadyPicked()
  }

  /// Picks the tracks of a range of indices likewise.
  mutating func pick(_ indices: Range<Int>, for groups: ColumnGroups = .springs) throws(BatchError) {
    guard 0...tracks.slots.count ~= indices.lowerBound, indices.upperBound <= tracks.slots.count else {
      throw .trackOutOfRange(
        indices.lowerBound < 0 ? indices.lowerBound : indices.upperBound - 1, count: tracks.slots.count)
    }
    try makeRoomToMove(indices.count, for: groups)
    picks.pick(indices, tracks)
    makeReadyPicked()
  }

  /// Has room for tracks to change their rows. Rows may change with it, so tracks are picked after.
  private mutating func makeRoomToMove(_ count: Int, for groups: ColumnGroups, kinds: Int = 1) throws(BatchError) {
    // A cohort with tiles of its own fills at least half of them; each clip may begin a tile, if it has rows enough.
    let tiles = groups.contains(.clips) ? (clips.rowsBeforeOwnTiles > 0 ? min(count, clips.library.count) : count) : 0
    try reserveTiles(2 * (count / laneCountOfTile + 1) + tiles + min(count, kinds), for: groups)
  }

  private mutating func makeReadyPicked() {
    guard !velocities.areComplete || curves.latestStart == time else { return }
    for index in 0..<picks.count where picks[index].row != Pick.noRow { makeReady(Int(picks[index].row)) }
  }

  /// Has the columns of a row show what a new motion takes over: its value, and its velocity, also where the last frame left
  /// velocities out.
  private mutating func makeReady(_ row: Int) {
    computeVelocity(ofRow: row)
    if curves.latestStart == time, tracks.tiles.kind(ofRow: row).isCurve { putBackIfStarting(row) }
  }

  /// Sends the picked tracks to goals: as one cohort if there is a spring, else each with the spring that it has.
  mutating func animatePicked(_ goals: InputValues, coefficients: SpringCoefficients?) -> UInt32 {
    if coefficients != nil { dropUnchanged(goals) }
    endSchedulesOfPicked()
    let change = nextChange()
    restartPicked(goals, coefficients, change)
    return change
  }

  /// Puts the picked tracks at values with velocities, as a hand does that drags them.
  mutating func setPicked(_ values: InputValues, _ velocities: InputValues) -> UInt32 {
    endSchedulesOfPicked()
    let change = nextChange()
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      put(picks.row(index, tracks), values, velocities, index, change)
    }
    return change
  }

  /// Lets the picked tracks slide to their projected ends, as one cohort.
  mutating func deceleratePicked(
    _ velocities: InputValues?, by deceleration: Deceleration
  ) throws(BatchError) -> UInt32 {
    try Self.check(deceleration)
    let coefficients = SpringCoefficients(accepted: deceleration)
    let ends = unsafe [Float](unsafeUninitializedCapacity: picks.count * dimensions) { ends, count in
      for index in 0..<picks.count {
        for dimension in 0..<dimensions {
          unsafe ends[dimension * picks.count + index] =
            picks[index].row == Pick.noRow
            ? 0 : projectedEnd(Int(picks[index].row), dimension, velocities?[index, dimension], coefficients)
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

  /// Passes over the picked tracks that head for their goals already.
  mutating func dropUnchanged(_ goals: InputValues) {
    var index = 0
    while index < picks.count {
      if let tile = picks.tileFilled(from: index, tracks), tracks.tiles.live[tile] == .max {
        lanesHeading(for: goals, from: index, tile).forEachLane { picks.drop(index + $0) }
        index += laneCountOfTile
      } else {
        if picks[index].row != Pick.noRow, headsFor(Int(picks[index].row), goals, index) { picks.drop(index) }
        index += 1
      }
    }
  }

  /// The lanes of a full tile that head for the goals of neighbouring tracks already.
  func lanesHeading(for goals: InputValues, from first: Int, _ tile: Int) -> UInt16 {
    guard !tracks.tiles.kinds[tile].isClip else { return 0 }
    let row = tile * laneCountOfTile
    let equal = unsafe goals.withColumns(of: first..<first + laneCountOfTile) { goals, stride in
      var equal = UInt32(UInt16.max)
      for dimension in 0..<dimensions where equal != 0 {
        unsafe equal &= lanes_equal(goals + dimension * stride, tracks.columns.target + tracks.element(row, dimension))
      }
      return equal
    }
    guard equal != 0, tracks.tiles.kinds[tile] == .still || phases.playerCount > 0 else { return UInt16(equal) }
    // Those that were given a velocity by hand head nowhere, and those that play phases head on.
    var lanes = UInt16(equal)
    UInt16(equal).forEachLane { lane in
      if !headsFor(row + lane, goals, first + lane) { lanes &= ~(1 << UInt16(lane)) }
    }
    return lanes
  }

  /// Cancels what a track was to do later: a call that waits, and steps of phases.
  mutating func endSchedules(ofSlot slot: Int) {
    waiting.cancel(slot)
    guard phases.isPlaying(slot) else { return }
    phases.end(slot)
    // The motion of a step may go on from here, and frames may not have looked for its rest.
    let row = tracks.slots.row(of: slot)
    if tracks.tiles.kind(ofRow: row).isMixed { springs.expect(row / laneCountOfTile, lanes: 0) }
  }

  /// Cancels what the picked tracks were to do later.
  mutating func endSchedulesOfPicked() {
    guard waiting.count > 0 || phases.playerCount > 0 else { return }
    for index in 0..<picks.count { endSchedules(ofSlot: Int(picks[index].slot)) }
  }

  private mutating func restartPicked(_ goals: InputValues, _ coefficients: SpringCoefficients?, _ change: UInt32) {
    guard !picks.isEmpty else { return }
    guard let coefficients else {
      openSuccessors(change)
      var index = 0
      while index < picks.count { index += restartAsBefore(index, goals, change) }
      return
    }
    let cohort = springs.openCohort(coefficients, trackCount: picks.count, at: time, change: change)
    let rule = AmplitudeRule(coefficients)
    var index = 0
    while index < picks.count { index += restart(index, inCohort: cohort, gathers: true, rule, goals) }
    springs.closeIfEmpty(cohort)
  }

  /// Starts the tracks from a pick on in a cohort: all of a tile, some that are gathered in one, or one.
  ///
  /// - Parameter gathers: Whether all picks go to this cohort, so that those that are scattered can be gathered.
  /// - Returns: How many picks are done.
  private mutating func restart(
    _ index: Int, inCohort cohort: Int, gathers: Bool, _ rule: AmplitudeRule, _ goals: InputValues
  ) -> Int {
    guard picks[index].row != Pick.noRow else { return 1 }
    if let tile = tileToTake(from: index, forCohort: cohort) {
      return restart(index, tile: tile, inCohort: cohort, rule, goals)
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

  /// Moves tracks that stand anywhere into a fresh tile of a cohort, and starts them together.
  ///
  /// - Returns: How many were moved: those of a tile, or those before one that has to be looked at by itself.
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
      // One that is named twice is not where it was.
      guard pick.row != Pick.noRow, tracks.tiles.isLive(row), tracks.slot(ofRow: row) == Int(pick.slot),
        tracks.tiles.kind(ofRow: row) != .cohort(cohort),
        moved == 0 || tileToTake(from: index + moved, forCohort: cohort) == nil
      else { break }
      let newRow = move(pick.slot, from: row, toCohort: cohort)
      if moved == 0 { first = newRow }
      moved += 1
    }
    if moved == laneCountOfTile {
      springs.include(springs.start(tile: first / laneCountOfTile, goals, from: index, rule), inCohort: cohort)
    } else {
      for lane in 0..<moved { startInCohort(first + lane, index + lane, cohort, rule, goals) }
    }
    return moved
  }

  private mutating func startInCohort(
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
    let tile = Int(picks[index].row) / laneCountOfTile
    let kind = tracks.tiles.kinds[tile]
    // Tiles of families take any track, and may be waiting for one.
    guard !springs.cohorts[cohort].isShared, kind != .cohort(cohort), kind != .called, !kind.isClip, !kind.isCurve,
      kind.cohort != nil || tracks.tiles.live[tile] == .max
    else { return nil }
    return picks.tileFilled(from: index, tracks)
  }

  private mutating func restart(
    _ index: Int, tile: Int, inCohort cohort: Int, _ rule: AmplitudeRule, _ goals: InputValues
  ) -> Int {
    let lanes = tracks.tiles.live[tile]
    springs.take(tile, forCohort: cohort, &tracks)
    velocities.markAll(ofTile: tile)
    if lanes == .max {
      springs.include(springs.start(tile: tile, goals, from: index, rule), inCohort: cohort)
    } else {
      for offset in 0..<lanes.nonzeroBitCount {
        startInCohort(Int(picks[index + offset].row), index + offset, cohort, rule, goals)
      }
    }
    return lanes.nonzeroBitCount
  }

  // MARK: - With the springs that tracks have

  /// Opens a cohort for each one that picked tracks leave, of the tracks that leave it.
  private mutating func openSuccessors(_ change: UInt32) {
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      let row = Int(picks[index].row)
      guard tracks.tiles.kind(ofRow: row).isSpring, let cohort = springs.cohort(ofRow: row, tracks) else { continue }
      if !isOwnSuccessor(cohort, change) { springs.setLeaving(cohort, springs.cohorts[cohort].leaving + 1) }
    }
    // Successors come behind, or take the numbers of cohorts that nobody leaves.
    for cohort in springs.cohorts.indices where springs.cohorts[cohort].leaving > 0 {
      // A track that is named often leaves once: what a small cohort founds is small.
      let leaving = min(springs.cohorts[cohort].leaving, springs.cohorts[cohort].trackCount)
      let coefficients = springs.cohorts[cohort].coefficients.toAnyTarget
      springs.setSuccessor(
        cohort, springs.openCohort(coefficients, trackCount: leaving, at: time, change: change))
      springs.setLeaving(cohort, 0)
    }
  }

  /// Whether a cohort began with this very call, as the successor of one that tracks leave: one that is named twice starts anew
  /// as part of it. The tracks of one cohort have one change number, so that of an earlier call is left even at its own moment.
  private func isOwnSuccessor(_ cohort: Int, _ change: UInt32) -> Bool { springs.cohorts[cohort].change == change }

  private mutating func restartAsBefore(_ index: Int, _ goals: InputValues, _ change: UInt32) -> Int {
    guard picks[index].row != Pick.noRow else { return 1 }
    let row = picks.row(index, tracks)
    if !tracks.tiles.kind(ofRow: row).isSpring {
      setOut(row, coefficientsToKeep(ofRow: row), at: time, change) { goals[index, $0] }
      return 1
    }
    if let cohort = springs.cohort(ofRow: row, tracks) {
      let successor = isOwnSuccessor(cohort, change) ? cohort : springs.cohorts[cohort].successor
      let rule = AmplitudeRule(springs.cohorts[successor].coefficients)
      return restart(index, inCohort: successor, gathers: false, rule, goals)
    }
    springs.leadToAnyTarget(row, tracks)
    let rule = AmplitudeRule(springs.coefficients(ofRow: row, tracks))
    springs.restart(row, at: time)
    unsafe tracks.columns.change[row] = change
    velocities.mark(row)
    for dimension in 0..<dimensions { springs.start(row, dimension, target: goals[index, dimension], rule) }
    return 1
  }
}
