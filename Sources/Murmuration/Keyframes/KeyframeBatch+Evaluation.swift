// SPDX-License-Identifier: MIT
import Kernels

/// One frame of playing instances, in as many parts as there are workers. Lent to them for its duration.
@safe
private struct ClipFrame {
  let table: KernelTable
  let columns: PlaybackColumns
  let runs: UnsafeBufferPointer<ClipRun>
  /// Tiles up to the end of each run.
  let ends: UnsafeBufferPointer<Int>
  let tables: UnsafePointer<ClipTable>
  let time: Double
  let velocities: Bool

  /// Evaluates part `index` of `count`: an equal share of the tiles. Where it is cut changes no bit.
  func evaluate(part index: Int, of count: Int) {
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
      unsafe table.evaluateClips(
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
      unsafe table.evaluateClips(columns, UnsafeBufferPointer(start: run, count: 1), tables, time, velocities)
    }
  }
}

extension KeyframeBatch {
  /// Threads that ``advance(to:)`` may use, the caller's included: 1…64, others are taken for the nearest. Default 1: no
  /// thread is started unasked.
  ///
  /// The bits do not depend on it. A frame too short to gain from it is evaluated by the caller alone.
  public var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      let count = min(max(1, newValue), 64)
      if count != threadCount {
        workers = count > 1 ? WorkerPool(count: count) : nil
      }
    }
  }

  /// The least number of tiles, times dimensions, that is worth waking other threads for: some 20 µs of work.
  static let parallelTiles = 3_000

  private static let partsPerWorker = 16

  /// Runs the kernels of the last frame again, and nothing else: what a benchmark compares a whole frame with.
  package mutating func runKernels() { run(velocities: computesVelocities) }

  /// The bytes that the kernels read and write for a frame.
  package var bytesPerFrame: Int {
    let ofClips = Traffic.clips(dimensions: dimensions, velocities: computesVelocities, varies: storage.varies)
    let ofPieces = Traffic.pieces(dimensions: dimensions, velocities: computesVelocities, varies: storage.varies)
    return laneCountOfTile
      * ((plan.tileCount - plan.mixedTileCount) * ofClips + plan.mixedTileCount * ofPieces)
  }

  /// Runs the kernels that the plan says.
  mutating func run(velocities: Bool) {
    guard plan.tileCount > 0 else { return }
    let (columns, table, time) = (storage.columns, table, time)
    let isParallel = plan.tileCount * dimensions >= Self.parallelTiles
    unsafe plan.runs.withUnsafeBufferPointer { runs in
      unsafe plan.ends.withUnsafeBufferPointer { ends in
        unsafe library.tables.withUnsafeBufferPointer { tables in
          let tables = unsafe tables.baseAddress.unsafelyUnwrapped
          guard isParallel, let workers else {
            unsafe table.evaluateClips(columns, runs, tables, time, velocities)
            return
          }
          var frame = unsafe ClipFrame(
            table: table, columns: columns, runs: runs, ends: ends, tables: tables, time: time, velocities: velocities)
          unsafe withUnsafeMutablePointer(to: &frame) { frame in
            unsafe workers.run(frame, parts: Self.partsPerWorker * workers.count) { frame, index, count in
              unsafe frame.assumingMemoryBound(to: ClipFrame.self).pointee.evaluate(part: index, of: count)
            }
          }
        }
      }
    }
    showOwnValues(velocities: velocities)
  }

  /// Puts the own values of instances back where kernels wrote over them.
  private mutating func showOwnValues(velocities: Bool) {
    guard hasOwnValues else { return }
    hasOwnValues = false
    let columns = storage.columns
    for tile in 0..<tiles.end where tiles.own[tile] != 0 {
      hasOwnValues = true
      guard tiles.isPlanned[tile] else { continue }
      var lanes = tiles.own[tile]
      while lanes != 0 {
        let row = tile * laneCountOfTile + lanes.trailingZeroBitCount
        lanes &= lanes - 1
        for dimension in 0..<dimensions {
          let element = dimension * columns.dimensionStride + row
          unsafe columns.value[element] = storage.own[element]
          if velocities { unsafe columns.velocity[element] = 0 }
        }
      }
    }
  }
}
