/// A type that can stand as the animatable data of a value: a vector space over Double.
///
/// The requirements are SwiftUI's.
public protocol VectorArithmetic: AdditiveArithmetic {
  /// Multiplies each component of this value by `rhs`.
  mutating func scale(by rhs: Double)

  /// The dot product of this value with itself.
  var magnitudeSquared: Double { get }
}

/// A value that is animated through a vector of numbers.
///
/// The requirements are SwiftUI's.
public protocol Animatable {
  /// The vector that describes the animatable part of the value.
  associatedtype AnimatableData: VectorArithmetic

  /// The animatable part of the value; setting it leaves the rest alone.
  var animatableData: AnimatableData { get set }
}
