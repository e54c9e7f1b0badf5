// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch: TrackBatch {
  /// Where the tracks stand, and what they show.
  public var columns: TrackColumns {
    unsafe TrackColumns(
      slots: slots, track: storage.track, value: storage.columns.value, velocity: storage.columns.velocity,
      dimensionStride: storage.columns.dimensionStride, rowCount: rowEnd)
  }

  /// The target of a track.
  ///
  /// - Throws: As ``TrackBatch/value(of:as:)``.
  public func target<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions, of: "value")
    _ = try slots.row(of: handle)
    return V { targets[handle.index * dimensions + $0] }
  }

  /// Whether a track shows exactly its target, for good.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func isAtRest(_ handle: TrackHandle) throws(BatchError) -> Bool {
    _ = try slots.row(of: handle)
    return tracks[handle.index].kind == .rests && !tracks[handle.index].isPaused
  }

  /// Whether a kernel evaluates a track, for checks: its bound is another than that of one computed in Double.
  package func isLane(_ handle: TrackHandle) throws(BatchError) -> Bool {
    _ = try slots.row(of: handle)
    return tracks[handle.index].kind == .lane
  }

  /// When the last change of a track is over as far as the user can tell, on the batch's clock: for a curve its end, for a
  /// spring when its duration has passed. Infinite if never; minus infinity if nothing was changed since it rests.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func logicalEndTime(of handle: TrackHandle) throws(BatchError) -> Double {
    _ = try slots.row(of: handle)
    let isCalled = called[handle.index] != nil || finishedCalls[handle.index] != nil
    guard tracks[handle.index].lastSpan != nil || isCalled else { return -.infinity }
    return tracks[handle.index].isPaused ? .infinity : tracks[handle.index].logicalEnd
  }
}
