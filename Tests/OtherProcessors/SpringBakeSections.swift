// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration
@testable import MurmurationEngine

/// Lanes of any springs, in frames at equal distances and in frames at given times. At equal distances, every third lane is
/// computed from its start in each frame; at given times, every lane is.
func bakedLanes(_ hash: inout Hash) {
  let (count, frames) = (100, 530)
  var random = SplitMix64(seed: 50)
  let given = zeroed(frames, of: Double.self)
  for frame in 0..<frames { given[frame] = Double(frame) * 0.01 + random.uniform(0...0.01) }
  for order in BakeOrder.all(count: count, frames: frames) {
    // Past the caches in two parts, of which the second begins with lanes that the first has at its end.
    let parts = order.output.isStreamed ? [0..<80, 64..<count] : [0..<count]
    for (index, part) in parts.enumerated() {
      var output = order.output(from: part.lowerBound)
      output.overlap = part.upperBound - (index + 1 < parts.count ? parts[index + 1].lowerBound : part.upperBound)
      output.isContinued = index > 0
      let times = BakeTimes(count: frames, origin: 1, first: 3, rate: 120)
      kernels.bake.lanes(drawBakedLanes(part, isExact: { $0 % 3 == 0 }), part.count, times, output)
    }
    order.add(to: &hash)
    let lanes = drawBakedLanes(0..<count, isExact: { _ in true })
    kernels.bake.lanes(lanes, count, BakeTimes(count: frames, each: given.constant), order.output)
    order.add(to: &hash)
  }
}

/// A range of the drawn lanes. Each tile has one regime, but for the last, which has both.
private func drawBakedLanes(_ range: Range<Int>, isExact: (Int) -> Bool) -> BakeLanes {
  let lanes = BakeLanes(memory: zeroed(BakeLanes.byteCount, of: UInt8.self))
  for lane in 0..<BakeLanes.capacity { lanes.clear(lane) }
  for (lane, track) in range.enumerated() {
    var random = SplitMix64(seed: 51 + UInt64(track))
    lanes.clear(lane)
    lanes.steadyTime[lane] = isExact(track) ? -1 : .infinity
    let κ = random.uniform(1...20)
    let isOscillating = track < 80 ? track / laneCountOfTile % 2 == 0 : track % 2 == 0
    lanes.start[lane] = random.uniform(-1...1)
    lanes.rate[lane] = isOscillating ? κ / -1.5707963267948966 : κ / 0.6931471805599453
    lanes.α[lane] = random.uniform(0.5...10)
    lanes.κ[lane] = κ
    if track % 4 == 1 { lanes.restAge[lane] = random.float(0.5...5) }
    lanes.displacement[lane] = random.value()
    lanes.amplitude[lane] = random.value()
    lanes.target[lane] = random.value()
  }
  return lanes
}
