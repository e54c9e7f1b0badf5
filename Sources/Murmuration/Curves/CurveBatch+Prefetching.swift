// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Tracks that change together often lie scattered, and each would wait for its memory.
extension CurveBatch {
  /// Tracks between the one that changes and the one whose memory is asked for.
  static var lead: Int { 8 }

  /// Asks for what a change of a track reads and writes.
  @inline(__always)
  func prefetch(slot: Int) {
    prefetchTrack(slot)
    let row = slots.row(of: slot)
    // Not copied out of the storage, as they are many.
    unsafe lanes_prefetch(storage.columns.origin + row)
    unsafe lanes_prefetch(storage.columns.rate + row)
    for dimension in 0..<dimensions {
      let element = dimension * storage.columns.dimensionStride + row
      unsafe lanes_prefetch(storage.columns.scale.unsafelyUnwrapped + element)
      unsafe lanes_prefetch(storage.columns.offset.unsafelyUnwrapped + element)
      unsafe lanes_prefetch(storage.columns.value + element)
      unsafe lanes_prefetch(storage.columns.velocity + element)
    }
    targets.prefetch(slot * dimensions)
    origins.prefetch(slot * dimensions)
    looks.prefetch(slot)
  }

  /// Asks for the lines of what a track does; there need not be one.
  @inline(__always)
  func prefetchTrack(_ slot: Int) {
    unsafe tracks.withUnsafeBufferPointer { tracks in
      guard slot < tracks.count, let first = tracks.baseAddress else { return }
      let start = unsafe UnsafeRawPointer(first + slot)
      for line in 0..<(MemoryLayout<CurveTrack>.stride + 63) / 64 {
        unsafe lanes_prefetch(start + 64 * line)
      }
    }
  }
}
