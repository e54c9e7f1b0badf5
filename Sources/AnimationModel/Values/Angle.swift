// SPDX-License-Identifier: MIT

/// A turn in the plane, which animates as a number: from 350° to 10° it goes back through 180°. The shortest turn leads to
/// `goal.nearest(to: angle)`.
public struct Angle: Hashable, Comparable, Sendable {
  /// The angle in radians; a full turn is 2π.
  public var radians: Double

  /// The angle in degrees; a full turn is 360.
  @inlinable
  public var degrees: Double {
    get { radians * (180 / .pi) }
    set { radians = newValue * (.pi / 180) }
  }

  /// No turn.
  @inlinable
  public init() { radians = 0 }

  /// An angle of that many radians.
  @inlinable
  public init(radians: Double) { self.radians = radians }

  /// An angle of that many degrees.
  @inlinable
  public init(degrees: Double) { radians = degrees * (.pi / 180) }

  /// No turn.
  @inlinable
  public static var zero: Angle { Angle() }

  /// An angle of that many radians.
  @inlinable
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

  /// An angle of that many degrees.
  @inlinable
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

  /// The angle in this direction that is at most half a turn from another one: full turns are added or taken away.
  public func nearest(to other: Angle) -> Angle {
    Angle(radians: other.radians + (radians - other.radians).remainder(dividingBy: 2 * .pi))
  }

  /// Whether the first angle is the smaller number; full turns count.
  @inlinable
  public static func < (lhs: Angle, rhs: Angle) -> Bool { lhs.radians < rhs.radians }
}

extension Angle: VectorArithmetic, Animatable {
  /// The sum of two turns.
  @inlinable
  public static func + (lhs: Angle, rhs: Angle) -> Angle { Angle(radians: lhs.radians + rhs.radians) }

  /// The turn that leads from `rhs` to `lhs`.
  @inlinable
  public static func - (lhs: Angle, rhs: Angle) -> Angle { Angle(radians: lhs.radians - rhs.radians) }

  /// Multiplies the turn by `rhs`.
  @inlinable
  public mutating func scale(by rhs: Double) { radians *= rhs }

  /// The square of the angle in radians.
  @inlinable
  public var magnitudeSquared: Double { radians * radians }

  /// The angle in radians.
  @inlinable
  public var animatableData: Double {
    get { radians }
    set { radians = newValue }
  }
}

// MARK: - Multiples

extension Angle {
  /// The turn the other way.
  @inlinable
  public static prefix func - (angle: Angle) -> Angle { Angle(radians: -angle.radians) }

  /// The turn `rhs` times.
  @inlinable
  public static func * (lhs: Angle, rhs: Double) -> Angle { Angle(radians: lhs.radians * rhs) }

  /// The turn divided by `rhs`.
  @inlinable
  public static func / (lhs: Angle, rhs: Double) -> Angle { Angle(radians: lhs.radians / rhs) }

  /// Multiplies the turn by `rhs`.
  @inlinable
  public static func *= (lhs: inout Angle, rhs: Double) { lhs.radians *= rhs }

  /// Divides the turn by `rhs`.
  @inlinable
  public static func /= (lhs: inout Angle, rhs: Double) { lhs.radians /= rhs }
}
