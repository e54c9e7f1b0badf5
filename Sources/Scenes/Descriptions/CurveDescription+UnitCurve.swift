// SPDX-License-Identifier: MIT
package import Murmuration

extension CurveDescription {
  /// The model's curve.
  package var curve: UnitCurve {
    switch self {
    case .named(let curve):
      curve
    case .bezier(let x1, let y1, let x2, let y2):
      .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
    case .steps(let count, let position):
      .steps(count, position: position.model)
    case .linear(let points):
      .linear(points: points.map { PiecewiseLinearCurve.Point(input: $0.input, output: $0.output) })
    }
  }
}

extension CurveDescription {
  /// The description of a curve that CSS describes.
  static func description(of curve: UnitCurve) -> CurveDescription {
    switch curve.shape {
    case .identity, .named: .named(curve)
    case .bezier(let bezier): .bezier(x1: bezier.start.x, y1: bezier.start.y, x2: bezier.end.x, y2: bezier.end.y)
    case .steps(let steps): .steps(steps.count, StepPosition(steps.position))
    case .piecewiseLinear(let line):
      .linear(zip(line.inputs, line.outputs).map { Point(input: $0, output: $1) })
    }
  }
}

extension CurveDescription.StepPosition {
  fileprivate init(_ position: StepCurve.Position) {
    switch position {
    case .jumpStart: self = .jumpStart
    case .jumpEnd: self = .jumpEnd
    case .jumpNone: self = .jumpNone
    case .jumpBoth: self = .jumpBoth
    }
  }

  fileprivate var model: StepCurve.Position {
    switch self {
    case .jumpStart: .jumpStart
    case .jumpEnd: .jumpEnd
    case .jumpNone: .jumpNone
    case .jumpBoth: .jumpBoth
    }
  }
}
