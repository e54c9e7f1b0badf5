// SPDX-License-Identifier: MIT
import AnimationModel

// What calls of all batches are checked for before they change anything.
extension TrackBatch where Self: ~Copyable {
  func checkDimensions(_ got: Int, of what: String) throws(BatchError) {
    guard got == dimensions else {
      throw .wrongDimensions(of: what, expected: dimensions, got: got)
    }
  }

  func check(dimension: Int) throws(BatchError) {
    guard 0..<dimensions ~= dimension else {
      throw .dimensionOutOfRange(dimension, count: dimensions)
    }
  }

  func checkCount(_ expected: Int, _ got: Int, of what: String) throws(BatchError) {
    guard expected == got else {
      throw .wrongCount(of: what, expected: expected, got: got)
    }
  }

  func check<V: TrackValue>(_ value: V, of what: String) throws(BatchError) {
    for dimension in 0..<dimensions {
      let component = value.component(dimension)
      // False for NaN too.
      guard abs(component) <= BatchLimits.maximumMagnitude else {
        throw .invalidValue(of: "component of the \(what)", index: dimension, value: component)
      }
    }
  }
}
