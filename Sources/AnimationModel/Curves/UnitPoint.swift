// SPDX-License-Identifier: MIT

/// A point in a unit square, as the control points of a curve are.
public struct UnitPoint: Hashable, Sendable {
  /// The horizontal coordinate: progress in time, for a control point.
  public var x: Double

  /// The vertical coordinate: progress in value, for a control point.
  public var y: Double

  /// The origin.
  @inlinable
  public init() { self.init(x: 0, y: 0) }

  /// A point of the given coordinates.
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin.
  @inlinable
  public static var zero: UnitPoint { UnitPoint() }

  /// The point with its coordinates exchanged.
  package var transposed: UnitPoint { UnitPoint(x: y, y: x) }
}

extension UnitPoint: Animatable {
  /// Both coordinates.
  @inlinable
  public var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(x, y) }
    set { (x, y) = (newValue.first, newValue.second) }
  }
}
