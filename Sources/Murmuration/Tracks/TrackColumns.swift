// SPDX-License-Identifier: MIT
package import Kernels

/// The columns of the values of tracks, for code that reads them in place. They are valid until the batch changes.
package struct TrackColumns {
  let slots: SlotTable
  /// The column of dimension 0, and floats from one dimension to the next.
  package let value: ConstantColumn<Float>
  package let dimensions: Int
  package let dimensionStride: Int
  package let rowCount: Int

  package func value(_ dimension: Int) -> ConstantColumn<Float> { value + dimension * dimensionStride }

  /// The rows of a range of indices.
  ///
  /// - Parameter rows: Takes the rows if they do not follow each other. The caller keeps it, so that the next call need
  ///   not allocate.
  /// - Throws: ``NoTrack`` with the first index that has no track; `rows` has not changed then.
  package func rowOrder(of indices: Range<Int>, _ rows: inout [Int32]) throws(NoTrack) -> RowOrder {
    guard !indices.isEmpty else { return .neighbours(first: 0) }
    guard indices.lowerBound >= 0, indices.upperBound <= slots.count else {
      throw NoTrack(index: indices.lowerBound < 0 ? indices.lowerBound : max(indices.lowerBound, slots.count))
    }
    if slots.neighbours(indices) == indices.count { return .neighbours(first: slots.row(of: indices.lowerBound)) }
    for index in indices where !slots.isLive(index) { throw NoTrack(index: index) }
    let place = rows.count
    for index in indices { rows.append(Int32(slots.row(of: index))) }
    return .listed(from: place)
  }
}

/// An index that has no track.
package struct NoTrack: Error {
  package let index: Int
}

/// The rows of a range of indices.
package enum RowOrder {
  /// Rows that follow each other, from this one on.
  case neighbours(first: Int)
  /// The rows in a list, from this index of the list on.
  case listed(from: Int)

  /// Copies a column's values for some of the tracks, counted from the first of the range.
  package func copy(
    _ column: ConstantColumn<Float>, _ tracks: Range<Int>, rows: [Int32], to result: Column<Float>
  ) {
    switch self {
    case .neighbours(let first):
      result.update(from: column + first + tracks.lowerBound, count: tracks.count)
    case .listed(let first):
      for (place, track) in tracks.enumerated() {
        result[place] = column[Int(rows[first + track])]
      }
    }
  }
}
