// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Lends the values of one dimension at the current time, one per row, without copying.
  ///
  /// Rows without a track hold numbers that mean nothing; ``handle(atRow:)`` tells which do.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - body: Reads the column, which has ``rowCount`` elements. It must not keep the span.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:)``, or what `body` throws.
  public func withValues<R>(dimension: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try check(dimension: dimension)
    let column = unsafe UnsafeBufferPointer(start: columnValue(0, dimension), count: rowCount)
    return try body(unsafe column.span)
  }

  /// Lends the velocities of one dimension, per second; otherwise as ``withValues(dimension:_:)``.
  ///
  /// Computes them first if ``computesVelocities`` is false and nothing asked for them at this time.
  public mutating func withVelocities<R>(dimension: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try check(dimension: dimension)
    refreshVelocities()
    let column = unsafe UnsafeBufferPointer(start: columnVelocity(0, dimension), count: rowCount)
    return try body(unsafe column.span)
  }

  /// Lends the value column of one dimension as a pointer, for uploads: ``rowCount`` floats, 64-byte aligned, valid
  /// during `body` only.
  public func withUnsafeValues<R>(
    dimension: Int, _ body: (UnsafeBufferPointer<Float>) throws -> R
  ) throws -> R {
    try check(dimension: dimension)
    return try unsafe body(UnsafeBufferPointer(start: columnValue(0, dimension), count: rowCount))
  }

  /// Copies the values of one dimension at the current time, by index; those of indices without a track are 0.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - output: Gets ``indexCount`` values; what is longer stays as it is.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:)`` or ``BatchError/wrongCount(expected:got:)``; nothing is written then.
  /// - Complexity: O(indices).
  public func copyValues(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try check(dimension: dimension)
    unsafe try copy(columnValue(0, dimension), into: &output)
  }

  /// Copies the velocities of one dimension, per second; otherwise as ``copyValues(dimension:into:)``.
  public mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try check(dimension: dimension)
    refreshVelocities()
    unsafe try copy(columnVelocity(0, dimension), into: &output)
  }

  private func copy(
    _ column: UnsafeMutablePointer<Float>, into output: inout MutableSpan<Float>
  ) throws(BatchError) {
    guard output.count >= indexCount else {
      throw .wrongCount(expected: indexCount, got: output.count)
    }
    for slot in 0..<indexCount {
      unsafe output[unchecked: slot] = slots.isLive(slot) ? column[slots.row(of: slot)] : 0
    }
  }

  /// Whether the handle's track lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool {
    (try? row(of: handle)) != nil
  }

  /// The row of a track: its place in every column until a call moves it.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int {
    try row(of: handle)
  }

  /// The track in a row, or nil if there is none.
  public func handle(atRow row: Int) -> TrackHandle? {
    guard 0..<rowEnd ~= row, tiles.isLive(row) else {
      return nil
    }
    return handle(ofRow: row)
  }

  /// The track of an index, or nil if there is none.
  public func handle(atIndex index: Int) -> TrackHandle? {
    guard 0..<indexCount ~= index, slots.isLive(index) else {
      return nil
    }
    return handle(ofSlot: index)
  }

  /// Whether a track shares its basis with others.
  public func isInCohort(_ handle: TrackHandle) throws(BatchError) -> Bool {
    cohort(ofRow: try row(of: handle)) != nil
  }

  /// The number of tracks in the cohort of a track.
  ///
  /// - Throws: ``BatchError/notInCohort(_:)`` if it moves alone.
  public func cohortCount(of handle: TrackHandle) throws(BatchError) -> Int {
    guard let place = cohort(ofRow: try row(of: handle)) else {
      throw .notInCohort(handle)
    }
    return cohorts[place].trackCount
  }

  /// The value of a track at the current time.
  public func value<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    return V { unsafe columnValue(row, $0).pointee }
  }

  /// The velocity of a track at the current time, per second.
  public mutating func velocity<V: TrackValue>(
    of handle: TrackHandle, as type: V.Type = V.self
  ) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    _ = try row(of: handle)
    refreshVelocities()
    let row = slots.row(of: handle.index)
    return V { unsafe columnVelocity(row, $0).pointee }
  }

  /// The target of a track.
  public func target<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    return V { unsafe storage.columns.target[$0 * storage.columns.dimensionStride + row] }
  }

  func columnValue(_ row: Int, _ dimension: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage.columns.value + (dimension * storage.columns.dimensionStride + row)
  }

  func columnVelocity(_ row: Int, _ dimension: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage.columns.velocity + (dimension * storage.columns.dimensionStride + row)
  }
}
