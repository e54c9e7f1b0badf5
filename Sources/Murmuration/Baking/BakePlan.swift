// SPDX-License-Identifier: MIT
import Kernels

/// What is to be baked, checked.
struct BakePlan {
  let indices: Range<Int>
  let dimension: Int
  let frameCount: Int
  /// Tracks times frames.
  let count: Int
  /// The earliest and the latest time; nil if there is none.
  let span: (first: Double, last: Double)?

  private init(
    _ indices: Range<Int>, _ dimension: Int, frameCount: Int, span: (first: Double, last: Double)?, got: Int
  ) throws(BatchError) {
    let (count, overflow) = indices.count.multipliedReportingOverflow(by: frameCount)
    guard !overflow, count == got else {
      throw .wrongCount(of: "values", expected: overflow ? .max : count, got: got)
    }
    (self.indices, self.dimension, self.frameCount, self.count) = (indices, dimension, frameCount, count)
    self.span = span
  }

  /// Checks a bake of frames.
  ///
  /// - Parameters:
  ///   - shape: The indices and dimensions that the batch has.
  ///   - got: Elements to write to.
  ///   - checkTimes: Has the batch look at the first and the last time, before the number of elements is looked at.
  init(
    _ frames: BakeFrames, _ indices: Range<Int>, _ dimension: Int, of shape: (indices: Int, dimensions: Int), got: Int,
    checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void
  ) throws(BatchError) {
    try Self.check(indices, dimension, of: shape)
    guard frames.perSecond > 0, frames.perSecond.isFinite else {
      throw .invalidFrameRate(frames.perSecond)
    }
    let (count, overflow) = frames.range.upperBound.subtractingReportingOverflow(frames.range.lowerBound)
    guard !overflow else {
      throw .wrongCount(of: "values", expected: .max, got: got)
    }
    var span: (first: Double, last: Double)?
    if count > 0 {
      let (first, last) = (frames.time(of: frames.range.lowerBound), frames.time(of: frames.range.upperBound - 1))
      for time in [first, last] {
        // False for NaN too.
        guard abs(time) <= BatchLimits.maximumTime else { throw .invalidTime(time) }
      }
      try checkTimes(first, last)
      span = (first, last)
    }
    try self.init(indices, dimension, frameCount: count, span: span, got: got)
  }

  /// Checks a bake at times of any order; otherwise the same.
  init(
    at times: Span<Double>, _ indices: Range<Int>, _ dimension: Int, of shape: (indices: Int, dimensions: Int),
    got: Int, checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void
  ) throws(BatchError) {
    try Self.check(indices, dimension, of: shape)
    var (first, last) = (Double.infinity, -Double.infinity)
    for index in times.indices {
      guard abs(times[index]) <= BatchLimits.maximumTime else {
        throw .invalidTime(times[index])
      }
      first = min(first, times[index])
      last = max(last, times[index])
    }
    if times.count > 0 { try checkTimes(first, last) }
    try self.init(
      indices, dimension, frameCount: times.count, span: times.count > 0 ? (first, last) : nil, got: got)
  }

  /// Checks the number of velocities to write.
  func check(velocities got: Int) throws(BatchError) {
    guard got == count else {
      throw .wrongCount(of: "velocities", expected: count, got: got)
    }
  }

  private static func check(
    _ indices: Range<Int>, _ dimension: Int, of shape: (indices: Int, dimensions: Int)
  ) throws(BatchError) {
    guard indices.lowerBound >= 0 else {
      throw .trackOutOfRange(indices.lowerBound, count: shape.indices)
    }
    guard indices.upperBound <= shape.indices else {
      throw .trackOutOfRange(indices.upperBound - 1, count: shape.indices)
    }
    guard 0..<shape.dimensions ~= dimension else {
      throw .dimensionOutOfRange(dimension, count: shape.dimensions)
    }
  }
}
