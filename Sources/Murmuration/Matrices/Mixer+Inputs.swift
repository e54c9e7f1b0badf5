// SPDX-License-Identifier: MIT
import Kernels

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
    let stride = stride ?? instances.count
    guard stride >= instances.count else {
      throw .invalidStride(of: "inputs", atLeast: instances.count, got: stride)
    }
    guard stride <= MatrixLimits.maximumSize else {
      throw .invalidSize(of: "input stride", stride)
    }
    let needed = columns.isEmpty || instances.isEmpty ? 0 : (columns.count - 1) * stride + instances.count
    guard values.count >= needed else {
      throw .wrongCount(of: "inputs", expected: needed, got: values.count)
    }
    for column in 0..<columns.count {
      for instance in 0..<instances.count {
        let value = unsafe values[unchecked: column * stride + instance]
        guard abs(value) <= BatchLimits.maximumMagnitude else {
          throw .invalidValue(of: "input", index: column * stride + instance, value: value)
        }
      }
    }
    unsafe values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else {
        return
      }
      for (index, column) in columns.enumerated() {
        unsafe (inputs.start + (column * inputStride + instances.lowerBound)).update(
          from: values + index * stride, count: instances.count)
      }
    }
  }

  /// Sets input columns from the values of a batch's dimensions: an instance for each index.
  ///
  /// - Parameters:
  ///   - columns: Input columns, within 0..<``columnCount``.
  ///   - batch: Where the values come from, as they are at its time.
  ///   - dimension: The dimension for the first column; those for the others follow.
  ///   - indices: The tracks, see ``TrackBatch``; all must be there. Where their rows follow each other, as they do in a
  ///     batch whose tracks came in bulk and never changed kind, columns are copied as a whole.
  ///   - instance: The instance of the first index.
  /// - Throws: ``MatrixError``; no input has changed then.
  /// - Complexity: O(columns · indices); no allocation after the first call of that size.
  public mutating func set<Batch: TrackBatch & ~Copyable>(
    _ columns: Range<Int>, from batch: borrowing Batch, dimension: Int = 0, indices: Range<Int>, instance: Int = 0
  ) throws(MatrixError) {
    rows.removeAll(keepingCapacity: true)
    let source = batch.columns
    let order = try rowOrder(columns, source, batch.dimensions, dimension: dimension, indices, instance)
    for (index, column) in columns.enumerated() {
      unsafe order.copy(
        source.value(dimension + index), 0..<indices.count, rows: rows,
        to: inputs.start + (column * inputStride + instance))
    }
  }

  /// Checks what is to be inputs of instances, one for each index, and finds where the tracks stand.
  mutating func rowOrder(
    _ columns: Range<Int>, _ source: TrackColumns, _ dimensions: Int, dimension: Int, _ indices: Range<Int>,
    _ instance: Int
  ) throws(MatrixError) -> RowOrder {
    guard indices.lowerBound >= 0 else {
      throw .noTrack(index: indices.lowerBound)
    }
    guard instance >= 0, indices.count <= instanceCount - instance else {
      throw .outOfRange("instance", instance < 0 ? instance : max(instance, instanceCount), count: instanceCount)
    }
    try check(columns, instance..<instance + indices.count)
    guard dimension >= 0, dimension <= dimensions - columns.count else {
      throw .outOfRange("dimension", dimension < 0 ? dimension : max(dimension, dimensions), count: dimensions)
    }
    return try source.rowOrder(of: indices, &rows)
  }

  /// Sets input columns from a property of particles; otherwise as from a batch.
  public mutating func set(
    _ columns: Range<Int>, from particles: borrowing ParticleBatch, property: Int, dimension: Int = 0,
    indices: Range<Int>, instance: Int = 0
  ) throws(MatrixError) {
    try set(
      columns, from: Self.box(property, of: particles).batch, dimension: dimension, indices: indices,
      instance: instance)
  }

  /// The batch of a property of particles.
  static func box(_ property: Int, of particles: borrowing ParticleBatch) throws(MatrixError) -> ParticleBatch.Box {
    do throws(BatchError) { return try particles.box(property) } catch {
      throw .outOfRange("property", property, count: particles.properties.count)
    }
  }

  private func check(_ columns: Range<Int>, _ instances: Range<Int>) throws(MatrixError) {
    guard columns.lowerBound >= 0, columns.upperBound <= columnCount else {
      throw .outOfRange(
        "input column", columns.lowerBound < 0 ? columns.lowerBound : columns.upperBound - 1, count: columnCount)
    }
    guard instances.lowerBound >= 0, instances.upperBound <= instanceCount else {
      throw .outOfRange(
        "instance", instances.lowerBound < 0 ? instances.lowerBound : instances.upperBound - 1, count: instanceCount)
    }
  }
}
