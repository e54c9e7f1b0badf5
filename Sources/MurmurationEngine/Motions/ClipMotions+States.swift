// SPDX-License-Identifier: MIT
import Kernels

// The states of rows, how calls change them, and what they show at a time.
extension ClipMotions {
  /// Whether the track of a row is paused within an iteration: its base alone says where it stands.
  func isPosed(_ row: Int) -> Bool { tiles.posed[row / laneCountOfTile] & TileStore.bit(row) != 0 }

  /// The state of a row. If the track is posed, its offset is the time of the clip that the row shows.
  func state(ofRow row: Int) -> LaneState {
    var state = columns.states[row]
    if isPosed(row) {
      let fraction = PlaybackLeg.fraction(
        ofTick: columns.kernel.base[row], isReversed: state.isReversed(state.firstLeg))
      state.offset = fraction * timing(ofRow: row).duration
    }
    return state
  }

  /// Gives a row, or all rows of a tile that has just been taken, a state, which shows with the next frame.
  @inline(__always)
  mutating func setState(_ state: LaneState, ofRow row: Int, count: Int = 1) {
    (columns.states + row).update(repeating: state, count: count)
    (columns.from + row).update(repeating: .infinity, count: count)
    (columns.until + row).update(repeating: -.infinity, count: count)
    tiles.invalidate(row)
    latestChange = max(latestChange, state.changed)
  }

  /// Changes the state of a row from a time on.
  mutating func change(_ row: Int, at time: Double, _ body: (inout LaneState, ClipTiming) -> Void) {
    let timing = timing(ofRow: row)
    var state = state(ofRow: row)
    state.anchor(at: time, timing)
    body(&state, timing)
    setState(state, ofRow: row)
  }

  /// Stops the track of a row at its value.
  mutating func pause(_ row: Int, at now: Double) {
    var state = state(ofRow: row)
    state.pause(at: now, timing(ofRow: row))
    setState(state, ofRow: row)
  }

  /// Moves the track of a row to a time of its clip, in the iteration that it is in.
  mutating func seek(_ row: Int, to seconds: Double, at now: Double, _ tracks: borrowing TrackStore) {
    if isPosed(row) {
      noteMoved()
      columns.kernel.base[row] = Self.base(at: seconds, duration: timing(ofRow: row).duration)
      tiles.refresh(row / laneCountOfTile, tracks)
      return
    }
    change(row, at: now) { state, timing in state.move(to: min(max(seconds, 0), timing.duration), timing) }
  }

  /// The tick of a time of a clip.
  @inline(__always)
  private static func base(at seconds: Double, duration: Double) -> Double {
    Double(ClipTick.start) + ClipTick.count * min(max(seconds / duration, 0), 1)
  }

  /// Moves some tracks of a tile that are paused within an iteration.
  ///
  /// - Parameter seconds: By index.
  mutating func pose(_ lanes: UInt16, ofTile tile: Int, at seconds: Span<Double>, _ tracks: borrowing TrackStore) {
    guard lanes != 0 else { return }
    noteMoved()
    let first = tile * laneCountOfTile
    let (bases, clips) = (columns.kernel.base + first, columns.clip + first)
    library.timings.withConstantColumn { timings in
      lanes.forEachLane { lane in
        let duration = timings[Int(clips[lane])].duration
        unsafe bases[lane] = Self.base(at: seconds[unchecked: first + lane], duration: duration)
      }
    }
    tiles.refresh(tile, tracks)
  }

  /// The values and velocities of the clip of a row at a time, in Double and without the variation; nil if the row
  /// shows its track's target.
  func shown(ofRow row: Int, at time: Double) -> (values: [Double], velocities: [Double])? {
    let (state, clip) = (state(ofRow: row), library.clip(clip(ofRow: row)))
    let leg = leg(ofRow: row, at: time)
    guard !leg.showsOwn else { return nil }
    let tick = leg.base + (time - leg.origin) * leg.rate
    let local =
      tick < Double(ClipTick.start)
      ? -1
      : tick > Double(ClipTick.end) ? .infinity : PlaybackLeg.fraction(ofTick: tick, isReversed: false) * clip.duration
    let speed = leg.rate == 0 ? 0 : state.isReversed(leg.index) ? -state.speed.magnitude : state.speed.magnitude
    let isPlaying = state.mode != .idle && leg.phase == .playing
    return (
      (0..<dimensions).map { clip.value(dimension: $0, at: local) },
      (0..<dimensions).map { isPlaying && speed != 0 ? clip.velocity(dimension: $0, at: local) * speed : 0 }
    )
  }

  /// The leg of a row at a time.
  func leg(ofRow row: Int, at time: Double) -> PlaybackLeg { state(ofRow: row).leg(at: time, timing(ofRow: row)) }

  /// The time of its clip that a row shows, in seconds; nil if it shows its track's target.
  func localTime(ofRow row: Int, at time: Double) -> Double? {
    let leg = leg(ofRow: row, at: time)
    return leg.showsOwn ? nil : leg.position(at: time, isReversed: false) * timing(ofRow: row).duration
  }

  /// Whether a row is paused.
  func isPaused(_ row: Int) -> Bool { columns.states[row].mode == .paused }
}
