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
  /// An ordinary store first reads the line that it overwrites, so what goes past the caches takes up to a quarter less time;
  /// but then programs that read values, and calls that take over from them, wait for memory. Measured on a Zen 5 core with
  /// 1 MiB of second and 32 MiB of third cache, 100 000 tracks of two components, ns a track, through the caches and past
  /// them: a frame of one spring 0.31 and 0.26, of springs that differ 0.57 and 0.51; a copy of all values 0.13 and 0.22; a
  /// call about one of them at random 62 and 136.
  public enum Stores: Sendable, Equatable {
    /// Through the caches.
    case ordinary
    /// Past the caches.
    case pastCaches

    /// The best way for a call that touches a number of bytes: past the caches, if they cannot hold them until the next.
    ///
    /// - Parameter areUsed: Whether the results are likely to be used before the next call.
    public init(touching bytes: Int, areUsed: Bool = true) {
      self = bytes <= (areUsed ? 1 << 23 : 1 << 20) ? .ordinary : .pastCaches
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
