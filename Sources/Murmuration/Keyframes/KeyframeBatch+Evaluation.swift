// SPDX-License-Identifier: MIT
import Kernels

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
    let (columns, kernel, time) = unsafe (storage.columns, table.evaluateClips, time)
    let isParallel = plan.tileCount * dimensions >= ClipFrame.parallelTiles
    unsafe plan.runs.withUnsafeBufferPointer { runs in
      unsafe plan.ends.withUnsafeBufferPointer { ends in
        unsafe library.tables.withUnsafeBufferPointer { tables in
          let frame = unsafe ClipFrame(
            kernel: kernel, columns: columns, runs: runs, ends: ends, tables: tables.baseAddress.unsafelyUnwrapped,
            time: time, velocities: velocities)
          frame.evaluate(with: isParallel ? workers : nil)
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
