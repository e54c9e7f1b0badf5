// SPDX-License-Identifier: MIT
import Murmuration

/// The time that the networks of a run took, measured around the calls of a batch alone.
package struct NetworkClock: Equatable, Sendable {
  /// The seconds of the decompositions.
  package internal(set) var decomposing = 0.0
  /// The seconds spent in the modes' springs and in the products.
  package internal(set) var seconds = 0.0
  /// The number of frames of each group for which positions were computed.
  package internal(set) var products = 0
  /// The number of multiplications and additions of these products.
  package internal(set) var operations = 0.0
  /// The number of gestures.
  package internal(set) var gestures = 0

  /// A clock that has measured nothing.
  package init() {}

  static func measure(_ seconds: inout Double, _ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    seconds += (ContinuousClock.now - start).seconds
  }

  static func + (left: NetworkClock, right: NetworkClock) -> NetworkClock {
    var sum = left
    sum.decomposing += right.decomposing
    sum.seconds += right.seconds
    sum.products += right.products
    sum.operations += right.operations
    sum.gestures += right.gestures
    return sum
  }
}
