// SPDX-License-Identifier: MIT
import Kernels

/// Which kernel runs over which tiles: rebuilt when tiles change, reused in between.
///
/// Neighbouring tiles of one kind become one step. The steps of each kind are linked from the first rows to the last.
/// Tiles of tracks that rest are left out, except those of cohorts, which fall asleep and wake as one.
struct EvaluationPlan {
  struct Step: Equatable {
    var kind: Int32
    var run: LaneRun
    /// The next step of the same kind, or −1.
    var next: Int32

    /// The step's tiles.
    var tiles: Range<Int> {
      run.firstLane / laneCountOfTile..<(run.firstLane + run.laneCount) / laneCountOfTile
    }
  }

  /// The steps, from the last rows to the first.
  private(set) var steps: [Step] = []
  /// The first step of each kind that takes any track, or −1; those of cohorts know theirs.
  private(set) var first: [Int32] = [-1, -1, -1]
  /// Tiles of these kinds that are planned.
  private(set) var looseTiles = 0
  /// Whether a cohort was met that fills less than half of its tiles.
  private(set) var hasSparseCohorts = false

  /// Plans the tiles of a table, and gives back those that have no tracks left.
  ///
  /// - Complexity: O(tiles); no allocation once as many steps were planned before.
  mutating func rebuild(_ tiles: inout TileTable, _ cohorts: inout CohortTable, members: UnsafePointer<Int32>) {
    steps.removeAll(keepingCapacity: true)
    looseTiles = 0
    for kind in first.indices {
      first[kind] = -1
    }
    for place in cohorts.indices {
      cohorts[place].firstStep = -1
      cohorts[place].tileCount = 0
    }
    // From the last to the first, so that each step can be put before the ones that follow it.
    var tile = tiles.end
    while tile > 0 {
      let kind = tiles.kinds[tile - 1]
      var count = 0
      if kind >= TileKind.firstCohort {
        count = tiles.countOfLive(kind, endingAt: tile)
        cohorts[Int(kind - TileKind.firstCohort)].tileCount += count
        if count == 0 {
          tiles.release(tile - 1)
        }
      } else if kind != TileKind.free, unsafe !Self.rests(tile - 1, tiles, cohorts, members: members) {
        count = 1
        looseTiles += 1
      }
      if count > 0 {
        extend(kind, tile - count..<tile, &cohorts)
      }
      tile -= max(1, count)
    }
    hasSparseCohorts = cohorts.hasSparse
  }

  private static func rests(
    _ tile: Int, _ tiles: borrowing TileTable, _ cohorts: borrowing CohortTable, members: UnsafePointer<Int32>
  ) -> Bool {
    var lanes = tiles.live[tile]
    guard lanes != 0, tiles.kinds[tile] == TileKind.shared else {
      return lanes == 0 || tiles.isAsleep[tile]
    }
    while lanes != 0 {
      let lane = lanes.trailingZeroBitCount
      if unsafe !cohorts[Int(members[tile * laneCountOfTile + lane])].isAsleep {
        return false
      }
      lanes &= lanes - 1
    }
    return true
  }

  private mutating func extend(_ kind: Int32, _ tiles: Range<Int>, _ cohorts: inout CohortTable) {
    let firstLane = tiles.lowerBound * laneCountOfTile
    let laneCount = tiles.count * laneCountOfTile
    let last = steps.count - 1
    if last >= 0, steps[last].kind == kind, steps[last].run.firstLane == firstLane + laneCount {
      steps[last].run.firstLane = firstLane
      steps[last].run.laneCount += laneCount
      return
    }
    let run = LaneRun(firstLane: firstLane, laneCount: laneCount)
    if kind < TileKind.firstCohort {
      steps.append(Step(kind: kind, run: run, next: first[Int(kind)]))
      first[Int(kind)] = Int32(last + 1)
    } else {
      let place = Int(kind - TileKind.firstCohort)
      steps.append(Step(kind: kind, run: run, next: cohorts[place].firstStep))
      cohorts[place].firstStep = Int32(last + 1)
    }
  }
}
