// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch: TrackBatch {
  /// Where the instances stand, and what they show.
  public var columns: TrackColumns {
    unsafe TrackColumns(
      slots: slots, track: storage.track, value: storage.columns.value, velocity: storage.columns.velocity,
      dimensionStride: storage.columns.dimensionStride, rowCount: rowEnd)
  }

  /// Whether an instance is playing at the current time: it has begun, is not over, and not paused.
  public func isPlaying(_ handle: TrackHandle) throws(BatchError) -> Bool {
    let row = try slots.row(of: handle)
    let state = unsafe storage.states[row]
    return state.mode == .running && state.leg(at: time, timing(ofRow: row)).phase == .playing
  }

  /// Whether an instance is paused.
  public func isPaused(_ handle: TrackHandle) throws(BatchError) -> Bool {
    unsafe storage.states[try slots.row(of: handle)].mode == .paused
  }

  /// The time of its clip that an instance shows, seconds; nil where it shows its own value.
  public func localTime(of handle: TrackHandle) throws(BatchError) -> Double? {
    let row = try slots.row(of: handle)
    let timing = timing(ofRow: row)
    let leg = state(ofRow: row).leg(at: time, timing)
    guard !leg.showsOwn else { return nil }
    return leg.position(at: time, isReversed: false) * timing.duration
  }
}
