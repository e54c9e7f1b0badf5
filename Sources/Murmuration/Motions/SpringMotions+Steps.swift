// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Springs in steps of phases: motions that take over from a motion whose basis is known, and rounds that are skipped.
extension SpringMotions {
  // MARK: - Steps

  /// Replaces the motion of a row by the next one, from the state of the motion before it. The next frame shows it.
  /// What was reported of the row stays reported.
  ///
  /// - Parameters:
  ///   - step: The motion that begins; it belongs to the kind of the row.
  ///   - basis: The basis of the motion before, at the moment.
  ///   - moment: When it begins.
  ///   - goals: The goals, by dimension.
  ///   - endurance: The extent with which the motion is surely still under way when the next one takes over; nil if
  ///     that is never sure.
  mutating func step(
    _ row: Int, _ step: SpringStep, after basis: MotionBasis, at moment: Double, _ goals: [Float],
    _ endurance: Endurance?
  ) {
    let columns = columns
    columns.start[row] = moment
    columns.rate[row] = step.coefficients.rate
    columns.decay[row] = step.coefficients.decay
    noteStart(at: moment)
    watch.change(row, leastRestAge: step.coefficients.leastRestAge)
    let largest = columns.step(row, step.rule, after: basis) { goals[$0] }
    if let endurance, endurance.lasts(largest, perValue: perTolerance) {
      // No frame has to look at this lane, unless for another lane of the tile.
      columns.restAge[row] = .infinity
      columns.logicalAge[row] = .infinity
      if watch.isAsleep(row / laneCountOfTile) { wake(row / laneCountOfTile) }
    } else {
      wake(row / laneCountOfTile)
    }
  }

  /// Makes the columns of a row show its motion at a moment whose basis is known.
  func show(_ row: Int, _ basis: MotionBasis) {
    let columns = columns
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let start = dimension * columns.startStride + row
      let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
      columns.value[element] = shown.value + columns.target[element]
      columns.velocity[element] = shown.velocity
    }
  }

  /// Prefetches the lines that the start of a motion in a row writes.
  @inline(__always)
  func prefetchStart(_ row: Int) {
    let columns = columns
    columns.restAge.prefetch(row)
    columns.logicalAge.prefetch(row)
    columns.start.prefetch(row)
    columns.rate.prefetch(row)
    columns.decay.prefetch(row)
    for dimension in 0..<dimensions {
      columns.displacement.prefetch(dimension * columns.startStride + row)
      columns.amplitude.prefetch(dimension * columns.startStride + row)
      columns.target.prefetch(dimension * columns.dimensionStride + row)
    }
  }

  /// Skips whole rounds of the motion of a row: displacement and amplitude become linear functions of the old ones. A
  /// step must follow.
  ///
  /// - Parameters:
  ///   - seconds: How much later the motion begins.
  ///   - state: Returns the new displacement and amplitude of a dimension, given the old ones.
  mutating func moveOn(_ row: Int, by seconds: Double, _ state: (_ dimension: Int, SIMD2<Double>) -> SIMD2<Double>) {
    let columns = columns
    columns.start[row] += seconds
    watch.change(row, leastRestAge: .infinity)
    noteStart(at: columns.start[row])
    columns.moveOn(row, state)
  }
}

// What steps do to the state of a row, in frames and in bakes.
extension SpringColumns {
  /// Leads a row to goals, from the motion before.
  ///
  /// - Parameter basis: The basis of the motion before, at the moment.
  /// - Returns: The largest displacement and amplitude of all dimensions.
  @inline(__always)
  func step(
    _ row: Int, _ rule: AmplitudeRule, after basis: MotionBasis, to goal: (_ dimension: Int) -> Float
  ) -> SIMD2<Float> {
    var largest = SIMD2<Float>.zero
    for dimension in 0..<dimensions {
      let (element, start) = (dimension * dimensionStride + row, dimension * startStride + row)
      let shown = basis.applied(displacement[start], amplitude[start])
      // The sum makes a −0 a plain 0, as in the kernels.
      let target = goal(dimension) + 0
      let displacement = rule.jumps ? 0 : shown.value + self.target[element] - target
      let amplitude = rule.amplitude(displacement: displacement, velocity: shown.velocity)
      self.target[element] = target
      (self.displacement[start], self.amplitude[start]) = (displacement, amplitude)
      largest = pointwiseMax(largest, SIMD2(displacement.magnitude, amplitude.magnitude))
    }
    return largest
  }

  /// Replaces the displacements and amplitudes of a row.
  @inline(__always)
  func moveOn(_ row: Int, _ state: (_ dimension: Int, SIMD2<Double>) -> SIMD2<Double>) {
    for dimension in 0..<dimensions {
      let start = dimension * startStride + row
      let new = state(dimension, SIMD2(Double(displacement[start]), Double(amplitude[start])))
      (displacement[start], amplitude[start]) = (Float(new.x), Float(new.y))
    }
  }
}

extension MotionBasis {
  /// The distance from the target and the velocity of a motion with this basis.
  @inline(__always)
  func applied(_ displacement: Float, _ amplitude: Float) -> (value: Float, velocity: Float) {
    (
      valueOfDisplacement * displacement + valueOfAmplitude * amplitude,
      velocityOfDisplacement * displacement + velocityOfAmplitude * amplitude + 0
    )
  }
}
