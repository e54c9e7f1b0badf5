// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

// Poses that are read where they stand in batches.
extension PoseBlender {
  /// Adds a pose from the values of a batch with the blender's number of dimensions: one instance for each index.
  ///
  /// Values are read in place where the tracks' rows follow each other, as in a batch whose tracks came in bulk and
  /// never changed kind; otherwise they are gathered.
  ///
  /// - Parameters:
  ///   - poses: The tracks whose values are the poses: a batch, or a property of particles.
  ///   - indices: The indices of the tracks, one for each instance; each must have a track.
  ///   - weights: One for each instance, in 0…``maximumWeight``.
  /// - Throws: ``MatrixError``; nothing is added then.
  /// - Complexity: O(dimensions · instances); no allocation after the first call.
  public mutating func add<Poses: AnimatedTracks & ~Copyable>(
    _ poses: borrowing Poses, indices: Range<Int>, weights: Span<Float>
  ) throws(MatrixError) {
    let columns = try columns(poses.columns, indices)
    try addPose(columns.start, columns.stride, weights: copy(weights))
  }

  /// Adds a pose whose weights are values of tracks as well; otherwise it is ``add(_:indices:weights:)``.
  ///
  /// - Parameters:
  ///   - poses: The tracks whose values are the poses: a batch, or a property of particles.
  ///   - indices: The indices of the tracks, one for each instance; each must have a track.
  ///   - weights: The tracks whose values are the weights, each in 0…``maximumWeight``; a spring that overshoots 0 is
  ///     refused.
  ///   - dimension: The dimension of the weights.
  ///   - weightIndices: The indices of the weights' tracks, one for each instance; nil for `indices`.
  /// - Throws: ``MatrixError``; nothing is added then.
  public mutating func add<Poses: AnimatedTracks & ~Copyable, Weights: AnimatedTracks & ~Copyable>(
    _ poses: borrowing Poses, indices: Range<Int>, weights: borrowing Weights, dimension: Int = 0,
    weightIndices: Range<Int>? = nil
  ) throws(MatrixError) {
    let columns = try columns(poses.columns, indices)
    let source = weights.columns
    guard 0..<source.dimensions ~= dimension else {
      throw .outOfRange("dimension", dimension, count: source.dimensions)
    }
    let order = try order(of: weightIndices ?? indices, source)
    let column = locate(source, dimension, order, gatheredInto: dimensions)
    try addPose(columns.start, columns.stride, weights: column.start.constant)
  }

  /// The columns of a pose, from the first instance on, and floats from one column to the next.
  private struct Columns {
    var start: Column<Float>
    var stride: Int
  }

  /// The columns of tracks that hold poses.
  private mutating func columns(_ source: TrackColumns, _ indices: Range<Int>) throws(MatrixError) -> Columns {
    guard source.dimensions == dimensions else {
      throw .wrongCount(of: "dimensions", expected: dimensions, got: source.dimensions)
    }
    rows.removeAll(keepingCapacity: true)
    let order = try order(of: indices, source)
    let columns = locate(source, 0, order, gatheredInto: 0)
    for dimension in 1..<dimensions { _ = locate(source, dimension, order, gatheredInto: dimension) }
    return columns
  }

  private mutating func order(of indices: Range<Int>, _ source: TrackColumns) throws(MatrixError) -> RowOrder {
    guard indices.lowerBound >= 0 else { throw .noTrack(index: indices.lowerBound) }
    guard indices.count == instanceCount else {
      throw .wrongCount(of: "indices", expected: instanceCount, got: indices.count)
    }
    return try RowOrder(indices, of: source, &rows)
  }

  /// The address of a batch's column: in place if its rows follow each other, otherwise a column of the pose, to which
  /// it is copied.
  private func locate(
    _ source: TrackColumns, _ dimension: Int, _ order: RowOrder, gatheredInto own: Int
  ) -> Columns {
    if case .neighbours(let first) = order {
      // Lanes of the last tile may lie beyond the column, but not beyond the memory between columns.
      // Kernels read a pose and do not write it.
      let start = unsafe UnsafeMutablePointer(mutating: (source.value(dimension) + first).address)
      let count = (dimensions - 1) * source.dimensionStride + paddedCount
      return unsafe Columns(start: Column(start, count: count), stride: source.dimensionStride)
    }
    order.copy(source.value(dimension), 0..<instanceCount, rows: rows, to: pose.start + own * stride)
    return Columns(start: pose.start + own * stride, stride: stride)
  }
}
