// SPDX-License-Identifier: MIT
import AnimationModel

// What a call is checked for before it changes anything.
extension CurveBatch {
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

  func check<V: TrackValue>(_ value: V) throws(BatchError) {
    for dimension in 0..<dimensions {
      let component = value.component(dimension)
      // False for NaN too.
      guard abs(component) <= BatchLimits.maximumMagnitude else {
        throw .invalidValue(index: dimension, value: component)
      }
    }
  }

  func check(_ animation: Animation?, index: Int) throws(BatchError) {
    do throws(AnimationDefect) {
      try animation?.check()
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }

  /// Checks that the clock can be set to a time.
  func check(time seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else {
      throw .invalidTime(seconds)
    }
    guard seconds >= latestStart else {
      throw .timeBeforeStart(time: seconds, start: latestStart)
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

  func handle(ofSlot slot: Int) -> TrackHandle {
    TrackHandle(slot: UInt32(slot), generation: slots.generation(of: slot), store: store)
  }
}
