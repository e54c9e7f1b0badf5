// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration
import Text

/// A unit curve as JSON describes it: a map from progress to progress.
///
/// - a name: `linear`, `easeIn`, `easeOut`, `easeInOut`, `circularEaseIn`, `circularEaseOut`, `circularEaseInOut`, or one of
///   the thirty from `easeInSine` to `easeInOutBounce`;
/// - an easing function of CSS: `ease`, `step-end`, `cubic-bezier(0.3, 0, 0.1, 1)`, `steps(4, jump-end)`, `linear(0, 0.5 20%, 1)`;
/// - `{"bezier": [x1, y1, x2, y2]}`, both x in [0, 1];
/// - `{"steps": 4, "position": "jump-end"}`: CSS steps, with `jump-start`, `jump-end`, `jump-none`, `jump-both`,
///   `start` or `end`, and `jump-end` when there is no position;
/// - `{"linear": [[input, output], …]}`: CSS `linear()`, two points or more, inputs in order.
package enum CurveDescription: Decodable, Equatable, Sendable {
  /// One of the curves that have a name.
  case named(UnitCurve)
  /// A cubic Bézier curve from (0, 0) to (1, 1).
  case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
  /// A staircase of equal steps.
  case steps(Int, StepPosition)
  /// Straight lines from point to point.
  case linear([Point])

  /// Where a staircase jumps, in CSS's words.
  package enum StepPosition: String, CaseIterable, Sendable {
    case jumpStart = "jump-start"
    case jumpEnd = "jump-end"
    case jumpNone = "jump-none"
    case jumpBoth = "jump-both"
  }

  /// A corner of a piecewise linear curve.
  package struct Point: Equatable, Sendable {
    package let input: Double
    package let output: Double
  }

  /// The most steps a staircase may have; Double still tells them apart.
  static let stepLimit = 1_000_000_000

  private enum Key: String, CodingKey, CaseIterable {
    case bezier, steps, position, linear
  }

  /// Reads a name or an object.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      do {
        self = try CurveDescription(text)
      } catch {
        throw DescriptionError(at: decoder.codingPath, reason: error.reason)
      }
      return
    }
    let fields = try StrictFields<Key>(decoder, expected: "a name or an object")
    let kinds = [Key.bezier, .steps, .linear].filter { fields.has($0) }
    guard kinds.count == 1 else { throw fields.error("must have exactly one of the keys bezier, steps and linear") }
    guard !fields.has(.position) || kinds == [.steps] else {
      throw fields.error(.position, "stands beside steps only")
    }
    switch kinds[0] {
    case .bezier: self = try Self.bezier(fields)
    case .steps: self = try Self.steps(fields)
    default: self = try Self.points(fields)
    }
  }
}

// MARK: - Reading

extension CurveDescription {
  /// The names of curves, with the names that CSS gives them.
  package static let names = UnitCurve.named.map(\.name) + ["ease", "step-start", "step-end"]

  /// The curve that a text means, in a file or on a command line: a name such as `easeInOut` or `ease-in-out`, or an easing
  /// function of CSS.
  package init(_ text: String) throws(DescriptionError) {
    let name = KnownNames(UnitCurve.named.map(\.name)).meant(by: text)
    if let named = UnitCurve.named.first(where: { $0.name == name }) {
      self = .named(named.curve)
      return
    }
    do {
      self = Self.description(of: try UnitCurve(css: text))
    } catch {
      guard !text.contains("(") else { throw DescriptionError(path: [], reason: error.description) }
      throw DescriptionError(path: [], reason: DescriptionError.unknown("curve", text, known: Self.names))
    }
  }

  private static func bezier(_ fields: StrictFields<Key>) throws(DescriptionError) -> CurveDescription {
    let numbers = try fields.numbers(.bezier, .value)
    guard numbers.count == 4 else {
      throw fields.error(.bezier, "must be four numbers [x1, y1, x2, y2], are \(numbers.count)")
    }
    for index in [0, 2] {
      try NumberRule.fraction.check(numbers[index], at: fields.path(.bezier) + [.index(index)])
    }
    return .bezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
  }

  private static func steps(_ fields: StrictFields<Key>) throws(DescriptionError) -> CurveDescription {
    let text = try fields.optional(.position, as: String.self) ?? StepPosition.jumpEnd.rawValue
    let position: StepPosition
    switch text {
    case "start": position = .jumpStart
    case "end": position = .jumpEnd
    default:
      guard let named = StepPosition(rawValue: text) else {
        let known = StepPosition.allCases.map(\.rawValue) + ["start", "end"]
        throw fields.error(.position, DescriptionError.unknown("position", text, known: known))
      }
      position = named
    }
    // Without a jump at either end, one step would have no height.
    let least = position == .jumpNone ? 2 : 1
    return .steps(try fields.integer(.steps, in: least...stepLimit), position)
  }

  private static func points(_ fields: StrictFields<Key>) throws(DescriptionError) -> CurveDescription {
    let pairs: [[Double]] = try fields.value(.linear)
    guard pairs.count >= 2 else { throw fields.error(.linear, "must be two points or more, are \(pairs.count)") }
    var points: [Point] = []
    for (index, pair) in pairs.enumerated() {
      let place = fields.path(.linear) + [.index(index)]
      guard pair.count == 2 else {
        throw DescriptionError(path: place, reason: "must be a pair [input, output], has \(pair.count) numbers")
      }
      for (side, number) in pair.enumerated() {
        try NumberRule.value.check(number, at: place + [.index(side)])
      }
      if let last = points.last, pair[0] < last.input {
        throw DescriptionError(path: place, reason: "its input is less than the one before it")
      }
      points.append(Point(input: pair[0], output: pair[1]))
    }
    return .linear(points)
  }
}
