// SPDX-License-Identifier: MIT

/// A value that is animated through a vector of numbers.
///
/// The requirements are SwiftUI's. A vector is its own animatable data; a structure names the parts that move:
///
/// ```swift
/// struct Pose: Animatable {
///   var height: Double
///   var turn: Angle
///   var name: String
///
///   var animatableData: AnimatablePair<Double, Double> {
///     get { AnimatablePair(height, turn.animatableData) }
///     set { (height, turn.animatableData) = (newValue.first, newValue.second) }
///   }
/// }
/// ```
public protocol Animatable {
  /// The vector that describes the animatable part of the value.
  associatedtype AnimatableData: VectorArithmetic

  /// The animatable part of the value; setting it leaves the rest alone.
  var animatableData: AnimatableData { get set }
}

extension Animatable where Self: VectorArithmetic {
  /// The value itself: a vector is animated as a whole.
  @inlinable
  public var animatableData: Self {
    get { self }
    set { self = newValue }
  }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
  /// Nothing: no part of the value is animated.
  @inlinable
  public var animatableData: EmptyAnimatableData {
    get { EmptyAnimatableData() }
    set {}
  }
}
