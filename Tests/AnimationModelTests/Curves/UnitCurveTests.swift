// SPDX-License-Identifier: MIT
import Murmuration
import AnimationModel
import Testing
import TestSupport

/// SwiftUI's curves: values, slopes and inverses.
struct UnitCurveTests {
  static let named: [UnitCurve] = [
    .linear, .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseOut, .circularEaseInOut,
  ]

  private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  /// Points derived with 60 digits by `Scripts/derive-model-vectors`.
  @Test func bezierPointsAreExact() {
    let rows = numberTable(bezierVectors)
    #expect(rows.count == 77 && rows.allSatisfy { $0.count == 7 })
    var check = CurveVectorCheck()
    for row in rows { check.add(row, y: row[5], slope: row[6]) }
    #expect(check.worstValue <= 8 && check.worstSlope <= 64, "worst: \(check.worstRow)")
  }

  @Test(arguments: Self.named)
  func curvesGoFromZeroToOneAndStayThere(curve: UnitCurve) {
    for (progress, value) in [(0, 0.0), (1, 1), (-0.5, 0), (1.5, 1), (-.infinity, 0), (.infinity, 1)] {
      #expect(curve.value(at: progress) == value)
    }
    #expect(curve.velocity(at: -3) == curve.velocity(at: 0) && curve.velocity(at: 3) == curve.velocity(at: 1))
    #expect(curve.value(at: .nan).isNaN && curve.velocity(at: .nan).isNaN)
  }

  /// A curve, and the values that SwiftUI printed at 0, ¼, ½, ¾ and 1.
  struct Printed: Sendable {
    var curve: UnitCurve
    var values, velocities: [Double]
    var tolerance: Double
  }

  /// The curves that `CurveGoldenTests` does not read. Where a control point is on an end of the curve, SwiftUI divides 0
  /// by 0; the table has the limit.
  static let printed = [
    Printed(curve: .linear, values: [0, 0.25, 0.5, 0.75, 1], velocities: [1, 1, 1, 1, 1], tolerance: 1e-12),
    Printed(
      curve: .easeOut, values: [0, 0.38, 0.68, 0.91, 1], velocities: [1 / 0.58, 1.37, 1.07, 0.67, 0], tolerance: 0.01),
    Printed(
      curve: .circularEaseOut, values: [0, 0.661, 0.866, 0.968, 1], velocities: [.infinity, 1.134, 0.577, 0.258, 0],
      tolerance: 0.001),
    Printed(
      curve: .circularEaseInOut, values: [0, 0.067, 0.5, 0.933, 1], velocities: [0, 0.577, .infinity, 0.577, 0],
      tolerance: 0.001),
  ]

  @Test(arguments: Self.printed)
  func tablesAreSwiftUIs(printed: Printed) {
    for (index, progress) in [0, 0.25, 0.5, 0.75, 1].enumerated() {
      #expect(isClose(printed.curve.value(at: progress), printed.values[index], absolute: printed.tolerance))
      #expect(isClose(printed.curve.velocity(at: progress), printed.velocities[index], absolute: printed.tolerance))
    }
  }

  @Test func circularCurvesKeepTheirDigits() {
    #expect(isClose(UnitCurve.circularEaseIn.value(at: 1e-9), 5e-19, relative: 1e-15))
    #expect(isClose(UnitCurve.circularEaseOut.value(at: 1e-9), (2e-9 - 1e-18).squareRoot(), relative: 1e-15))
    #expect(isClose(UnitCurve.circularEaseIn.value(at: 0.6), 0.2, relative: 1e-15))
    #expect(isClose(UnitCurve.circularEaseOut.velocity(at: 1e-9), (0.5e9).squareRoot(), relative: 1e-8))
    #expect(isClose(UnitCurve.circularEaseInOut.value(at: 0.7), 0.9, relative: 1e-15))
  }

  @Test func endpointSlopesAreLimitsFromInside() {
    #expect(isClose(UnitCurve.easeIn.velocity(at: 1), UnitCurve.easeIn.velocity(at: 1 - 1e-9), relative: 1e-5))
    #expect(isClose(UnitCurve.easeIn.velocity(at: 1), 1 / 0.58, absolute: 0.01))
    #expect(isClose(UnitCurve.easeOut.velocity(at: 0), UnitCurve.easeOut.velocity(at: 1e-9), relative: 1e-5))
    #expect(Self.bezier(0, 0, 1, 1).velocity(at: 0) == 1 && Self.bezier(0, 0, 1, 1).velocity(at: 1) == 1)
    #expect(Self.bezier(0, 0, 0, 0).velocity(at: 0) == 1, "three points on the origin: the straight line")
    #expect(Self.bezier(0, 1, 0.5, 1).velocity(at: 0) == .infinity)
    #expect(Self.bezier(0, -1, 0.5, 1).velocity(at: 0) == -.infinity)
    #expect(Self.bezier(0.5, 0, 1, 0).velocity(at: 1) == .infinity)
    #expect(Self.bezier(0.5, 0, 1, 2).velocity(at: 1) == -.infinity)
  }

  /// Recorded from SwiftUI: x is clamped and y is not.
  @Test func controlPointsAreClampedInTimeOnly() {
    let curve = Self.bezier(-0.5, 2, 1.5, -1)
    #expect(isClose(curve.value(at: 0.5), 0.5, absolute: 1e-15))
    #expect(isClose(curve.velocity(at: 0.5), -1, absolute: 1e-14))
    #expect(curve == Self.bezier(0, 2, 1, -1))
    #expect(Self.bezier(0.34, 1.56, 0.64, 1).value(at: 0.6) > 1, "an overshoot")
  }

  /// Expects that the parameter of an input leads back to it.
  private func expectSolved(_ cubic: CubicBezier, at x: Double) {
    let (s, a, b) = (cubic.parameter(at: x), cubic.start.x, cubic.end.x)
    let back = 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s
    #expect(isClose(back, x, absolute: 4 * 0x1p-53), "\(a), \(b) at \(x)")
  }

  /// Curves on which Newton's method alone runs away or in circles.
  @Test(arguments: [
    [1, 0, 0, 1], [0, 1, 0, 1], [1, 1, 1, 0], [0.99, 0, 0.01, 1], [0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 1, 1],
  ])
  func uprightCurvesAreSolved(points: [Double]) {
    let curve = Self.bezier(points[0], points[1], points[2], points[3])
    let cubic = CubicBezier(UnitPoint(x: points[0], y: points[1]), UnitPoint(x: points[2], y: points[3]))
    var generator = SplitMix64(seed: 30)
    for index in 0..<2000 {
      let x = index < 1000 ? Double(index + 1) / 1001 : Double.random(in: 0..<1, using: &generator)
      expectSolved(cubic, at: x)
      #expect(!curve.value(at: x).isNaN && !curve.velocity(at: x).isNaN)
    }
    #expect(isClose(Self.bezier(1, 0, 0, 1).value(at: 0.5), 0.5, absolute: 1e-5))
  }

  @Test func anyCurveIsSolved() {
    var generator = SplitMix64(seed: 31)
    for _ in 0..<3000 {
      let (a, b) = (Double.random(in: 0...1, using: &generator), Double.random(in: 0...1, using: &generator))
      // Control points near the ends of their range too, where the curve is nearly vertical somewhere.
      let (first, second) = (1 - a * a * a * a, b * b * b * b)
      let cubic = CubicBezier(UnitPoint(x: first, y: 0), UnitPoint(x: second, y: 1))
      for _ in 0..<20 { expectSolved(cubic, at: Double.random(in: 0...1, using: &generator)) }
    }
  }

  @Test func notANumberStaysOne() {
    let curve = Self.bezier(.nan, 0, 0.5, 1)
    #expect(curve.value(at: 0.5).isNaN && curve.velocity(at: 0.5).isNaN)
    #expect(Self.bezier(0.5, .nan, 0.5, 1).value(at: 0.5).isNaN)
    #expect(Self.bezier(0.5, .infinity, 0.5, 1).value(at: 0.5) == .infinity)
  }

  @Test func inversesExchangeTimeAndValue() {
    #expect(UnitCurve.linear.inverse == .linear)
    #expect(UnitCurve.circularEaseIn.inverse == .circularEaseOut)
    #expect(UnitCurve.circularEaseOut.inverse == .circularEaseIn)
    #expect(UnitCurve.circularEaseInOut.inverse == .circularEaseInOut, "as in SwiftUI")
    #expect(Self.bezier(0.1, 0.2, 0.3, 0.4).inverse == Self.bezier(0.2, 0.1, 0.4, 0.3))
    for curve in [UnitCurve.easeIn, .easeOut, .easeInOut, Self.bezier(0.25, 0.1, 0.25, 1)] {
      #expect(curve.inverse.inverse == curve)
      for progress in [0.01, 0.2, 0.5, 0.8, 0.99] {
        #expect(isClose(curve.inverse.value(at: curve.value(at: progress)), progress, absolute: 1e-13))
      }
    }
  }
}
