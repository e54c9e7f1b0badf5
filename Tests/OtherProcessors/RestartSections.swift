// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Mixed lanes that are sent to new targets again and again; after each time, when they rest and which are due.
func restarts(_ hash: inout Hash, _ regimes: Regimes) {
  let count = 1024
  for dimensions in 1...3 {
    let columns = drawSprings(count, dimensions: dimensions, regimes, seed: 4)
    // A spring of duration 0 and, among overdamped lanes, decelerations.
    columns.rate[5] = 0
    for lane in 32..<40 { columns.decay[lane] = 0 }
    let run = LaneRun(firstLane: 0, laneCount: count)
    let due = zeroed(count / laneCountOfTile, of: TileDue.self)
    var random = SplitMix64(seed: 5)
    for time in [0, 0.1, 0.25, 0.5] {
      kernels.evaluateMixed(columns, run, time, true)
      kernels.restartMixed(columns, run, time, random.floats(count * dimensions, -1000...1000).constant, count)
      hash.add(motions: columns)
      kernels.computeRest(columns, run, RestTolerance(perValue: 100, perVelocity: 10, isRelative: time > 0.2))
      hash.add(columns.restAge, count)
      hash.add(columns.logicalAge, count)
      for later in [0.05, 0.2, 3] {
        kernels.findDue(columns, run, time + later, due)
        hash.add(columns.decay, count)
        for tile in 0..<count / laneCountOfTile {
          hash.add(UInt64(due[tile].logical) << 16 | UInt64(due[tile].resting))
          hash.add(due[tile].remaining)
        }
      }
    }
  }
}

/// Runs that are sent to new targets with one spring; without a spring they jump.
func uniformRestarts(_ hash: inout Hash) {
  let count = 512
  for dimensions in 1...3 {
    for stores in storeWays {
      let columns = drawSprings(count, dimensions: dimensions, .oscillating, seed: 6)
      var random = SplitMix64(seed: 7)
      for rule in [AmplitudeRule(α: 3.25, perκ: 0.125), AmplitudeRule(α: 0, perκ: 40), AmplitudeRule(α: 0, perκ: 0)] {
        let run = LaneRun(firstLane: 16, laneCount: count - 32, stores: stores)
        kernels.evaluateMixed(columns, run, 0.125, true)
        let start = UniformStart(start: 0.125, rate: -2, decay: 3, rule: rule, keepsSpring: rule.perκ == 40)
        kernels.restartUniform(
          columns, run, start, random.floats(count * dimensions, -1000...1000).constant, count)
        kernels.fence()
        hash.add(motions: columns)
      }
    }
  }
}
