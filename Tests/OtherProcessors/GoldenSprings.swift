// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration

/// One state of one motion about a target at 0, computed with 50 digits.
private struct GoldenRow {
  static let numberCount = 7
  let spring: Spring
  let start, velocity: Float
  let time: Double
  let expected: (value: Double, velocity: Double)
  /// The promised bounds: 8 · 2⁻²⁴ of the scale max(|x₀|, |v₀|/ω₀), and for velocities ω₀ times that.
  let bound: (value: Double, velocity: Double)

  init(_ numbers: UnsafePointer<Double>) {
    spring = Spring(duration: numbers[0], bounce: numbers[1])
    (start, velocity, time) = (Float(numbers[2]), Float(numbers[3]), numbers[4])
    expected = (numbers[5], numbers[6])
    let frequency = 2 * Double.pi / numbers[0]
    let scale = max(numbers[2].magnitude, numbers[3].magnitude / frequency)
    bound = (8 * 0x1p-24 * scale, 8 * 0x1p-24 * scale * frequency)
  }

  /// Puts the motion in a row of columns. At time 0 it has the age of the golden state.
  func place(in columns: SpringColumns, _ lane: Int) -> SpringCoefficients {
    let coefficients = SpringCoefficients(accepted: spring)
    columns.start[lane] = -time
    columns.rate[lane] = coefficients.rate
    columns.decay[lane] = coefficients.decay
    columns.displacement[lane] = start
    columns.amplitude[lane] = AmplitudeRule(coefficients).amplitude(displacement: start, velocity: velocity)
    return coefficients
  }
}

extension GoldenTally {
  fileprivate mutating func add(_ columns: SpringColumns, _ lane: Int, _ row: GoldenRow) {
    add(value: columns.value[lane], velocity: columns.velocity[lane], expected: row.expected, bound: row.bound)
  }
}

/// Replays the golden springs as mixed lanes, each regime in columns of its own.
@_cdecl("golden_mixed_springs")
public func goldenMixedSprings(
  _ numbers: UnsafePointer<Double>, _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  let rows = (0..<count / GoldenRow.numberCount).map { GoldenRow(numbers + GoldenRow.numberCount * $0) }
  var tally = GoldenTally()
  for isOverdamped in [false, true] {
    let chosen = rows.filter { SpringCoefficients(accepted: $0.spring).isOverdamped == isOverdamped }
    let laneCount = (chosen.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    let columns = emptySprings(laneCount, dimensions: 1)
    for (lane, row) in chosen.enumerated() { _ = row.place(in: columns, lane) }
    let evaluate = isOverdamped ? kernels.evaluateOverdamped : kernels.evaluateOscillating
    evaluate(columns, LaneRun(firstLane: 0, laneCount: laneCount), 0, true)
    for (lane, row) in chosen.enumerated() { tally.add(columns, lane, row) }
  }
  return tally.report(to: worst)
}

/// Replays the golden springs as cohorts of one track each: in shared tiles, and each in a tile of its own.
@_cdecl("golden_cohort_springs")
public func goldenCohortSprings(
  _ numbers: UnsafePointer<Double>, _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  let rows = (0..<count / GoldenRow.numberCount).map { GoldenRow(numbers + GoldenRow.numberCount * $0) }
  let laneCount = (rows.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
  let columns = emptySprings(laneCount, dimensions: 1)
  var cohorts = CohortColumns()
  for (lane, row) in rows.enumerated() {
    cohorts.append(row.place(in: columns, lane), start: -row.time)
    columns.member[lane] = Int32(lane)
  }
  let bases = zeroed(laneCount, of: CohortBasis.self)
  cohorts.evaluateBases(kernels, at: 0, into: bases)
  kernels.evaluateShared(columns, LaneRun(firstLane: 0, laneCount: laneCount), bases.constant, true)
  var tally = GoldenTally()
  for (lane, row) in rows.enumerated() { tally.add(columns, lane, row) }
  for (lane, _) in rows.enumerated() {
    let (value, velocity) = (columns.value[lane], columns.velocity[lane])
    let tile = LaneRun(firstLane: lane / laneCountOfTile * laneCountOfTile, laneCount: laneCountOfTile)
    kernels.evaluateCohort(columns, tile, bases[lane], true)
    tally.add(columns.value[lane] == value && columns.velocity[lane] == velocity)
    // The other lanes of the tile show their own motions again.
    kernels.evaluateShared(columns, tile, bases.constant, true)
  }
  return tally.report(to: worst)
}
