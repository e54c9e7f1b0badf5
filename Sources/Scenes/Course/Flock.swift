// SPDX-License-Identifier: MIT

/// Tracks that get new targets together.
struct Flock {
  /// Their numbers in the group.
  private(set) var tracks: [Int] = []
  /// Where to: component-major over the tracks.
  private(set) var targets: [Float] = []

  /// A flock without tracks.
  init() {}

  /// Tracks and the targets that `target` gives for each of them and each component.
  init(_ tracks: [Int], dimensions: Int, target: (Int, Int) -> Float) {
    self.tracks = tracks
    targets.reserveCapacity(tracks.count * dimensions)
    for component in 0..<dimensions {
      for track in tracks { targets.append(target(track, component)) }
    }
  }
}
