// SPDX-License-Identifier: MIT

extension PhaseBatch {
  /// The phase that a track shows or heads for.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func phase(of handle: TrackHandle) throws(BatchError) -> Int { Int(clocks[try slot(of: handle)].phase) }

  /// When a track takes its next step, on the batch's clock: infinite if none is to come, as at the end of a triggered run,
  /// in a pause, or under an animation that never is complete.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func nextStepTime(of handle: TrackHandle) throws(BatchError) -> Double {
    let clock = clocks[try slot(of: handle)]
    // Back at phase 0 a triggered run has its end to come, but no step.
    let ends = playback == .triggered && clock.phase == 0 && clock.cycle > 0 && !clock.returns
    return clock.isPaused || ends ? .infinity : clock.next
  }

  /// Whether the handle's track lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool { (try? slot(of: handle)) != nil }

  /// The track of an index, or nil if there is none.
  public func handle(atIndex index: Int) -> TrackHandle? {
    springSteps != nil ? springs.handle(atIndex: index) : curves.handle(atIndex: index)
  }

  /// The value of a track at the current time.
  ///
  /// - Throws: ``BatchError`` for a handle of no track or a type of other dimensions.
  public func value<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    springSteps != nil ? try springs.value(of: handle) : try curves.value(of: handle)
  }

  /// The velocity of a track at the current time, per second; otherwise as ``value(of:as:)``.
  public mutating func velocity<V: TrackValue>(
    of handle: TrackHandle, as type: V.Type = V.self
  ) throws(BatchError) -> V {
    springSteps != nil ? try springs.velocity(of: handle) : try curves.velocity(of: handle)
  }

  /// Copies the values of one dimension at the current time, by index; those of indices without a track are 0.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - output: Gets ``indexCount`` values; what is longer stays as it is.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:)`` or ``BatchError/wrongCount(expected:got:)``; nothing is written then.
  /// - Complexity: O(indices).
  public func copyValues(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    if springSteps != nil {
      try springs.copyValues(dimension: dimension, into: &output)
    } else {
      try curves.copyValues(dimension: dimension, into: &output)
    }
  }

  /// Copies the velocities of one dimension, per second; otherwise as ``copyValues(dimension:into:)``.
  public mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    if springSteps != nil {
      try springs.copyVelocities(dimension: dimension, into: &output)
    } else {
      try curves.copyVelocities(dimension: dimension, into: &output)
    }
  }

  /// Lends the values of one dimension at the current time, one per row, without copying.
  ///
  /// Rows without a track hold numbers that mean nothing; ``rowIndex(of:)`` tells where a track stands.
  ///
  /// - Parameters:
  ///   - dimension: 0..<``dimensions``.
  ///   - body: Reads the column. It must not keep the span.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:)``, or what `body` throws.
  public func withValues<R>(dimension: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    springSteps != nil
      ? try springs.withValues(dimension: dimension, body) : try curves.withValues(dimension: dimension, body)
  }

  /// The row of a track: its place in every column until the next advance or other call that changes the batch.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int {
    springSteps != nil ? try springs.rowIndex(of: handle) : try curves.rowIndex(of: handle)
  }
}
