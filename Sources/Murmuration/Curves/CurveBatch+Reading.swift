// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch {
  /// Whether the handle's track lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool { (try? row(of: handle)) != nil }

  /// The track of an index, or nil if there is none.
  public func handle(atIndex index: Int) -> TrackHandle? {
    guard 0..<indexCount ~= index, slots.isLive(index) else {
      return nil
    }
    return handle(ofSlot: index)
  }

  /// The row of a track: its place in every column until a call changes its motion.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int { try row(of: handle) }

  /// The value of a track at the current time.
  ///
  /// - Throws: ``BatchError`` for a handle of no track or a type of other dimensions.
  public func value<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    let columns = storage.columns
    return V { unsafe columns.value[$0 * columns.dimensionStride + row] }
  }

  /// The velocity of a track at the current time, per second; otherwise as ``value(of:as:)``.
  public mutating func velocity<V: TrackValue>(
    of handle: TrackHandle, as type: V.Type = V.self
  ) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    refreshVelocities()
    let columns = storage.columns
    return V { unsafe columns.velocity[$0 * columns.dimensionStride + row] }
  }

  /// The target of a track.
  ///
  /// - Throws: As ``value(of:as:)``.
  public func target<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions)
    _ = try row(of: handle)
    return V { targets[handle.index * dimensions + $0] }
  }

  /// Whether a track shows exactly its target, for good.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func isAtRest(_ handle: TrackHandle) throws(BatchError) -> Bool {
    _ = try row(of: handle)
    return tracks[handle.index].kind == .rests && !tracks[handle.index].isPaused
  }

  /// When the last change of a track is over as far as the user can tell, on the batch's clock: for a curve its end, for a
  /// spring when its duration has passed. Infinite if never; minus infinity if nothing was changed since it rests.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func logicalEndTime(of handle: TrackHandle) throws(BatchError) -> Double {
    _ = try row(of: handle)
    let track = tracks[handle.index]
    guard track.last != nil || called[handle.index] != nil else { return -.infinity }
    return track.isPaused ? .infinity : track.logicalEnd
  }

  /// Lends the values of one dimension at the current time, one per row, without copying.
  ///
  /// Rows without a track hold numbers that mean nothing; ``rowIndex(of:)`` tells where a track stands.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - body: Reads the column, which has ``rowCount`` elements. It must not keep the span.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:)``, or what `body` throws.
  public func withValues<R>(dimension: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try check(dimension: dimension)
    let start = unsafe storage.columns.value + dimension * storage.columns.dimensionStride
    let column = unsafe UnsafeBufferPointer(start: start, count: rowCount)
    return try body(unsafe column.span)
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
    unsafe try copy(storage.columns.value + dimension * storage.columns.dimensionStride, into: &output)
  }

  /// Copies the velocities of one dimension, per second; otherwise as ``copyValues(dimension:into:)``.
  public mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    try check(dimension: dimension)
    refreshVelocities()
    unsafe try copy(storage.columns.velocity + dimension * storage.columns.dimensionStride, into: &output)
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
}
