// SPDX-License-Identifier: MIT
import Kernels

// What a call is checked for before it changes anything.
extension KeyframeBatch {
  func check(_ playback: Playback, index: Int) throws(BatchError) {
    if let defect = playback.defect {
      throw .invalidPlayback(index: index, reason: defect)
    }
  }

  func check(times: Span<Double>) throws(BatchError) {
    // A number less itself is 0, or NaN where it is not finite; a sum is quicker than a comparison of each.
    var sum = 0.0
    for index in times.indices {
      let time = unsafe times[unchecked: index]
      sum += time - time
    }
    guard sum != 0 else { return }
    for index in times.indices where !times[index].isFinite {
      throw .invalidTime(times[index])
    }
  }

  /// The handle of the instance in a row, which has one.
  func handle(ofRow row: Int) -> TrackHandle {
    slots.handle(ofSlot: unsafe Int(storage.track[row]))
  }
}
