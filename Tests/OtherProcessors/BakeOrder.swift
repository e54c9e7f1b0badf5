// SPDX-License-Identifier: MIT
import Kernels

/// Memory for baked frames in one of the orders that kernels write them in.
struct BakeOrder {
  /// The output of a kernel.
  let output: BakeOutput
  private let start: Column<Float>
  private let size: Int

  private init(count: Int, frames: Int, frameStride: Int, laneStride: Int, isStreamed: Bool, velocities: Bool) {
    size = frameStride == 1 ? count * laneStride : frames * frameStride
    // Rows of velocities do not begin on cache lines if rows of values do.
    let offset = size + 3
    start = zeroed(offset + size)
    output = BakeOutput(
      values: start, velocities: velocities ? start + offset : nil, frameStride: frameStride, laneStride: laneStride,
      isStreamed: isStreamed, overlap: 0, isContinued: false)
  }

  /// Frame by frame, through and past the caches, with rows that begin on cache lines or not; and lane by lane.
  static func all(count: Int, frames: Int) -> [BakeOrder] {
    let whole = (count + 15) / 16 * 16
    return [
      BakeOrder(
        count: count, frames: frames, frameStride: count + 1, laneStride: 1, isStreamed: false, velocities: true),
      BakeOrder(count: count, frames: frames, frameStride: whole, laneStride: 1, isStreamed: true, velocities: true),
      BakeOrder(
        count: count, frames: frames, frameStride: count + 1, laneStride: 1, isStreamed: true, velocities: false),
      BakeOrder(
        count: count, frames: frames, frameStride: 1, laneStride: frames + 5, isStreamed: false, velocities: true),
      BakeOrder(count: count, frames: frames, frameStride: 1, laneStride: frames, isStreamed: false, velocities: false),
    ]
  }

  /// The same output from a lane on.
  func output(from lane: Int) -> BakeOutput {
    var part = output
    part.values += lane * part.laneStride
    part.velocities = part.velocities.map { $0 + lane * part.laneStride }
    return part
  }

  /// Adds all of the memory, so that a result in a wrong place shows too.
  func add(to hash: inout Hash) { hash.add(start, 2 * size + 3) }
}
