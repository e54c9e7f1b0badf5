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

/// A value of any number of components, such as all joints of a rig. An ``AnimationBatch`` of such values is told its
/// dimensions when it is made.
///
/// A value without components stands for zeros. A batch rounds each component to Float.
public struct Components: VectorArithmetic, Animatable, TrackValue, ExpressibleByArrayLiteral {
  /// The components, in their order. There is no other stored property: a batch reads values as lists.
  public var items: [Double]

  /// A value of the given components.
  public init(_ items: [Double]) { self.items = items }

  public init(arrayLiteral elements: Double...) { items = elements }

  public static var zero: Components { Components([]) }

  public static func + (lhs: Components, rhs: Components) -> Components { combine(lhs, rhs, +) }
  public static func - (lhs: Components, rhs: Components) -> Components { combine(lhs, rhs, -) }

  public mutating func scale(by factor: Double) {
    for index in items.indices {
      items[index] *= factor
    }
  }

  public var magnitudeSquared: Double {
    var sum = 0.0
    for item in items { sum += item * item }
    return sum
  }

  /// Whether two values are equal; components that one of them lacks are 0.
  public static func == (lhs: Components, rhs: Components) -> Bool {
    (0..<max(lhs.items.count, rhs.items.count)).allSatisfy { lhs[$0] == rhs[$0] }
  }

  /// A component; 0 for a component that the value lacks.
  public subscript(index: Int) -> Double { index >= 0 && index < items.count ? items[index] : 0 }

  private static func combine(
    _ lhs: Components, _ rhs: Components, _ operation: (Double, Double) -> Double
  ) -> Components {
    // A loop is quicker than `map` in debug builds, whose tests combine many values.
    var items = [Double](repeating: 0, count: max(lhs.items.count, rhs.items.count))
    for index in 0..<items.count { items[index] = operation(lhs[index], rhs[index]) }
    return Components(items)
  }
}

extension Components {
  /// 0: a batch of such values is told its dimensions.
  public static var dimensions: Int { 0 }

  public init(_ component: (Int) -> Float) { items = [] }

  public init(dimensions: Int, _ component: (Int) -> Float) {
    items = [Double](repeating: 0, count: dimensions)
    for dimension in 0..<dimensions { items[dimension] = Double(component(dimension)) }
  }

  public func component(_ dimension: Int) -> Float { Float(self[dimension]) }
}
