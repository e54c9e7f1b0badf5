// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration
@testable import MurmurationEngine

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

  /// Puts the motion in a lane of columns. At time 0 it has the age of the golden state.
  func place(in columns: SpringColumns, _ lane: Int) {
    let coefficients = SpringCoefficients(accepted: spring)
    columns.start[lane] = -time
    columns.rate[lane] = coefficients.rate
    columns.decay[lane] = coefficients.decay
    columns.displacement[lane] = start
    columns.amplitude[lane] = AmplitudeRule(coefficients).amplitude(displacement: start, velocity: velocity)
  }
}

extension GoldenTally {
  fileprivate mutating func add(_ columns: SpringColumns, _ lane: Int, _ row: GoldenRow) {
    add(value: columns.value[lane], velocity: columns.velocity[lane], expected: row.expected, bound: row.bound)
  }
}

/// Replays the golden springs as lanes of their own, in both regimes, and each as a uniform tile, which has the same bits.
@_cdecl("golden_springs")
public func goldenSprings(
  _ numbers: UnsafePointer<Double>, _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  let rows = (0..<count / GoldenRow.numberCount).map { GoldenRow(numbers + GoldenRow.numberCount * $0) }
  let laneCount = (rows.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
  let columns = emptySprings(laneCount, dimensions: 1)
  for (lane, row) in rows.enumerated() { row.place(in: columns, lane) }
  kernels.evaluateMixed(columns, LaneRun(firstLane: 0, laneCount: laneCount), 0, true)
  var tally = GoldenTally()
  for (lane, row) in rows.enumerated() { tally.add(columns, lane, row) }
  let shown = rows.indices.map { (columns.value[$0], columns.velocity[$0]) }
  for lane in rows.indices {
    let tile = LaneRun(firstLane: lane / laneCountOfTile * laneCountOfTile, laneCount: laneCountOfTile)
    kernels.evaluateUniform(columns, tile, lane, 0, true)
    tally.add(columns.value[lane] == shown[lane].0 && columns.velocity[lane] == shown[lane].1)
  }
  return tally.report(to: worst)
}
