// SPDX-License-Identifier: MIT
import Kernels

/// The ways to store results.
let storeWays = [LaneRun.Stores.ordinary, .pastCachesByHalves, .pastCaches]

private let times = [0, 0.016, 0.1, 0.3337, 1, 2.5, 9.75, 1000.125]

/// Mixed lanes in one to three dimensions, in long runs and in runs of a few tiles.
func mixedSprings(_ hash: inout Hash, isOscillating: Bool) {
  let evaluate = isOscillating ? kernels.evaluateOscillating : kernels.evaluateOverdamped
  for dimensions in 1...3 {
    let columns = drawSprings(2048, dimensions: dimensions, isOscillating: isOscillating, seed: 1)
    for time in times {
      for stores in storeWays {
        evaluate(columns, LaneRun(firstLane: 0, laneCount: 2048, stores: stores), time, true)
        hash.add(outputs: columns)
        // Short runs, values alone.
        for (first, count) in [(16, 16), (48, 32), (96, 48), (160, 144)] {
          evaluate(columns, LaneRun(firstLane: first, laneCount: count, stores: stores), time + 0.25, false)
        }
        kernels.fence()
        hash.add(outputs: columns)
      }
    }
  }
}

/// Cohorts with tiles of their own, and the bases of all cohorts.
func cohorts(_ hash: inout Hash) {
  for dimensions in 1...3 {
    let columns = drawSprings(2048, dimensions: dimensions, isOscillating: true, seed: 2)
    for time in times {
      let bases = drawBases(at: time)
      for index in 0..<cohortCount { hash.add(bases[index]) }
      for stores in storeWays {
        for index in 0..<8 {
          let run = LaneRun(firstLane: 256 * index, laneCount: 256 - 16 * index, stores: stores)
          kernels.evaluateCohort(columns, run, bases[index], index % 3 != 0)
        }
        kernels.fence()
        hash.add(outputs: columns)
      }
    }
  }
}

/// Tiles that cohorts share.
func sharedTiles(_ hash: inout Hash) {
  for dimensions in 1...3 {
    let columns = drawSprings(2048, dimensions: dimensions, isOscillating: true, seed: 3)
    for time in times {
      let bases = drawBases(at: time)
      kernels.evaluateShared(columns, LaneRun(firstLane: 0, laneCount: 2048), bases, true)
      hash.add(outputs: columns)
      kernels.evaluateShared(columns, LaneRun(firstLane: 512, laneCount: 16), bases + 1, false)
      hash.add(outputs: columns)
    }
  }
}
