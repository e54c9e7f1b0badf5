// SPDX-License-Identifier: MIT
import Kernels

// What a bake is checked for before it writes anything.
extension SpringBatch {
  func checkBake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try BakePlan(frames, indices, dimension, of: (indexCount, dimensions), got: got) { first, last throws(BatchError) in
      try checkBake(from: first, to: last, indices)
    }
  }

  func checkBake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try BakePlan(at: times, indices, dimension, of: (indexCount, dimensions), got: got) {
      first, last throws(BatchError) in
      try checkBake(from: first, to: last, indices)
    }
  }

  /// Checks that no track to bake begins a motion between two times.
  private func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
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

  /// When the last of some tracks began its motion.
  func latestStart(of indices: Range<Int>) -> Double {
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
