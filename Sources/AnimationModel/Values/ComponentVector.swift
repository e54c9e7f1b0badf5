// SPDX-License-Identifier: MIT

/// A vector that can list its components, as batches and clips require of animatable data.
///
/// Numbers, SIMD vectors, angles and pairs of such vectors conform. A vector type of your own that is to be compiled into
/// clips says how many components it has, and reads and writes them by number; SwiftUI has no such protocol.
///
/// ```swift
/// extension Quantity: ComponentVector {
///   static var componentCount: Int { 2 }
///   subscript(component index: Int) -> Double {
///     get { index == 0 ? mass : charge }
///     set { if index == 0 { mass = newValue } else { charge = newValue } }
///   }
/// }
/// ```
public protocol ComponentVector: VectorArithmetic {
  /// The number of components, the same for all values of the type.
  static var componentCount: Int { get }

  /// The component at an index in `0..<componentCount`, in the order in which the type names its parts.
  subscript(component index: Int) -> Double { get set }
}

extension ComponentVector {
  /// The vector with the given components, exactly `componentCount` of them.
  package init(components: some Collection<Double>) {
    self = .zero
    for (index, component) in components.enumerated() { self[component: index] = component }
  }

  /// All components in order.
  package var components: [Double] { (0..<Self.componentCount).map { self[component: $0] } }
}

// MARK: - Numbers

extension Double: ComponentVector {
  /// One.
  @inlinable
  public static var componentCount: Int { 1 }

  /// The number itself.
  @inlinable
  public subscript(component index: Int) -> Double {
    get { self }
    set { self = newValue }
  }
}

extension Float: ComponentVector {
  /// One.
  @inlinable
  public static var componentCount: Int { 1 }

  /// The number itself, rounded when it is set.
  @inlinable
  public subscript(component index: Int) -> Double {
    get { Double(self) }
    set { self = Float(newValue) }
  }
}

extension Angle: ComponentVector {
  /// One.
  @inlinable
  public static var componentCount: Int { 1 }

  /// The angle in radians.
  @inlinable
  public subscript(component index: Int) -> Double {
    get { radians }
    set { radians = newValue }
  }
}

// MARK: - Vectors

extension EmptyAnimatableData: ComponentVector {
  /// Zero: there are no components.
  @inlinable
  public static var componentCount: Int { 0 }

  /// Zero; a new value is ignored.
  @inlinable
  public subscript(component index: Int) -> Double {
    get { 0 }
    set {}
  }
}

extension AnimatablePair: ComponentVector where First: ComponentVector, Second: ComponentVector {
  /// The components of both parts.
  @inlinable
  public static var componentCount: Int { First.componentCount + Second.componentCount }

  /// The components of the first part, then of the second.
  @inlinable
  public subscript(component index: Int) -> Double {
    get {
      let split = First.componentCount
      return index < split ? first[component: index] : second[component: index - split]
    }
    set {
      let split = First.componentCount
      if index < split { first[component: index] = newValue } else { second[component: index - split] = newValue }
    }
  }
}

extension ComponentVector where Self: SIMD, Scalar: BinaryFloatingPoint {
  /// The number of lanes.
  @inlinable
  public static var componentCount: Int { scalarCount }

  /// The lane of that index.
  @inlinable
  public subscript(component index: Int) -> Double {
    get { Double(self[index]) }
    set { self[index] = Scalar(newValue) }
  }
}

extension SIMD2: ComponentVector where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD3: ComponentVector where Scalar: VectorArithmetic & BinaryFloatingPoint {}

extension SIMD4: ComponentVector where Scalar: VectorArithmetic & BinaryFloatingPoint {}
