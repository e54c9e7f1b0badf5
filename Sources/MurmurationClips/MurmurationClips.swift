// SPDX-License-Identifier: MIT
// Clips are made of the model's curves and keyframes: its names are part of this library's.
@_exported public import AnimationModel
import CProcessor

/// A value that one thread uses at a time, also in a process that `fork` made.
package final class SharedValue<Value>: @unchecked Sendable {
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    processor_lock()
    defer { processor_unlock() }
    return body(&value)
  }
}
