// SPDX-License-Identifier: MIT
import CProcessor

extension Array {
  /// Prefetches an element, if there is one at the index.
  @inline(__always)
  func prefetch(_ index: Int) {
    unsafe withUnsafeBufferPointer { elements in
      if index < elements.count {
        unsafe lanes_prefetch(elements.baseAddress.unsafelyUnwrapped + index)
      }
    }
  }
}

extension Array {
  /// Sets the elements of a range.
  mutating func fill(_ range: Range<Int>, with element: Element) {
    var span = mutableSpan
    for index in range { span[index] = element }
  }
}
