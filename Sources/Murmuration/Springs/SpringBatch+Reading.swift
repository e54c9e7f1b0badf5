// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Lends the values of one dimension at the current time, one per row, without copying.
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

  /// Whether the handle's track lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool {
    (try? row(of: handle)) != nil
  }

  /// The row of a track: its place in every column, the same for as long as it lives.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int {
    try row(of: handle)
  }

  /// Whether a track shares its basis with others.
  public func isInCohort(_ handle: TrackHandle) throws(BatchError) -> Bool {
    let row = try row(of: handle)
    return unsafe storage.columns.group[row] >= LaneGroup.firstCohort
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
    let row = try row(of: handle)
    refreshVelocities()
    return V { unsafe columnVelocity(row, $0).pointee }
  }

  /// The target of a track.
  public func target<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    return V { unsafe storage.columns.target[$0 * storage.columns.dimensionStride + row] }
  }

  func check(dimension: Int) throws(BatchError) {
    guard 0..<dimensions ~= dimension else {
      throw .dimensionOutOfRange(dimension)
    }
  }
}
