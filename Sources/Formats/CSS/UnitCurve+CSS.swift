// SPDX-License-Identifier: MIT
public import Murmuration
import Text

extension UnitCurve {
  /// The curve that an easing function of CSS describes: `ease-in`, `cubic-bezier(0.3, 0, 0.1, 1.2)`, `steps(4, jump-end)`,
  /// `linear(0, 0.5 20% 40%, 1)`.
  ///
  /// Source: CSS Easing Functions Level 2.
  /// - Throws: `FileError` with the byte of the text.
  /// - Complexity: O(n) in the length of the text, which may be 1 MiB.
  public init(css text: String) throws(FileError) {
    var rest = try CSSText(text)
    guard let curve = try UnitCurve.read(&rest) else { throw rest.error("expected an easing function") }
    guard rest.isAtEnd else { throw rest.error("unexpected “\(rest.rest)” after the easing function") }
    self = curve
  }

  private static let keywords: [String: UnitCurve] = [
    "linear": .linear, "ease-in": .easeIn, "ease-out": .easeOut, "ease-in-out": .easeInOut,
    "ease": .bezier(
      startControlPoint: UnitPoint(x: 0.25, y: 0.1), endControlPoint: UnitPoint(x: 0.25, y: 1)),
    "step-start": .steps(1, position: .jumpStart), "step-end": .steps(1, position: .jumpEnd),
  ]

  /// Reads an easing function; nil if something else comes next.
  static func read(_ text: inout CSSText) throws(FileError) -> UnitCurve? {
    let start = text
    guard let (name, isFunction) = text.word() else { return nil }
    guard isFunction else {
      guard let curve = keywords[name] else { throw start.error(unknown(name)) }
      return curve
    }
    let curve: UnitCurve
    switch name {
    case "cubic-bezier": curve = try bezier(&text)
    case "steps": curve = try steps(&text)
    case "linear": curve = try polyline(&text)
    default: throw start.error(unknown(name))
    }
    try text.expect(")")
    return curve
  }

  private static func unknown(_ name: String) -> String {
    DescriptionError.unknown(
      "easing function", name, known: keywords.keys.sorted() + ["cubic-bezier()", "linear()", "steps()"])
  }

  private static func bezier(_ text: inout CSSText) throws(FileError) -> UnitCurve {
    var numbers: [Double] = []
    for index in 0..<4 {
      if index > 0 { try text.expect(",") }
      let start = text
      let number = try text.plainNumber()
      guard index % 2 == 1 || (0...1).contains(number) else {
        throw start.error("must be in [0, 1], is \(NumberText.short(number))")
      }
      numbers.append(number)
    }
    return .bezier(
      startControlPoint: UnitPoint(x: numbers[0], y: numbers[1]),
      endControlPoint: UnitPoint(x: numbers[2], y: numbers[3]))
  }

  private static let positions: [String: StepCurve.Position] = [
    "start": .jumpStart, "end": .jumpEnd, "jump-start": .jumpStart, "jump-end": .jumpEnd, "jump-none": .jumpNone,
    "jump-both": .jumpBoth,
  ]

  private static func steps(_ text: inout CSSText) throws(FileError) -> UnitCurve {
    let start = text
    let number = try text.plainNumber()
    var position = StepCurve.Position.jumpEnd
    if text.accept(",") {
      let place = text
      guard let (name, isFunction) = text.word(), !isFunction, let named = positions[name] else {
        throw place.error("expected one of \(positions.keys.sorted().joined(separator: ", "))")
      }
      position = named
    }
    // Without a jump at either end, one step would have no height.
    let least = position == .jumpNone ? 2 : 1
    guard let count = Int(exactly: number), (least...1_000_000_000).contains(count) else {
      throw start.error("must be a whole number from \(least) to 1e9, is \(NumberText.short(number))")
    }
    return .steps(count, position: position)
  }

  private static func polyline(_ text: inout CSSText) throws(FileError) -> UnitCurve {
    var points: [PiecewiseLinearCurve.Point] = []
    repeat {
      let start = text
      var output: Double?
      var inputs: [Double] = []
      while let (value, unit) = try text.number() {
        switch unit {
        case "" where output == nil: output = value
        case "%" where inputs.count < 2: inputs.append(value)
        default: throw start.error("expected one number, and at most two percentages before or after it")
        }
      }
      guard let output else { throw start.error("expected a number, and at most two percentages before or after it") }
      if inputs.isEmpty { points.append(.init(output: output)) }
      for input in inputs { points.append(.init(input: input, output: output)) }
    } while text.accept(",")
    return .linear(points: points)
  }
}

// MARK: - Writing

extension UnitCurve {
  /// The curve as an easing function of CSS, which ``init(css:)`` reads back if its numbers are within ±10¹⁵, its steps at most
  /// 10⁹, and the text at most 1 MiB.
  ///
  /// Bézier curves, steps and polylines are written exactly, and so are the quadratic, cubic and “back” eases in and out, as
  /// Bézier curves. Other named eases, which CSS lacks, become the `linear()` with the fewest points within 0.001; `CSSLinear`
  /// takes another bound.
  public var css: String {
    switch shape {
    case .identity: return "linear"
    case .bezier(let curve): return Self.css(curve)
    case .steps(let steps): return "steps(\(steps.count), \(steps.position.rawValue))"
    case .piecewiseLinear(let line):
      // Without points a polyline is the identity, and CSS has no `linear()` without any.
      guard !line.outputs.isEmpty else { return "linear" }
      return CSSLinear.text(line)
    case .named(let ease):
      if let bezier = ease.bezier { return Self.css(bezier) }
      // A tolerance in range and a curve whose jumps are within it: there is nothing to throw.
      return (try? CSSLinear(self))?.css ?? "linear"
    }
  }

  private static func css(_ curve: CubicBezier) -> String {
    let numbers = [curve.start.x, curve.start.y, curve.end.x, curve.end.y]
    return "cubic-bezier(\(numbers.map(NumberText.short).joined(separator: ", ")))"
  }
}

extension NamedEase {
  /// The Bézier curve that is this ease; nil for an ease that is more than one cubic in time.
  fileprivate var bezier: CubicBezier? {
    guard [.quad, .cubic, .back].contains(family), direction != .inOut, !isInverse else { return nil }
    // Where control points are a third of the time from the ends, the parameter is the time.
    return CubicBezier(
      UnitPoint(x: 1 / 3, y: velocity(at: 0) / 3), UnitPoint(x: 2 / 3, y: 1 - velocity(at: 1) / 3))
  }
}
