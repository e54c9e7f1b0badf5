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
    let row = try slots.row(of: handle)
    guard time.isFinite else { throw .invalidTime(time) }
    scrub(row, to: time)
  }

  /// Moves an instance to a share of its clip's duration, 0…1; otherwise as ``scrub(_:to:)-(TrackHandle,Double)``.
  public mutating func scrub(_ handle: TrackHandle, toProgress progress: Double) throws(BatchError) {
    let row = try slots.row(of: handle)
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
    try slots.check(handles)
    try checkCount(handles.count, times.count, of: "times")
    try check(times: times)
    pose(times.count, times) { unsafe handles[unchecked: $0].index }
  }

  /// Moves instances to shares of their clips' durations; otherwise as ``scrub(_:to:)-(Span<TrackHandle>,_)``.
  public mutating func scrub(_ handles: Span<TrackHandle>, toProgress shares: Span<Double>) throws(BatchError) {
    try slots.check(handles)
    try checkCount(handles.count, shares.count, of: "shares")
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
    try checkCount(indexCount, times.count, of: "times")
    try check(times: times)
    poseAll(times)
  }

  /// Moves many instances: first those that are paused within a leg, in a loop over columns, then the others.
  @inline(__always)
  private mutating func pose(_ count: Int, _ times: Span<Double>, slotAt: (Int) -> Int) {
    others.removeAll(keepingCapacity: true)
    let (base, clips) = unsafe (storage.columns.base, storage.clip)
    var isAsleep = false
    slots.withRows { rows in
      unsafe tiles.withLanes { _, posed, isPlanned, isFresh in
        unsafe library.timings.withUnsafeBufferPointer { timings in
          for index in 0..<count {
            guard let row = rows.liveRow(slotAt(index)) else { continue }
            let tile = row / laneCountOfTile
            if unsafe posed[tile] & PlaybackTiles.bit(row) != 0 {
              let duration = unsafe timings[Int(clips[row])].duration
              let passed = unsafe min(max(times[unchecked: index] / duration, 0), 1)
              unsafe base[row] = Double(ClipTick.start) + ClipTick.count * passed
              unsafe isFresh[tile] = true
              unsafe isAsleep = isAsleep || !isPlanned[tile]
            } else {
              others.append(Int32(index))
            }
          }
        }
      }
    }
    hasChanges = true
    if isAsleep { planIsStale = true }
    for index in others.indices {
      let place = Int(others[index])
      scrub(slots.row(of: slotAt(place)), to: unsafe times[unchecked: place])
    }
  }

  /// Moves every instance likewise, but by rows: their times are all that lies in another order.
  private mutating func poseAll(_ times: Span<Double>) {
    others.removeAll(keepingCapacity: true)
    let (base, clips, track) = unsafe (storage.columns.base, storage.clip, storage.track)
    let end = tiles.end
    var isAsleep = false
    unsafe tiles.withLanes { live, posed, isPlanned, isFresh in
      unsafe library.timings.withUnsafeBufferPointer { timings in
        for tile in 0..<end {
          let first = tile * laneCountOfTile
          var lanes = unsafe posed[tile]
          if lanes != 0 {
            unsafe isFresh[tile] = true
            unsafe isAsleep = isAsleep || !isPlanned[tile]
          }
          while lanes != 0 {
            let row = first + lanes.trailingZeroBitCount
            lanes &= lanes - 1
            let duration = unsafe timings[Int(clips[row])].duration
            let passed = unsafe min(max(times[unchecked: Int(track[row])] / duration, 0), 1)
            unsafe base[row] = Double(ClipTick.start) + ClipTick.count * passed
          }
          lanes = unsafe live[tile] & ~posed[tile]
          while lanes != 0 {
            others.append(Int32(first + lanes.trailingZeroBitCount))
            lanes &= lanes - 1
          }
        }
      }
    }
    hasChanges = true
    if isAsleep { planIsStale = true }
    for index in others.indices {
      let row = Int(others[index])
      scrub(row, to: unsafe times[unchecked: Int(storage.track[row])])
    }
  }

  private mutating func scrub(_ row: Int, to seconds: Double) {
    let tile = row / laneCountOfTile
    if tiles.posed[tile] & PlaybackTiles.bit(row) != 0 {
      let duration = timing(ofRow: row).duration
      let passed = min(max(seconds / duration, 0), 1)
      unsafe storage.columns.base[row] = Double(ClipTick.start) + ClipTick.count * passed
      refresh(tile)
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
