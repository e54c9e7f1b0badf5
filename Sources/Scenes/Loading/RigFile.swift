// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Text

/// The animations of a glTF file as groups of a scene, and the labels of a track's values.
///
/// A track has a value for each component that any of the animations moves, so that all groups have the same columns.
/// The values that an animation does not move are absent in its group.
package struct RigFile: Sendable {
  /// The animations.
  package let parts: [GLTFScene.Part]
  /// The label of each value of a track: `Hip.rotation.x`.
  package let labels: [String]
  /// For each animation, the index, among a track's values, of each dimension of its clip.
  package let columns: [[Int]]
  /// The file.
  let document: GLTFDocument
  /// The nodes of the file, for pictures.
  let skeleton: Skeleton

  /// A property of a node of the file, or what a pointer leads to.
  private struct Property: Hashable {
    var node: Int
    var path: GLTFAnimation.Path
    var pointer = ""
    var component: Int
  }

  init(_ scene: GLTFScene) {
    var places: [Property: Int] = [:]
    var labels: [String] = []
    var columns: [[Int]] = []
    for part in scene.parts {
      var dimension = 0
      var own: [Int] = []
      for channel in part.animation.channels {
        for component in 0..<channel.sampler.width {
          let property = Property(
            node: channel.node, path: channel.path, pointer: channel.pointer, component: component)
          let place = places[property] ?? labels.count
          if place == labels.count {
            places[property] = place
            labels.append(part.labels[dimension])
          }
          own.append(place)
          dimension += 1
        }
      }
      columns.append(own)
    }
    (parts, document) = (scene.parts, scene.document)
    self.labels = labels
    self.columns = columns
    skeleton = Skeleton(document.nodes, width: labels.count) { node, path, component in
      places[Property(node: node, path: path, component: component)]
    }
  }
}

extension RigFile {
  /// The instances of all animations together, unless there are more animations or they have too many values.
  static let instances = 1000
  /// The shortest and the longest scene that is made of a file, in seconds; more frames can be asked for.
  static let durations = 1.0...600

  /// The most columns of all groups together.
  static let columnLimit = 1 << 22

  /// A scene in which each animation is a group, and which lasts as long as the longest of them. Its names hold no control
  /// characters, as those of a scene file.
  func scene(name: String) throws(FileError) -> Scene {
    guard parts.count <= SceneLimits.groups else {
      throw FileError("holds \(parts.count) animations; \(SceneLimits.groups) is the limit")
    }
    guard parts.count * labels.count <= RigFile.columnLimit else {
      throw FileError("moves \(labels.count) components in \(parts.count) animations, which is too much for a frame")
    }
    let longest = parts.reduce(0) { max($0, $1.clip.duration) }
    let groups = parts.indices.map { index in
      SceneGroup(name: parts[index].name.withoutControls, count: 1, motion: .rigs(RigGroup(part: index)))
    }
    var scene = Scene(
      name: name, description: "Instances of \(parts.count) animations of a glTF file.",
      duration: min(max(longest, RigFile.durations.lowerBound), RigFile.durations.upperBound), groups: groups)
    scene.dimensions = labels.count
    scene.components = labels.map(\.withoutControls)
    return scene
  }
}
