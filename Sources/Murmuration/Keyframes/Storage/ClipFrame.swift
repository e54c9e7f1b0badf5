// SPDX-License-Identifier: MIT
import Kernels

/// One frame of playing instances, in as many parts as there are workers. Lent to them for its duration.
@safe
struct ClipFrame {
  let kernel: KernelTable.Clips
  let columns: PlaybackColumns
  let runs: UnsafeBufferPointer<ClipRun>
  /// Tiles up to the end of each run.
  let ends: UnsafeBufferPointer<Int>
  let tables: UnsafePointer<ClipTable>
  let time: Double
  let velocities: Bool

  /// The least number of tiles, times dimensions, that is worth waking other threads for: some 20 µs of work.
  static let parallelTiles = 3_000

  private static let partsPerWorker = 16

  /// Evaluates all tiles, shared with workers if there are any.
  func evaluate(with workers: WorkerPool?) {
    guard let workers else {
      unsafe kernel(columns, runs, tables, time, velocities)
      return
    }
    var frame = self
    unsafe withUnsafeMutablePointer(to: &frame) { frame in
      unsafe workers.run(frame, parts: Self.partsPerWorker * workers.count) { frame, index, count in
        unsafe frame.assumingMemoryBound(to: ClipFrame.self).pointee.evaluate(part: index, of: count)
      }
    }
  }

  /// Evaluates part `index` of `count`: an equal share of the tiles. Where it is cut changes no bit.
  private func evaluate(part index: Int, of count: Int) {
    let tiles = unsafe ends[ends.count - 1]
    let (from, to) = (tiles * index / count, tiles * (index + 1) / count)
    guard from < to else { return }
    // The run in which the part begins.
    var (low, high) = unsafe (0, runs.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if unsafe ends[middle] > from { high = middle } else { low = middle + 1 }
    }
    let first = low
    high = unsafe runs.count - 1
    while low < high {
      let middle = (low + high) / 2
      if unsafe ends[middle] >= to { high = middle } else { low = middle + 1 }
    }
    let last = low
    if first == last {
      evaluate(first, from, to)
      return
    }
    unsafe evaluate(first, from, ends[first])
    if first + 1 < last {
      unsafe kernel(
        columns, UnsafeBufferPointer(rebasing: runs[first + 1..<last]), tables, time, velocities)
    }
    unsafe evaluate(last, ends[last - 1], to)
  }

  /// Evaluates the tiles of a run from one to another.
  private func evaluate(_ index: Int, _ from: Int, _ to: Int) {
    var run = unsafe runs[index]
    let before = unsafe index > 0 ? ends[index - 1] : 0
    run.firstLane += (from - before) * laneCountOfTile
    run.laneCount = (to - from) * laneCountOfTile
    unsafe withUnsafePointer(to: run) { run in
      unsafe kernel(columns, UnsafeBufferPointer(start: run, count: 1), tables, time, velocities)
    }
  }
}
