// SPDX-License-Identifier: MIT

extension BatchLimits {
  /// Throws ``BatchError/invalidValue(index:value:)`` for the first value that is NaN or beyond ``maximumMagnitude``.
  static func check(_ values: Span<Float>) throws(BatchError) {
    // Without their signs, the bits of Floats are ordered as their magnitudes are, NaN last. One comparison of the
    // largest is much faster than one of each; it is looked for only if it is bad.
    var largest: UInt32 = 0
    for index in values.indices {
      largest = max(largest, unsafe values[unchecked: index].bitPattern & 0x7FFF_FFFF)
    }
    guard largest > maximumMagnitude.bitPattern else {
      return
    }
    for index in values.indices where !(abs(values[index]) <= maximumMagnitude) {
      throw .invalidValue(index: index, value: values[index])
    }
  }
}
