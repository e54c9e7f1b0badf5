// SPDX-License-Identifier: MIT

/// Consecutive tiles to evaluate.
public struct LaneRun: Sendable, Equatable {
  /// First lane, a multiple of ``laneCountOfTile``.
  public var firstLane: Int
  /// Lanes, a multiple of ``laneCountOfTile``.
  public var laneCount: Int
  /// How results are stored.
  public var stores: Stores

  /// A way to store results.
  ///
  /// An ordinary store first reads the line that it is about to overwrite. Measured on a Zen 5 core with 1 MiB of second
  /// cache, ns a track of a cohort, ordinary, past the caches by lines and by halves of lines: 10 000 tracks 0.088, 0.103,
  /// 0.103; 100 000 tracks 0.144, 0.109, 0.101; ten million 0.33, 0.29, 0.30.
  public enum Stores: Sendable, Equatable {
    /// Through the caches.
    case ordinary
    /// Past the caches, by halves of lines where vectors are lines; of kernels that compute a lot by lines.
    case pastCachesByHalves
    /// Past the caches.
    case pastCaches

    /// The best way for a call that touches so many bytes.
    public init(touching bytes: Int) {
      self = bytes <= 1 << 20 ? .ordinary : bytes <= 1 << 24 ? .pastCachesByHalves : .pastCaches
    }
  }

  public init(firstLane: Int, laneCount: Int, stores: Stores = .ordinary) {
    self.firstLane = firstLane
    self.laneCount = laneCount
    self.stores = stores
  }
}
