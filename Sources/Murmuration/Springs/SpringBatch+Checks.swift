// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// What a call is checked for before it changes anything.
extension SpringBatch {
  func check(_ spring: Spring, index: Int) throws(BatchError) {
    if let defect = BatchLimits.defect(of: spring) {
      throw .invalidSpring(index: index, reason: defect)
    }
  }

  func check(_ values: Span<Float>, of what: String) throws(BatchError) { try BatchLimits.check(values, of: what) }

  /// The handle of the track in a row, which has one.
  func handle(ofRow row: Int) -> TrackHandle {
    slots.handle(ofSlot: unsafe Int(storage.track[row]))
  }
}
