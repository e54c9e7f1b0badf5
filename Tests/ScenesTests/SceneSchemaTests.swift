// SPDX-License-Identifier: MIT
import Foundation
import ModalMotion
import Murmuration
import TestSupport
import Testing

@testable import Scenes

/// The published schema and the decoder say the same.
struct SceneSchemaTests {
  static let catalogue = packageRoot.appendingPathComponent("Sources/Murmuration/Murmuration.docc")

  func validator() throws -> SchemaValidator {
    let url = Self.catalogue.appendingPathComponent("Resources/scene.schema.json")
    return SchemaValidator(root: try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url)))
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  /// The JSON values of all scenes: the built-in ones, the one of the decoding tests, and the article's.
  private func scenes() throws -> [String] {
    let page = Self.catalogue.appendingPathComponent("Articles/SceneFiles.md")
    let article = try String(contentsOf: page, encoding: .utf8)
    let examples = article.components(separatedBy: "```json\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    return BuiltInScene.all.map(\.json) + [
      SceneDecodingTests.small, sceneText("networks"), sceneText("timelines"), sceneText("releases"),
      sceneText("phases"), sceneText("animations"),
    ] + examples
  }

  @Test func theSchemaAcceptsWhatTheDecoderAccepts() throws {
    let validator = try validator()
    let scenes = try scenes()
    #expect(scenes.count >= 6)
    for text in scenes {
      #expect(throws: Never.self) { try SceneSource.decode(Array(text.utf8)) }
      #expect(try validator.complaints(json(text)) == [])
    }
  }

  /// `{}` is `Spring()`, whose numbers the schema names.
  @Test func theSchemaTakesAnEmptySpringForTheDefaultOne() throws {
    let text = """
      {"murmuration": 1, "duration": 1, "groups": [{"count": 1, "spring": {}, "start": {"shape": "point"}}]}
      """
    #expect(try validator().complaints(json(text)) == [])
    guard case .springs(let group) = try SceneSource.decode(Array(text.utf8)).groups[0].motion else {
      return #expect(Bool(false), "no springs")
    }
    #expect(group.springs == .shared(.standard))
    let keys = try #require(try validator().definition("spring")["anyOf"]?.elements.last?["properties"])
    let duration = try #require(keys["duration"]?["default"]?.number)
    let bounce = try #require(keys["bounce"]?["default"]?.number)
    #expect(Spring(duration: duration, bounce: bounce) == Spring())
  }

  /// The keys that the decoder takes, by the schema's name of their object.
  static let keys: [(String, any (CaseIterable & CodingKey).Type)] = [
    ("scene", Scene.Key.self), ("group", SceneGroup.Key.self), ("springRanges", SpringRanges.Key.self),
    ("modifiedAnimation", AnimationDescription.Key.self), ("animatedEvent", AnimationGroup.Event.Key.self),
    ("layout", Layout.Key.self), ("event", SceneEvent.Key.self), ("waves", SceneEvent.Waves.Key.self),
    ("follow", Follow.Key.self), ("wander", Wander.Key.self), ("pointer", Pointer.Key.self),
    ("burst", ParticleBurst.Key.self), ("timeline", TimelineDescription.Key.self),
    ("stagger", StaggerDescription.Key.self),
    ("playback", PlaybackDescription.Key.self), ("grab", Grab.Key.self), ("release", Grab.Release.Key.self),
    ("phase", PhaseDescription.Key.self), ("trigger", SceneTrigger.Key.self),
    ("network", NetworkDescription.Key.self), ("damping", NetworkDescription.Damping.Key.self),
    ("gestures", Gestures.Key.self), ("density", Wander.Density.Key.self), ("sceneLook", SceneLook.Key.self),
    ("camera", CameraDescription.Key.self), ("background", BackgroundDescription.Key.self),
    ("groupLook", GroupLook.Key.self),
  ]

  @Test func theSchemaHasTheKeysOfTheDecoderAndNoOthers() throws {
    let validator = try validator()
    func compare<Key: CaseIterable & CodingKey>(_ name: String, _ keys: Key.Type) {
      guard case .object(let properties)? = validator.definition(name)["properties"] else {
        Issue.record("the schema has no \(name)")
        return
      }
      #expect(properties.keys.sorted() == Key.allCases.map(\.stringValue).sorted(), "\(name)")
      let isClosed = validator.definition(name)["additionalProperties"]?.bool == false
      #expect(isClosed, "\(name) takes any key")
    }
    for (name, keys) in Self.keys { compare(name, keys) }
    let marks = validator.definition("groupLook")["properties"]?["mark"]?["enum"]?.elements.compactMap(\.string)
    #expect(marks == GroupLook.Mark.allCases.map(\.rawValue))
    let shapes = validator.definition("layout")["properties"]?["shape"]?["enum"]?.elements.compactMap(\.string)
    #expect(shapes == Shape.allCases.map(\.rawValue))
    let places = validator.definition("place")["anyOf"]?.elements.first?["enum"]?.elements.compactMap(\.string)
    #expect(places == StaggerDescription.places.map(\.name))
    let network = validator.definition("network")["properties"]
    #expect(
      network?["form"]?["enum"]?.elements.compactMap(\.string) == NetworkDescription.Form.allCases.map(\.rawValue))
    #expect(
      network?["anchors"]?["enum"]?.elements.compactMap(\.string) == SpringNetwork.Anchors.allCases.map(\.rawValue))
  }

  /// Each number of a scene, put just beyond what the schema allows, is refused by the decoder as well: walked through
  /// the schema, so that neither can be changed alone.
  @Test(arguments: [
    (SceneDecodingTests.small, 80), (sceneText("timelines"), 60), (sceneText("releases"), 60),
    (sceneText("phases"), 40), (sceneText("animations"), 60),
  ])
  func numbersBeyondTheSchemaAreRefusedByTheDecoder(_ scene: String, _ least: Int) throws {
    let validator = try validator()
    let whole = try json(scene)
    var tried = 0
    for (path, value) in Self.numbers(in: whole, []) {
      for other in [value - 1e16, value + 1e16, value + 0.5, -1] {
        let changed = Self.replace(whole, path[...], with: other)
        guard !validator.complaints(changed).isEmpty else { continue }
        tried += 1
        let text = Self.text(changed)
        #expect(fileError { try SceneSource.decode(Array(text.utf8)) } != nil, "\(path) = \(other) was taken")
      }
    }
    #expect(tried > least)
  }

  // MARK: - Walking

  private enum Step { case key(String), index(Int) }

  private static func numbers(in value: JSONValue, _ path: [Step]) -> [([Step], Double)] {
    switch value {
    case .number(let number): [(path, number)]
    case .array(let elements): elements.enumerated().flatMap { numbers(in: $1, path + [.index($0)]) }
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { numbers(in: $0.value, path + [.key($0.key)]) }
    default: []
    }
  }

  private static func replace(_ value: JSONValue, _ path: ArraySlice<Step>, with number: Double) -> JSONValue {
    switch (path.first, value) {
    case (nil, _): return .number(number)
    case (.key(let key), .object(var members)):
      members[key] = members[key].map { replace($0, path.dropFirst(), with: number) }
      return .object(members)
    case (.index(let index), .array(var elements)):
      elements[index] = replace(elements[index], path.dropFirst(), with: number)
      return .array(elements)
    default: return value
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): "\(number)"
    case .string(let string): "\"\(string)\""
    case .array(let elements): "[" + elements.map(text).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { "\"\($0)\":\(text($1))" }.joined(separator: ",") + "}"
    }
  }
}

/// The article's table of keys names the keys that the decoder takes, with the defaults and the required keys of the schema.
struct SceneKeyTableTests {
  private struct Key: Equatable {
    let name: String
    var isRequired = false
    /// What stands in brackets after the key, if the bracket is about it alone.
    var fallback: String?
  }

  /// The schema's name of each object of the table; those of groups are read otherwise.
  private static let objects = [
    "scene": "scene", "spring": "spring", "springs": "springRanges", "animation": "modifiedAnimation",
    "event with springs": "event",
    "event with animation": "animatedEvent", "waves": "waves", "stagger": "stagger", "layout": "layout",
    "follow": "follow", "wander": "wander", "density": "density", "pointer": "pointer", "burst": "burst",
    "timeline": "timeline", "keyframe": "keyframe", "playback": "playback", "grab": "grab", "release": "release",
    "phase": "phase", "trigger": "trigger", "network": "network", "damping": "damping", "gestures": "gestures",
  ]

  /// The lines of the article after a line, up to an empty one.
  private func lines(after heading: String) throws -> [Substring] {
    let page = SceneSchemaTests.catalogue.appendingPathComponent("Articles/SceneFiles.md")
    let article = try String(contentsOf: page, encoding: .utf8)
    let text = try #require(article.components(separatedBy: "\n\(heading)\n").dropFirst().first)
    return text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
  }

  /// The rows of the table: its first cell without backticks, and the keys of the second one.
  private func rows() throws -> [(object: String, keys: [Key])] {
    try lines(after: "| object | keys |").dropFirst().map { line in
      let cells = line.components(separatedBy: " | ")
      return (String(cells[0].dropFirst(2)).replacing("`", with: ""), Self.keys(cells[1]))
    }
  }

  private static func keys(_ cell: String) -> [Key] {
    cell.components(separatedBy: ";").flatMap { item -> [Key] in
      item.matches(of: /(\*\*)?`(\w+)`(?:\*\*)?([^`]*)/).map { match in
        let fallback = match.3.firstMatch(of: /\((.+)\)/).map { String($0.1) }
        return Key(name: String(match.2), isRequired: match.1 != nil, fallback: fallback)
      }
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    if case .bool(let bool) = value { return "\(bool)" }
    return value.number.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } ?? value.string
  }

  @Test func theTableHasTheKeysOfTheReader() throws {
    let schema = try SceneSchemaTests().validator()
    var left = Set(SceneSchemaTests.keys.map(\.0)).union(["keyframe", "spring"])
      .subtracting(["group", "sceneLook", "camera", "background", "groupLook"])
    for (object, keys) in try rows() {
      guard let name = Self.objects[object] else { continue }
      left.remove(name)
      let definition = schema.definition(name)
      // A spring may be a name too; its keys are those of the other form.
      guard
        case .object(let properties)? = definition["properties"] ?? definition["anyOf"]?.elements.last?["properties"]
      else {
        Issue.record("the schema has no \(name)")
        continue
      }
      #expect(Set(keys.map(\.name)).sorted() == properties.keys.sorted(), "\(object)")
      if let known = SceneSchemaTests.keys.first(where: { $0.0 == name })?.1 {
        #expect(keys.map(\.name).sorted() == known.allCases.map { ($0 as! any CodingKey).stringValue }.sorted())
      }
      let required = definition["required"]?.elements.compactMap(\.string) ?? []
      #expect(keys.filter(\.isRequired).map(\.name).sorted() == required.sorted(), "\(object)")
      for key in keys {
        let property = properties[key.name] ?? .null
        let fallback = property["default"] ?? property["$ref"]?.string.flatMap { schema.definition($0)["default"] }
        guard let fallback = fallback.flatMap(Self.text) else { continue }
        #expect(key.fallback == fallback, "\(object).\(key.name)")
      }
    }
    #expect(left.isEmpty, "the table has no \(left.sorted())")
  }

  @Test func theTableHasTheKeysOfEachKindOfGroup() throws {
    let rows = try rows()
    let group = try #require(rows.first { $0.object == "group" }?.keys)
    let kinds: [SceneGroup.Key] = [.spring, .springs, .animation, .timelines, .phases, .network]
    let common: [SceneGroup.Key] = [.count, .name, .look] + kinds
    #expect(group.map(\.name).sorted() == common.map(\.stringValue).sorted())
    var all = Set(group.map(\.name))
    for (object, keys) in rows where object.hasPrefix("… with ") {
      let kind = try #require(SceneGroup.Key(stringValue: String(object.dropFirst(7).prefix { $0 != "," })))
      #expect(keys.map(\.name).sorted() == SceneGroup.companions(of: kind).map(\.stringValue).sorted(), "\(object)")
      all.formUnion(keys.map(\.name))
    }
    #expect(all.sorted() == SceneGroup.Key.allCases.map(\.stringValue).sorted())
  }

  @Test func theListsOfLooksHaveTheKeysOfLooks() throws {
    func names(_ heading: String) throws -> [String] {
      try lines(after: "\(heading)\n").filter { $0.hasPrefix("- ") }.compactMap { Self.keys(String($0)).first?.name }
    }
    let scene = try names("The look of a scene has these keys:")
    #expect(scene.sorted() == SceneLook.Key.allCases.map(\.stringValue).sorted())
    let group = try names("The look of a group:")
    #expect(group.sorted() == GroupLook.Key.allCases.map(\.stringValue).sorted())
  }
}
