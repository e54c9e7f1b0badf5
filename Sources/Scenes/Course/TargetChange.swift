// SPDX-License-Identifier: MIT
import Murmuration

/// The tracks of a group that get new targets.
package enum TrackSubset: Equatable {
  /// All tracks.
  case all
  /// Tracks with neighbouring indices.
  case range(Range<Int>)
  /// Track `first`, and each `step`-th after it.
  case strided(first: Int, step: Int)

  /// The indices of the tracks, ascending.
  package func indices(of count: Int) -> [Int] {
    switch self {
    case .all: Array(0..<count)
    case .range(let range): Array(range)
    case .strided(let first, let step): Array(stride(from: first, to: count, by: step))
    }
  }

  /// The position of `track` among these tracks, or nil if it is not one of them.
  package func position(of track: Int) -> Int? {
    switch self {
    case .all: return track
    case .range(let range): return range.contains(track) ? track - range.lowerBound : nil
    case .strided(let first, let step):
      return track >= first && (track - first).isMultiple(of: step) ? (track - first) / step : nil
    }
  }

  /// The number of these tracks in a group of `count`.
  package func size(of count: Int) -> Int {
    switch self {
    case .all: count
    case .range(let range): range.count
    case .strided(let first, let step): first < count ? (count - first + step - 1) / step : 0
    }
  }
}

/// New targets for some tracks of a group at one moment.
package struct TargetChange {
  /// The time in seconds.
  package var time: Double
  /// The tracks.
  package var tracks: TrackSubset
  /// The targets: component-major over the tracks (all x, then all y, …).
  package var targets: [Float]
  /// The springs, in the order of the tracks; nil if tracks keep theirs.
  package var springs: DrawnSprings?
}
