// SPDX-License-Identifier: MIT

/// The time that the animations of a run took, measured around the calls of their batches alone.
package struct RigClock: Equatable, Sendable {
  /// The seconds spent in `advance`.
  package internal(set) var seconds = 0.0
  /// The number of values computed: each is a component of an instance in a frame.
  package internal(set) var values = 0
  /// The number of bytes that the kernels had to read and write for these values.
  package internal(set) var bytes = 0
  /// The number of times that an instance came to the end of its animation and began again.
  package internal(set) var repeats = 0

  /// A clock that has measured nothing.
  package init() {}

  static func + (left: RigClock, right: RigClock) -> RigClock {
    var sum = left
    sum.seconds += right.seconds
    sum.values += right.values
    sum.bytes += right.bytes
    sum.repeats += right.repeats
    return sum
  }
}
