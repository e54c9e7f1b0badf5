// SPDX-License-Identifier: MIT

/// The cubic Bézier curve from (0, 0) to (1, 1) as a function of x.
package struct CubicBezier: Hashable, Sendable {
  /// The point the curve leaves the origin towards; its x is within 0…1, so that x never falls along the curve.
  package let start: UnitPoint

  /// The point the curve comes to (1, 1) from; its x is within 0…1.
  package let end: UnitPoint

  /// A curve of the given control points, whose x are clamped to 0…1. An x that is no number stays as it is, so that the
  /// curve can be refused.
  package init(_ start: UnitPoint, _ end: UnitPoint) {
    func clamped(_ x: Double) -> Double { x.isFinite ? min(max(x, 0), 1) : x }
    self.start = UnitPoint(x: clamped(start.x), y: start.y)
    self.end = UnitPoint(x: clamped(end.x), y: end.y)
  }

  /// y at an x within 0…1: exactly 0 and 1 at the ends.
  package func value(at x: Double) -> Double {
    if x == 0 || x == 1 { return x }
    return Self.polynomial(start.y, end.y, at: parameter(at: x))
  }

  /// dy/dx at an x within 0…1: at the ends the limit from inside, infinite where the curve is vertical.
  package func velocity(at x: Double) -> Double {
    if x == 0 {
      // The tangent points to the first control point that is not at the origin.
      return Self.slope(towards: start, end)
    }
    if x == 1 {
      // Seen from the other end the curve is one of the same kind.
      return Self.slope(
        towards: UnitPoint(x: 1 - end.x, y: 1 - end.y), UnitPoint(x: 1 - start.x, y: 1 - start.y))
    }
    let parameter = parameter(at: x)
    return Self.slope(
      rise: Self.derivative(start.y, end.y, at: parameter), run: Self.derivative(start.x, end.x, at: parameter))
  }

  /// The coefficients a, b, c of a·s³ + b·s² + c·s for both coordinates.
  package var coefficients: (x: SIMD3<Double>, y: SIMD3<Double>) {
    func coefficients(_ first: Double, _ second: Double) -> SIMD3<Double> {
      let c = 3 * first
      let b = 3 * (second - first) - c
      return SIMD3(1 - c - b, b, c)
    }
    return (coefficients(start.x, end.x), coefficients(start.y, end.y))
  }
}

// MARK: - Solving

extension CubicBezier {
  /// The parameter s at which the curve has the given x, strictly between 0 and 1.
  ///
  /// Newton's method within a bracket: a step that leaves the bracket is a bisection instead, so that it cannot run away or
  /// in circles. Even where x has a triple root, as on the curve of (1, 0, 0, 1), each step takes a third off the error,
  /// and 128 of them are enough.
  package func parameter(at x: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    var parameter = x
    for _ in 0..<128 {
      let excess = Self.polynomial(start.x, end.x, at: parameter) - x
      if excess.isNaN { return .nan }
      if excess == 0 { break }
      if excess < 0 { low = parameter } else { high = parameter }
      var next = parameter - excess / Self.derivative(start.x, end.x, at: parameter)
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if next == parameter { break }
      parameter = next
    }
    return parameter
  }

  /// One coordinate at the parameter s: in Bernstein form, in which no terms cancel.
  private static func polynomial(_ first: Double, _ second: Double, at s: Double) -> Double {
    let r = 1 - s
    return 3 * r * r * s * first + 3 * r * s * s * second + s * s * s
  }

  /// The derivative of one coordinate at the parameter s.
  private static func derivative(_ first: Double, _ second: Double, at s: Double) -> Double {
    let r = 1 - s
    return 3 * (r * r * first + 2 * r * s * (second - first) + s * s * (1 - second))
  }

  /// The slope of the line from the origin to the first of two points that is not there itself; to (1, 1) if both are.
  private static func slope(towards first: UnitPoint, _ second: UnitPoint) -> Double {
    let point = first.x != 0 || first.y != 0 ? first : second
    return point.x != 0 || point.y != 0 ? slope(rise: point.y, run: point.x) : 1
  }

  /// A slope, infinite if vertical.
  private static func slope(rise: Double, run: Double) -> Double {
    if rise == run { return 1 }
    if run == 0 { return rise < 0 ? -.infinity : .infinity }
    return rise / run
  }
}
