// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Scenes
import Text

/// The options that say what to draw.
struct PlotSubjectOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A spring: smooth, snappy, bouncy, key=value pairs, or JSON; may be given several times.",
      discussion: "A name for the legend may stand before it: \"flattened:bounce=-0.4\".", valueName: "spring"))
  var spring: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An animation: key=value pairs, or JSON; may be given several times.",
      discussion:
        "Keys: curve and duration, or spring; repeats, autoreverses, speed, delay. A name may stand before it.",
      valueName: "animation"))
  var animation: [String] = []

  @Option(help: ArgumentHelp("A unit curve: a name or JSON; may be given several times.", valueName: "curve"))
  var curve: [String] = []

  @Option(parsing: .unconditional, help: "Perceptual duration of one more spring, in seconds.")
  var duration: Double?
  @Option(parsing: .unconditional, help: "Its bounce, in (−1, 1].")
  var bounce: Double?
  @Option(parsing: .unconditional, help: "Its response, in seconds (with --damping-ratio).")
  var response: Double?
  @Option(parsing: .unconditional, help: "Its damping ratio (with --response or --settling-duration).")
  var dampingRatio: Double?
  @Option(parsing: .unconditional, help: "Its mass (with --stiffness and --damping).")
  var mass: Double?
  @Option(parsing: .unconditional, help: "Its stiffness.")
  var stiffness: Double?
  @Option(parsing: .unconditional, help: "Its damping coefficient.")
  var damping: Double?
  @Flag(help: "Let it be overdamped (with --stiffness and --damping).")
  var allowOverDamping = false
  @Option(parsing: .unconditional, help: "Its settling duration, in seconds (with --damping-ratio).")
  var settlingDuration: Double?

  @Option(parsing: .unconditional, help: "Where springs and animations given by options start; 0 without it.")
  var from: Double?
  @Option(parsing: .unconditional, help: "Where they go; 1 without it.")
  var target: Double?
  @Option(parsing: .unconditional, help: "Their velocity at the start, in units per second; 0 without it.")
  var velocity: Double?

  /// The subjects in this order: springs, the spring of single options, animations, curves.
  func read() throws -> [PlotSubject] {
    var subjects = try spring.map { try Self.spring($0, motion: motion) }
    if let single = try singleSpring() {
      subjects.append(PlotSubject(name: single.summary, motion: .spring(try motion(single))))
    }
    for text in animation {
      let (label, json) = Self.parts(of: text)
      let animation: AnimationDescription = try Self.decode(json, place: "--animation \(text.printable)")
      let ends = try motion(.standard)
      subjects.append(
        PlotSubject(
          name: label ?? animation.summary(\.summary),
          motion: .animation(animation, from: ends.from, target: ends.target)))
    }
    if velocity != nil, !animation.isEmpty { throw ValidationError("--velocity goes with springs only") }
    if subjects.isEmpty, from != nil || target != nil || velocity != nil {
      throw ValidationError("--from, --target and --velocity go with --spring, --duration or --animation")
    }
    return try subjects + curve.map(Self.curve)
  }

  private func motion(_ spring: SpringDescription) throws -> SpringSample {
    var sample = SpringSample(spring: spring)
    sample.from = try Self.number(from, "--from") ?? sample.from
    sample.target = try Self.number(target, "--target") ?? sample.target
    sample.velocity = try Self.number(velocity, "--velocity") ?? sample.velocity
    return sample
  }

  private static func number(_ number: Double?, _ option: String) throws -> Double? {
    guard let number else { return nil }
    if let complaint = NumberRule.value.complaint(about: number) { throw FileError(place: option, complaint) }
    return number
  }

  private func singleSpring() throws -> SpringDescription? {
    let numbers: [(option: String, key: String, value: Double?)] = [
      ("--duration", "duration", duration), ("--bounce", "bounce", bounce), ("--response", "response", response),
      ("--damping-ratio", "dampingRatio", dampingRatio), ("--mass", "mass", mass),
      ("--stiffness", "stiffness", stiffness), ("--damping", "damping", damping),
      ("--settling-duration", "settlingDuration", settlingDuration),
    ]
    var pairs: [String] = []
    for (option, key, value) in numbers {
      guard let value else { continue }
      if let complaint = NumberRule.finite.complaint(about: value) { throw FileError(place: option, complaint) }
      pairs.append("\"\(key)\": \(NumberText.json(value))")
    }
    if allowOverDamping { pairs.append("\"allowOverDamping\": true") }
    return pairs.isEmpty ? nil : try Self.decode("{\(pairs.joined(separator: ", "))}", place: "")
  }

  // MARK: - Texts

  private static func spring(
    _ text: String, motion: (SpringDescription) throws -> SpringSample
  ) throws -> PlotSubject {
    let (label, json) = parts(of: text)
    let spring: SpringDescription = try decode(json, place: "--spring \(text.printable)")
    return PlotSubject(name: label ?? spring.summary, motion: .spring(try motion(spring)))
  }

  /// The name before a colon, or nil without one, and the rest as JSON.
  private static func parts(of text: String) -> (label: String?, json: String) {
    guard !text.hasPrefix("{"), let colon = text.firstIndex(of: ":") else { return (nil, SpringText.json(text)) }
    return (String(text[..<colon]), SpringText.json(String(text[text.index(after: colon)...])))
  }

  private static func curve(_ text: String) throws -> PlotSubject {
    let json = text.hasPrefix("{") ? text : NumberText.jsonString(text)
    let curve: CurveDescription = try decode(json, place: "--curve \(text.printable)")
    return PlotSubject(name: curve.summary, motion: .curve(curve))
  }

  private static func decode<T: Decodable>(_ json: String, place: String) throws(FileError) -> T {
    do {
      return try JSONDocument.decode(from: Array(json.utf8))
    } catch {
      throw FileError(place: place, error.description)
    }
  }
}

/// A spring on a command line: a name, `key=value` pairs with commas between, or JSON.
enum SpringText {
  /// The spring in JSON. The JSON reader refuses text that makes no sense.
  static func json(_ text: String) -> String {
    if text.hasPrefix("{") { return text }
    guard text.contains("=") else { return NumberText.jsonString(text) }
    let pairs = text.split(separator: ",", omittingEmptySubsequences: false).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = sides.count == 2 ? sides[1] : ""
      let isPlain = value == "true" || value == "false" || Double(value)?.isFinite == true
      return NumberText.jsonString(sides[0]) + ": " + (isPlain ? plainNumber(value) : NumberText.jsonString(value))
    }
    return "{" + pairs.joined(separator: ", ") + "}"
  }

  private static func plainNumber(_ text: String) -> String {
    Double(text).map(NumberText.json) ?? text
  }
}
