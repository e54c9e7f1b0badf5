// SPDX-License-Identifier: MIT
package import Kernels

/// The columns of the values of tracks, for code that reads them in place. They are valid until the batch changes.
package struct TrackColumns {
  let rows: RowTable
  /// The column of dimension 0, and floats from one dimension to the next.
  package let value: ConstantColumn<Float>
  package let dimensions: Int
  package let dimensionStride: Int
  package let rowCount: Int

  package func value(_ dimension: Int) -> ConstantColumn<Float> { value + dimension * dimensionStride }

  /// Throws ``NoTrack`` for the first of some indices that has no track. Each track stands in the row of its index.
  package func check(_ indices: Range<Int>) throws(NoTrack) {
    guard !indices.isEmpty else { return }
    guard indices.lowerBound >= 0, indices.upperBound <= rows.count else {
      throw NoTrack(index: indices.lowerBound < 0 ? indices.lowerBound : max(indices.lowerBound, rows.count))
    }
    if let index = rows.firstWithoutTrack(indices) { throw NoTrack(index: index) }
  }
}

/// An index that has no track.
package struct NoTrack: Error {
  package let index: Int
}
