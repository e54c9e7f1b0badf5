// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

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
      let (columns, lanes) = (tracks.columns, UInt32(tiles.own[tile]))
      for dimension in 0..<dimensions {
        let element = tracks.element(tile * laneCountOfTile, dimension)
        let targets = columns.target.lanes(at: element, as: SIMD16<Float>.self)
        unsafe lanes_write((columns.value + element).address, targets, lanes)
        if velocities { unsafe lanes_write((columns.velocity + element).address, .zero, lanes) }
      }
    }
  }
}
