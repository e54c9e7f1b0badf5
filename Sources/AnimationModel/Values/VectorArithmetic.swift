// SPDX-License-Identifier: MIT

/// A type that can stand as the animatable data of a value: a vector space over Double.
///
/// The requirements are SwiftUI's. It is sendable, so every animation of it is sendable.
public protocol VectorArithmetic: AdditiveArithmetic, Sendable {
  /// Multiplies each component of this value by `rhs`.
  mutating func scale(by rhs: Double)

  /// The dot product of this value with itself.
  var magnitudeSquared: Double { get }
}

extension VectorArithmetic {
  /// This value with each component multiplied by `factor`.
  @inlinable
  public func scaled(by factor: Double) -> Self {
    var result = self
    result.scale(by: factor)
    return result
  }

  /// The Euclidean length of this vector.
  @inlinable
  package var magnitude: Double { magnitudeSquared.squareRoot() }
}
