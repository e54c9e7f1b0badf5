// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration

private let frameCount = BakedLanes.frameCount

/// Writes a block in every order.
private func write(_ block: BakedLanes, lanes: Int, frames: Int, _ hash: inout Hash) {
  for order in BakeOrder.all(count: lanes, frames: frames) {
    kernels.bake.write(block, lanes, frames, order.output)
    order.add(to: &hash)
  }
}

/// Legs of instances of a clip: forwards, backwards, and some that stand still.
func bakedLegs(_ hash: inout Hash) {
  let lanes = 29
  let clip = drawClip(pieceCounts: [2, 7, 40], seed: 60)
  let tables = ClipTables(clip)
  var random = SplitMix64(seed: 61)
  let times = zeroed(frameCount + laneCountOfTile, of: Double.self)
  for frame in 0..<frameCount + laneCountOfTile { times[frame] = Double(frame) / 60 }
  var legs: [BakedLeg] = []
  for lane in 0..<lanes {
    var frame = 0
    while frame < frameCount {
      let count = min(1 + random.index(below: 100), frameCount - frame)
      let track = tables.table.tracks + random.index(below: tables.table.trackCount)
      let isBackwards = random.next() & 1 == 0
      legs.append(
        BakedLeg(
          track: random.index(below: 5) == 0 ? nil : track,
          component: random.index(below: track[0].componentCount), origin: 0,
          base: isBackwards ? random.uniform(1e9...2e9) : random.uniform(-2e9 ... -1e9),
          rate: random.uniform(0...5e8) * (isBackwards ? -1 : 1), scale: random.float(-3...3),
          offset: random.float(-100...100), lane: lane, firstFrame: frame, frameCount: count))
      frame += count
    }
  }
  for velocities in [true, false] {
    for varies in [false, true] {
      let block = BakedLanes(memory: zeroed(BakedLanes.byteCount, of: UInt8.self))
      legs.withUnsafeBufferPointer { kernels.bake.legs($0, times.constant, block, velocities, varies) }
      write(block, lanes: lanes, frames: frameCount - 5, &hash)
    }
  }
  withExtendedLifetime(tables) {}
}

/// Motions of a few springs, which begin at any age, and lanes that stand still.
func bakedMotions(_ hash: inout Hash) {
  let lanes = 29
  let springs = [0.5, 0, -0.4].map { SpringCoefficients(accepted: Spring(duration: 0.4, bounce: $0)) }
  var tables = MotionTables(frames: frameCount, interval: 1.0 / 60, kernels)
  for spring in springs { _ = tables.add(spring) }
  for velocities in [true, false] {
    var random = SplitMix64(seed: 62)
    let block = BakedLanes(memory: zeroed(BakedLanes.byteCount, of: UInt8.self))
    let motions = BakedMotions(memory: zeroed(BakedMotions.byteCount, of: UInt8.self))
    var count = 0
    for lane in 0..<lanes {
      var frame = 0
      for part in 0..<4 {
        let end = part == 3 ? frameCount : min(frame + 1 + random.index(below: 90), frameCount)
        if frame == end { continue }
        let spring = tables[random.index(below: springs.count)]
        motions.motions[count] = BakedMotion(
          table: random.index(below: 4) == 0 ? nil : spring.table, target: random.value(), lane: lane,
          frames: frame..<end)
        motions.age[count] = random.uniform(0...0.2)
        motions.rate[count] = spring.rate
        motions.α[count] = spring.α
        motions.position[count] = random.value()
        motions.turned[count] = random.value()
        (count, frame) = (count + 1, end)
      }
    }
    for index in count..<BakedMotions.capacity { motions.clear(index) }
    kernels.bake.motions(motions, count, block, velocities)
    write(block, lanes: lanes, frames: frameCount, &hash)
  }
  withExtendedLifetime(tables) {}
}
