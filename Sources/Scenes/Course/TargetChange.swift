// SPDX-License-Identifier: MIT
import Murmuration

/// Which tracks of a group get new targets.
enum TrackSubset: Equatable {
  /// All tracks.
  case all
  /// Tracks of neighbouring numbers.
  case range(Range<Int>)
  /// Track `first`, and each `step`-th after it.
  case strided(first: Int, step: Int)

  /// The numbers of the tracks, ascending.
  func indices(of count: Int) -> [Int] {
    switch self {
    case .all: Array(0..<count)
    case .range(let range): Array(range)
    case .strided(let first, let step): Array(stride(from: first, to: count, by: step))
    }
  }

  /// The place of `track` among the tracks, or nil when it is not one of them.
  func position(of track: Int) -> Int? {
    switch self {
    case .all: return track
    case .range(let range): return range.contains(track) ? track - range.lowerBound : nil
    case .strided(let first, let step):
      return track >= first && (track - first).isMultiple(of: step) ? (track - first) / step : nil
    }
  }

  /// The number of tracks out of `count`.
  func size(of count: Int) -> Int {
    switch self {
    case .all: count
    case .range(let range): range.count
    case .strided(let first, let step): first < count ? (count - first + step - 1) / step : 0
    }
  }
}

/// New targets for some tracks of a group at one moment.
struct TargetChange {
  /// When, in seconds.
  var time: Double
  /// Who.
  var tracks: TrackSubset
  /// Where to: component-major over the subset (all x, then all y, …).
  var targets: [Float]
  /// With which springs, in the order of the subset; nil: tracks keep theirs.
  var springs: DrawnSprings?
}
