// SPDX-License-Identifier: MIT
import Kernels

/// Which kernel runs over which tiles: rebuilt when tiles change, reused in between.
///
/// Neighbouring tiles of one kind become one run. Tiles of tracks that rest are left out, except those of cohorts, which
/// fall asleep and wake as one.
struct EvaluationPlan {
  struct Step: Equatable {
    var kind: Int32
    var run: LaneRun
  }

  /// The runs, from the last rows to the first.
  private(set) var steps: [Step] = []

  /// Whether a cohort was met that fills less than half of its tiles.
  private(set) var hasSparseCohorts = false

  var hasSharedTiles: Bool { steps.contains { $0.kind == TileKind.shared } }

  /// Plans the tiles of a table, links those of each cohort, and gives back those that have no tracks left.
  ///
  /// - Complexity: O(tiles); no allocation once as many steps were planned before.
  mutating func rebuild(_ tiles: inout TileTable, _ cohorts: inout CohortTable, members: UnsafePointer<Int32>) {
    steps.removeAll(keepingCapacity: true)
    for place in cohorts.indices {
      cohorts[place].firstTile = -1
      cohorts[place].tileCount = 0
    }
    // From the last to the first, so that each tile can be put before the ones that follow it.
    for tile in (0..<tiles.end).reversed() {
      let kind = tiles.kinds[tile]
      guard kind != TileKind.free else {
        continue
      }
      guard tiles.live[tile] != 0 else {
        if kind >= TileKind.firstCohort {
          tiles.release(tile)
        }
        continue
      }
      if kind >= TileKind.firstCohort {
        let place = Int(kind - TileKind.firstCohort)
        tiles.next[tile] = cohorts[place].firstTile
        cohorts[place].firstTile = Int32(tile)
        cohorts[place].tileCount += 1
      } else if kind == TileKind.shared {
        if unsafe Self.rests(tile, tiles, cohorts, members: members) {
          continue
        }
      } else if tiles.isAsleep[tile] {
        continue
      }
      extend(kind, tile)
    }
    hasSparseCohorts = cohorts.hasSparse
  }

  private static func rests(
    _ tile: Int, _ tiles: borrowing TileTable, _ cohorts: borrowing CohortTable, members: UnsafePointer<Int32>
  ) -> Bool {
    var lanes = tiles.live[tile]
    while lanes != 0 {
      let lane = lanes.trailingZeroBitCount
      if unsafe !cohorts[Int(members[tile * laneCountOfTile + lane])].isAsleep {
        return false
      }
      lanes &= lanes - 1
    }
    return true
  }

  private mutating func extend(_ kind: Int32, _ tile: Int) {
    let firstLane = tile * laneCountOfTile
    let last = steps.count - 1
    if last >= 0, steps[last].kind == kind, steps[last].run.firstLane == firstLane + laneCountOfTile {
      steps[last].run.firstLane = firstLane
      steps[last].run.laneCount += laneCountOfTile
    } else {
      steps.append(Step(kind: kind, run: LaneRun(firstLane: firstLane, laneCount: laneCountOfTile)))
    }
  }
}
