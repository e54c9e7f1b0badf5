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
    _ endurance: Endurance?, _ tracks: borrowing TrackStore
  ) {
    let columns = columns
    columns.start[row] = moment
    columns.rate[row] = step.coefficients.rate
    columns.decay[row] = step.coefficients.decay
    noteStart(at: moment)
    watch.change(row, leastRestAge: step.leastRestAge)
    var largest = SIMD2<Float>.zero
    for dimension in 0..<dimensions {
      let (element, start) = (dimension * columns.dimensionStride + row, dimension * columns.startStride + row)
      let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
      // The sum makes a −0 a plain 0, as in the kernels.
      let target = goals[dimension] + 0
      let displacement = step.rule.jumps ? 0 : shown.value + columns.target[element] - target
      let amplitude = step.rule.amplitude(displacement: displacement, velocity: shown.velocity)
      columns.target[element] = target
      (columns.displacement[start], columns.amplitude[start]) = (displacement, amplitude)
      largest = pointwiseMax(largest, SIMD2(displacement.magnitude, amplitude.magnitude))
    }
    if let endurance, endurance.lasts(largest, perValue: perTolerance) {
      // No frame has to look at this lane, unless for another lane of the tile.
      columns.restAge[row] = .infinity
      columns.logicalAge[row] = .infinity
      if watch.isAsleep(TileStore.tile(row)) { wake(TileStore.tile(row), tracks) }
    } else {
      wake(TileStore.tile(row), tracks)
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
    watch.prefetch(TileStore.tile(row))
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

  /// Prefetches what a kernel reads of a tile.
  @inline(__always)
  func prefetch(tile: Int) {
    let (columns, row) = (columns, tile * laneCountOfTile)
    for half in [0, laneCountOfTile / 2] {
      columns.start.prefetch(row + half)
      columns.rate.prefetch(row + half)
    }
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
    for dimension in 0..<dimensions {
      let start = dimension * columns.startStride + row
      let new = state(dimension, SIMD2(Double(columns.displacement[start]), Double(columns.amplitude[start])))
      (columns.displacement[start], columns.amplitude[start]) = (Float(new.x), Float(new.y))
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
