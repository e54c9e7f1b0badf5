// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Scenes

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
