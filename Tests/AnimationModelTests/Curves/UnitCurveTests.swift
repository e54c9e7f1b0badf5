// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing
import TestSupport

/// SwiftUI's curves: values, slopes and inverses, against recorded values and values computed with many digits.
struct UnitCurveTests {
  private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  /// A point of a steep curve cannot be nearer than its slope allows. So the measure is how far the input would have to move
  /// for the answer to be exact: the error beyond a few roundings of the output itself, divided by the slope.
  @Test func bezierPointsAreExact() throws {
    let table = try GoldenEasing.load().bezier
    #expect(table.columns == ["x1", "y1", "x2", "y2", "X", "s", "Y", "slope"] && table.rows.count == 333)
    let golden = try table.rows.map { row in (try row[..<5].map { try #require($0) }, try #require(row[6]), row[7]) }
    let model = try ModelVectors.load().beziers.map { (Array($0[..<5]), $0[5], Optional($0[6])) }
    #expect(model.count == 77)
    for (row, y, slope) in golden + model {
      let (curve, x) = (Self.bezier(row[0], row[1], row[2], row[3]), row[4])
      let velocity = curve.velocity(at: x)
      guard let slope else {
        // The curve is vertical.
        #expect(x == 0 || x == 1 || velocity.magnitude > 1e4, "\(row)")
        continue
      }
      #expect(isClose(curve.value(at: x), y, absolute: 8 * 0x1p-53 * max(1, y.magnitude, slope.magnitude)), "\(row)")
      // The table does not say how fast the slope changes, so only well-conditioned slopes are compared.
      if slope.magnitude < 10 {
        #expect(isClose(velocity, slope, absolute: 64 * 0x1p-53 * max(1, slope.magnitude)), "\(row)")
      }
    }
  }

  @Test func unitCurvesAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "unit-curve", atLeast: 6) {
      let json = try #require(vector.json.curve)
      let curve =
        try UnitCurve.named.first { $0.name == json.string }?.curve
        ?? {
          let (start, end) = (try #require(json.p1?.numbers), try #require(json.p2?.numbers))
          return Self.bezier(start[0], start[1], end[0], end[1])
        }()
      let tolerance = try #require(vector.tolerance)
      for sample in vector.json.samples?.elements ?? [] {
        let progress = try #require(sample.elements[0].number)
        let value = try #require(sample.elements[1].number)
        #expect(isClose(curve.value(at: progress), value, absolute: tolerance), "\(vector) at \(progress)")
        // Where a control point stands on the end of the curve, SwiftUI's 0 and 1 come from 0/0; our values are the limits.
        let artefact = vector.id == "UC-easeIn" && progress == 1 || vector.id == "UC-easeOut" && progress == 0
        guard let velocity = sample.elements[2].number, !artefact else { continue }
        #expect(isClose(curve.velocity(at: progress), velocity, absolute: tolerance), "\(vector) at \(progress)")
      }
    }
  }

  /// The curves that have no record, with values and velocities that SwiftUI printed at 0, ¼, ½, ¾ and 1. Where a control
  /// point is on an end of the curve, SwiftUI divides 0 by 0; the table has the limit.
  @Test(
    arguments: [
      (.linear, [0, 0.25, 0.5, 0.75, 1], [1, 1, 1, 1, 1], 1e-12),
      (.easeOut, [0, 0.38, 0.68, 0.91, 1], [1 / 0.58, 1.37, 1.07, 0.67, 0], 0.01),
      (.circularEaseOut, [0, 0.661, 0.866, 0.968, 1], [.infinity, 1.134, 0.577, 0.258, 0], 0.001),
      (.circularEaseInOut, [0, 0.067, 0.5, 0.933, 1], [0, 0.577, .infinity, 0.577, 0], 0.001),
    ] as [(UnitCurve, [Double], [Double], Double)])
  func tablesAreSwiftUIs(curve: UnitCurve, values: [Double], velocities: [Double], tolerance: Double) {
    for (index, progress) in [0, 0.25, 0.5, 0.75, 1].enumerated() {
      #expect(isClose(curve.value(at: progress), values[index], absolute: tolerance))
      #expect(isClose(curve.velocity(at: progress), velocities[index], absolute: tolerance))
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
    let unknown = Self.bezier(.nan, 0, 0.5, 1)
    #expect(unknown.value(at: 0.5).isNaN && unknown.velocity(at: 0.5).isNaN)
    #expect(Self.bezier(0.5, .nan, 0.5, 1).value(at: 0.5).isNaN)
    #expect(Self.bezier(0.5, .infinity, 0.5, 1).value(at: 0.5) == .infinity)
  }

  /// Expects that the parameter of an input leads back to it.
  private func expectSolved(_ a: Double, _ b: Double, at x: Double) {
    let s = CubicBezier(UnitPoint(x: a, y: 0), UnitPoint(x: b, y: 1)).parameter(at: x)
    let back = 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s
    #expect(isClose(back, x, absolute: 4 * 0x1p-53), "\(a), \(b) at \(x)")
  }

  /// Curves on which Newton's method alone runs away or in circles.
  @Test(arguments: [
    [1, 0, 0, 1], [0, 1, 0, 1], [1, 1, 1, 0], [0.99, 0, 0.01, 1], [0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 1, 1],
  ])
  func uprightCurvesAreSolved(points: [Double]) {
    let curve = Self.bezier(points[0], points[1], points[2], points[3])
    var generator = SplitMix64(seed: 30)
    for index in 0..<2000 {
      let x = index < 1000 ? Double(index + 1) / 1001 : generator.unit()
      expectSolved(points[0], points[2], at: x)
      #expect(!curve.value(at: x).isNaN && !curve.velocity(at: x).isNaN)
    }
    #expect(isClose(Self.bezier(1, 0, 0, 1).value(at: 0.5), 0.5, absolute: 1e-5))
  }

  @Test func anyCurveIsSolved() {
    var generator = SplitMix64(seed: 31)
    for _ in 0..<3000 {
      // Control points near the ends of their range too, where the curve is nearly vertical somewhere.
      let (a, b) = (generator.unit(), generator.unit())
      for _ in 0..<20 { expectSolved(1 - a * a * a * a, b * b * b * b, at: generator.unit()) }
    }
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
