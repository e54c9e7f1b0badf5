// SPDX-License-Identifier: MIT
import Kernels

/// The ways to store results.
let storeWays = [LaneRun.Stores.ordinary, .pastCaches]

private let times = [0, 0.016, 0.1, 0.3337, 1, 2.5, 9.75, 1000.125]

/// Mixed lanes in one to three dimensions, in long runs and in runs of a few tiles.
func mixedSprings(_ hash: inout Hash, _ regimes: Regimes) {
  for dimensions in 1...3 {
    let columns = drawSprings(2048, dimensions: dimensions, regimes, seed: 1)
    for time in times {
      for stores in storeWays {
        kernels.evaluateMixed(columns, LaneRun(firstLane: 0, laneCount: 2048, stores: stores), time, true)
        hash.add(outputs: columns)
        // Short runs, values alone.
        for (first, count) in [(16, 16), (48, 32), (96, 48), (160, 144)] {
          kernels.evaluateMixed(
            columns, LaneRun(firstLane: first, laneCount: count, stores: stores), time + 0.25, false)
        }
        kernels.fence()
        hash.add(outputs: columns)
      }
    }
  }
}

/// Runs of one spring and start, as any of their lanes moves.
func uniformSprings(_ hash: inout Hash, _ regimes: Regimes) {
  for dimensions in 1...3 {
    let columns = drawSprings(2048, dimensions: dimensions, regimes, seed: 2)
    for time in times {
      for stores in storeWays {
        for index in 0..<8 {
          let run = LaneRun(firstLane: 256 * index, laneCount: 256 - 16 * index, stores: stores)
          kernels.evaluateUniform(columns, run, 256 * index + 3 * index, time, index % 3 != 0)
        }
        kernels.fence()
        hash.add(outputs: columns)
      }
    }
  }
}

/// Bases in Double, of both regimes.
func bases(_ hash: inout Hash) {
  for time in times {
    let bases = drawBases(at: time)
    for index in 0..<basisCount { hash.add(bases[index]) }
  }
}
