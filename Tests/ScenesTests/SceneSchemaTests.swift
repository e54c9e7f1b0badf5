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
      SceneDecodingTests.small, NetworkSceneTests.small, TimelineSceneTests.small, ReleaseSceneTests.small,
      PhaseSceneTests.small, AnimationSceneTests.small,
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
    (SceneDecodingTests.small, 80), (TimelineSceneTests.small, 60), (ReleaseSceneTests.small, 60),
    (PhaseSceneTests.small, 40), (AnimationSceneTests.small, 60),
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
