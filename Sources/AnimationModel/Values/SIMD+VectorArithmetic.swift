// SPDX-License-Identifier: MIT

// A SIMD vector of numbers is animated lane by lane. The conformances need a scalar that is a vector itself, as `Float` and
// `Double` are: each lane is scaled and rounded as the scalar is.

extension VectorArithmetic where Self: SIMD, Scalar: VectorArithmetic {
  /// Multiplies each lane by `rhs`.
  @inlinable
  public mutating func scale(by rhs: Double) {
    for lane in indices { self[lane].scale(by: rhs) }
  }

  /// The sum of the squares of the lanes.
  @inlinable
  public var magnitudeSquared: Double { indices.reduce(0) { $0 + self[$1].magnitudeSquared } }
}

extension SIMD2: @retroactive AdditiveArithmetic where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD2: VectorArithmetic, Animatable where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD3: @retroactive AdditiveArithmetic where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD3: VectorArithmetic, Animatable where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD4: @retroactive AdditiveArithmetic where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD4: VectorArithmetic, Animatable where Scalar: VectorArithmetic & BinaryFloatingPoint {}
