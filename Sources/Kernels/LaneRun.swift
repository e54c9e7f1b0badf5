// SPDX-License-Identifier: MIT

/// Consecutive tiles to evaluate.
public struct LaneRun: Sendable, Equatable {
  /// The first lane, a multiple of ``laneCountOfTile``.
  public var firstLane: Int
  /// The number of lanes, a multiple of ``laneCountOfTile``.
  public var laneCount: Int
  /// How results are stored. If they go past the caches, a fence (`KernelTable.fence`) must follow the last run.
  #if arch(wasm32)
    // WebAssembly has one way. The loops for the others are left out.
    public var stores: Stores { @export(implementation) @inline(__always) get { .ordinary } }
  #else
    public var stores: Stores
  #endif

  /// A way to store results.
  ///
  /// An ordinary store first reads the line that it is about to overwrite. Measured on a Zen 5 core with 1 MiB of second
  /// cache, ns a track of lanes that share their factors: 10 000 tracks 0.094 ordinary and 0.103 past the caches by lines; 100 000 tracks 0.144,
  /// 0.109, and 0.101 by halves of lines. With ten million, lines and halves are within the noise of each other.
  public enum Stores: Sendable, Equatable {
    /// Through the caches.
    case ordinary
    /// Past the caches, by halves of lines if vectors are lines; kernels that compute much store by lines.
    case pastCachesByHalves
    /// Past the caches.
    case pastCaches

    /// The best way for a call that touches a number of bytes.
    public init(touching bytes: Int) {
      self = bytes <= 1 << 20 ? .ordinary : bytes <= 1 << 24 ? .pastCachesByHalves : .pastCaches
    }
  }

  public init(firstLane: Int, laneCount: Int, stores: Stores = .ordinary) {
    self.firstLane = firstLane
    self.laneCount = laneCount
    #if !arch(wasm32)
      self.stores = stores
    #endif
  }
}
