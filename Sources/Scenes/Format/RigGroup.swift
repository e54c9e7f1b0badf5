// SPDX-License-Identifier: MIT

/// Instances of one animation of a glTF file, each with a clock of its own: the group's tracks.
///
/// An instance begins somewhere in the animation and repeats it for ever. The ``PlayableScene`` has the file.
package struct RigGroup: Equatable, Sendable {
  /// The animation's index among the animations of the file that move nodes.
  package var part: Int

  /// The time of an animation at which each of `count` instances begins, drawn evenly from its duration.
  package static func offsets(count: Int, duration: Double, index: Int, seed: UInt64) -> [Double] {
    var random = SceneRandom(seed: seed, purpose: .stagger, group: index)
    return (0..<count).map { _ in random.number(in: 0...duration) }
  }
}
