// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Steps of followers of both regimes, with a spring each and with one for all, to goals that stand, move and are no numbers.
func followers(_ hash: inout Hash) {
  let (count, factorCount) = (272, 6)
  for dimensions in 1...3 {
    var random = SplitMix64(seed: 43)
    let live = zeroed(count / laneCountOfTile, of: UInt16.self)
    for tile in 0..<count / laneCountOfTile {
      live[tile] = tile % 3 == 0 ? .max : UInt16(truncatingIfNeeded: random.next())
    }
    let columns = FollowColumns(
      value: zeroed(count * dimensions), velocity: zeroed(count * dimensions), dimensionStride: count,
      dimensions: dimensions, rate: random.doubles(count, -30...30), decay: random.floats(count, 0...40),
      factors: zeroed(factorCount * count), factorStride: count, tiles: zeroed(count / laneCountOfTile),
      live: live.constant)
    columns.rate[5] = 0
    let goals = random.floats(count * dimensions, -100...100)
    let tiles = 0..<count / laneCountOfTile
    for (frame, step) in [0.016, 0.016, 0.1, 1, 0.001, 2.5, 10, 10].enumerated() {
      kernels.computeStepFactors(columns, tiles, step)
      hash.add(columns.factors, factorCount * count)
      for lane in 0..<count where lane % 3 == frame % 3 && frame < 5 { goals[lane] = random.float(-100...100) }
      goals[40] = frame == 2 ? .nan : 7
      kernels.follow(
        columns, tiles, FollowGoals(goals.constant, stride: count), frame % 2 == 1,
        RestTolerance(perValue: 1000, perVelocity: 100, isRelative: step > 0.05))
      hash.add(columns.value, count * dimensions)
      hash.add(columns.velocity, count * dimensions)
      for tile in tiles {
        let known = columns.tiles[tile]
        for lanes in [known.resting, known.arrived, known.stray, known.strayed] { hash.add(UInt64(lanes)) }
      }
    }
  }
}
