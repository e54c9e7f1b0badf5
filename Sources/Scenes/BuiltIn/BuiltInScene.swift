// SPDX-License-Identifier: MIT
package import Formats

/// A scene that comes with the tool, written as a scene file would be.
package struct BuiltInScene: Sendable {
  /// The name by which it is played.
  package let name: String
  /// The text of its scene file.
  package let json: String

  /// All built-in scenes, in the order in which they are listed.
  package static let all: [BuiltInScene] = [
    BuiltInScene(name: "shapes", json: shapes),
    BuiltInScene(name: "hearts", json: hearts),
    BuiltInScene(name: "murmuration", json: murmuration),
    BuiltInScene(name: "burst", json: burst),
    BuiltInScene(name: "meadow", json: meadow),
    BuiltInScene(name: "cloths", json: cloths),
    BuiltInScene(name: "camera-tour", json: cameraTour),
    BuiltInScene(name: "phases", json: phases),
    BuiltInScene(name: "tweens", json: tweens),
  ]

  /// The built-in scene called `name`, or nil.
  package static func named(_ name: String) -> BuiltInScene? { all.first { $0.name == name } }

  /// The scene.
  package func scene() throws(FileError) -> Scene {
    do { return try SceneSource.decode(Array(json.utf8)) } catch { throw error.inFile(name) }
  }
}
