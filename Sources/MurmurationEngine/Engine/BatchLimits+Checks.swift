// SPDX-License-Identifier: MIT
import Kernels

extension BatchLimits {
  /// Whether there is memory now for an array of a number of elements.
  package static func hasRoom<Element>(for count: Int, of type: Element.Type) -> Bool {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    return !overflow && MemoryBlock.hasRoom(forBytes: bytes)
  }

  /// Throws ``BatchError/capacityExceeded(_:)`` unless there is memory now for an array of an element for each track.
  package static func checkRoom<Element>(for count: Int, of type: Element.Type) throws(BatchError) {
    guard hasRoom(for: count, of: type) else { throw .capacityExceeded(count) }
  }

  /// Throws ``BatchError/capacityExceeded(_:)`` unless there is memory now to grow several lists at the same time.
  ///
  /// - Parameters:
  ///   - needed: The number of indices for which there must be elements.
  ///   - old: The number for which there are. A list at least doubles when it grows.
  ///   - bytes: Bytes for each index, of each list.
  static func checkRoom(forIndices needed: Int, beyond old: Int, bytes: [Int]) throws(BatchError) {
    let count = max(needed, 2 * old)
    guard count <= .max / 2 / max(1, bytes.reduce(0, +)), MemoryBlock.hasRoom(forBlocks: bytes.map { count * $0 })
    else {
      throw .capacityExceeded(needed)
    }
  }

  /// Throws ``BatchError/invalidValue(of:index:value:)`` for the first value that is NaN or beyond ``maximumMagnitude``.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - what: The name of one value, for the message.
  package static func check(_ values: Span<Float>, of what: String) throws(BatchError) {
    if let index = firstRefused(values) {
      throw .invalidValue(of: what, index: index, value: values[index])
    }
  }

  /// The index of the first value that is NaN or beyond ``maximumMagnitude``; nil if all are accepted.
  static func firstRefused(_ values: Span<Float>) -> Int? {
    guard values.count > laneCountOfTile else { return firstRefusedOneByOne(values) }
    // Without the sign, the bits of Floats are in the order of their magnitudes, with NaN last. So the bits of the largest
    // accepted value minus the bits of a refused value are negative. The signs of all differences are collected without a
    // branch; single values are compared only if one is refused.
    let largest = Int32(bitPattern: maximumMagnitude.bitPattern)
    var signs: Int32 = 0
    for index in values.indices {
      signs |= unsafe largest &- Int32(bitPattern: values[unchecked: index].bitPattern & 0x7FFF_FFFF)
    }
    guard signs < 0 else { return nil }
    return firstRefusedOneByOne(values)
  }

  private static func firstRefusedOneByOne(_ values: Span<Float>) -> Int? {
    for index in values.indices where !(abs(values[index]) <= maximumMagnitude) { return index }
    return nil
  }

  /// The limits of springs, as kernels take them.
  static var springs: SpringLimits {
    SpringLimits(
      leastFrequency: naturalFrequencies.lowerBound, greatestFrequency: naturalFrequencies.upperBound,
      greatestDampingRatio: maximumDampingRatio)
  }
}
