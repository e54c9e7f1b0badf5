// SPDX-License-Identifier: MIT
import Kernels

// Scrubbing. An instance that is paused within a leg stands where its base says, so moving it is one store.
extension KeyframeBatch {
  /// Moves an instance to a time of its clip, in the leg that it is in. One that is playing plays on from there, one that is
  /// paused stays there; one that waits starts, one that is over goes on in its last leg, an idle one is paused there.
  ///
  /// - Parameters:
  ///   - handle: The instance.
  ///   - time: Seconds from the start of the clip; what is outside of it is taken for the nearest end.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func scrub(_ handle: TrackHandle, to time: Double) throws(BatchError) {
    let row = try row(of: handle)
    guard time.isFinite else { throw .invalidTime(time) }
    scrub(row, to: time)
  }

  /// Moves an instance to a share of its clip's duration, 0…1; otherwise as ``scrub(_:to:)-(TrackHandle,Double)``.
  public mutating func scrub(_ handle: TrackHandle, toProgress progress: Double) throws(BatchError) {
    let row = try row(of: handle)
    guard progress.isFinite else { throw .invalidTime(progress) }
    scrub(row, to: min(max(progress, 0), 1) * timing(ofRow: row).duration)
  }

  /// Moves instances to times of their clips; otherwise as ``scrub(_:to:)-(TrackHandle,Double)``.
  ///
  /// - Parameters:
  ///   - handles: The instances.
  ///   - times: Seconds, one for each.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(handles); for instances that are paused within a leg one store each.
  public mutating func scrub(_ handles: Span<TrackHandle>, to times: Span<Double>) throws(BatchError) {
    try check(handles)
    try checkCount(handles.count, times.count)
    try check(times: times)
    for index in handles.indices {
      scrub(slots.row(of: handles[index].index), to: unsafe times[unchecked: index])
    }
  }

  /// Moves instances to shares of their clips' durations; otherwise as ``scrub(_:to:)-(Span<TrackHandle>,_)``.
  public mutating func scrub(_ handles: Span<TrackHandle>, toProgress shares: Span<Double>) throws(BatchError) {
    try check(handles)
    try checkCount(handles.count, shares.count)
    try check(times: shares)
    for index in handles.indices {
      let row = slots.row(of: handles[index].index)
      scrub(row, to: min(max(shares[index], 0), 1) * timing(ofRow: row).duration)
    }
  }

  /// Moves every instance to a time of its clip; otherwise as ``scrub(_:to:)-(Span<TrackHandle>,_)``.
  ///
  /// - Parameter times: Seconds, by index; exactly ``indexCount`` numbers. Those of indices without an instance are ignored.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func scrubAll(to times: Span<Double>) throws(BatchError) {
    try checkCount(indexCount, times.count)
    try check(times: times)
    for slot in 0..<indexCount where slots.isLive(slot) {
      scrub(slots.row(of: slot), to: unsafe times[unchecked: slot])
    }
  }

  private mutating func scrub(_ row: Int, to seconds: Double) {
    let tile = row / laneCountOfTile
    if tiles.posed[tile] & PlaybackTiles.bit(row) != 0 {
      let duration = library.timings[Int(tiles.clips[tile])].duration
      let passed = min(max(seconds / duration, 0), 1)
      unsafe storage.columns.base[row] = Double(ClipTick.start) + ClipTick.count * passed
      if !tiles.isFresh[tile] { refresh(tile) }
      return
    }
    let clip = timing(ofRow: row)
    let time = min(max(seconds, 0), clip.duration)
    if unsafe storage.states[row].mode == .idle {
      var state = unsafe storage.states[row]
      state.begin(Playback(), at: self.time, clip)
      state.mode = .paused
      unsafe storage.states[row] = state
    }
    change(row) { state, clip in state.move(to: time, clip) }
  }
}
