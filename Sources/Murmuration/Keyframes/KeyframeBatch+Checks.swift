// SPDX-License-Identifier: MIT
import Kernels

// What a call is checked for before it changes anything.
extension KeyframeBatch {
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

  func check(_ playback: Playback, index: Int) throws(BatchError) {
    if let defect = playback.defect {
      throw .invalidPlayback(index: index, reason: defect)
    }
  }

  func check<V: TrackValue>(_ value: V) throws(BatchError) {
    for dimension in 0..<dimensions where !(abs(value.component(dimension)) <= BatchLimits.maximumMagnitude) {
      throw .invalidValue(index: dimension, value: value.component(dimension))
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

  func checkCount(_ expected: Int, _ got: Int) throws(BatchError) {
    guard expected == got else {
      throw .wrongCount(expected: expected, got: got)
    }
  }

  /// The row of a live instance.
  func row(of handle: TrackHandle) throws(BatchError) -> Int {
    guard handle.store == store else {
      throw .storeMismatch(handle)
    }
    guard let row = slots.row(of: handle.slot, generation: handle.generation) else {
      throw .staleHandle(handle)
    }
    return row
  }

  /// Checks that all handles are of live instances.
  func check(_ handles: Span<TrackHandle>) throws(BatchError) {
    for index in handles.indices {
      prefetch(handles, after: index)
      _ = try row(of: unsafe handles[unchecked: index])
    }
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

  /// The handle of the instance in a row, which has one.
  func handle(ofRow row: Int) -> TrackHandle {
    handle(ofSlot: unsafe Int(storage.track[row]))
  }
}
