// SPDX-License-Identifier: MIT

/// A value that is fitted: one number, or several that share their piece boundaries.
package protocol FitValue: Sendable {
  static func + (lhs: Self, rhs: Self) -> Self
  static func - (lhs: Self, rhs: Self) -> Self
  static func * (lhs: Self, rhs: Double) -> Self

  /// The largest magnitude of a component; NaN if a component is NaN.
  var largest: Double { get }

  /// This value, with each component that is not finite replaced by the other value's.
  func finite(or other: Self) -> Self

  /// The number of components.
  static var count: Int { get }

  /// The component at an index in `0..<count`.
  func component(_ index: Int) -> Double
}

extension Double: FitValue {
  @inlinable @inline(__always)
  package var largest: Double { magnitude }

  @inlinable @inline(__always)
  package func finite(or other: Double) -> Double { isFinite ? self : other }

  @inlinable
  package static var count: Int { 1 }

  @inlinable
  package func component(_ index: Int) -> Double { self }
}

extension FitValue where Self: SIMD, Scalar == Double {
  @inlinable
  package var largest: Double {
    var largest = 0.0
    for index in indices {
      let size = self[index].magnitude
      if !(size <= largest) { largest = size }
      if largest.isNaN { return largest }
    }
    return largest
  }

  @inlinable
  package func finite(or other: Self) -> Self {
    var result = self
    for index in indices where !self[index].isFinite { result[index] = other[index] }
    return result
  }

  @inlinable
  package static var count: Int { scalarCount }

  @inlinable
  package func component(_ index: Int) -> Double { self[index] }
}

extension SIMD2<Double>: FitValue {}
extension SIMD4<Double>: FitValue {}
