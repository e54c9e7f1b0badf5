// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

extension Mixer {
  /// Sets input columns of instances from numbers.
  ///
  /// - Parameters:
  ///   - columns: Input columns, within 0..<``columnCount``.
  ///   - instances: Within 0..<``instanceCount``.
  ///   - values: Column after column, each with a value for each instance.
  ///   - stride: Floats from one column to the next; nil for no gaps.
  /// - Throws: ``MatrixError``; no input has changed then.
  /// - Complexity: O(columns · instances).
  public mutating func set(
    _ columns: Range<Int>, of instances: Range<Int>, to values: Span<Float>, stride: Int? = nil
  ) throws(MatrixError) {
    try check(columns, instances)
    let stride = try MatrixError.checkedStride(
      stride, rows: columns.count, length: instances.count, count: values.count, of: ("input", "inputs"))
    for column in 0..<columns.count {
      for instance in 0..<instances.count {
        let value = unsafe values[unchecked: column * stride + instance]
        guard abs(value) <= BatchLimits.maximumMagnitude else {
          throw .invalidValue(of: "input", index: column * stride + instance, value: value)
        }
      }
    }
    unsafe values.withUnsafeBufferPointer { values in
      guard let values = unsafe values.column else { return }
      for (index, column) in columns.enumerated() {
        (inputs.start + (column * inputStride + instances.lowerBound)).update(
          from: values + index * stride, count: instances.count)
      }
    }
  }

  /// Sets input columns from the values of tracks: one column for each dimension, one instance for each index.
  ///
  /// - Parameters:
  ///   - columns: Input columns, within 0..<``columnCount``.
  ///   - tracks: The tracks whose current values are copied: a batch, or a property of particles.
  ///   - dimension: The dimension for the first column; the next columns take the dimensions after it.
  ///   - indices: The indices of the tracks; each must have a track. Columns are copied as a whole where the tracks'
  ///     rows follow each other, as in a batch whose tracks came in bulk and never changed kind.
  ///   - instance: The instance of the first index.
  /// - Throws: ``MatrixError``; no input has changed then.
  /// - Complexity: O(columns · indices); no allocation after the first call of that size.
  public mutating func set<Tracks: AnimatedTracks & ~Copyable>(
    _ columns: Range<Int>, from tracks: borrowing Tracks, dimension: Int = 0, indices: Range<Int>, instance: Int = 0
  ) throws(MatrixError) {
    try set(columns, from: tracks.columns, dimension: dimension, indices: indices, instance: instance)
  }

  /// Sets input columns from columns of values; otherwise as from tracks.
  package mutating func set(
    _ columns: Range<Int>, from source: TrackColumns, dimension: Int, indices: Range<Int>, instance: Int
  ) throws(MatrixError) {
    rows.removeAll(keepingCapacity: true)
    let order = try rowOrder(columns, source, dimension: dimension, indices, instance)
    for (index, column) in columns.enumerated() {
      order.copy(
        source.value(dimension + index), 0..<indices.count, rows: rows,
        to: inputs.start + (column * inputStride + instance))
    }
  }

  /// Checks the tracks that become inputs of instances, one for each index, and finds their rows.
  mutating func rowOrder(
    _ columns: Range<Int>, _ source: TrackColumns, dimension: Int, _ indices: Range<Int>, _ instance: Int
  ) throws(MatrixError) -> RowOrder {
    guard indices.lowerBound >= 0 else { throw .noTrack(index: indices.lowerBound) }
    guard instance >= 0, indices.count <= instanceCount - instance else {
      throw .outOfRange("instance", instance < 0 ? instance : max(instance, instanceCount), count: instanceCount)
    }
    try check(columns, instance..<instance + indices.count)
    guard dimension >= 0, dimension <= source.dimensions - columns.count else {
      throw .outOfRange(
        "dimension", dimension < 0 ? dimension : max(dimension, source.dimensions), count: source.dimensions)
    }
    return try RowOrder(indices, of: source, &rows)
  }

  private func check(_ columns: Range<Int>, _ instances: Range<Int>) throws(MatrixError) {
    try MatrixError.check(columns, "input column", count: columnCount)
    try MatrixError.check(instances, "instance", count: instanceCount)
  }
}
