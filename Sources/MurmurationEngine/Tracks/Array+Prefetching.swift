// SPDX-License-Identifier: MIT
import Kernels

extension Array {
  /// Prefetches an element, if there is one at the index.
  @inline(__always)
  func prefetch(_ index: Int) { if index < count { withConstantColumn { $0.prefetch(index) } } }
}

extension Array {
  /// Removes all elements and keeps the memory. An empty list costs no call.
  @inline(__always)
  mutating func clear() { if !isEmpty { removeAll(keepingCapacity: true) } }

  /// Appends copies of an element, so that there are `count` elements or more.
  mutating func grow(to count: Int, with element: Element) {
    if count > self.count { append(contentsOf: repeatElement(element, count: count - self.count)) }
  }
}
