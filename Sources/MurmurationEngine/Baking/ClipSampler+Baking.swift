// SPDX-License-Identifier: MIT
import Kernels

extension ClipSampler {
  /// Computes a range of dimensions in a range of frames.
  ///
  /// ```swift
  /// let frames = BakeFrames(0..<240, perSecond: 60)
  /// var values = [Float](repeating: 0, count: frames.range.count * rig.dimensions)
  /// try rig.bake(frames, dimensions: 0..<rig.dimensions, values: &values)
  /// ```
  ///
  /// The current sample stays as it is. The bits are those that ``sample(at:velocities:)`` gives frame by frame, on
  /// every instruction set. Dimensions are in their own order, as in ``copyValues(into:)``. Times of frames are in
  /// seconds from the start of the clip; frames before the start and after the end show what holds there.
  ///
  /// - Parameters:
  ///   - frames: The frames.
  ///   - range: The dimensions.
  ///   - order: The order of the numbers.
  ///   - values: Gets the values: exactly dimensions · frames.
  /// - Throws: ``BatchError``: ``BatchError/dimensionOutOfRange(_:count:)``, ``BatchError/invalidFrameRate(_:)``,
  ///   ``BatchError/invalidTime(_:)``, or ``BatchError/wrongCount(of:expected:got:)``. Nothing is written then.
  /// - Complexity: O(dimensions · frames), and some work for each piece of consecutive dimensions that share their
  ///   times. It takes 8 bytes of memory for each frame, and 40 bytes for each such group of dimensions.
  public func bake(
    _ frames: BakeFrames, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try bake(BakeTimes(frames), range, order, values: &values)
  }

  /// Computes values and velocities, per second; otherwise as ``bake(_:dimensions:order:values:)``.
  public func bake(
    _ frames: BakeFrames, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    velocities: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try bake(BakeTimes(frames), range, order, values: &values, velocities: &velocities)
  }

  /// Computes values at times of any order and distances; otherwise as ``bake(_:dimensions:order:values:)``.
  ///
  /// - Parameters:
  ///   - times: Seconds from the start of the clip. Consecutive times within one piece are computed together.
  ///   - range: The dimensions.
  ///   - order: The order of the numbers.
  ///   - values: Gets times × dimensions values.
  public func bake(
    at times: Span<Double>, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(BakeTimes(each: times), range, order, values: &values)
    }
  }

  /// Computes values and velocities at times of any order; otherwise as ``bake(at:dimensions:order:values:)``.
  public func bake(
    at times: Span<Double>, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    velocities: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(BakeTimes(each: times), range, order, values: &values, velocities: &velocities)
    }
  }

  // MARK: - Work

  private func bake(
    _ times: BakeTimes, _ range: Range<Int>, _ order: BakeOrder,
    values: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try values.withMutableElements { values throws(BatchError) in
      try unsafe bake(times, range, order, values.elements, nil)
    }
  }

  private func bake(
    _ times: BakeTimes, _ range: Range<Int>, _ order: BakeOrder,
    values: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    velocities: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try values.withMutableElements { values throws(BatchError) in
      try velocities.withMutableElements { velocities throws(BatchError) in
        try unsafe bake(times, range, order, values.elements, velocities.elements)
      }
    }
  }

  /// Bakes into memory of the caller. Each dimension counts as a track with one value.
  private func bake(
    _ times: BakeTimes, _ range: Range<Int>, _ order: BakeOrder, _ values: UnsafeMutableBufferPointer<Float>,
    _ velocities: UnsafeMutableBufferPointer<Float>?
  ) throws(BatchError) {
    if let dimension = range.indexOutside(dimensions) { throw .dimensionOutOfRange(dimension, count: dimensions) }
    let plan = try BakePlan(
      times, range, 0..<1, of: (indices: dimensions, dimensions: 1), got: values.count,
      velocities: unsafe velocities?.count)
    guard plan.count > 0, let output = unsafe values.column else { return }
    let target = BakeTarget(
      output, unsafe velocities?.column, order, plan.indices.count, components: 1, frames: times.count)
    let moments = (0..<times.count).map { rows.moment(at: times($0)) }
    RowFrames(rows, plan.indices, moments, table).bake(to: target.first)
  }
}
