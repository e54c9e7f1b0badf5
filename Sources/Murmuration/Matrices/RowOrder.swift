// SPDX-License-Identifier: MIT
import Kernels

/// The rows of a range of indices.
enum RowOrder {
  /// Rows that follow each other, from this one on.
  case neighbours(first: Int)
  /// The rows in a list, from this index of the list on.
  case listed(from: Int)

  /// Copies a column's values for some of the tracks, counted from the first of the range.
  func copy(
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

extension TrackColumns {
  /// The rows of a range of indices.
  ///
  /// - rows: Takes the rows if they do not follow each other; kept by the caller so that the next call need not
  ///   allocate.
  /// - Throws: ``MatrixError/noTrack(index:)``.
  func rowOrder(of indices: Range<Int>, _ rows: inout [Int32]) throws(MatrixError) -> RowOrder {
    guard !indices.isEmpty else { return .neighbours(first: 0) }
    guard indices.lowerBound >= 0, indices.upperBound <= slots.count else {
      throw .noTrack(index: indices.lowerBound < 0 ? indices.lowerBound : max(indices.lowerBound, slots.count))
    }
    if slots.neighbours(indices) == indices.count { return .neighbours(first: slots.row(of: indices.lowerBound)) }
    for index in indices where !slots.isLive(index) { throw .noTrack(index: index) }
    let place = rows.count
    for index in indices { rows.append(Int32(slots.row(of: index))) }
    return .listed(from: place)
  }
}
