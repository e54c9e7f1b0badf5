// SPDX-License-Identifier: MIT

extension Double: VectorArithmetic, Animatable {
  /// Multiplies this number by `rhs`.
  @inlinable
  public mutating func scale(by rhs: Double) { self *= rhs }

  /// The square of this number.
  @inlinable
  public var magnitudeSquared: Double { self * self }
}

extension Float: VectorArithmetic, Animatable {
  /// Multiplies this number by `rhs`: the product is formed in Double and rounded once.
  @inlinable
  public mutating func scale(by rhs: Double) { self = Float(Double(self) * rhs) }

  /// The square of this number, formed in Double, so that it neither overflows nor rounds.
  @inlinable
  public var magnitudeSquared: Double { Double(self) * Double(self) }
}
