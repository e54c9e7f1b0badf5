// SPDX-License-Identifier: MIT

extension Layout {
  /// The offsets of the tracks of group `index`: component-major.
  package func offsets(count: Int, index: Int, scene: Scene) -> [Float] {
    points(
      count: count, dimensions: scene.dimensions, random: SceneRandom(seed: scene.seed, purpose: .offsets, group: index)
    )
  }
}
