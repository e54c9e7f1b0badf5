// SPDX-License-Identifier: MIT

/// Consecutive tiles to evaluate, and which of their lanes.
public struct LaneRun: Sendable, Equatable {
  /// First lane, a multiple of ``laneCountOfTile``.
  public var firstLane: Int
  /// Lanes, a multiple of ``laneCountOfTile``.
  public var laneCount: Int
  /// Write only the lanes of this group; nil: every lane, as all of them belong to it.
  public var onlyGroup: Int32?
  /// Whether results are stored past the caches; runs of one group only never are.
  public var bypassesCache: Bool

  public init(firstLane: Int, laneCount: Int, onlyGroup: Int32? = nil, bypassesCache: Bool = false) {
    self.firstLane = firstLane
    self.laneCount = laneCount
    self.onlyGroup = onlyGroup
    self.bypassesCache = bypassesCache
  }

  /// Frames that touch more bytes than this store past the caches: an ordinary store first reads the line that it is
  /// about to overwrite. Measured with the loop of a cohort in C, on a Zen 5 core with 1 MiB of L2; ns a track, ordinary
  /// and past the caches: 10 000 tracks 0.094 and 0.103, 100 000 tracks 0.144 and 0.110, a million 0.14 to 0.31 and 0.145.
  public static let cacheBypassBytes = 1 << 20
}
