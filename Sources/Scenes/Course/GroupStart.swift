// SPDX-License-Identifier: MIT
package import Formats
import Murmuration

/// The state in which the tracks of a spring group begin.
package struct GroupStart {
  /// The values, which are the first targets too: component-major.
  package var values: [Float]
  /// The velocity of every track, a number a dimension.
  package var velocity: [Float]
  /// The springs.
  package var springs: DrawnSprings

  /// Lays out group `index` of `scene`.
  package init(_ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?) {
    let dimensions = scene.dimensions
    let random = SceneRandom(seed: scene.seed, purpose: .start, group: index)
    if let start = group.start {
      values = start.points(count: count, dimensions: dimensions, random: random)
    } else if case .follow(let follow) = group.course, let recording {
      values = follow.targets(recording, frame: 0, count: count, dimensions: dimensions)
    } else {
      values = [Float](repeating: 0, count: count * dimensions)
    }
    velocity = group.velocity.map { Float($0) }
    springs = group.springs.drawn(count: count, seed: scene.seed, group: index, event: 0)
  }
}
