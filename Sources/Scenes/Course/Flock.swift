// SPDX-License-Identifier: MIT

/// Tracks that get new targets together.
package struct Flock {
  /// The indices of the tracks in the group.
  package private(set) var tracks: [Int] = []
  /// The targets: component-major over the tracks.
  package private(set) var targets: [Float] = []

  /// A flock without tracks.
  package init() {}

  /// Tracks, with the target that `target` returns for each track and component.
  package init(_ tracks: [Int], dimensions: Int, target: (Int, Int) -> Float) {
    self.tracks = tracks
    targets.reserveCapacity(tracks.count * dimensions)
    for component in 0..<dimensions {
      for track in tracks { targets.append(target(track, component)) }
    }
  }
}
