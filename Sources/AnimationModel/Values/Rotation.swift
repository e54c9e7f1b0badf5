// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A rotation in space: a quaternion of length 1.
///
/// ```swift
/// let quarter = Rotation(axis: SIMD3(0, 0, 1), angle: .degrees(90))!
/// let half = quarter * quarter
/// let between = Rotation.identity.interpolated(towards: half, amount: 0.25)  // 45° about z
/// ```
///
/// The product `a * b` turns by `b` first, and then by `a`. A quaternion and its negative turn alike; they are equal only if
/// their components are, see ``angle(to:)``.
///
/// Formulas: J. Solà, J. Deray, D. Atchuthan, *A micro Lie theory for state estimation in robotics* (2018), equations 132 to
/// 150, for exponential, logarithm and right Jacobian.
public struct Rotation: Hashable, Sendable {
  /// The quaternion (x, y, z, w) with the scalar part last, as in glTF. Its length is 1 but for rounding.
  public let quaternion: SIMD4<Double>

  /// No turn.
  public static let identity = Rotation(unit: SIMD4(0, 0, 0, 1))

  /// The rotation of a quaternion of any length; nil if a component is not finite, or all are 0.
  public init?(quaternion: SIMD4<Double>) {
    let largest = max(abs(quaternion.x), abs(quaternion.y), abs(quaternion.z), abs(quaternion.w))
    guard largest > 0, (quaternion * 0) == .zero else { return nil }
    self.init(unit: (quaternion / largest).normalized)
  }

  /// A turn about an axis of any length, counterclockwise as seen from its tip; nil if the axis has no direction or the angle is
  /// not finite.
  public init?(axis: SIMD3<Double>, angle: Angle) {
    let largest = max(abs(axis.x), abs(axis.y), abs(axis.z))
    guard largest > 0, (axis * 0) == .zero, angle.radians.isFinite else { return nil }
    let (direction, half) = (axis / largest, angle.radians / 2)
    let vector = direction * (sin(half) / (direction * direction).sum().squareRoot())
    self.init(unit: SIMD4(vector, cos(half)).normalized)
  }

  /// The exponential of a rotation vector: a turn about its direction, by its length in radians.
  ///
  /// The components must be finite.
  public init(vector: SIMD3<Double>) {
    var half = (vector * vector).sum().squareRoot() / 2
    if half == .infinity {
      // The squares of the largest components overflow.
      let largest = max(abs(vector.x), abs(vector.y), abs(vector.z))
      let direction = vector / largest
      half = largest * ((direction * direction).sum().squareRoot() / 2)
    }
    let perAngle = half < 5e-7 ? 0.5 - half * half / 12 : sin(half) / half / 2
    self.init(unit: SIMD4(vector * perAngle, cos(half)).normalized)
  }

  private init(unit quaternion: SIMD4<Double>) { self.quaternion = quaternion }

  // MARK: - Products

  /// The rotation by `rhs`, and then by `lhs`.
  public static func * (lhs: Rotation, rhs: Rotation) -> Rotation {
    Rotation(unit: multiply(lhs.quaternion, rhs.quaternion).normalized)
  }

  /// The rotation that undoes this one.
  public var inverse: Rotation { Rotation(unit: quaternion * SIMD4(-1, -1, -1, 1)) }

  /// The logarithm: the rotation vector of the shortest turn, 0…π long.
  public var vector: SIMD3<Double> {
    let shortest = quaternion.w < 0 ? -quaternion : quaternion
    let part = SIMD3(shortest.x, shortest.y, shortest.z)
    let sine = (part * part).sum().squareRoot()
    return part * (sine < 1e-8 ? 2 : 2 * atan2(sine, shortest.w) / sine)
  }

  /// The angle of the shortest turn to another rotation, 0…π.
  public func angle(to other: Rotation) -> Angle {
    let vector = (inverse * other).vector
    return Angle(radians: (vector * vector).sum().squareRoot())
  }

  /// The rotation at a share of the shortest turn to another one (slerp). Amounts below 0 and above 1 go on beyond the ends.
  public func interpolated(towards other: Rotation, amount: Double) -> Rotation {
    self * Rotation(vector: (inverse * other).vector * amount)
  }

  /// A vector after the turn.
  public func applied(to vector: SIMD3<Double>) -> SIMD3<Double> {
    let turned = Self.multiply(Self.multiply(quaternion, SIMD4(vector, 0)), inverse.quaternion)
    return SIMD3(turned.x, turned.y, turned.z)
  }

  private static func multiply(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
  }
}

// MARK: - Angular velocities

extension Rotation {
  /// The angular velocity of `exp(φ)`, in the axes of the turned body, while its rotation vector φ changes at a rate: the rate
  /// times the right Jacobian of φ.
  ///
  /// - Parameters:
  ///   - vector: φ, in radians.
  ///   - rate: φ̇, per second.
  public static func angularVelocity(at vector: SIMD3<Double>, rate: SIMD3<Double>) -> SIMD3<Double> {
    let square = (vector * vector).sum()
    let angle = square.squareRoot()
    let first = square < 1e-6 ? 0.5 - square / 24 : (1 - cos(angle)) / square
    let second = square < 1e-6 ? 1 / 6 - square / 120 : (angle - sin(angle)) / (square * angle)
    let turned = cross(vector, rate)
    return rate - turned * first + cross(vector, turned) * second
  }

  /// The rate at which a rotation vector φ changes while `exp(φ)` turns with an angular velocity: the inverse of
  /// ``angularVelocity(at:rate:)``, for vectors shorter than 2π.
  public static func rate(at vector: SIMD3<Double>, angularVelocity: SIMD3<Double>) -> SIMD3<Double> {
    let square = (vector * vector).sum()
    let half = square.squareRoot() / 2
    let second = square < 1e-4 ? 1 / 12 + square / 720 : (1 - half * cos(half) / sin(half)) / square
    let turned = cross(vector, angularVelocity)
    return angularVelocity + turned * 0.5 + cross(vector, turned) * second
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

extension SIMD4<Double> {
  /// The vector at length 1; it must not be zero.
  fileprivate var normalized: SIMD4<Double> { self / (self * self).sum().squareRoot() }
}
