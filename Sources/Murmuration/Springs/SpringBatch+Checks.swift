// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// What a call is checked for before it changes anything.
extension SpringBatch {
  func checkDimensions(_ got: Int) throws(BatchError) {
    guard got == dimensions else {
      throw .wrongDimensions(expected: dimensions, got: got)
    }
  }

  func check(dimension: Int) throws(BatchError) {
    guard 0..<dimensions ~= dimension else {
      throw .dimensionOutOfRange(dimension)
    }
  }

  func check(_ spring: Spring, index: Int) throws(BatchError) {
    if let defect = BatchLimits.defect(of: spring) {
      throw .invalidSpring(index: index, reason: defect)
    }
  }

  func check(_ value: Float, index: Int) throws(BatchError) {
    // False for NaN too.
    guard abs(value) <= BatchLimits.maximumMagnitude else {
      throw .invalidValue(index: index, value: value)
    }
  }

  func check(_ values: Span<Float>) throws(BatchError) { try BatchLimits.check(values) }

  func check<V: TrackValue>(_ value: V) throws(BatchError) {
    for dimension in 0..<dimensions {
      try check(value.component(dimension), index: dimension)
    }
  }

  /// The row of a live track.
  func row(of handle: TrackHandle) throws(BatchError) -> Int {
    guard handle.store == store else {
      throw .storeMismatch(handle)
    }
    guard let row = slots.row(of: handle.slot, generation: handle.generation) else {
      throw .staleHandle(handle)
    }
    return row
  }

  /// Asks for the slot of a handle some places behind one that is looked up: handles are often in no order.
  func prefetch(_ handles: Span<TrackHandle>, after index: Int) {
    let ahead = index + 12
    if ahead < handles.count {
      slots.prefetch(unsafe handles[unchecked: ahead].slot)
    }
  }

  func handle(ofSlot slot: Int) -> TrackHandle {
    TrackHandle(slot: UInt32(slot), generation: slots.generation(of: slot), store: store)
  }

  /// The handle of the track in a row, which has one.
  func handle(ofRow row: Int) -> TrackHandle {
    handle(ofSlot: unsafe Int(storage.track[row]))
  }
}
