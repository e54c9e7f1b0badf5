// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Steps of followers of both regimes, with a spring each and with one for all, to goals that stand, move and are no numbers.
func followers(_ hash: inout Hash) {
  let (count, tileCount) = (272, 17)
  for dimensions in 1...3 {
    var random = SplitMix64(seed: 43)
    let live = zeroed(tileCount, of: UInt16.self)
    for tile in 0..<tileCount {
      live[tile] = tile % 3 == 0 ? .max : UInt16(truncatingIfNeeded: random.next())
    }
    let steps: Column<Double> = zeroed(tileCount)
    var columns = FollowColumns(
      value: zeroed(count * dimensions), velocity: zeroed(count * dimensions), dimensionStride: count,
      dimensions: dimensions, rate: random.doubles(count, -30...30), decay: random.floats(count, 0...40),
      damping: zeroed(count), squaredFrequency: zeroed(count), factors: zeroed(FollowColumns.factorCount * count),
      factorStride: count, steps: steps, tiles: zeroed(tileCount), lanes: live.constant)
    columns.rate[5] = 0
    for lane in 0..<count {
      let (rate, α) = (columns.rate[lane], Double(columns.decay[lane]) * 0.6931471805599453)
      let κ = rate * (rate > 0 ? 0.6931471805599453 : -.pi / 2)
      columns.damping[lane] = lane == 5 ? .infinity : Float(2 * α + (rate > 0 ? κ : 0))
      columns.squaredFrequency[lane] = Float(α * α + κ * (rate > 0 ? α : κ))
    }
    let goals = random.floats(count * dimensions, -100...100)
    let tiles = 0..<tileCount
    for (frame, step) in [0.016, 0.016, 0.1, 1, 0.001, 2.5, 10, 10].enumerated() {
      for lane in 0..<count where lane % 3 == frame % 3 && frame < 5 { goals[lane] = random.float(-100...100) }
      goals[40] = frame == 2 ? .nan : 7
      // Factors are kept by turns.
      columns.steps = frame % 4 < 2 ? steps : nil
      let hasNews = kernels.follow(
        columns, tiles, FollowGoals(goals.constant, stride: count), step, frame % 4 == 1 ? 3 * laneCountOfTile : nil,
        RestTolerance(perValue: 1000, perVelocity: 100, isRelative: step > 0.05))
      hash.add(hasNews)
      hash.add(columns.factors, FollowColumns.factorCount * count)
      hash.add(columns.value, count * dimensions)
      hash.add(columns.velocity, count * dimensions)
      for tile in tiles {
        let known = columns.tiles[tile]
        for lanes in [known.resting, known.arrived, known.stray, known.strayed] { hash.add(UInt64(lanes)) }
      }
    }
  }
}
