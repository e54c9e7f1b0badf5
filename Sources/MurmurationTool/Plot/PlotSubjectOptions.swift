// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Scenes
import Text

/// The subjects to draw: by themselves, or after options that name their kind.
struct PlotSubjectOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A spring, a curve, an animation, a request file (- for standard input), or a scene.", valueName: "subject"),
    completion: .file())
  var subjects: [String] = []

  /// The earlier way to name a scene.
  @Option(name: .customLong("scene"), help: .hidden)
  var oldScene: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A spring: smooth, snappy, bouncy, key=value pairs, or JSON; may be given several times.",
      discussion: "A name for the legend may stand before it: \"flattened:bounce=-0.4\".", valueName: "spring"))
  var spring: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An animation: the name of a spring or curve, key=value pairs, or JSON; may be given several times.",
      discussion:
        "Keys: curve and duration, or spring; repeats, autoreverses, speed, delay. A name may stand before it.",
      valueName: "animation"))
  var animation: [String] = []

  @Option(
    help: ArgumentHelp(
      "A unit curve: a name, an easing function of CSS, or JSON; may be given several times.", valueName: "curve"))
  var curve: [String] = []

  @Option(parsing: .unconditional, help: "Where springs and animations start; 0 without it.")
  var from: Double?
  @Option(parsing: .unconditional, help: "Where they go; 1 without it.")
  var target: Double?
  @Option(parsing: .unconditional, help: "Their velocity at the start, in units per second; 0 without it.")
  var velocity: Double?

  /// Whether nothing is named.
  var areMissing: Bool {
    subjects.isEmpty && oldScene == nil && spring.isEmpty && animation.isEmpty && curve.isEmpty
  }

  /// The file of a run of `murmuration bench`, if it is the only subject.
  func bench() throws(FileError) -> String? {
    guard let file = subjects.first, subjects.count == 1, oldScene == nil, spring.isEmpty, animation.isEmpty,
      curve.isEmpty, try Kind(file) == .bench
    else { return nil }
    return file
  }

  /// The scenes, and the other subjects in this order: subjects by themselves, springs, animations, curves.
  func read() throws -> (scenes: [String], others: [PlotSubject]) {
    var scenes = oldScene.map { [$0] } ?? []
    var others: [PlotSubject] = []
    var hasEnds = !spring.isEmpty || !animation.isEmpty
    for text in subjects {
      switch try Kind(text) {
      case .scene: scenes.append(text)
      case .requests: others += try Self.requests(text)
      case .bench: throw ValidationError("a run of murmuration bench is drawn alone")
      case .curve: others.append(try Self.curve(text))
      case .spring: others.append(try Self.spring(text, motion: motion))
      case .animation: others.append(try animation(text, option: ""))
      }
      if case .animation = others.last?.motion { hasEnds = true }
      if case .spring = others.last?.motion { hasEnds = true }
    }
    others += try spring.map { try Self.spring($0, option: "--spring ", motion: motion) }
    others += try animation.map { try animation($0, option: "--animation ") }
    if velocity != nil, others.contains(where: { if case .animation = $0.motion { true } else { false } }) {
      throw ValidationError("--velocity goes with springs only")
    }
    if !hasEnds, from != nil || target != nil || velocity != nil {
      throw ValidationError("--from, --target and --velocity go with springs and animations")
    }
    return (scenes, try others + curve.map { try Self.curve($0, option: "--curve ") })
  }

  /// The kind of a subject that is given without an option.
  enum Kind: Equatable {
    case scene, requests, bench, spring, curve, animation

    /// The kind of a subject: by its form if it is JSON or has pairs, else by the names that are known, else by its file.
    ///
    /// - Throws: `FileError` with the nearest name if there is no such subject.
    init(_ text: String) throws(FileError) {
      let json = PlotSubjectOptions.parts(of: text).json
      let isFile = PathKind(path: text) == .regular
      // A name for the legend may stand before that of a spring.
      let name = isFile ? text : String(text[(text.firstIndex(of: ":").map(text.index(after:)) ?? text.startIndex)...])
      if json.hasPrefix("{"), !isFile {
        let isAnimation = ["curve", "spring", "repeats", "autoreverses", "speed", "delay"].contains { key in
          json.contains("\"\(key)\"")
        }
        let isCurve = ["bezier", "steps", "linear"].contains { json.contains("\"\($0)\"") }
        self = isAnimation ? .animation : isCurve ? .curve : .spring
      } else if text == FileBytes.standardInputName {
        self = .requests
      } else if SpringDescription(named: name) != nil {
        self = .spring
      } else if (try? CurveDescription(text)) != nil || text.contains("(") && !isFile {
        self = .curve
      } else if isFile, BuiltInScene.named(text) == nil {
        let bytes = try FileBytes.read(text, limit: FileBytes.recordingLimit)
        self =
          switch FileKind(bytes) {
          case .requests: .requests
          case .bench: .bench
          default: .scene
          }
      } else if text.contains(".") || text.contains("/") || SceneSource.names.meant(by: text) != nil {
        self = .scene
      } else {
        let curves = CurveDescription.names
        let scenes = BuiltInScene.all.map(\.name)
        let known = KnownNames(SpringDescription.names + curves + scenes)
        throw FileError(
          place: text.printable,
          "there is no such file, spring (\(SpringDescription.names.joined(separator: ", "))), curve "
            + "(\(curves.joined(separator: ", "))) or scene (\(scenes.joined(separator: ", ")))"
            + known.suggestion(for: text))
      }
    }
  }

  private static func requests(_ file: String) throws -> [PlotSubject] {
    let document: SampleDocument = try RequestFile.read(file, limit: SampleCommand.sizeLimit)
    return try document.requests.enumerated().map { index, request in
      switch request {
      case .success(let request): return PlotSubject(request)
      case .failure(let error):
        let place = (document.isArray ? "[\(index)]" : "") + (error.place.isEmpty ? "" : ".\(error.place)")
        throw FileError(file: RequestFile.name(file), place: document.isArray ? place : error.place, error.reason)
      }
    }
  }

  private func animation(_ text: String, option: String) throws -> PlotSubject {
    let (label, json) = Self.parts(of: text)
    let animation: AnimationDescription = try Self.decode(json, place: option + text.printable)
    let ends = try motion(.standard)
    return PlotSubject(
      name: label ?? animation.summary(\.summary),
      motion: .animation(animation, from: ends.from, target: ends.target))
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

  // MARK: - Texts

  private static func spring(
    _ text: String, option: String = "", motion: (SpringDescription) throws -> SpringSample
  ) throws -> PlotSubject {
    let (label, json) = parts(of: text)
    let spring: SpringDescription = try decode(json, place: option + text.printable)
    return PlotSubject(name: label ?? spring.summary, motion: .spring(try motion(spring)))
  }

  /// The name before a colon, or nil without one, and the rest as JSON.
  private static func parts(of text: String) -> (label: String?, json: String) {
    guard !text.hasPrefix("{"), let colon = text.firstIndex(of: ":") else { return (nil, SpringText.json(text)) }
    return (String(text[..<colon]), SpringText.json(String(text[text.index(after: colon)...])))
  }

  private static func curve(_ text: String, option: String = "") throws -> PlotSubject {
    let json = text.hasPrefix("{") ? text : NumberText.jsonString(text)
    let curve: CurveDescription = try decode(json, place: option + text.printable)
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
    // Commas between parentheses belong to a function of CSS.
    var depth = 0
    let parts = text.split(omittingEmptySubsequences: false) { letter in
      depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
      return letter == "," && depth <= 0
    }
    let pairs = parts.map { pair in
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
