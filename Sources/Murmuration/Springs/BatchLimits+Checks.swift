// SPDX-License-Identifier: MIT

extension BatchLimits {
  /// Throws ``BatchError/invalidValue(index:value:)`` for the first value that is NaN or beyond ``maximumMagnitude``.
  static func check(_ values: Span<Float>) throws(BatchError) {
    // Without their signs, the bits of Floats are ordered as their magnitudes are, NaN last; so the difference to those of
    // the largest is negative for the bad ones. A sum of signs is quicker than a comparison of each, which is made only if
    // one is bad.
    let largest = Int32(bitPattern: maximumMagnitude.bitPattern)
    var signs: Int32 = 0
    for index in values.indices {
      signs |= unsafe largest &- Int32(bitPattern: values[unchecked: index].bitPattern & 0x7FFF_FFFF)
    }
    guard signs < 0 else {
      return
    }
    for index in values.indices where !(abs(values[index]) <= maximumMagnitude) {
      throw .invalidValue(index: index, value: values[index])
    }
  }
}
