// SPDX-License-Identifier: MIT

/// The value of one track: a Float, a SIMD vector of 2, 3, 4, 8, 16, 32 or 64, or ``Components``.
public protocol TrackValue: Sendable {
  /// The number of components; 0 if the batch sets it.
  static var dimensions: Int { get }
  /// The value with the given components.
  init(_ component: (Int) -> Float)
  /// The value with `dimensions` components, as given.
  init(dimensions: Int, _ component: (Int) -> Float)
  /// The component of a dimension, which must be in `0..<dimensions`.
  func component(_ dimension: Int) -> Float
}

extension TrackValue {
  public init(dimensions: Int, _ component: (Int) -> Float) { self.init(component) }
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
extension SIMD16: TrackValue where Scalar == Float {}
extension SIMD32: TrackValue where Scalar == Float {}
extension SIMD64: TrackValue where Scalar == Float {}

extension TrackValue {
  /// The name of the type in errors. Embedded builds lack names of types.
  static var name: String {
    #if hasFeature(Embedded)
      "this type"
    #else
      "\(Self.self)"
    #endif
  }
}
