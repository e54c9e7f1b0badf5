// SPDX-License-Identifier: MIT
import Murmuration

/// Time spent in the kernels, measured around `advance` alone.
package struct KernelClock: Equatable, Sendable {
  /// The seconds spent.
  package private(set) var seconds = 0.0
  /// The track evaluations done in them: for each advance, the tracks of its batch.
  package private(set) var evaluations = 0

  /// The bytes that the kernels had to read and write in them.
  package private(set) var bytes = 0

  /// A clock that has measured nothing.
  package init() {}

  /// Advances a batch and adds what it took.
  mutating func advance(_ batch: inout SpringBatch, to time: Double) throws(BatchError) {
    let clock = ContinuousClock()
    let start = clock.now
    try batch.advance(to: time)
    let (whole, atto) = (clock.now - start).components
    seconds += Double(whole) + Double(atto) * 1e-18
    evaluations += batch.count
    bytes += batch.bytesPerFrame
  }

  /// This clock's and another's measurements together.
  static func + (left: KernelClock, right: KernelClock) -> KernelClock {
    var sum = left
    sum.seconds += right.seconds
    sum.evaluations += right.evaluations
    sum.bytes += right.bytes
    return sum
  }
}
