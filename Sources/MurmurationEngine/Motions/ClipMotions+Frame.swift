// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Placing: when the clock has left the interval for which the columns of a row hold, the row gets the columns of the
// iteration that it is in at the new time.
extension ClipMotions: PlacedMotions {
  var intervals: IntervalColumns { columns.intervals }

  /// Prefetches what placing a row reads.
  func askForRow(_ row: Int) {
    columns.states.prefetch(row)
    // The timings of clips with one track each lie scattered.
    library.timings.prefetch(clip(ofRow: row))
  }

  /// Prefetches the lines of a tile that placing its rows reads and writes.
  func askForTile(_ tile: Int) {
    columns.clip.prefetch(tile * laneCountOfTile)
    for line in 0..<2 { askForLeg(tile * laneCountOfTile + 8 * line) }
  }

  /// Prefetches the leg of a row.
  func askForLeg(_ row: Int) {
    columns.kernel.origin.prefetch(row)
    columns.kernel.base.prefetch(row)
    columns.kernel.rate.prefetch(row)
  }

  /// Places the rows that a kernel can place: rows that play within an iteration, with nothing to report.
  mutating func placeTogether(
    _ range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore, _ events: borrowing EventList
  ) {
    guard !events.reports.contains(.iterations), tiles.someAreDueTogether(range.count) else { return }
    library.timings.withConstantColumn { timings in
      let (kernel, columns) = (columns.kernel, columns)
      let rows = LegColumns(
        intervals: intervals, origin: kernel.origin, base: kernel.base, rate: kernel.rate, states: columns.states,
        clip: columns.clip.constant, timings: timings)
      tiles.placeDueLanes(of: range, rows, at: time, table.intervals)
    }
  }

  /// Gives a row the columns for a time, and reports the iterations and completions of its track.
  mutating func place(
    _ row: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList
  ) {
    let timing = timing(ofRow: row)
    let columns = columns
    let index = columns.states[row].reportedLeg + 1
    let next = columns.states[row].leg(index, after: columns.until[row], at: time, timing)
    let leg = next ?? columns.states[row].leg(at: time, timing)
    columns.kernel.origin[row] = leg.origin
    columns.kernel.base[row] = leg.base
    columns.kernel.rate[row] = leg.rate
    columns.from[row] = leg.from
    columns.until[row] = leg.until
    let mode = columns.states[row].mode
    let isPosed = mode == .paused && leg.phase == .playing && leg.from == -.infinity && timing.duration > 0
    tiles.setLane(row, isMoving: leg.rate != 0, showsOwn: leg.showsOwn, isPosed: isPosed)
    // A paused track reports nothing, even if it is moved to its end.
    guard mode == .running, leg.phase != .waiting else { return }
    // The number of the change is on another line of memory, which most placed rows need not read.
    if timing.duration > 0 && leg.index > columns.states[row].reportedLeg {
      columns.states[row].reportedLeg = leg.index
      if events.reports.contains(.iterations) {
        // A playback that is over began its last iteration earlier.
        let begin = leg.phase == .over ? columns.states[row].start(ofLeg: leg.index, timing) : time
        let moment = min(begin, moment(of: leg, row, time))
        report(.iteration, row, at: moment, number: Int(clamping: Int64(leg.index)), tracks, &events)
      }
    }
    if leg.phase == .over, !columns.states[row].completionIsReported, leg.until == .infinity || showsEnd(row, leg) {
      columns.states[row].completionIsReported = true
      let moment = moment(of: leg, row, time)
      report(.logicallyComplete, row, at: moment, tracks, &events)
      report(.settled, row, at: moment, tracks, &events)
    }
  }

  /// Whether a row shows at the moment of its end what it shows from then on.
  private func showsEnd(_ row: Int, _ leg: PlaybackLeg) -> Bool {
    let (state, jumps) = (columns.states[row], library.entries[clip(ofRow: row)].jumps)
    return state.holdsAfter && !(state.isReversed(leg.index) ? jumps.atStart : jumps.atEnd)
  }

  /// When a leg of a row began to show: not before the last change, and not after `time`.
  private func moment(of leg: PlaybackLeg, _ row: Int, _ time: Double) -> Double {
    min(time, max(leg.from, columns.states[row].changed))
  }

  private func report(
    _ kind: AnimationEvent.Kind, _ row: Int, at moment: Double, number: Int = 0, _ tracks: borrowing TrackStore,
    _ events: inout EventList
  ) {
    events.append(kind, row: row, tracks.columns.change[row], at: moment, number: number)
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
