// SPDX-License-Identifier: MIT

/// The value of one track: a Float, or a SIMD vector of two to four or eight.
///
/// Batches of more dimensions take spans.
public protocol TrackValue: BitwiseCopyable, Sendable {
  /// Components of the value.
  static var dimensions: Int { get }
  /// The value with the given components.
  init(_ component: (Int) -> Float)
  /// The component of a dimension, which must be in `0..<dimensions`.
  func component(_ dimension: Int) -> Float
}

extension Float: TrackValue {
  public static var dimensions: Int { 1 }
  public init(_ component: (Int) -> Float) { self = component(0) }
  public func component(_ dimension: Int) -> Float { self }
}

extension TrackValue where Self: SIMD, Scalar == Float {
  public static var dimensions: Int { scalarCount }

  public init(_ component: (Int) -> Float) {
    self.init()
    for index in 0..<Self.scalarCount {
      self[index] = component(index)
    }
  }

  public func component(_ dimension: Int) -> Float { self[dimension] }
}

extension SIMD2: TrackValue where Scalar == Float {}
extension SIMD3: TrackValue where Scalar == Float {}
extension SIMD4: TrackValue where Scalar == Float {}
extension SIMD8: TrackValue where Scalar == Float {}
