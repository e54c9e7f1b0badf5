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

// MARK: - Random numbers

/// A small seeded generator: the same seed gives the same draws on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose draws follow from `seed` alone.
  package init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The next number in [0, 1): 53 random bits.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// The next number in a range, evenly spread.
  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }
}
