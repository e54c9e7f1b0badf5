// SPDX-License-Identifier: MIT
package import Formats
import Text

/// A scene: groups of tracks, their motions, and a duration.
///
/// It holds the checked content of a scene file, before anything is laid out or loaded. The article on scene files
/// describes the format and, for programs, `scene.schema.json`.
package struct Scene: Equatable, Sendable, Decodable {
  /// The version of the format that this code reads and writes: the value of the key `murmuration`.
  package static let version = 1

  /// The scene's name; empty if the file gives no name.
  package var name: String
  /// A description of the scene, in a sentence or two.
  package var description: String
  /// The number of values that each track has: 1 to 4, or the number of components that the
  /// animations of a glTF file move.
  package var dimensions: Int
  /// The names of a track's values, for columns of tables: `x`, `y`, `z`, `w` unless the scene names them.
  package var components: [String]
  /// Frames per second of output.
  package var framesPerSecond: Double
  /// The scene's length in seconds.
  package var duration: Double
  /// The seed from which everything random in the scene is drawn.
  package var seed: UInt64
  /// The groups, whose tracks follow each other in a frame.
  package var groups: [SceneGroup]
  /// The camera, the background, the trails and the chosen moment of pictures.
  package var look = SceneLook()

  /// The number of tracks of all groups.
  package var trackCount: Int { groups.reduce(0) { $0 + $1.count } }

  /// The number of frames that fill the duration: frame f shows the moment f / `framesPerSecond`.
  package var frameCount: Int {
    // A recording of 524 frames of 0.0083333 s fills 262 frames at 60 a second; a rounding error must not add one.
    let exact = duration * framesPerSecond
    let whole = exact.rounded()
    return max(1, Int(abs(exact - whole) < 1e-6 * max(1, whole) ? whole : exact.rounded(.up)))
  }

  /// A scene put together in code, under the rules of a file.
  package init(
    name: String, description: String = "", dimensions: Int = 1, framesPerSecond: Double = 60, duration: Double,
    seed: UInt64 = 0, groups: [SceneGroup]
  ) {
    self.name = name
    self.description = description
    self.dimensions = dimensions
    components = Array(Scene.defaultComponents.prefix(dimensions))
    self.framesPerSecond = framesPerSecond
    self.duration = duration
    self.seed = seed
    self.groups = groups
  }

  static let defaultComponents = ["x", "y", "z", "w"]
}

// MARK: - Decoding

extension Scene {
  /// The keys of a scene.
  package enum Key: String, CodingKey, CaseIterable {
    case murmuration, name, description, dimensions, components, framesPerSecond, duration, seed, groups, look
  }

  /// Reads a scene, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    // The version comes first: the keys of another version are not mistakes in this one.
    try Scene.checkVersion(decoder)
    let fields = try StrictFields<Key>(decoder)
    name = try fields.text(.name) ?? ""
    description = try fields.text(.description, limit: 2000) ?? ""
    dimensions = fields.has(.dimensions) ? try fields.integer(.dimensions, in: 1...4) : 1
    components = try Scene.readComponents(fields, count: dimensions)
    framesPerSecond = try fields.number(.framesPerSecond, .frameRate, default: 60)
    duration = try fields.number(.duration, .period)
    // JSON's numbers are Doubles, which hold whole numbers up to 2⁵³ exactly.
    seed = fields.has(.seed) ? UInt64(try fields.integer(.seed, in: 0...(1 << 53) - 1)) : 0
    groups = try fields.value(.groups)
    look = try fields.optional(.look) ?? SceneLook()
    guard frameCount <= SceneLimits.frames else {
      throw fields.error(.duration, "makes \(frameCount) frames; the limit is \(SceneLimits.frames)")
    }
    guard !groups.isEmpty else { throw fields.error(.groups, "must hold a group") }
    guard groups.count <= SceneLimits.groups else {
      throw fields.error(.groups, "must hold at most \(SceneLimits.groups) groups, holds \(groups.count)")
    }
    try checkTracks(path: fields.path(.groups))
    try checkChanges(in: duration, path: fields.path(.groups))
  }

  private static func checkVersion(_ decoder: any Decoder) throws(DescriptionError) {
    guard let keys = try? decoder.container(keyedBy: Key.self) else {
      throw DescriptionError(at: decoder.codingPath, reason: "must be an object, is \(decoder.foundKind)")
    }
    guard keys.contains(.murmuration) else {
      throw DescriptionError(
        at: decoder.codingPath, Key.murmuration, reason: "is missing: not a scene (the format's version, \(version))")
    }
    guard let number = try? keys.decode(Double.self, forKey: .murmuration) else {
      throw DescriptionError(at: decoder.codingPath, Key.murmuration, reason: "must be the number \(version)")
    }
    guard number == Double(version) else {
      throw DescriptionError(
        at: decoder.codingPath, Key.murmuration,
        reason: "is version \(NumberText.short(number)) of the format; version \(version) is known")
    }
  }

  private static func readComponents(
    _ fields: StrictFields<Key>, count: Int
  ) throws(DescriptionError) -> [String] {
    guard let names: [String] = try fields.optional(.components) else {
      return Array(defaultComponents.prefix(count))
    }
    guard names.count == count else {
      throw fields.error(.components, "must hold \(count) names, one a dimension, holds \(names.count)")
    }
    for (index, name) in names.enumerated() {
      let isPlain = !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "_" }
      guard isPlain, name.unicodeScalars.count <= 40 else {
        throw DescriptionError(
          path: fields.path(.components) + [.index(index)], reason: "must be a word of at most 40 letters")
      }
    }
    return names
  }

  /// Checks what the groups must have in common with the scene.
  private func checkTracks(path: [DescriptionError.Step]) throws(DescriptionError) {
    var tracks = 0
    for (index, group) in groups.enumerated() {
      tracks += group.count
      guard tracks <= SceneLimits.tracks else {
        let memory = SceneLimits.memory(tracks: SceneLimits.tracks, dimensions: dimensions)
        throw DescriptionError(
          path: path + [.index(index), .key("count")],
          reason: "makes more than \(SceneLimits.tracks) tracks, the limit (about \(memory))")
      }
      try group.check(dimensions: dimensions, path: path + [.index(index)])
      try group.look.check(
        components: components, count: group.count, path: path + [.index(index), .key("look")])
    }
  }
}

extension Scene {
  /// Checks that a run of `seconds` has at most `SceneLimits.changes` changes of targets; `path` leads to the groups.
  func checkChanges(in seconds: Double, path: [DescriptionError.Step]) throws(DescriptionError) {
    for (index, group) in groups.enumerated() {
      let changes =
        switch group.motion {
        case .springs(let springs): springs.changes(in: seconds)
        case .animations(let animations): Double(animations.events.count)
        case .networks(let networks): networks.changes(in: seconds, count: group.count)
        case .timelines(let timelines): timelines.changes
        case .phases(let phases): phases.changes(in: seconds)
        case .rigs: 0.0
        }
      guard changes <= Double(SceneLimits.changes) else {
        throw DescriptionError(
          path: path + [.index(index)],
          reason: "changes targets \(NumberText.short(changes.rounded())) times in \(NumberText.short(seconds)) s; "
            + "the limit is \(SceneLimits.changes)")
      }
    }
  }
}

extension StrictFields {
  /// The text under a key, or nil if the key is missing; control characters and more than `limit` scalars are refused.
  func text(_ key: Key, limit: Int = SceneLimits.name) throws(DescriptionError) -> String? {
    guard let text: String = try optional(key) else { return nil }
    guard text.unicodeScalars.count <= limit else {
      throw error(key, "must be at most \(limit) characters, is \(text.unicodeScalars.count)")
    }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw error(key, "must hold no control characters")
    }
    return text
  }
}
