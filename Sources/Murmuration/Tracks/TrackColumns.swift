// SPDX-License-Identifier: MIT
import Kernels

/// The slots and columns of a batch, for code that reads them in place. They are valid until the batch changes.
struct TrackColumns {
  let slots: SlotTable
  /// The column of dimension 0, and floats from one dimension to the next.
  let value: ConstantColumn<Float>
  let dimensions: Int
  let dimensionStride: Int
  let rowCount: Int

  func value(_ dimension: Int) -> ConstantColumn<Float> { value + dimension * dimensionStride }
}
