// SPDX-License-Identifier: MIT

/// The animatable data of a value in which nothing moves: a vector without components.
public struct EmptyAnimatableData: VectorArithmetic, Hashable, Sendable {
  /// The one value of the type.
  @inlinable
  public init() {}

  /// The one value of the type.
  @inlinable
  public static var zero: Self { Self() }

  /// The one value of the type.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self { Self() }

  /// The one value of the type.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self { Self() }

  /// Does nothing.
  @inlinable
  public mutating func scale(by rhs: Double) {}

  /// Zero.
  @inlinable
  public var magnitudeSquared: Double { 0 }
}
