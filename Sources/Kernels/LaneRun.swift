// SPDX-License-Identifier: MIT

/// Consecutive tiles to evaluate.
public struct LaneRun: Sendable, Equatable {
  /// First lane, a multiple of ``laneCountOfTile``.
  public var firstLane: Int
  /// Lanes, a multiple of ``laneCountOfTile``.
  public var laneCount: Int
  /// Whether results are stored past the caches.
  public var bypassesCache: Bool

  public init(firstLane: Int, laneCount: Int, bypassesCache: Bool = false) {
    self.firstLane = firstLane
    self.laneCount = laneCount
    self.bypassesCache = bypassesCache
  }

  /// Frames that touch more bytes than this store past the caches: an ordinary store first reads the line that it is
  /// about to overwrite. Measured with the loop of a cohort in C, on a Zen 5 core with 1 MiB of L2; ns a track, ordinary
  /// and past the caches: 10 000 tracks 0.094 and 0.103, 100 000 tracks 0.144 and 0.110, a million 0.14 to 0.31 and 0.145.
  public static let cacheBypassBytes = 1 << 20
}
