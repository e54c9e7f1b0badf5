// SPDX-License-Identifier: MIT
import Kernels

// Every change of a motion goes through these. A track is first given a row of the right kind, which keeps the value and
// velocity that it shows; then each of its dimensions starts from them.
extension SpringBatch {
  /// The place of the cohort that a row follows, or nil if it moves alone.
  func cohort(ofRow row: Int) -> Int? {
    let kind = tiles.kind(ofRow: row)
    if kind >= TileKind.firstCohort {
      return Int(kind - TileKind.firstCohort)
    }
    return kind == TileKind.shared ? unsafe Int(storage.columns.member[row]) : nil
  }

  /// The coefficients that a row with a track follows.
  func coefficients(ofRow row: Int) -> SpringCoefficients {
    if let place = cohort(ofRow: row) {
      return cohorts[place].coefficients
    }
    return unsafe SpringCoefficients(
      isOverdamped: tiles.kind(ofRow: row) == TileKind.overdamped, rate: storage.columns.rate[row],
      decay: storage.columns.decay[row])
  }

  // MARK: - Rows

  /// Takes a row in a tile of a kind that takes any track.
  mutating func takeRow(_ kind: Int32) -> Int {
    let isFresh = !tiles.hasOpenLane(kind)
    let row = tiles.takeLane(kind)
    if isFresh {
      // Lanes without a track are evaluated too, so they have to name a basis that exists.
      let first = row / laneCountOfTile * laneCountOfTile
      unsafe (storage.columns.member + first).update(repeating: 0, count: laneCountOfTile)
    }
    rowEnd = max(rowEnd, row + 1)
    planIsStale = true
    return row
  }

  /// Takes the next row of a cohort that is being founded.
  mutating func takeRow(inCohort place: Int) -> Int {
    cohorts.join(place)
    guard !cohorts[place].isShared else {
      let row = takeRow(TileKind.shared)
      unsafe storage.columns.member[row] = Int32(place)
      return row
    }
    var row = cohorts[place].openRow
    if row % laneCountOfTile == 0 {
      row = tiles.take(TileKind.firstCohort + Int32(place)) * laneCountOfTile
    }
    cohorts[place].openRow = row + 1
    tiles.occupy(row)
    rowEnd = max(rowEnd, row + 1)
    planIsStale = true
    return row
  }

  /// Takes the track of a row out of its cohort and tile.
  mutating func leave(_ row: Int) {
    if let place = cohort(ofRow: row) {
      cohorts.leave(place)
    }
    tiles.vacate(row)
    planIsStale = true
  }

  /// Gives the track of a row that was left another row, with the value and velocity that it shows.
  mutating func carry(from row: Int, to newRow: Int) {
    carry(unsafe storage.track[row], from: row, to: newRow)
  }

  /// Likewise, for a track whose slot is known.
  mutating func carry(_ slot: UInt32, from row: Int, to newRow: Int) {
    let columns = storage.columns
    unsafe storage.track[newRow] = slot
    slots.move(slot, to: newRow)
    for dimension in 0..<dimensions {
      let offset = dimension * columns.dimensionStride
      unsafe columns.value[offset + newRow] = columns.value[offset + row]
      unsafe columns.velocity[offset + newRow] = columns.velocity[offset + row]
    }
  }

  // MARK: - Starts

  /// Makes the track of a row move alone from now on, and returns the row where it does.
  mutating func setAlone(_ row: Int, _ coefficients: SpringCoefficients, start: Double) -> Int {
    let kind = coefficients.isOverdamped ? TileKind.overdamped : TileKind.oscillating
    var row = row
    if tiles.kind(ofRow: row) != kind {
      leave(row)
      let newRow = takeRow(kind)
      carry(from: row, to: newRow)
      row = newRow
    }
    unsafe storage.columns.rate[row] = coefficients.rate
    unsafe storage.columns.decay[row] = coefficients.decay
    restartAlone(row, start: start)
    return row
  }

  /// Has a mixed row follow coefficients that lead to any target; its kind stays.
  func leadToAnyTarget(_ row: Int) {
    let coefficients = coefficients(ofRow: row)
    if coefficients.isDeceleration {
      unsafe storage.columns.rate[row] = coefficients.toAnyTarget.rate
      unsafe storage.columns.decay[row] = coefficients.toAnyTarget.decay
    }
  }

  /// Starts the motion of a mixed row anew, with the coefficients that it has.
  mutating func restartAlone(_ row: Int, start: Double) {
    unsafe storage.columns.start[row] = start
    unsafe storage.columns.decay[row] = storage.columns.decay[row].magnitude
    let tile = row / laneCountOfTile
    let bit = UInt16(1) << UInt16(row % laneCountOfTile)
    tiles.reported[tile].logical &= ~bit
    tiles.reported[tile].settled &= ~bit
    expectChange(tile)
    latestStart = max(latestStart, start)
  }

  /// Has a mixed tile looked at with the next advance.
  mutating func expectChange(_ tile: Int) {
    tiles.deadlines[tile] = -.infinity
    if tiles.isAsleep[tile] {
      tiles.isAsleep[tile] = false
      planIsStale = true
    }
  }

  /// Starts one dimension of a row towards a target, from the value and velocity that its columns show.
  ///
  /// - Returns: The magnitudes of displacement and amplitude.
  @discardableResult
  func start(_ row: Int, _ dimension: Int, target: Float, _ rule: AmplitudeRule) -> Extent {
    let columns = storage.columns
    let element = dimension * columns.dimensionStride + row
    // A target of −0 becomes a plain 0: the sign of a value at rest would otherwise follow a phase that goes on.
    let target = target + 0
    let displacement = unsafe rule.jumps ? 0 : columns.value[element] - target
    let amplitude = unsafe rule.amplitude(displacement: displacement, velocity: columns.velocity[element])
    unsafe columns.target[element] = target
    unsafe columns.displacement[element] = displacement
    unsafe columns.amplitude[element] = amplitude
    return Extent(displacement: displacement.magnitude, amplitude: amplitude.magnitude)
  }

  /// Starts the sixteen rows of a cohort's tile, likewise.
  ///
  /// - Parameters:
  ///   - targets: Component-major, `stride` a dimension.
  ///   - index: The target of the first row in dimension 0; those of the others follow it.
  func start(tile: Int, _ targets: Span<Float>, _ index: Int, stride: Int, _ rule: AmplitudeRule) -> Extent {
    let run = LaneRun(firstLane: tile * laneCountOfTile, laneCount: laneCountOfTile)
    return unsafe targets.withUnsafeBufferPointer { targets in
      unsafe table.restartCohort(
        storage.columns, run, rule, targets.baseAddress.unsafelyUnwrapped + index, stride)
    }
  }
}
