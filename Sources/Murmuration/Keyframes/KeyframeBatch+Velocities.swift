// SPDX-License-Identifier: MIT
import Kernels

// Velocities that a frame left out are computed when a reader first needs them, from the columns as that frame left them.
// So a tile has its velocities computed before a call changes what they follow from, and is not evaluated again before
// the next frame.
extension KeyframeBatch {
  /// Computes the velocities of the last frame, where ``computesVelocities`` left them out. What calls changed since then
  /// does not show.
  public mutating func refreshVelocities() {
    guard velocitiesAreStale else { return }
    if hasChanges || tiles.someAreTouched {
      for index in plan.runs.indices {
        let run = plan.runs[index]
        let first = run.firstLane / laneCountOfTile
        for tile in first..<first + run.laneCount / laneCountOfTile where !tiles.isTouched[tile] {
          computeVelocities(ofTile: tile, run.clip)
        }
      }
    } else {
      run(velocities: true)
    }
    velocitiesAreStale = false
  }

  /// Has the velocities of a tile computed that the last frame left out, before an instance in it changes.
  mutating func keepVelocities(ofTile tile: Int) {
    guard velocitiesAreStale, !tiles.isTouched[tile] else { return }
    if tiles.isPlanned[tile] { computeVelocities(ofTile: tile, Int(tiles.clips[tile])) }
    tiles.touch(tile)
  }

  /// Computes the velocities of a tile and leaves its values alone: of instances that were scrubbed, they are not those of
  /// the columns.
  private func computeVelocities(ofTile tile: Int, _ clip: Int) {
    let (columns, table, time) = (storage.columns, table, time)
    let first = tile * laneCountOfTile
    let run = ClipRun(firstLane: first, laneCount: laneCountOfTile, clip: clip)
    let own = tiles.own[tile]
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: dimensions * laneCountOfTile) { shown in
      let shown = unsafe shown.baseAddress.unsafelyUnwrapped
      for dimension in 0..<columns.dimensions {
        unsafe (shown + dimension * laneCountOfTile).initialize(
          from: columns.value + first + dimension * columns.dimensionStride, count: laneCountOfTile)
      }
      unsafe library.tables.withUnsafeBufferPointer { tables in
        unsafe withUnsafePointer(to: run) { run in
          let runs = unsafe UnsafeBufferPointer(start: run, count: 1)
          unsafe table.evaluateClips(columns, runs, tables.baseAddress.unsafelyUnwrapped, time, true)
        }
      }
      for dimension in 0..<columns.dimensions {
        let row = first + dimension * columns.dimensionStride
        unsafe (columns.value + row).update(from: shown + dimension * laneCountOfTile, count: laneCountOfTile)
        for lane in 0..<laneCountOfTile where own & (1 << UInt16(lane)) != 0 {
          unsafe columns.velocity[row + lane] = 0
        }
      }
    }
  }
}
