// SPDX-License-Identifier: MIT

extension Clip {
  /// The largest magnitude of a value, as for batches.
  static let maximumMagnitude = Double(BatchLimits.maximumMagnitude)

  static func check(dimensions: Int, initialValues: [Double]) throws(ClipError) {
    guard dimensions >= 1, dimensions <= maximumDimensions else { throw .invalidDimensions(dimensions) }
    guard initialValues.count == dimensions else {
      throw .wrongDimensions(of: "initial values", expected: dimensions, got: initialValues.count)
    }
    for (dimension, value) in initialValues.enumerated() {
      guard value.isFinite else { throw .invalidValue(track: 0, key: 0, component: dimension, value: value) }
      guard value.magnitude <= maximumMagnitude else {
        throw .overflow(track: 0, key: 0, component: dimension, value: value)
      }
    }
  }

  /// The error bounds for all dimensions; zeros if `bounds` is empty.
  static func checked(bounds: [Double], of what: String, dimensions: Int) throws(ClipError) -> [Double] {
    if bounds.isEmpty { return [Double](repeating: 0, count: dimensions) }
    guard bounds.count == dimensions else {
      throw .wrongDimensions(of: what, expected: dimensions, got: bounds.count)
    }
    for (dimension, bound) in bounds.enumerated() where !(bound >= 0) {
      throw .invalidErrorBound(dimension: dimension, value: bound)
    }
    return bounds
  }

  static func check(tolerance: Double) throws(ClipError) {
    guard tolerances.contains(tolerance) else { throw .invalidTolerance(tolerance) }
  }
}
