// SPDX-License-Identifier: MIT
import Kernels

/// The slots and columns of a batch, for code that reads them in place. They hold until the batch changes.
@safe
struct TrackColumns {
  let slots: SlotTable
  /// The slot of the track that stands, or last stood, in each row.
  let track: UnsafePointer<UInt32>
  /// The columns of dimension 0, and floats from one dimension to the next.
  let value: UnsafePointer<Float>
  let velocity: UnsafePointer<Float>
  let dimensions: Int
  let dimensionStride: Int
  let rowCount: Int

  func value(_ dimension: Int) -> UnsafePointer<Float> { unsafe value + dimension * dimensionStride }

  func velocity(_ dimension: Int) -> UnsafePointer<Float> { unsafe velocity + dimension * dimensionStride }
}
