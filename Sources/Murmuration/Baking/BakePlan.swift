// SPDX-License-Identifier: MIT
import Kernels

/// A bake that was checked.
struct BakePlan {
  let indices: Range<Int>
  let components: Range<Int>
  let frameCount: Int
  /// Tracks times components times frames.
  let count: Int
  /// The earliest and the latest time; nil without frames.
  let span: (first: Double, last: Double)?

  private init(
    _ indices: Range<Int>, _ components: Range<Int>, frameCount: Int, span: (first: Double, last: Double)?, got: Int?
  ) throws(BatchError) {
    let (count, overflow) = (indices.count * components.count).multipliedReportingOverflow(by: frameCount)
    guard !overflow, got ?? count == count else {
      throw .wrongCount(of: "values", expected: overflow ? .max : count, got: got ?? 0)
    }
    (self.indices, self.components, self.frameCount, self.count) = (indices, components, frameCount, count)
    self.span = span
  }

  /// Checks a bake of frames.
  ///
  /// - Parameters:
  ///   - shape: The indices and dimensions that the batch has.
  ///   - got: Elements to write to; nil if parts are lent to the caller.
  ///   - checkTimes: Checks the first and the last time, before the number of elements is checked.
  init(
    _ frames: BakeFrames, _ indices: Range<Int>, _ components: Range<Int>, of shape: (indices: Int, dimensions: Int),
    got: Int?, checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void
  ) throws(BatchError) {
    try Self.check(indices, components, of: shape)
    guard frames.perSecond > 0, frames.perSecond.isFinite else {
      throw .invalidFrameRate(frames.perSecond)
    }
    let count = frames.range.countOrMax
    guard count < .max else { throw .wrongCount(of: "values", expected: .max, got: got ?? 0) }
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
    try self.init(indices, components, frameCount: count, span: span, got: got)
  }

  /// Checks a bake at times of any order; otherwise the same.
  init(
    at times: Span<Double>, _ indices: Range<Int>, _ components: Range<Int>, of shape: (indices: Int, dimensions: Int),
    got: Int?, checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void
  ) throws(BatchError) {
    try Self.check(indices, components, of: shape)
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
      indices, components, frameCount: times.count, span: times.count > 0 ? (first, last) : nil, got: got)
  }

  /// Checks the number of velocities to write.
  func check(velocities got: Int) throws(BatchError) {
    try BatchError.check(got, of: "velocities", expected: count)
  }

  private static func check(
    _ indices: Range<Int>, _ components: Range<Int>, of shape: (indices: Int, dimensions: Int)
  ) throws(BatchError) {
    guard indices.lowerBound >= 0 else {
      throw .trackOutOfRange(indices.lowerBound, count: shape.indices)
    }
    guard indices.upperBound <= shape.indices else {
      throw .trackOutOfRange(indices.upperBound - 1, count: shape.indices)
    }
    guard components.lowerBound >= 0, components.isEmpty || components.lowerBound < shape.dimensions else {
      throw .dimensionOutOfRange(components.lowerBound, count: shape.dimensions)
    }
    guard components.upperBound <= shape.dimensions else {
      throw .dimensionOutOfRange(components.upperBound - 1, count: shape.dimensions)
    }
  }
}
