// SPDX-License-Identifier: MIT
import AnimationModel

// What calls of all batches are checked for before they change anything.
extension TrackBatch where Self: ~Copyable {
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

  func checkCount(_ expected: Int, _ got: Int) throws(BatchError) {
    guard expected == got else {
      throw .wrongCount(expected: expected, got: got)
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
}
