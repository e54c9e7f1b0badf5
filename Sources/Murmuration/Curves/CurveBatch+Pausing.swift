// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch {
  /// Stops a track where it is: its value stays, its velocity is 0, and time passes without it. A track that is paused, or
  /// at rest, stays so.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public mutating func pause(_ handle: TrackHandle) throws(BatchError) {
    _ = try slots.row(of: handle)
    pause(slot: handle.index)
  }

  /// Lets a paused track go on from where it stopped, with the velocity that it had.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public mutating func resume(_ handle: TrackHandle) throws(BatchError) {
    _ = try slots.row(of: handle)
    refreshVelocities()
    resume(slot: handle.index)
  }

  /// Whether a track is paused.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func isPaused(_ handle: TrackHandle) throws(BatchError) -> Bool {
    _ = try slots.row(of: handle)
    return tracks[handle.index].isPaused
  }

  mutating func pause(slot: Int) {
    guard !tracks[slot].isPaused, tracks[slot].kind != .rests else { return }
    enter(slot, .rests)
    schedule.set(slot, .infinity)
    latestStart = max(latestStart, time)
    let row = slots.row(of: slot)
    let columns = storage.columns
    hold(slot) { unsafe columns.value[$0 * columns.dimensionStride + row] }
    tracks[slot].pauseTime = time
  }

  mutating func resume(slot: Int) {
    guard tracks[slot].isPaused else { return }
    let seconds = time - tracks[slot].pauseTime
    tracks[slot].pauseTime = .nan
    tracks[slot].runStart += seconds
    tracks[slot].last?.span.start += seconds
    for index in tracks[slot].earlier.indices {
      tracks[slot].earlier[index].span.start += seconds
    }
    called[slot]?.lag += seconds
    latestStart = max(latestStart, time)
    follow(slot)
  }

  /// What a paused track shows.
  func pausedValue(_ slot: Int, _ dimension: Int) -> Float {
    unsafe storage.columns.value[dimension * storage.columns.dimensionStride + slots.row(of: slot)]
  }
}
