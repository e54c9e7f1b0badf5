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
  ///   - indices: The indices of the tracks; each must have a track.
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
    try check(columns, source, dimension: dimension, indices, instance)
    for (index, column) in columns.enumerated() {
      (inputs.start + (column * inputStride + instance)).update(
        from: source.value(dimension + index) + indices.lowerBound, count: indices.count)
    }
  }

  /// Checks the tracks that become inputs of instances, one for each index.
  private func check(
    _ columns: Range<Int>, _ source: TrackColumns, dimension: Int, _ indices: Range<Int>, _ instance: Int
  ) throws(MatrixError) {
    guard indices.lowerBound >= 0 else { throw .noTrack(index: indices.lowerBound) }
    guard instance >= 0, indices.count <= instanceCount - instance else {
      throw .outOfRange("instance", instance < 0 ? instance : max(instance, instanceCount), count: instanceCount)
    }
    try check(columns, instance..<instance + indices.count)
    guard dimension >= 0, dimension <= source.dimensions - columns.count else {
      throw .outOfRange(
        "dimension", dimension < 0 ? dimension : max(dimension, source.dimensions), count: source.dimensions)
    }
    try source.checkTracks(indices)
  }

  private func check(_ columns: Range<Int>, _ instances: Range<Int>) throws(MatrixError) {
    try MatrixError.check(columns, "input column", count: columnCount)
    try MatrixError.check(instances, "instance", count: instanceCount)
  }
}

/// A mixer that reads columns of batches where they stand, for as long as they are lent; see
/// ``Mixer/reading(_:from:dimension:indices:instance:_:)``.
@safe
public struct MixerReader: ~Copyable {
  fileprivate let mixer: UnsafeMutablePointer<Mixer>

  /// Reads more input columns in place, from the same batch or from another; otherwise it is
  /// ``Mixer/reading(_:from:dimension:indices:instance:_:)``.
  public func reading<Tracks: AnimatedTracks & ~Copyable, Result>(
    _ columns: Range<Int>, from tracks: borrowing Tracks, dimension: Int = 0, indices: Range<Int>, instance: Int = 0,
    _ body: (borrowing MixerReader) throws -> Result
  ) throws -> Result {
    try unsafe mixer.pointee.lend(columns, tracks.columns, dimension: dimension, indices, instance)
    defer { unsafe mixer.pointee.takeBack() }
    return try body(self)
  }

  /// Writes the outputs of instances, as ``Mixer/mix(_:into:stride:)`` does.
  public func mix(
    _ instances: Range<Int>? = nil, into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    stride: Int? = nil
  ) throws(MatrixError) {
    try unsafe mixer.pointee.mix(instances, into: &output, stride: stride)
  }
}

extension Mixer {
  /// Reads input columns in place: one column for each dimension, one instance for each index.
  ///
  /// ```swift
  /// try mixer.reading(0..<64, from: weights, indices: 0..<1_000) { mixer in
  ///   try mixer.reading(64..<65, from: fades, indices: 0..<1_000) { mixer in
  ///     try mixer.mix(into: &outputs)
  ///   }
  /// }
  /// ```
  ///
  /// Nothing is copied where all instances that are mixed together are read from one batch. Otherwise
  /// ``MixerReader/mix(_:into:stride:)`` gathers the values each time. The outputs have the same bits as after
  /// ``set(_:from:dimension:indices:instance:)``. If two batches are lent for one input, the later one counts. Values that
  /// were set for these columns before are lost.
  ///
  /// - Parameters:
  ///   - columns: Input columns, within 0..<``columnCount``.
  ///   - tracks: The tracks whose current values are read: a batch, or a property of particles.
  ///   - dimension: The dimension for the first column; the next columns take the dimensions after it.
  ///   - indices: The indices of the tracks; each must have a track.
  ///   - instance: The instance of the first index.
  ///   - body: Mixes, or reads from more batches. The tracks cannot change meanwhile.
  /// - Throws: ``MatrixError`` before `body` is called, or the error of `body`.
  /// - Complexity: O(indices) before `body`; no allocation after the first call of that size.
  public mutating func reading<Tracks: AnimatedTracks & ~Copyable, Result>(
    _ columns: Range<Int>, from tracks: borrowing Tracks, dimension: Int = 0, indices: Range<Int>, instance: Int = 0,
    _ body: (borrowing MixerReader) throws -> Result
  ) throws -> Result {
    return try unsafe withUnsafeMutablePointer(to: &self) { mixer in
      let reader = unsafe MixerReader(mixer: mixer)
      return try reader.reading(
        columns, from: tracks, dimension: dimension, indices: indices, instance: instance, body)
    }
  }

  fileprivate mutating func lend(
    _ columns: Range<Int>, _ source: TrackColumns, dimension: Int, _ indices: Range<Int>, _ instance: Int
  ) throws(MatrixError) {
    try check(columns, source, dimension: dimension, indices, instance)
    // Whole tiles are read: lanes behind the last index lie in the next column.
    let count = (columns.count - 1) * source.dimensionStride + source.indexCount + laneCountOfTile
    let start = unsafe ConstantColumn(source.value(dimension).address, count: count)
    lent.append(
      LentColumns(
        columns: columns, instances: instance..<instance + indices.count, start: start, stride: source.dimensionStride,
        first: indices.lowerBound))
  }

  fileprivate mutating func takeBack() { lent.removeLast() }

  // MARK: - Inputs

  /// Copies lent columns that cannot be read in place into the inputs of instances, in the order in which they were
  /// lent.
  func gatherLent(_ instances: Range<Int>) {
    for (place, lent) in lent.enumerated() where !isInPlace(place, instances) {
      let part = instances.clamped(to: lent.instances)
      let tracks = part.lowerBound - lent.instances.lowerBound..<part.upperBound - lent.instances.lowerBound
      for (index, column) in lent.columns.enumerated() where !part.isEmpty {
        (inputs.start + (column * inputStride + part.lowerBound)).update(
          from: lent.start + (index * lent.stride + lent.first + tracks.lowerBound), count: tracks.count)
      }
    }
  }

  /// An input column of instances, from the first lane of a tile on.
  func input(_ column: Int, _ instances: Range<Int>, tileStart: Int) -> ConstantColumn<Float> {
    for (place, lent) in lent.enumerated() where lent.columns.contains(column) && isInPlace(place, instances) {
      let index = lent.first + tileStart - lent.instances.lowerBound
      return lent.start + (column - lent.columns.lowerBound) * lent.stride + index
    }
    return inputs.start.constant + (column * inputStride + tileStart)
  }

  /// Whether a lent batch has these instances, from the first lane of their tile on, and no
  /// batch that was lent later replaces it. The lanes of the last tile may go beyond its columns, but not beyond the
  /// memory between them.
  private func isInPlace(_ place: Int, _ instances: Range<Int>) -> Bool {
    guard lent[place].instances.lowerBound <= instances.lowerBound,
      lent[place].instances.upperBound >= instances.upperBound,
      lent[place].first + instances.lowerBound / laneCountOfTile * laneCountOfTile >= lent[place].instances.lowerBound
    else {
      return false
    }
    return !lent[(place + 1)...].contains { $0.columns.overlaps(lent[place].columns) }
  }
}

/// Columns of a batch that a mixer reads, one instance for each index of a range.
struct LentColumns {
  let columns: Range<Int>
  let instances: Range<Int>
  /// The batch's column for the first input column, and floats from one column to the next.
  let start: ConstantColumn<Float>
  let stride: Int
  /// The index of the first of them.
  let first: Int
}

// A mixer has such columns only within a call, which keeps the mixer and the batch where they are.
extension LentColumns: @unchecked Sendable {}
