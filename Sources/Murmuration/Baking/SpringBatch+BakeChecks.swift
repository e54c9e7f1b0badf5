// SPDX-License-Identifier: MIT
import Kernels

// What a bake is checked for before it writes anything.
extension SpringBatch: BakedBatch {
  /// Checks that no track to bake begins a motion between two times.
  func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
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
