// SPDX-License-Identifier: MIT
import Kernels

/// Which tiles are evaluated: neighbouring ones of one clip are one run, and so are neighbouring mixed ones. Rebuilt when tiles change, reused in between.
///
/// Tiles in which nothing moves are left out once they have been evaluated.
struct RunPlan {
  private(set) var runs: [ClipRun] = []
  /// Tiles up to the end of each run.
  private(set) var ends: [Int] = []
  /// Tiles that are planned.
  private(set) var tileCount = 0
  /// Those of them whose lanes play a clip each.
  private(set) var mixedTileCount = 0

  /// Plans the tiles of a table; `fallAsleep` is called with those that were planned, and no longer are.
  ///
  /// - Returns: How many planned tiles do not move.
  /// - Complexity: O(tiles); no allocation once as many runs were planned before.
  mutating func rebuild(_ tiles: inout PlaybackTiles, fallAsleep: (Int) -> Void) -> Int {
    runs.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    tileCount = 0
    mixedTileCount = 0
    var still = 0
    var run = ClipRun(firstLane: 0, laneCount: 0, clip: -1)
    for tile in 0..<tiles.end {
      let isPlanned = tiles.live[tile] != 0 && (tiles.moving[tile] != 0 || tiles.isFresh[tile])
      if tiles.isPlanned[tile], !isPlanned, tiles.live[tile] != 0 {
        fallAsleep(tile)
      }
      tiles.isPlanned[tile] = isPlanned
      guard isPlanned else { continue }
      tiles.isFresh[tile] = false
      if tiles.moving[tile] == 0 { still += 1 }
      tileCount += 1
      let firstLane = tile * laneCountOfTile
      let clip = Int(tiles.clips[tile])
      if run.clip == clip, run.firstLane + run.laneCount == firstLane {
        run.laneCount += laneCountOfTile
      } else {
        append(run)
        run = ClipRun(firstLane: firstLane, laneCount: laneCountOfTile, clip: clip)
      }
    }
    append(run)
    return still
  }

  private mutating func append(_ run: ClipRun) {
    guard run.laneCount > 0 else { return }
    if run.clip == ClipRun.mixed { mixedTileCount += run.laneCount / laneCountOfTile }
    runs.append(run)
    ends.append((ends.last ?? 0) + run.laneCount / laneCountOfTile)
  }
}
