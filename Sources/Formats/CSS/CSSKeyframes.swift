// SPDX-License-Identifier: MIT
public import Murmuration
import Text

/// A clip as keyframes of CSS: an `@keyframes` rule for each dimension, and a rule that plays them together.
///
/// Each piece of the clip becomes a pair of keyframes with the `cubic-bezier()` that is the same cubic: its control points
/// stand at a third and two thirds of the time, so that progress in time is the parameter of the curve. A piece that comes
/// back to where it began is cut in two.
public struct CSSKeyframes: Sendable, Equatable {
  /// A property of CSS that a dimension of a clip gives values to.
  public struct Property: Sendable, Equatable {
    /// The name: `opacity`, `scale`, or a name of your own that begins with two hyphens; then it is registered with
    /// `@property`.
    public var name: String
    /// What follows each number: empty, `px`, `em`, `rem`, `vw`, `vh`, `%`, `deg`, `rad` or `turn`.
    public var unit: String
    /// The dimension of the clip.
    public var dimension: Int

    /// A property and its dimension.
    public init(_ name: String, unit: String = "", dimension: Int) {
      (self.name, self.unit, self.dimension) = (name, unit, dimension)
    }
  }

  /// The rules, with a line for each keyframe.
  public let css: String

  /// The syntax that `@property` needs for each unit; nil where its initial value would depend on the element.
  private static let units: [String: String?] = [
    "": "<number>", "px": "<length>", "%": "<percentage>", "deg": "<angle>", "rad": "<angle>", "turn": "<angle>",
    "em": nil, "rem": nil, "vw": nil, "vh": nil,
  ]

  /// The percentage between the last keyframe before a jump and the one at it.
  private static let gap = 1e-4

  /// The keyframes of a clip.
  /// - Parameters:
  ///   - clip: The clip; its time is the time of the animation.
  ///   - name: The class of the elements that play the clip, and the start of the rules' names.
  ///   - properties: A property for each dimension that is written.
  /// - Throws: ``FileError`` for a name that is no identifier, another unit, a dimension that the clip lacks, a property that
  ///   is named twice, and a clip without a duration.
  /// - Complexity: O(n) in the number of pieces.
  public init(_ clip: Clip, name: String, properties: [Property]) throws(FileError) {
    try Self.checkName(name)
    guard clip.duration > 0 else { throw FileError("the clip has no duration") }
    guard !properties.isEmpty else { throw FileError("no property is named") }
    var text = ""
    var plays: [String] = []
    var (taken, rules) = (Set<String>(), Set<String>())
    let sources = ClipCubics.sources(of: clip)
    for property in properties {
      try Self.checkName(property.name)
      guard Self.units[property.unit] != nil else {
        throw FileError(place: property.name, "“\(property.unit.printable)” is no unit that is written")
      }
      guard (0..<clip.dimensions).contains(property.dimension) else {
        throw FileError(
          place: property.name,
          "the clip has dimensions 0 to \(clip.dimensions - 1), \(property.dimension) is asked for")
      }
      guard taken.insert(property.name).inserted else { throw FileError(place: property.name, "is named twice") }
      let stops = Self.stops(of: clip, dimension: property.dimension, sources)
      text += Self.registration(of: property, value: stops[0].value)
      // `scale` and `--scale` have one name without their hyphens.
      var rule = Self.ruleName(name, property)
      while !rules.insert(rule).inserted { rule += "_" }
      text += Self.rule(rule, property, stops)
      plays.append("\(rule) \(NumberText.short(clip.duration))s linear both")
    }
    css = text + ".\(name) { animation: \(plays.joined(separator: ", ")); }\n"
  }

  /// The name of the keyframes of a property.
  static func ruleName(_ name: String, _ property: Property) -> String { "\(name)-\(property.name.drop { $0 == "-" })" }

  /// The `@property` of a name of its own, without which it would jump; empty for a property of CSS.
  static func registration(of property: Property, value: Double) -> String {
    guard property.name.hasPrefix("--"), case .some(.some(let syntax)) = units[property.unit] else { return "" }
    let text = "\(NumberText.short(value))\(property.unit)"
    return "@property \(property.name) { syntax: \"\(syntax)\"; inherits: true; initial-value: \(text); }\n"
  }

  /// The rule of the keyframes, a line for each.
  static func rule(_ name: String, _ property: Property, _ stops: [Stop]) -> String {
    let lines = stops.map { stop in
      let easing = stop.easing.map { " animation-timing-function: \($0);" } ?? ""
      return "  \(stop.percent)% { \(property.name): \(NumberText.short(stop.value))\(property.unit);\(easing) }\n"
    }
    return "@keyframes \(name) {\n\(lines.joined())}\n"
  }

  /// Names are letters, digits, hyphens and underscores, and begin with a letter, an underscore or two hyphens.
  static func checkName(_ name: String) throws(FileError) {
    let start = name.hasPrefix("--") ? name.dropFirst(2) : name[...]
    let isName =
      start.first.map { $0.isLetter || $0 == "_" } == true
      && name.utf8.count <= 200 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    guard isName else { throw FileError("“\(name.printable)” is no name: letters, digits, - and _ make one") }
  }

  // MARK: - Keyframes

  /// A keyframe; without an easing the animation's holds, which is linear.
  struct Stop {
    var percent: String
    var value: Double
    var easing: String?
  }

  static func stops(of clip: Clip, dimension: Int, _ sources: ClipCubics.Sources) -> [Stop] {
    var stops: [Stop] = []
    var lastPercent = -1.0
    func add(_ percent: Double, _ value: Double, _ easing: String?) {
      // A piece too short for the digits of a percentage does not show.
      if percent <= lastPercent { stops.removeLast() }
      stops.append(Stop(percent: NumberText.short(percent), value: value, easing: easing))
      lastPercent = percent
    }
    let segments = ClipCubics(clip, dimensions: [dimension], sources).segments
    let end = clip.value(dimension: dimension, at: .infinity)
    for (index, segment) in segments.enumerated() {
      let next = index + 1 < segments.count ? segments[index + 1].values.start[0] : end
      let (from, to) = (segment.start / clip.duration * 100, segment.end / clip.duration * 100)
      let piece = HermitePiece(
        start: segment.values.start[0], end: segment.values.end[0],
        leaving: segment.slopes.start[0] * (segment.end - segment.start),
        arriving: segment.slopes.end[0] * (segment.end - segment.start))
      let jumps = abs(piece.end - next) > 1e-9 * max(abs(piece.start), abs(piece.end), abs(next))
      if segment.isConstant {
        add(from, piece.start, jumps ? "step-end" : "linear")
        continue
      }
      let last = jumps ? max(to - gap, (from + to) / 2) : to
      for part in piece.parts(depth: segment.isStraight ? 0 : 12) {
        add(from + (last - from) * part.share, part.piece.start, segment.isStraight ? "linear" : part.piece.easing)
      }
      if jumps { add(last, piece.end, "step-end") }
    }
    add(100, end, nil)
    return stops
  }
}

/// A cubic from one value to another in a unit of time, with slopes per unit.
private struct HermitePiece {
  var start: Double
  var end: Double
  var leaving: Double
  var arriving: Double

  /// The `cubic-bezier()` of the way from the start to the end.
  var easing: String {
    guard end != start else { return "linear" }
    let first = leaving / 3 / (end - start)
    let second = 1 - arriving / 3 / (end - start)
    return "cubic-bezier(0.3333333333, \(NumberText.short(first)), 0.6666666667, \(NumberText.short(second)))"
  }

  /// This piece, or parts of it that end far enough from where they begin; each with the share at which it begins.
  func parts(depth: Int, from share: Double = 0, length: Double = 1) -> [(share: Double, piece: HermitePiece)] {
    guard depth > 0, abs(end - start) < 0.01 * max(abs(leaving), abs(arriving)) else { return [(share, self)] }
    let middle = (start + end) / 2 + (leaving - arriving) / 8
    let slope = 1.5 * (end - start) - (leaving + arriving) / 4
    let first = HermitePiece(start: start, end: middle, leaving: leaving / 2, arriving: slope / 2)
    let second = HermitePiece(start: middle, end: end, leaving: slope / 2, arriving: arriving / 2)
    return first.parts(depth: depth - 1, from: share, length: length / 2)
      + second.parts(depth: depth - 1, from: share + length / 2, length: length / 2)
  }
}
