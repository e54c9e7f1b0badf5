// SPDX-License-Identifier: MIT

/// Where the tracks of a range of indices stand.
enum RowOrder {
  /// In rows that follow each other, from this one on.
  case neighbours(first: Int)
  /// In the rows that a list names.
  case listed
}

extension SpringBatch {
  /// The rows of a range of indices.
  ///
  /// - Parameter rows: Is filled where they do not follow each other; kept by the caller so that the next call need not
  ///   allocate.
  /// - Throws: ``MatrixError/noTrack(index:)``.
  func rowOrder(of indices: Range<Int>, _ rows: inout [Int32]) throws(MatrixError) -> RowOrder {
    guard !indices.isEmpty else {
      return .neighbours(first: 0)
    }
    guard indices.lowerBound >= 0, indices.upperBound <= indexCount else {
      throw .noTrack(index: indices.lowerBound < 0 ? indices.lowerBound : max(indices.lowerBound, indexCount))
    }
    var areNeighbours = true
    let first = slots.isLive(indices.lowerBound) ? slots.row(of: indices.lowerBound) : 0
    for index in indices {
      guard slots.isLive(index) else {
        throw .noTrack(index: index)
      }
      areNeighbours = areNeighbours && slots.row(of: index) == first + index - indices.lowerBound
    }
    guard !areNeighbours else {
      return .neighbours(first: first)
    }
    rows.removeAll(keepingCapacity: true)
    for index in indices {
      rows.append(Int32(slots.row(of: index)))
    }
    return .listed
  }

  /// Copies a dimension's values of such rows.
  func copyValues(
    _ dimension: Int, _ order: RowOrder, _ rows: [Int32], to result: UnsafeMutablePointer<Float>, count: Int
  ) {
    let column = unsafe columnValue(0, dimension)
    switch order {
    case .neighbours(let first): unsafe result.update(from: column + first, count: count)
    case .listed:
      for place in 0..<count {
        unsafe result[place] = column[Int(rows[place])]
      }
    }
  }
}
