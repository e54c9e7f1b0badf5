// SPDX-License-Identifier: MIT
import Kernels

extension TrackBatch where Self: ~Copyable {
  // MARK: - Tracks

  /// Whether the handle's track lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool { (try? columns.slots.row(of: handle)) != nil }

  /// The row of a track: its place in every column until a call changes the batch.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int { try columns.slots.row(of: handle) }

  /// The track in a row, or nil if there is none.
  public func handle(atRow row: Int) -> TrackHandle? { columns.handle(atRow: row) }

  /// The track of an index, or nil if there is none.
  public func handle(atIndex index: Int) -> TrackHandle? {
    let slots = columns.slots
    return 0..<slots.count ~= index && slots.isLive(index) ? slots.handle(ofSlot: index) : nil
  }

  // MARK: - One track

  /// The value of a track at the current time.
  ///
  /// - Throws: ``BatchError`` for a handle of no track or a type of other dimensions.
  public func value<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions, of: "value")
    let columns = columns
    let row = try columns.slots.row(of: handle)
    return V { unsafe columns.value($0)[row] }
  }

  /// The velocity of a track at the current time, per second; otherwise as ``value(of:as:)``.
  public mutating func velocity<V: TrackValue>(
    of handle: TrackHandle, as type: V.Type = V.self
  ) throws(BatchError) -> V {
    try checkDimensions(V.dimensions, of: "value")
    _ = try columns.slots.row(of: handle)
    refreshVelocities()
    let columns = columns
    let row = columns.slots.row(of: handle.index)
    return V { unsafe columns.velocity($0)[row] }
  }

  /// Copies the values of one track, of any number of dimensions.
  ///
  /// - Parameters:
  ///   - handle: The track.
  ///   - output: Gets ``dimensions`` values; exactly that long.
  /// - Throws: ``BatchError``; nothing is written then.
  public func copyValues(of handle: TrackHandle, into output: inout MutableSpan<Float>) throws(BatchError) {
    let columns = columns
    let row = try columns.slots.row(of: handle)
    try checkCount(dimensions, output.count, of: "output")
    for dimension in 0..<dimensions {
      unsafe output[dimension] = columns.value(dimension)[row]
    }
  }

  // MARK: - Columns

  /// Lends the values of one dimension at the current time, one per row, without copying.
  ///
  /// Rows without a track hold numbers that mean nothing; ``handle(atRow:)`` tells which do.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - body: Reads the column, which has ``rowCount`` elements. It must not keep the span.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
  public func withValues<R>(dimension: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try unsafe withUnsafeValues(dimension: dimension) { column in try unsafe body(column.span) }
  }

  /// Lends the velocities of one dimension, per second; otherwise as ``withValues(dimension:_:)``.
  ///
  /// Computes them first if no advance to this time did, and nothing asked for them.
  public mutating func withVelocities<R>(dimension: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try check(dimension: dimension)
    refreshVelocities()
    let column = unsafe UnsafeBufferPointer(start: columns.velocity(dimension), count: rowCount)
    return try body(unsafe column.span)
  }

  /// Lends the value column of one dimension as a pointer, for uploads: ``rowCount`` floats, 64-byte aligned, valid
  /// during `body` only.
  public func withUnsafeValues<R>(
    dimension: Int, _ body: (UnsafeBufferPointer<Float>) throws -> R
  ) throws -> R {
    try check(dimension: dimension)
    return try unsafe body(UnsafeBufferPointer(start: columns.value(dimension), count: rowCount))
  }

  /// Copies the values of one dimension at the current time, by index; those of indices without a track are 0.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - output: Gets ``indexCount`` values; what is longer stays as it is.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)`` or ``BatchError/wrongCount(of:expected:got:)``; nothing is written then.
  /// - Complexity: O(indices).
  public func copyValues(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try check(dimension: dimension)
    let columns = columns
    unsafe try columns.copy(columns.value(dimension), into: &output)
  }

  /// Copies the velocities of one dimension, per second; otherwise as ``copyValues(dimension:into:)``.
  public mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try check(dimension: dimension)
    refreshVelocities()
    let columns = columns
    unsafe try columns.copy(columns.velocity(dimension), into: &output)
  }
}
