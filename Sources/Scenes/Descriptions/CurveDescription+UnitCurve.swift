// SPDX-License-Identifier: MIT
package import Murmuration

extension CurveDescription {
  /// The model's curve.
  package var curve: UnitCurve {
    switch self {
    case .named(let name):
      name.curve
    case .bezier(let x1, let y1, let x2, let y2):
      .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
    case .steps(let count, let position):
      .steps(count, position: position.model)
    case .linear(let points):
      .linear(points: points.map { PiecewiseLinearCurve.Point(input: $0.input, output: $0.output) })
    }
  }
}

extension CurveDescription.Name {
  fileprivate var curve: UnitCurve {
    switch self {
    case .linear: .linear
    case .easeIn: .easeIn
    case .easeOut: .easeOut
    case .easeInOut: .easeInOut
    case .circularEaseIn: .circularEaseIn
    case .circularEaseOut: .circularEaseOut
    case .circularEaseInOut: .circularEaseInOut
    }
  }
}

extension CurveDescription.StepPosition {
  fileprivate var model: StepCurve.Position {
    switch self {
    case .jumpStart: .jumpStart
    case .jumpEnd: .jumpEnd
    case .jumpNone: .jumpNone
    case .jumpBoth: .jumpBoth
    }
  }
}
