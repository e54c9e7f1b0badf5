// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// Curves against recorded values and values computed with 50 digits.
struct CurveGoldenTests {
  @Test func bezierPointsAreExact() throws {
    let table = try GoldenEasing.load().bezier
    #expect(table.columns == ["x1", "y1", "x2", "y2", "X", "s", "Y", "slope"] && table.rows.count == 333)
    var check = CurveVectorCheck()
    for row in table.rows {
      check.add(row.prefix(5).compactMap { $0 }, y: try #require(row[6]), slope: row[7])
    }
    #expect(check.worstValue <= 8 && check.worstSlope <= 64, "worst: \(check.worstRow)")
  }

  private func curve(_ json: JSONValue) throws -> UnitCurve {
    let names = ["linear", "easeIn", "easeOut", "easeInOut", "circularEaseIn", "circularEaseOut", "circularEaseInOut"]
    if let index = names.firstIndex(where: { $0 == json.string }) { return UnitCurveTests.named[index] }
    let (start, end) = (try #require(json.p1?.numbers), try #require(json.p2?.numbers))
    return .bezier(
      startControlPoint: UnitPoint(x: start[0], y: start[1]), endControlPoint: UnitPoint(x: end[0], y: end[1]))
  }

  @Test func unitCurvesAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "unit-curve", atLeast: 6) {
      let curve = try curve(#require(vector.json.curve))
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

  @Test func coefficientsAreSwiftUIs() throws {
    let vector = try #require(try RecordedVectors.load(kind: "cubic-solver-coefficients").first)
    let curves: [(String, CubicBezier)] = [
      // SwiftUI's linear animation is a Bézier curve, unlike its linear unit curve.
      ("linear", CubicBezier(UnitPoint(x: 0, y: 0), UnitPoint(x: 1, y: 1))),
      ("easeInOut", CubicBezier(UnitPoint(x: 0.42, y: 0), UnitPoint(x: 0.58, y: 1))),
      ("easeOut", CubicBezier(UnitPoint(x: 0, y: 0), UnitPoint(x: 0.58, y: 1))),
      ("easeIn", CubicBezier(UnitPoint(x: 0.42, y: 0), UnitPoint(x: 1, y: 1))),
    ]
    for (name, curve) in curves {
      let expected = try #require(vector.json.coefficients?[name])
      for (axis, actual) in [("x", curve.coefficients.x), ("y", curve.coefficients.y)] {
        for (index, letter) in ["a", "b", "c"].enumerated() {
          let number = try #require(expected[letter + axis]?.number)
          #expect(isClose(actual[index], number, relative: 1e-12, absolute: 1e-15), "\(name) \(letter)\(axis)")
        }
      }
    }
  }
}
