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
      #expect(isClose(curve.value(at: sample[0]), sample[1], absolute: 1e-15), "at \(sample[0])")
      #expect(steps.value(at: sample[0]) == curve.value(at: sample[0]) && curve.velocity(at: sample[0]) == 0)
    }
    for sample in before { #expect(isClose(steps.value(at: sample[0], before: true), sample[1], absolute: 1e-15)) }
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

  private static func line(_ points: (Double?, Double)...) -> UnitCurve {
    .linear(points: points.map { PiecewiseLinearCurve.Point(input: $0.0, output: $0.1) })
  }

  /// Values of polylines: straight between points and beyond them; where inputs are missing they are spread, where they fall
  /// they are raised, and where they are repeated there is a jump.
  @Test(
    arguments: [
      (line((0, 0), (0.25, 1), (1, 0.5)), [0, 0.125, 0.25, 0.625, 1, -0.25, 2.5], [0, 0.5, 1, 0.75, 0.5, -1, -0.5]),
      (line((nil, 0), (nil, 0.5), (nil, 1)), [0.3], [0.3]),
      (line((nil, 0), (nil, 1), (nil, 2), (0.6, 3), (nil, 4)), [0.2, 0.4, 0.8], [1, 2, 3.5]),
      (line((0, 0), (0.5, 1), (0.2, 2), (1, 3)), [(0.5).nextDown, 0.5], [1, 2]),
      (line((0, 0), (0.5, 0.25), (0.5, 0.75), (1, 1)), [(0.5).nextDown, 0.5], [0.25, 0.75]),
      (line((0, 0), (0, 0.5), (1, 1)), [0, -1], [0.5, 0]), (line((0, 0), (1, 0.5), (1, 1)), [1, 2], [1, 1]),
      (line((0.5, 0), (0.5, 1)), [0.4], [0]), (line(), [0.3], [0.3]),
      (line((nil, 7)), [0.3, .nan], [7, .nan]), (line((0, 0), (1, 1)), [.nan], [.nan]),
    ] as [(UnitCurve, [Double], [Double])])
  func polylines(curve: UnitCurve, inputs: [Double], outputs: [Double]) {
    for (input, output) in zip(inputs, outputs) {
      #expect(isClose(curve.value(at: input), output, absolute: 1e-15), "at \(input)")
    }
  }

  @Test func slopesOfPolylines() {
    let curve = Self.line((0, 0), (0.25, 1), (1, 0.5))
    for input in [-0.25, 0, 0.125] { #expect(isClose(curve.velocity(at: input), 4, relative: 1e-15), "at \(input)") }
    let falling = -2.0 / 3
    for input in [0.25, 0.625, 1, 2.5] {
      #expect(isClose(curve.velocity(at: input), falling, relative: 1e-15), "at \(input)")
    }
    #expect(Self.line((0, 0), (0.5, 0.25), (0.5, 0.75), (1, 1)).velocity(at: 0.5) == 0.5)
    #expect(Self.line().velocity(at: 0.3) == 1 && Self.line((nil, 7)).velocity(at: 0.3) == 0)
    #expect(!Self.line((.nan, 0), (.nan, 1), (nil, 2)).value(at: 0.3).isInfinite, "no trap")
  }

  @Test func theInverseOfARisingPolylineExchangesItsPoints() {
    let curve = Self.line((0, 0), (0.25, 0.5), (1, 1))
    #expect(curve.inverse == Self.line((0, 0), (0.5, 0.25), (1, 1)))
    #expect(isClose(curve.inverse.value(at: curve.value(at: 0.7)), 0.7, relative: 1e-15))
  }
}
