// SPDX-License-Identifier: MIT
import Kernels

// The states of tracks, how calls change them, and what they show at a time.
extension ClipMotions {
  /// Whether a track is paused within an iteration: its base alone says where it stands.
  func isPosed(_ index: Int) -> Bool { tiles.posed[index / laneCountOfTile] & TileStore.bit(index) != 0 }

  /// The state of a track. If the track is posed, its offset is the time of the clip that the track shows.
  func state(at index: Int) -> LaneState {
    var state = columns.states[index]
    if isPosed(index) {
      let fraction = PlaybackLeg.fraction(
        ofTick: columns.kernel.base[index], isReversed: state.isReversed(state.firstLeg))
      state.offset = fraction * timing(at: index).duration
    }
    return state
  }

  /// Gives a track, or all lanes of a tile that has just been taken, a state, which shows with the next frame.
  @inline(__always)
  mutating func setState(_ state: LaneState, of index: Int, count: Int = 1) {
    (columns.states + index).update(repeating: state, count: count)
    (columns.from + index).update(repeating: .infinity, count: count)
    (columns.until + index).update(repeating: -.infinity, count: count)
    tiles.invalidate(index)
    latestChange = max(latestChange, state.changed)
  }

  /// Changes the state of a track from a time on.
  mutating func change(_ index: Int, at time: Double, _ body: (inout LaneState, ClipTiming) -> Void) {
    let timing = timing(at: index)
    var state = state(at: index)
    state.anchor(at: time, timing)
    body(&state, timing)
    setState(state, of: index)
  }

  /// Stops a track at its value.
  mutating func pause(_ index: Int, at now: Double) {
    var state = state(at: index)
    state.pause(at: now, timing(at: index))
    setState(state, of: index)
  }

  /// Moves a track to a time of its clip, in the iteration that it is in.
  mutating func seek(_ index: Int, to seconds: Double, at now: Double, _ tracks: borrowing TrackStore) {
    if isPosed(index) {
      noteMoved()
      columns.kernel.base[index] = Self.base(at: seconds, duration: timing(at: index).duration)
      tiles.refresh(index / laneCountOfTile, tracks)
      return
    }
    change(index, at: now) { state, timing in state.move(to: min(max(seconds, 0), timing.duration), timing) }
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

  /// The values and velocities of the clip of a track at a time, in Double and without the variation; nil if the track
  /// shows its target.
  func shown(of index: Int, at time: Double) -> (values: [Double], velocities: [Double])? {
    let (state, clip) = (state(at: index), library.clip(clip(at: index)))
    let leg = leg(of: index, at: time)
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

  /// The leg of a track at a time.
  func leg(of index: Int, at time: Double) -> PlaybackLeg { state(at: index).leg(at: time, timing(at: index)) }

  /// The time of its clip that a track shows, in seconds; nil if it shows its target.
  func localTime(of index: Int, at time: Double) -> Double? {
    let leg = leg(of: index, at: time)
    return leg.showsOwn ? nil : leg.position(at: time, isReversed: false) * timing(at: index).duration
  }

  /// Whether a track is paused.
  func isPaused(_ index: Int) -> Bool { columns.states[index].mode == .paused }
}
