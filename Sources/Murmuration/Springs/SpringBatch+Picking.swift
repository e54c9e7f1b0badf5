// SPDX-License-Identifier: MIT
import AnimationModel
import CProcessor
import Kernels

// Bulk retargets: the tracks are picked first, then moved into the cohort that they found. Where they fill a tile, and in
// its order, the tile itself changes hands, and nothing moves.
extension SpringBatch {
  /// Makes ready to change the motions of tracks, and notes their rows.
  mutating func pick(_ handles: Span<TrackHandle>) throws(BatchError) {
    try makeRoom(forMoving: handles.count)
    picks.removeAll(keepingCapacity: true)
    picks.append(contentsOf: repeatElement(Pick(row: SpringStorage.noTrack, slot: 0), count: handles.count))
    try slots.find(handles, &picks)
  }

  /// Likewise for the tracks of a range of indices.
  mutating func pick(_ indices: Range<Int>) throws(BatchError) {
    try makeRoom(forMoving: indices.count)
    picks.removeAll(keepingCapacity: true)
    picks.reserveCapacity(indices.count)
    for slot in indices {
      picks.append(
        Pick(row: slots.isLive(slot) ? UInt32(slots.row(of: slot)) : SpringStorage.noTrack, slot: UInt32(slot)))
    }
  }

  /// Forgets what picked tracks were to do later.
  mutating func cancelPicked() {
    if waiting.count > 0 {
      for pick in picks {
        waiting.cancel(Int(pick.slot))
      }
    }
  }

  private mutating func makeRoom(forMoving count: Int) throws(BatchError) {
    // A cohort with tiles of its own fills at least half of them.
    try reserveTiles(2 * (count / laneCountOfTile + 1))
    refreshVelocities()
  }

  /// Starts the picked tracks anew: as one cohort if there is a spring, otherwise each with its own.
  ///
  /// - Parameter targets: Component-major, one for each pick and dimension.
  mutating func retargetPicked(_ targets: Span<Float>, _ spring: Spring?) {
    restartPicked(targets, spring.map(SpringCoefficients.init(accepted:)))
  }

  /// Likewise, with the coefficients of one motion for all.
  mutating func restartPicked(_ targets: Span<Float>, _ coefficients: SpringCoefficients?) {
    guard !picks.isEmpty else {
      return
    }
    cancelPicked()
    if let coefficients {
      let place = openCohort(coefficients, trackCount: picks.count)
      let rule = AmplitudeRule(cohorts[place].coefficients)
      var index = 0
      while index < picks.count {
        index += restart(index, inCohort: place, together: true, rule, targets)
      }
      if cohorts[place].trackCount == 0 {
        cohorts.close(place)
      }
    } else {
      openSuccessors()
      var index = 0
      while index < picks.count {
        index += restartAsBefore(index, targets)
      }
    }
  }

  /// Starts the tracks from a pick on in a cohort, and returns how many were: all of a tile, some that are gathered in one, or
  /// one.
  ///
  /// - Parameter together: Whether all picks go to this cohort, so that those that are scattered can be gathered.
  private mutating func restart(
    _ index: Int, inCohort place: Int, together: Bool, _ rule: AmplitudeRule, _ targets: Span<Float>
  ) -> Int {
    guard picks[index].row != SpringStorage.noTrack else {
      return 1
    }
    if let tile = tileFilled(from: index, butNotOf: place) {
      return restart(index, tile: tile, inCohort: place, rule, targets)
    }
    let gathered = together ? gatherTile(from: index, inCohort: place, rule, targets) : 0
    guard gathered == 0 else {
      return gathered
    }
    var row = Int(picks[index].row)
    // A track that is named twice was moved, or restarted in place, before.
    if !tiles.isLive(row) {
      row = slots.row(of: Int(picks[index].slot))
    }
    if cohort(ofRow: row) != place {
      if cohorts[place].isShared, tiles.kind(ofRow: row) == TileKind.shared {
        unsafe cohorts.leave(Int(storage.columns.member[row]))
        unsafe storage.columns.member[row] = Int32(place)
        cohorts.join(place)
        planIsStale = true
      } else {
        leave(row)
        let newRow = takeRow(inCohort: place)
        carry(picks[index].slot, from: row, to: newRow)
        row = newRow
      }
    }
    startInCohort(row, index, place, rule, targets)
    return 1
  }

  /// Moves tracks that stand anywhere into a fresh tile of a cohort, and starts them together. The first does not fill a
  /// tile with those behind it.
  ///
  /// - Returns: How many were moved: those of a tile, or those before one that has to be looked at by itself.
  private mutating func gatherTile(
    from index: Int, inCohort place: Int, _ rule: AmplitudeRule, _ targets: Span<Float>
  ) -> Int {
    guard !cohorts[place].isShared, cohorts[place].openRow % laneCountOfTile == 0,
      index + laneCountOfTile <= picks.count
    else {
      return 0
    }
    let kind = TileKind.firstCohort + Int32(place)
    var first = -1
    var moved = 0
    while moved < laneCountOfTile {
      prefetchPick(after: index + moved)
      let pick = picks[index + moved]
      let row = Int(pick.row)
      // One that is named twice is not where it was.
      guard pick.row != SpringStorage.noTrack, tiles.isLive(row), tiles.kind(ofRow: row) != kind,
        moved == 0 || tileFilled(from: index + moved, butNotOf: place) == nil
      else {
        break
      }
      leave(row)
      let newRow = takeRow(inCohort: place)
      carry(pick.slot, from: row, to: newRow)
      first = moved == 0 ? newRow : first
      moved += 1
    }
    if moved == laneCountOfTile {
      cohorts[place].include(start(tile: first / laneCountOfTile, targets, index, stride: picks.count, rule))
    } else {
      for lane in 0..<moved {
        startInCohort(first + lane, index + lane, place, rule, targets)
      }
    }
    return moved
  }

  /// Asks for what a pick some places behind will read: picked tracks often stand in no order.
  private func prefetchPick(after index: Int) {
    let ahead = index + laneCountOfTile
    guard ahead < picks.count, picks[ahead].row != SpringStorage.noTrack else {
      return
    }
    let row = Int(picks[ahead].row)
    let columns = storage.columns
    slots.prefetch(picks[ahead].slot)
    for dimension in 0..<dimensions {
      let element = row + dimension * columns.dimensionStride
      unsafe lanes_prefetch(columns.value + element)
      unsafe lanes_prefetch(columns.velocity + element)
    }
  }

  private mutating func startInCohort(
    _ row: Int, _ index: Int, _ place: Int, _ rule: AmplitudeRule, _ targets: Span<Float>
  ) {
    var extent = Extent()
    for dimension in 0..<dimensions {
      extent.include(start(row, dimension, target: targets[dimension * picks.count + index], rule))
    }
    cohorts[place].include(extent)
  }

  /// The tile whose tracks are those picked from an index on, in their order, if it can be handed to a cohort.
  private func tileFilled(from index: Int, butNotOf place: Int) -> Int? {
    let row = Int(picks[index].row)
    let tile = row / laneCountOfTile
    var lanes = tiles.live[tile]
    let kind = tiles.kinds[tile]
    guard lanes.trailingZeroBitCount == row % laneCountOfTile, index + lanes.nonzeroBitCount <= picks.count,
      !cohorts[place].isShared, kind != TileKind.firstCohort + Int32(place),
      // Other tiles take any track, and may be waiting for one.
      kind >= TileKind.firstCohort || lanes == .max
    else {
      return nil
    }
    guard lanes != .max else {
      // The usual case, without a branch for each track.
      return picks.span.extracting(index..<index + laneCountOfTile).areConsecutive ? tile : nil
    }
    var next = index
    while lanes != 0 {
      guard Int(picks[next].row) == tile * laneCountOfTile + lanes.trailingZeroBitCount else {
        return nil
      }
      lanes &= lanes - 1
      next += 1
    }
    return tile
  }

  private mutating func restart(
    _ index: Int, tile: Int, inCohort place: Int, _ rule: AmplitudeRule, _ targets: Span<Float>
  ) -> Int {
    let lanes = tiles.live[tile]
    let trackCount = lanes.nonzeroBitCount
    let kind = tiles.kinds[tile]
    cohorts.join(place, trackCount: trackCount)
    if kind >= TileKind.firstCohort {
      cohorts.leave(Int(kind - TileKind.firstCohort), trackCount: trackCount)
    } else if kind == TileKind.shared {
      for lane in 0..<laneCountOfTile {
        unsafe cohorts.leave(Int(storage.columns.member[tile * laneCountOfTile + lane]))
      }
    }
    tiles.relabel(tile, TileKind.firstCohort + Int32(place))
    planIsStale = true
    if lanes == .max {
      cohorts[place].include(start(tile: tile, targets, index, stride: picks.count, rule))
    } else {
      for offset in 0..<trackCount {
        startInCohort(Int(picks[index + offset].row), index + offset, place, rule, targets)
      }
    }
    return trackCount
  }

  // MARK: - With the springs that tracks have

  /// Opens a cohort for each one that picked tracks leave, of the tracks that leave it.
  private mutating func openSuccessors() {
    for pick in picks where pick.row != SpringStorage.noTrack {
      if let place = cohort(ofRow: Int(pick.row)), !isOwnSuccessor(place) {
        cohorts[place].leaving += 1
      }
    }
    // Successors come behind, or in places that nobody leaves.
    for place in cohorts.indices where cohorts[place].leaving > 0 {
      // A track that is named often leaves once: what a small cohort founds is small.
      let leaving = min(cohorts[place].leaving, cohorts[place].trackCount)
      let successor = openCohort(cohorts[place].coefficients.toAnyTarget, trackCount: leaving)
      cohorts[place].successor = successor
      cohorts[place].leaving = 0
    }
  }

  /// Whether a cohort is of this very moment, so that its tracks start anew as part of it. Where the clock came back to
  /// its start, motions that were reported have to be told from those that start now. A slide leads nowhere else.
  private func isOwnSuccessor(_ place: Int) -> Bool {
    cohorts[place].start == time && !cohorts[place].reportedLogical && !cohorts[place].reportedSettled
      && !cohorts[place].coefficients.isDeceleration
  }

  private mutating func restartAsBefore(_ index: Int, _ targets: Span<Float>) -> Int {
    guard picks[index].row != SpringStorage.noTrack else {
      return 1
    }
    var row = Int(picks[index].row)
    if !tiles.isLive(row) {
      row = slots.row(of: Int(picks[index].slot))
    }
    if let place = cohort(ofRow: row) {
      let successor = isOwnSuccessor(place) ? place : cohorts[place].successor
      return restart(
        index, inCohort: successor, together: false, AmplitudeRule(cohorts[successor].coefficients), targets)
    }
    leadToAnyTarget(row)
    let rule = AmplitudeRule(coefficients(ofRow: row))
    restartAlone(row, start: time)
    for dimension in 0..<dimensions {
      start(row, dimension, target: targets[dimension * picks.count + index], rule)
    }
    return 1
  }
}
