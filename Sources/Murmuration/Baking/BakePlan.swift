// SPDX-License-Identifier: MIT

/// A bake that was checked.
struct BakePlan {
  let indices: Range<Int>
  let components: Range<Int>
  let frameCount: Int
  /// Tracks times components times frames.
  let count: Int

  /// Checks a bake.
  ///
  /// - Parameters:
  ///   - shape: The indices and dimensions that the batch has.
  ///   - got: Elements to write to; nil if parts are lent to the caller.
  ///   - velocities: Velocities to write to, if any.
  ///   - checkTimes: Checks the earliest and the latest time, before the number of elements is checked.
  init(
    _ moments: BakeMoments, _ indices: Range<Int>, _ components: Range<Int>, of shape: (indices: Int, dimensions: Int),
    got: Int?, velocities: Int?,
    checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void = { _, _ in }
  ) throws(BatchError) {
    if let index = indices.indexOutside(shape.indices) { throw .trackOutOfRange(index, count: shape.indices) }
    guard components.isEmpty || components.lowerBound < shape.dimensions else {
      throw .dimensionOutOfRange(components.lowerBound, count: shape.dimensions)
    }
    if let dimension = components.indexOutside(shape.dimensions) {
      throw .dimensionOutOfRange(dimension, count: shape.dimensions)
    }
    (self.indices, self.components) = (indices, components)
    frameCount = try moments.checkedCount(got: got)
    if frameCount > 0 {
      let (first, last) = try moments.checkedSpan()
      try checkTimes(first, last)
    }
    let (count, overflow) = (indices.count * components.count).multipliedReportingOverflow(by: frameCount)
    guard !overflow, got ?? count == count else {
      throw .wrongCount(of: "values", expected: overflow ? .max : count, got: got ?? 0)
    }
    if let velocities { try BatchError.check(velocities, of: "velocities", expected: count) }
    self.count = count
  }
}

extension BakeMoments {
  /// The number of moments.
  fileprivate func checkedCount(got: Int?) throws(BatchError) -> Int {
    switch self {
    case .frames(let frames):
      guard frames.perSecond > 0, frames.perSecond.isFinite else { throw .invalidFrameRate(frames.perSecond) }
      let count = frames.range.countOrMax
      guard count < .max else { throw .wrongCount(of: "values", expected: .max, got: got ?? 0) }
      return count
    case .times(let times): return times.count
    }
  }

  /// The earliest and the latest time. There must be a moment.
  fileprivate func checkedSpan() throws(BatchError) -> (first: Double, last: Double) {
    var (first, last) = (Double.infinity, -Double.infinity)
    func include(_ time: Double) throws(BatchError) {
      // False for NaN too.
      guard abs(time) <= BatchLimits.maximumTime else { throw .invalidTime(time) }
      (first, last) = (min(first, time), max(last, time))
    }
    switch self {
    case .frames(let frames):
      try include(frames.time(of: frames.range.lowerBound))
      try include(frames.time(of: frames.range.upperBound - 1))
    case .times(let times): for index in times.indices { try include(unsafe times[index]) }
    }
    return (first, last)
  }
}
