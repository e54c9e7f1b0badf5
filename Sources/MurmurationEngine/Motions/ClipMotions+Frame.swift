// SPDX-License-Identifier: MIT
import CProcessor
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

// Placing: when the clock has left the interval for which the columns of a track hold, the track gets the columns of the
// iteration that it is in at the new time.
extension ClipMotions: PlacedMotions {
  var intervals: IntervalColumns { columns.intervals }

  /// Prefetches what placing a track reads.
  func askForTrack(_ index: Int) {
    columns.states.prefetch(index)
    // The timings of clips with one track each lie scattered.
    library.timings.prefetch(clip(at: index))
  }

  /// Prefetches the lines of a tile that placing its tracks reads and writes.
  func askForTile(_ tile: Int) {
    columns.clip.prefetch(tile * laneCountOfTile)
    for line in 0..<2 { askForLeg(tile * laneCountOfTile + 8 * line) }
  }

  /// Prefetches the leg of a track.
  func askForLeg(_ index: Int) {
    columns.kernel.origin.prefetch(index)
    columns.kernel.base.prefetch(index)
    columns.kernel.rate.prefetch(index)
  }

  /// Places the tracks that a kernel can place: tracks that play within an iteration, with nothing to report.
  mutating func placeTogether(
    _ range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore, _ events: borrowing EventList
  ) {
    guard !events.reports.contains(.iterations), tiles.someAreDueTogether(range.count) else { return }
    library.timings.withConstantColumn { timings in
      let (kernel, columns) = (columns.kernel, columns)
      let legs = LegColumns(
        intervals: intervals, origin: kernel.origin, base: kernel.base, rate: kernel.rate, states: columns.states,
        clip: columns.clip.constant, timings: timings)
      tiles.placeDueLanes(of: range, legs, at: time, table.intervals)
    }
  }

  /// Gives a track the columns for a time, and reports its iterations and completions.
  mutating func place(
    _ index: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList
  ) {
    let timing = timing(at: index)
    let columns = columns
    let number = columns.states[index].reportedLeg + 1
    let next = columns.states[index].leg(number, after: columns.until[index], at: time, timing)
    let leg = next ?? columns.states[index].leg(at: time, timing)
    columns.kernel.origin[index] = leg.origin
    columns.kernel.base[index] = leg.base
    columns.kernel.rate[index] = leg.rate
    columns.from[index] = leg.from
    columns.until[index] = leg.until
    let mode = columns.states[index].mode
    let isPosed = mode == .paused && leg.phase == .playing && leg.from == -.infinity && timing.duration > 0
    tiles.setLane(index, isMoving: leg.rate != 0, showsOwn: leg.showsOwn, isPosed: isPosed)
    // A paused track reports nothing, even if it is moved to its end.
    guard mode == .running, leg.phase != .waiting else { return }
    // The number of the change is on another line of memory, which most placed tracks need not read.
    if timing.duration > 0 && leg.index > columns.states[index].reportedLeg {
      columns.states[index].reportedLeg = leg.index
      if events.reports.contains(.iterations) {
        // A playback that is over began its last iteration earlier.
        let begin = leg.phase == .over ? columns.states[index].start(ofLeg: leg.index, timing) : time
        let moment = min(begin, moment(of: leg, index, time))
        report(.iteration, index, at: moment, number: Int(clamping: Int64(leg.index)), tracks, &events)
      }
    }
    if leg.phase == .over, !columns.states[index].completionIsReported, leg.until == .infinity || showsEnd(index, leg) {
      columns.states[index].completionIsReported = true
      let moment = moment(of: leg, index, time)
      report(.logicallyComplete, index, at: moment, tracks, &events)
      report(.settled, index, at: moment, tracks, &events)
    }
  }

  /// Whether a track shows at the moment of its end what it shows from then on.
  private func showsEnd(_ index: Int, _ leg: PlaybackLeg) -> Bool {
    let (state, jumps) = (columns.states[index], library.entries[clip(at: index)].jumps)
    return state.holdsAfter && !(state.isReversed(leg.index) ? jumps.atStart : jumps.atEnd)
  }

  /// When a leg of a track began to show: not before the last change, and not after `time`.
  private func moment(of leg: PlaybackLeg, _ index: Int, _ time: Double) -> Double {
    min(time, max(leg.from, columns.states[index].changed))
  }

  private func report(
    _ kind: AnimationEvent.Kind, _ index: Int, at moment: Double, number: Int = 0, _ tracks: borrowing TrackStore,
    _ events: inout EventList
  ) {
    events.append(kind, index: index, tracks.columns.change[index], at: moment, number: number)
  }

  /// Ends a frame: writes the targets of tracks that show no value of their clip, since kernels have written over them.
  mutating func finishFrame(velocities: Bool, _ tracks: borrowing TrackStore) {
    tiles.forgetFresh(tracks)
    guard tiles.someShowOwn else { return }
    tiles.someShowOwn = false
    for tile in 0..<tracks.tiles.end where tiles.own[tile] != 0 {
      tiles.someShowOwn = true
      guard tiles.isEvaluated[tile] else { continue }
      let (columns, lanes, index) = (tracks.columns, tiles.own[tile], tile * laneCountOfTile)
      let stride = columns.dimensionStride
      (columns.value + index).writeTile(
        lanes, dimensions, from: columns.target + index, every: stride, to: stride)
      if velocities { (columns.velocity + index).writeTile(lanes, dimensions, from: nil, to: stride) }
    }
  }
}
