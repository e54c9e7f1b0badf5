// SPDX-License-Identifier: MIT

// Poses that are read where they stand in batches.
extension PoseBlender {
  /// Adds a pose from the values of a batch, of as many dimensions: an instance for each index.
  ///
  /// They are read in place where the tracks' rows follow each other, as they do in a batch whose tracks came in bulk and
  /// never changed kind; else gathered.
  ///
  /// - Parameters:
  ///   - batch: Whose values are the pose.
  ///   - indices: As many tracks as there are instances; all must be there.
  ///   - weights: One for each instance, in 0…``maximumWeight``.
  /// - Throws: ``MatrixError``; nothing is added then.
  /// - Complexity: O(dimensions · instances); no allocation after the first call.
  public mutating func add<Batch: TrackBatch & ~Copyable>(
    _ batch: borrowing Batch, indices: Range<Int>, weights: Span<Float>
  ) throws(MatrixError) {
    let columns = try columns(batch, indices)
    try unsafe addPose(columns.start, columns.stride, weights: copy(weights))
  }

  /// Adds a pose whose weights are values of a batch as well; otherwise as ``add(_:indices:weights:)``.
  ///
  /// - Parameters:
  ///   - batch: Whose values are the pose.
  ///   - indices: As many tracks as there are instances; all must be there.
  ///   - weights: Whose values are the weights, each in 0…``maximumWeight``: no spring that overshoots 0.
  ///   - dimension: The dimension that they are.
  ///   - weightIndices: The tracks that they are, as many as instances; nil for `indices`.
  /// - Throws: ``MatrixError``; nothing is added then.
  public mutating func add<Batch: TrackBatch & ~Copyable, Weights: TrackBatch & ~Copyable>(
    _ batch: borrowing Batch, indices: Range<Int>, weights: borrowing Weights, dimension: Int = 0,
    weightIndices: Range<Int>? = nil
  ) throws(MatrixError) {
    let columns = try columns(batch, indices)
    guard 0..<weights.dimensions ~= dimension else {
      throw .outOfRange("dimension", dimension, count: weights.dimensions)
    }
    let order = try order(of: weightIndices ?? indices, weights.columns)
    let column = locate(weights.columns, dimension, order, gatheredInto: dimensions)
    try unsafe addPose(columns.start, columns.stride, weights: UnsafePointer(column.start))
  }

  /// Columns of a pose, from the first instance on, and floats from one to the next.
  @safe
  private struct Columns {
    var start: UnsafeMutablePointer<Float>
    var stride: Int
  }

  /// The columns of a batch that is a pose.
  private mutating func columns<Batch: TrackBatch & ~Copyable>(
    _ batch: borrowing Batch, _ indices: Range<Int>
  ) throws(MatrixError) -> Columns {
    guard batch.dimensions == dimensions else {
      throw .wrongCount(of: "dimensions", expected: dimensions, got: batch.dimensions)
    }
    rows.removeAll(keepingCapacity: true)
    let source = batch.columns
    let order = try order(of: indices, source)
    var columns = unsafe Columns(start: pose.start, stride: stride)
    for dimension in 0..<dimensions {
      let column = locate(source, dimension, order, gatheredInto: dimension)
      if dimension == 0 {
        columns = column
      }
    }
    return columns
  }

  private mutating func order(of indices: Range<Int>, _ source: TrackColumns) throws(MatrixError) -> RowOrder {
    guard indices.lowerBound >= 0 else {
      throw .noTrack(index: indices.lowerBound)
    }
    guard indices.count == instanceCount else {
      throw .wrongCount(of: "indices", expected: instanceCount, got: indices.count)
    }
    return try source.rowOrder(of: indices, &rows)
  }

  /// Where a column of a batch stands: in place if its rows follow each other, else in one of the pose, to which it is
  /// copied.
  private func locate(
    _ source: TrackColumns, _ dimension: Int, _ order: RowOrder, gatheredInto own: Int
  ) -> Columns {
    if case .neighbours(let first) = order {
      // Lanes of the last tile may lie beyond the column, but not beyond the memory between columns.
      return unsafe Columns(
        start: UnsafeMutablePointer(mutating: source.value(dimension) + first), stride: source.dimensionStride)
    }
    unsafe order.copy(source.value(dimension), 0..<instanceCount, rows: rows, to: pose.start + own * stride)
    return unsafe Columns(start: pose.start + own * stride, stride: stride)
  }
}
