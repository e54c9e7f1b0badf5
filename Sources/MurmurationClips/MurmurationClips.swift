// SPDX-License-Identifier: MIT
// Clips are made of the model's curves and keyframes: its names are part of this library's.
@_exported public import AnimationModel
import CProcessor

/// A value of the whole process that one thread uses at a time; a process that `fork` made finds it free. All such values have
/// one lock: what is done with one of them may not use another.
package final class SharedValue<Value>: @unchecked Sendable {
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    processor_lock()
    defer { processor_unlock() }
    return body(&value)
  }
}

// A value of an object that threads share. Embedded builds have no threads.

#if hasFeature(Embedded)
  /// A value that no other thread can be using, as there is only one.
  package final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    package init(_ value: Value) { self.value = value }
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&value) }
  }
#else
  package import Synchronization

  /// A value that one thread uses at a time.
  package typealias Locked = Mutex
#endif
