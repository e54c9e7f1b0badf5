// SPDX-License-Identifier: MIT
import Kernels

/// Motions of a block that are to be baked: where each is in its first frame is computed of many together.
struct MotionQueue {
  private let table: KernelTable
  private let springs: [SpringCoefficients]
  private let rules: [AmplitudeRule]
  private let tables: MotionTables
  private let velocities: Bool

  private var motions: [BakedMotion] = []
  /// What those that move began with.
  private var starts: [Start] = []
  private var columns = CohortColumns()
  private var bases: [CohortBasis] = []

  private struct Start {
    let motion: Int
    let spring: Int
    let displacement: Float
    let amplitude: Float
  }

  /// Motions that are baked with one call.
  private static let motionsAtOnce = 128

  init(_ springs: [SpringCoefficients], _ tables: MotionTables, _ table: KernelTable, velocities: Bool) {
    (self.springs, self.tables, self.table, self.velocities) = (springs, tables, table, velocities)
    rules = springs.map { AmplitudeRule($0) }
  }

  /// Has a lane show its target in some frames of the block.
  mutating func stand(_ lane: Int, _ frames: Range<Int>, at target: Float, _ block: BakedLanes) {
    motions.append(
      unsafe BakedMotion(
        table: nil, target: target, lane: lane, firstFrame: frames.lowerBound, frameCount: frames.count))
    if motions.count == Self.motionsAtOnce { bake(into: block) }
  }

  /// Has a lane follow a motion in some frames of the block.
  ///
  /// - Parameters:
  ///   - spring: Which of the springs.
  ///   - age: Seconds from the start of the motion to the first of the frames.
  ///   - state: What the motion began with: displacement, amplitude, target.
  mutating func move(
    _ lane: Int, _ frames: Range<Int>, _ spring: Int, age: Double, _ state: SIMD3<Float>, _ block: BakedLanes
  ) {
    starts.append(Start(motion: motions.count, spring: spring, displacement: state.x, amplitude: state.y))
    columns.append(springs[spring], start: -age)
    motions.append(
      unsafe BakedMotion(
        table: tables[spring], target: state.z, lane: lane, firstFrame: frames.lowerBound, frameCount: frames.count))
    if motions.count == Self.motionsAtOnce { bake(into: block) }
  }

  /// Bakes what waits.
  mutating func bake(into block: BakedLanes) {
    let room = (starts.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    if bases.count < room { bases = Array(repeating: .rest, count: Self.motionsAtOnce) }
    unsafe bases.withUnsafeMutableBufferPointer { bases in
      if let bases = bases.baseAddress {
        unsafe columns.evaluateBases(table, at: 0, into: bases)
      }
    }
    for (index, start) in starts.enumerated() {
      let (basis, rule) = (bases[index], rules[start.spring])
      let position = basis.valueOfDisplacement * start.displacement + basis.valueOfAmplitude * start.amplitude
      let velocity = basis.velocityOfDisplacement * start.displacement + basis.velocityOfAmplitude * start.amplitude
      motions[start.motion].position = position
      motions[start.motion].turned = rule.amplitude(displacement: position, velocity: velocity)
    }
    unsafe motions.withUnsafeBufferPointer { motions in unsafe table.bake.motions(motions, block, velocities) }
    motions.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    columns.removeAll()
  }
}
