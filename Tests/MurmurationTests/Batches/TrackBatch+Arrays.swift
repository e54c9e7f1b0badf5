// SPDX-License-Identifier: MIT
@testable import Murmuration

/// What tests ask a batch for, as arrays.
extension TrackBatch where Self: ~Copyable {
  /// The values of one dimension at the current time, by index.
  func values(_ dimension: Int = 0) throws(BatchError) -> [Float] {
    var numbers = [Float](repeating: .nan, count: indexCount)
    var span = numbers.mutableSpan
    try copyValues(dimension: dimension, into: &span)
    return numbers
  }

  /// The velocities of one dimension at the current time, by index.
  mutating func velocities(_ dimension: Int = 0) throws(BatchError) -> [Float] {
    var numbers = [Float](repeating: .nan, count: indexCount)
    var span = numbers.mutableSpan
    try copyVelocities(dimension: dimension, into: &span)
    return numbers
  }

  /// The bits of all values and then of all velocities, by index.
  mutating func bits() throws -> [UInt32] {
    var bits: [UInt32] = []
    for dimension in 0..<dimensions {
      bits += try values(dimension).map(\.bitPattern)
    }
    for dimension in 0..<dimensions {
      bits += try velocities(dimension).map(\.bitPattern)
    }
    return bits
  }

  /// The bits of the value and of the velocity of a track of one dimension.
  mutating func bits(of handle: TrackHandle) throws(BatchError) -> [UInt32] {
    let (value, velocity): (Float, Float) = (try self.value(of: handle), try self.velocity(of: handle))
    return [value.bitPattern, velocity.bitPattern]
  }
}

extension SpringBatch {
  /// Has motions evaluated until nothing is left of them.
  mutating func hardlyRests() throws {
    restTolerance = try RestTolerances(value: 1e-30)
  }
}
