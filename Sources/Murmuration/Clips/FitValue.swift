// SPDX-License-Identifier: MIT

/// A value that is fitted: one number, or several that share their piece boundaries.
protocol FitValue: Sendable {
  static func + (lhs: Self, rhs: Self) -> Self
  static func - (lhs: Self, rhs: Self) -> Self
  static func * (lhs: Self, rhs: Double) -> Self

  /// The largest magnitude of a component; NaN if a component is NaN.
  var largest: Double { get }

  /// This value, with each component that is not finite replaced by the other value's.
  func finite(or other: Self) -> Self

  /// The component at an index, from 0 on.
  func component(_ index: Int) -> Double
}

extension Double: FitValue {
  @inline(__always)
  var largest: Double { magnitude }

  @inline(__always)
  func finite(or other: Double) -> Double { isFinite ? self : other }

  func component(_ index: Int) -> Double { self }
}

extension FitValue where Self: SIMD, Scalar == Double {
  var largest: Double {
    var largest = 0.0
    for index in indices {
      let size = self[index].magnitude
      if !(size <= largest) { largest = size }
      if largest.isNaN { return largest }
    }
    return largest
  }

  func finite(or other: Self) -> Self {
    var result = self
    for index in indices where !self[index].isFinite { result[index] = other[index] }
    return result
  }

  func component(_ index: Int) -> Double { self[index] }
}

extension SIMD2<Double>: FitValue {}
extension SIMD4<Double>: FitValue {}
