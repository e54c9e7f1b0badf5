// SPDX-License-Identifier: MIT
import Kernels

/// What computes the lanes of a bake: tracks of one kind of batch.
protocol BakeSource: SendableMetatype {
  /// Sets out with the tracks of some indices, at most ``BakedLanes/capacity``, before the first frame.
  mutating func begin(_ indices: Range<Int>)
  /// Computes the next frames of these tracks, at most ``BakedLanes/frameCount``: lane n is that of index n of them.
  mutating func compute(_ frames: Range<Int>, into block: BakedLanes)
}

/// A bake that computes frames of one lane after the other in blocks of both, and then writes the blocks in any order, in
/// as many parts as there are workers. Lent to them for its duration.
struct StagedBake<Source: BakeSource> {
  let table: KernelTable
  let source: Source
  let indices: Range<Int>
  let frameCount: Int
  /// Where the first track goes.
  let output: BakeOutput

  init(
    _ plan: BakePlan, _ order: BakeOrder, _ source: Source, _ table: KernelTable,
    values: UnsafeMutablePointer<Float>, velocities: UnsafeMutablePointer<Float>?
  ) {
    let bytes = plan.count * MemoryLayout<Float>.stride * (unsafe velocities == nil ? 1 : 2)
    (self.table, self.source, indices, frameCount) = (table, source, plan.indices, plan.frameCount)
    output = unsafe BakeOutput(
      values: values, velocities: velocities, frameStride: order == .timeMajor ? plan.indices.count : 1,
      laneStride: order == .timeMajor ? 1 : plan.frameCount,
      isStreamed: bytes > BakeLimits.streamedBytes && order == .timeMajor, overlap: 0, isContinued: false)
  }

  /// Bakes everything.
  func run(on workers: WorkerPool?) {
    let blocks = indices.count / BakedLanes.laneCount
    guard let workers, blocks > 1, blocks * frameCount >= BakeLimits.parallelBlocks else {
      return bake(part: 0, of: 1)
    }
    var job = self
    unsafe withUnsafeMutablePointer(to: &job) { job in
      unsafe workers.run(job, parts: min(blocks, 4 * workers.count)) { job, index, count in
        unsafe job.assumingMemoryBound(to: StagedBake<Source>.self).pointee.bake(part: index, of: count)
      }
    }
  }

  /// Bakes part `index` of `count`: whole blocks of lanes. Where it is cut changes no bit.
  private func bake(part index: Int, of count: Int) {
    let blocks = (indices.count + BakedLanes.laneCount - 1) / BakedLanes.laneCount
    let first = indices.lowerBound + blocks * index / count * BakedLanes.laneCount
    let last = min(indices.upperBound, indices.lowerBound + blocks * (index + 1) / count * BakedLanes.laneCount)
    guard first < last else {
      return
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: BakedLanes.byteCount, alignment: 64)
    defer { unsafe memory.deallocate() }
    let block = unsafe BakedLanes(memory: memory)
    var source = source
    var next = first
    while next < last {
      let end = min(last, next + BakedLanes.laneCount)
      // Lanes behind the last that share lines with it in some frame, where rows begin anywhere in a line.
      let overlap = output.isStreamed && !isAligned ? min(last, end + laneCountOfTile) - end : 0
      source.begin(next..<end + overlap)
      var part = output
      (part.overlap, part.isContinued) = (overlap, next > first)
      for frame in stride(from: 0, to: frameCount, by: BakedLanes.frameCount) {
        let frames = frame..<min(frameCount, frame + BakedLanes.frameCount)
        source.compute(frames, into: block)
        let offset = (next - indices.lowerBound) * output.laneStride + frame * output.frameStride
        unsafe part.values = output.values + offset
        unsafe part.velocities = output.velocities.map { unsafe $0 + offset }
        table.bake.write(block, end + overlap - next, frames.count, part)
      }
      next = end
    }
  }

  /// Whether every row begins on a line.
  private var isAligned: Bool {
    let addresses = unsafe Int(bitPattern: output.values) | Int(bitPattern: output.velocities)
    return (addresses | output.frameStride * MemoryLayout<Float>.stride) & 63 == 0
  }
}
