// SPDX-License-Identifier: MIT
import Kernels

/// The tolerances within which a motion counts as at rest.
public struct RestTolerances: Hashable, Sendable, BitwiseCopyable {
  /// The largest distance from the target, in value units, summed over all dimensions.
  public let value: Float
  /// The largest speed, in value units per second, summed over all dimensions; nil for `value` · ω₀, the speed of an
  /// undamped oscillation of that size.
  public let velocity: Float?

  /// The distances that batches accept.
  package static var values: ClosedRange<Float> { 1e-30...1e15 }

  /// The tolerances as kernels take them.
  var kernel: RestTolerance {
    RestTolerance(perValue: 1 / value, perVelocity: 1 / (velocity ?? value), isRelative: velocity == nil)
  }

  /// Tolerances that a batch accepts.
  ///
  /// - Parameters:
  ///   - value: In 10⁻³⁰…10¹⁵.
  ///   - velocity: In 10⁻³⁰…10³⁰, or nil.
  /// - Throws: ``BatchError/invalidTolerance(_:)``.
  public init(value: Float, velocity: Float? = nil) throws(BatchError) {
    guard Self.values ~= value else { throw .invalidTolerance(value) }
    if let velocity, !(1e-30...1e30 ~= velocity) { throw .invalidTolerance(velocity) }
    (self.value, self.velocity) = (value, velocity)
  }

  /// 0.001 in value, as in the model.
  package init() { (value, velocity) = (0.001, nil) }
}

// When motions come to rest.
extension SpringMotions {
  /// When the motion of a track is logically complete and when it is at rest.
  mutating func completion(at index: Int) -> (logicalTime: Double, restTime: Double) {
    // The ages of a tile that a frame has looked at are there, except those that a step of phases made infinite.
    if !watch.knowsAges(at: index) || columns.restAge[index] == .infinity {
      let tile = index / laneCountOfTile
      table.computeRest(columns, LaneRun(tile..<tile + 1), tolerance.kernel)
      watch.noteAges(tile)
    }
    let start = columns.start[index]
    let restTime = start + Double(columns.restAge[index])
    return (min(restTime, start + Double(columns.logicalAge[index])), restTime)
  }

  /// When the motion of a track is at rest; the columns stay as they are.
  func restTime(at index: Int) -> Double {
    let (tile, lane) = (index / laneCountOfTile, index % laneCountOfTile)
    return withRestAges(ofTile: tile) { ages in
      let (start, age) = (columns.start[index], ages[lane])
      let time = start + Double(age)
      // Far from 0 the clock may not have this very moment; then the next moment counts.
      return Float(time - start) < age ? time.nextUp : time
    }
  }

  /// Lends the ages at which the lanes of a tile come to rest, computed anew; the columns stay as they are.
  func withRestAges<Result>(
    ofTile tile: Int, _ body: (ConstantColumn<Float>) -> Result
  ) -> Result {
    withTemporaryLines(of: 2 * laneCountOfTile) { ages in
      var columns = columns
      columns.restAge = ages - tile * laneCountOfTile
      columns.logicalAge = ages + laneCountOfTile - tile * laneCountOfTile
      table.computeRest(columns, LaneRun(tile..<tile + 1), tolerance.kernel)
      return body(ages.constant)
    }
  }

  /// Whether a track with a spring was at rest in the last frame.
  func isAtRest(_ index: Int) -> Bool { columns.decay[index].sign == .minus }
}
