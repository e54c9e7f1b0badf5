// SPDX-License-Identifier: MIT
import Kernels

/// What is to be baked, checked.
struct BakePlan {
  let indices: Range<Int>
  let dimension: Int
  let frameCount: Int
  /// Tracks times frames.
  let count: Int

  /// - Parameter got: Elements to write to.
  init(indices: Range<Int>, dimension: Int, frameCount: Int, got: Int) throws(BatchError) {
    let (count, overflow) = indices.count.multipliedReportingOverflow(by: frameCount)
    guard !overflow, count == got else {
      throw .wrongCount(expected: overflow ? .max : count, got: got)
    }
    (self.indices, self.dimension, self.frameCount, self.count) = (indices, dimension, frameCount, count)
  }
}

// What a bake is checked for before it writes anything.
extension SpringBatch {
  func checkBake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try check(indices: indices)
    try check(dimension: dimension)
    guard frames.perSecond > 0, frames.perSecond.isFinite else {
      throw .invalidFrameRate(frames.perSecond)
    }
    let (count, overflow) = frames.range.upperBound.subtractingReportingOverflow(frames.range.lowerBound)
    guard !overflow else {
      throw .wrongCount(expected: .max, got: got)
    }
    if count > 0 {
      try checkBake(
        from: frames.time(of: frames.range.lowerBound), to: frames.time(of: frames.range.upperBound - 1), indices)
    }
    return try BakePlan(indices: indices, dimension: dimension, frameCount: count, got: got)
  }

  func checkBake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try check(indices: indices)
    try check(dimension: dimension)
    var (first, last) = (Double.infinity, -Double.infinity)
    for index in times.indices {
      guard abs(times[index]) <= BatchLimits.maximumTime else {
        throw .invalidTime(times[index])
      }
      first = min(first, times[index])
      last = max(last, times[index])
    }
    if times.count > 0 {
      try checkBake(from: first, to: last, indices)
    }
    return try BakePlan(indices: indices, dimension: dimension, frameCount: times.count, got: got)
  }

  func check(velocities got: Int, _ plan: BakePlan) throws(BatchError) {
    guard got == plan.count else {
      throw .wrongCount(expected: plan.count, got: got)
    }
  }

  private func check(indices: Range<Int>) throws(BatchError) {
    guard indices.lowerBound >= 0 else {
      throw .trackOutOfRange(indices.lowerBound)
    }
    guard indices.upperBound <= indexCount else {
      throw .trackOutOfRange(indices.upperBound - 1)
    }
  }

  /// Checks that no track to bake begins a motion between two times.
  private func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
    for time in [first, last] {
      // False for NaN too.
      guard abs(time) <= BatchLimits.maximumTime else {
        throw .invalidTime(time)
      }
    }
    if first < latestStart {
      let start = latestStart(of: indices)
      guard first >= start else {
        throw .timeBeforeStart(time: first, start: start)
      }
    }
    if waiting.nextTime <= last, let next = waiting.first(of: indices, until: last) {
      throw .retargetWaiting(slots.handle(ofSlot: next.slot), time: next.time)
    }
  }

  private func latestStart(of indices: Range<Int>) -> Double {
    var latest = -BatchLimits.maximumTime
    for index in indices where slots.isLive(index) {
      let row = slots.row(of: index)
      if let place = cohort(ofRow: row) {
        latest = max(latest, cohorts[place].start)
      } else {
        latest = unsafe max(latest, storage.columns.start[row])
      }
    }
    return latest
  }
}
