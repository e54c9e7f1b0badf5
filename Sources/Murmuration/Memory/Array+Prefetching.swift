// SPDX-License-Identifier: MIT
import CProcessor

extension Array {
  /// Asks for the memory of an element that is about to be read; there need not be one.
  @inline(__always)
  func prefetch(_ index: Int) {
    unsafe withUnsafeBufferPointer { elements in
      if index < elements.count {
        unsafe lanes_prefetch(elements.baseAddress.unsafelyUnwrapped + index)
      }
    }
  }
}
