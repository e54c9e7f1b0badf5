// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// The curves of the web: steps() and linear().
struct CSSCurveTests {
  /// Outputs of steps(4) from the algorithm of CSS Easing Functions Level 1: recorded ones, and those of the position that
  /// has no record.
  @Test(arguments: StepCurve.Position.allCases)
  func staircases(position: StepCurve.Position) throws {
    let vector = try RecordedVectors.load(kind: "css-steps", atLeast: 3)
      .first { $0.json.position?.string == position.rawValue }?.json
    var samples = (vector?.samples?.elements ?? []).map(\.numbers)
    var before = (vector?.before_flag?.elements ?? []).map(\.numbers)
    if position == .jumpNone {
      let third = 1.0 / 3
      samples = [
        [-0.1, -third], [0, 0], [0.1, 0], [0.25, third], [0.3, third], [0.5, 2 * third], [0.74, 2 * third], [0.75, 1],
        [0.99, 1], [1, 1], [1.1, 4 * third],
      ]
      before = [[0, 0], [0.25, 0], [0.5, third], [1, 1]]
    }
    #expect(samples.count == 11 && before.count == 4)
    let (steps, curve) = (StepCurve(count: 4, position: position), UnitCurve.steps(4, position: position))
    for sample in samples {
      #expect(isClose(curve.value(at: sample[0]), sample[1], absolute: 1e-15), "\(position) at \(sample[0])")
      #expect(steps.value(at: sample[0]) == curve.value(at: sample[0]) && curve.velocity(at: sample[0]) == 0)
    }
    for sample in before {
      #expect(isClose(steps.value(at: sample[0], before: true), sample[1], absolute: 1e-15), "\(position), before")
    }
    #expect(steps.value(at: 0.3, before: true) == steps.value(at: 0.3), "between jumps the flag does nothing")
  }

  @Test func countsThatMakeNoSenseAreTheLeastThatDo() {
    #expect(StepCurve(count: -5).count == 1 && StepCurve(count: 0, position: .jumpNone).count == 2)
    #expect(UnitCurve.steps(0) == .steps(1))
    #expect(UnitCurve.steps(.max, position: .jumpBoth).inverse.value(at: 0.5).isFinite)
    #expect(UnitCurve.steps(4).value(at: .nan).isNaN)
  }

  @Test(arguments: StepCurve.Position.allCases, [2, 3, 7])
  func theInverseOfAStaircaseIsAStaircase(position: StepCurve.Position, count: Int) {
    let curve = UnitCurve.steps(count, position: position)
    #expect(curve.inverse.inverse == curve)
    for index in 0..<100 {
      // Off the jumps, the inverse of y is the input at which the staircase passes y.
      let y = (Double(index) + 0.5) / 100 * 0.999
      let x = curve.inverse.value(at: y)
      #expect(curve.value(at: x - 1e-9) <= y + 1e-9 || x == 0)
      #expect(curve.value(at: x + 1e-9) >= y - 1e-9 || x == 1)
    }
  }

  private func line(_ points: [(Double?, Double)]) -> UnitCurve {
    .linear(points: points.map { PiecewiseLinearCurve.Point(input: $0.0, output: $0.1) })
  }

  @Test func polylinesAreStraightBetweenPointsAndBeyondThem() {
    let curve = line([(0, 0), (0.25, 1), (1, 0.5)])
    for (input, output, slope) in [
      (0, 0, 4.0), (0.125, 0.5, 4), (0.25, 1, -0.5 / 0.75), (0.625, 0.75, -0.5 / 0.75), (1, 0.5, -0.5 / 0.75),
      (-0.25, -1, 4), (2.5, -0.5, -0.5 / 0.75),
    ] {
      #expect(isClose(curve.value(at: input), output, absolute: 1e-15), "at \(input)")
      #expect(isClose(curve.velocity(at: input), slope, relative: 1e-15), "at \(input)")
    }
  }

  @Test func missingInputsAreSpreadAndFallingOnesRaised() {
    #expect(line([(nil, 0), (nil, 0.5), (nil, 1)]).value(at: 0.3) == 0.3)
    let spread = line([(nil, 0), (nil, 1), (nil, 2), (0.6, 3), (nil, 4)])
    #expect(isClose(spread.value(at: 0.2), 1, absolute: 1e-15) && isClose(spread.value(at: 0.4), 2, absolute: 1e-15))
    #expect(isClose(spread.value(at: 0.8), 3.5, absolute: 1e-15))
    let raised = line([(0, 0), (0.5, 1), (0.2, 2), (1, 3)])
    #expect(isClose(raised.value(at: 0.5 - 1e-12), 1, absolute: 1e-11) && raised.value(at: 0.5) == 2)
  }

  @Test func aRepeatedInputIsAJump() {
    let curve = line([(0, 0), (0.5, 0.25), (0.5, 0.75), (1, 1)])
    #expect(curve.value(at: 0.5) == 0.75)
    #expect(isClose(curve.value(at: 0.5.nextDown), 0.25, absolute: 1e-15))
    #expect(curve.velocity(at: 0.5) == 0.5)
    let atStart = line([(0, 0), (0, 0.5), (1, 1)])
    #expect(atStart.value(at: 0) == 0.5 && atStart.value(at: -1) == 0)
    let atEnd = line([(0, 0), (1, 0.5), (1, 1)])
    #expect(atEnd.value(at: 1) == 1 && atEnd.value(at: 2) == 1)
    #expect(line([(0.5, 0), (0.5, 1)]).value(at: 0.4) == 0)
  }

  @Test func fewPointsAndNoNumbers() {
    #expect(line([]).value(at: 0.3) == 0.3 && line([]).velocity(at: 0.3) == 1)
    #expect(line([(nil, 7)]).value(at: 0.3) == 7 && line([(nil, 7)]).velocity(at: 0.3) == 0)
    #expect(line([(nil, 7)]).value(at: .nan).isNaN && line([(0, 0), (1, 1)]).value(at: .nan).isNaN)
    #expect(!line([(.nan, 0), (.nan, 1), (nil, 2)]).value(at: 0.3).isInfinite, "no trap")
  }

  @Test func theInverseOfARisingPolylineExchangesItsPoints() {
    let curve = line([(0, 0), (0.25, 0.5), (1, 1)])
    #expect(curve.inverse == line([(0, 0), (0.5, 0.25), (1, 1)]))
    #expect(isClose(curve.inverse.value(at: curve.value(at: 0.7)), 0.7, relative: 1e-15))
  }
}
