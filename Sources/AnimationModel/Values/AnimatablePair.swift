// SPDX-License-Identifier: MIT

/// Two vectors side by side, which form one vector.
///
/// Pairs nest, so that a value with any number of animated parts has animatable data:
/// `AnimatablePair<Double, AnimatablePair<Double, Double>>` has three components.
public struct AnimatablePair<First: VectorArithmetic, Second: VectorArithmetic>: VectorArithmetic {
  /// The first part.
  public var first: First

  /// The second part.
  public var second: Second

  /// A pair of the two given parts.
  @inlinable
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// The pair of both zeros.
  @inlinable
  public static var zero: Self { Self(.zero, .zero) }

  /// The sum, part by part.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.first + rhs.first, lhs.second + rhs.second) }

  /// The difference, part by part.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.first - rhs.first, lhs.second - rhs.second) }

  /// Multiplies both parts by `rhs`.
  @inlinable
  public mutating func scale(by rhs: Double) {
    first.scale(by: rhs)
    second.scale(by: rhs)
  }

  /// The sum of both parts' squared magnitudes.
  @inlinable
  public var magnitudeSquared: Double { first.magnitudeSquared + second.magnitudeSquared }
}

extension AnimatablePair: Animatable {}
extension AnimatablePair: Hashable where First: Hashable, Second: Hashable {}
