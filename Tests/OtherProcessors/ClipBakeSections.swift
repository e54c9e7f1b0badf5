// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration
@testable import MurmurationEngine

private let frameCount = BakedLanes.frameCount

/// Writes a block in every order.
private func write(_ rows: BakedRows, lanes: Int, frames: Int, _ hash: inout Hash) {
  for order in BakeOrder.all(count: lanes, frames: frames) {
    kernels.bake.write(rows, lanes, frames, order.output)
    order.add(to: &hash)
  }
}

/// Legs of instances of a clip: forwards, backwards, and some that stand still.
func bakedLegs(_ hash: inout Hash) {
  let lanes = 29
  let clip = drawClip(pieceCounts: [2, 7, 40], seed: 60)
  let tables = ClipTables(clip)!
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
      write(block.rows, lanes: lanes, frames: frameCount - 5, &hash)
    }
  }
  withExtendedLifetime(tables) {}
}

/// Frames that were computed elsewhere.
func bakedRows(_ hash: inout Hash) {
  let (lanes, frames, stride) = (45, 13, 64)
  var random = SplitMix64(seed: 62)
  let rows = BakedRows(
    values: zeroed(frames * stride, of: Float.self), velocities: zeroed(frames * stride, of: Float.self),
    room: zeroed(BakedRows.roomCount, of: Float.self), stride: stride, areLanes: false)
  for frame in 0..<frames {
    for lane in 0..<lanes {
      rows.values[frame * stride + lane] = random.float(-100...100)
      rows.velocities[frame * stride + lane] = random.float(-100...100)
    }
  }
  write(rows, lanes: lanes, frames: frames, &hash)
  write(rows.from(lane: 7), lanes: lanes - 7, frames: frames, &hash)
}
