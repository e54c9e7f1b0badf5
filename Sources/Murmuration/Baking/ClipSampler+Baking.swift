// SPDX-License-Identifier: MIT
import Kernels

extension ClipSampler: Bakeable {
  /// Computes a range of dimensions in a range of frames.
  ///
  /// ```swift
  /// let frames = BakeFrames(0..<240, perSecond: 60)
  /// var values = [Float](repeating: 0, count: frames.range.count * rig.dimensions)
  /// var span = values.mutableSpan
  /// try rig.bake(frames, dimensions: 0..<rig.dimensions, values: &span)
  /// ```
  ///
  /// What was sampled stays as it is. The bits are those that ``sample(at:velocities:)`` gives frame by frame, on every
  /// instruction set. Dimensions are in their own order, as in ``copyValues(into:)``; frames are at seconds from the start
  /// of the clip, any at all: those before it and after the end show what holds there.
  ///
  /// - Parameters:
  ///   - frames: Which frames.
  ///   - range: Which dimensions.
  ///   - order: Whether the frames or the dimensions are the rows.
  ///   - values: Gets the values; exactly as many as dimensions times frames.
  /// - Throws: ``BatchError``: ``BatchError/dimensionOutOfRange(_:count:)``, ``BatchError/invalidFrameRate(_:)``,
  ///   ``BatchError/invalidTime(_:)``, or ``BatchError/wrongCount(of:expected:got:)``. Nothing is written then.
  /// - Complexity: O(dimensions · frames), and some nanoseconds whenever a piece begins, for dimensions that follow each other
  ///   and share their times. It takes memory for frames, 8 bytes each, and for such dimensions, 40 bytes each time.
  public func bake(
    _ frames: BakeFrames, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    try bake(.frames(frames), range, dimension: 0, order, values: &values)
  }

  /// Computes values and velocities, per second; otherwise as ``bake(_:dimensions:order:values:)``.
  public func bake(
    _ frames: BakeFrames, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    try bake(.frames(frames), range, dimension: 0, order, values: &values, velocities: &velocities)
  }

  /// Computes values at times of any order and distances; otherwise as ``bake(_:dimensions:order:values:)``.
  ///
  /// - Parameters:
  ///   - times: Seconds from the start of the clip. Those that follow each other in one piece are computed together.
  ///   - range: The dimensions.
  ///   - order: How the output is laid out.
  ///   - values: Gets times × dimensions values.
  public func bake(
    at times: Span<Double>, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(.times(times), range, dimension: 0, order, values: &values)
    }
  }

  /// Computes values and velocities at times of any order; otherwise as ``bake(at:dimensions:order:values:)``.
  public func bake(
    at times: Span<Double>, dimensions range: Range<Int>, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(.times(times), range, dimension: 0, order, values: &values, velocities: &velocities)
    }
  }

  // MARK: - Work

  /// Dimensions are what others call tracks: each has one value.
  func checkBake(
    _ moments: BakeMoments, _ range: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    guard range.lowerBound >= 0 else {
      throw .dimensionOutOfRange(range.lowerBound, count: dimensions)
    }
    guard range.upperBound <= dimensions else {
      throw .dimensionOutOfRange(range.upperBound - 1, count: dimensions)
    }
    return try moments.plan(range, dimension, of: (dimensions, 1), got: got) { _, _ in }
  }

  func bake(_ request: BakeRequest) {
    let moments = request.moments.map { rows.moment(at: $0) }
    RowFrames(rows, request.plan.indices, moments, table).bake(to: BakeOutput(request))
  }
}
