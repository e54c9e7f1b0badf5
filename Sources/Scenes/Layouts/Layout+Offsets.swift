// SPDX-License-Identifier: MIT

extension Layout {
  /// What is added to the values of each track of group number `index`: component-major.
  func offsets(count: Int, index: Int, scene: Scene) -> [Float] {
    points(
      count: count, dimensions: scene.dimensions, random: SceneRandom(seed: scene.seed, purpose: .offsets, group: index)
    )
  }
}
