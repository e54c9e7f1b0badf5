// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Placing: at the end of its curves a track stands at its target. It moves again if the clock goes back.
extension CurveMotions: PlacedMotions {
  /// Ticks behind the end of a curve at which its table shows the whole way: within the margin of tables.
  static let ticksBehindEnd = Double(ClipTick.margin) / 2

  var intervals: IntervalColumns { IntervalColumns(from: columns.from, until: columns.until) }

  func askForTile(_ tile: Int) {
    if first[tile] >= 0 { effects.list.column.prefetch(Int(first[tile])) }
  }

  /// Places tiles at once whose lanes have the same effects, until the last of these ends.
  mutating func placeTogether(
    _ range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore, _ events: borrowing EventList
  ) {
    for position in range where tiles.dueLanes[position - range.lowerBound] == .max {
      if bring(tile: tiles.dueTile(position), to: time, tracks) { tiles.dueLanes[position - range.lowerBound] = 0 }
    }
  }

  func askForTrack(_ index: Int) {
    columns.end.prefetch(index)
    prefetchEffect(index)
  }

  /// Prefetches the clock of the first effect of a tile in the lane of a track, if it has one of its own.
  private func prefetchEffect(_ index: Int) {
    let block = Int(first[index / laneCountOfTile])
    if block >= 0, !effects[block].areAlike { prefetchEffect(block, index % laneCountOfTile) }
  }

  private func prefetchEffect(_ block: Int, _ lane: Int) {
    let columns = effects.columns(block)
    columns.origin.prefetch(lane)
    columns.rate.prefetch(lane)
    columns.start.prefetch(lane)
    columns.end.prefetch(lane)
    columns.scale.prefetch(lane)
    for dimension in 0..<dimensions { columns.offset.prefetch(dimension * columns.stride) }
  }

  /// Prefetches what a curve of a track writes when it begins. Its effect is most likely in the own block of the tile; to look
  /// would mean to wait for memory twice.
  func prefetch(_ index: Int, _ tracks: borrowing TrackStore) {
    let tile = TileStore.tile(index)
    first.column.prefetch(tile)
    if tile < effects.list.count {
      effects.list.column.prefetch(tile)
      prefetchEffect(tile, index % laneCountOfTile)
    }
    columns.end.prefetch(index)
    columns.start.prefetch(index)
    columns.from.prefetch(index)
    columns.until.prefetch(index)
    for dimension in 0..<dimensions {
      columns.under.prefetch(dimension * columns.stride + index)
      tracks.columns.target.prefetch(tracks.element(index, dimension))
    }
  }

  mutating func place(_ index: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    let (isOver, logicalEnd, end) = bring(index, to: time, tracks, reports: true)
    var known = reported(at: index)
    guard !known.settled, isOver || !known.logical && time >= logicalEnd else { return }
    events.complete(
      &known, index: index, tracks.columns.change[index], isOver: isOver, logicalEnd: logicalEnd,
      end: end, until: time)
    setReported(index, known)
  }

  /// Gives a track the columns for a time.
  ///
  /// - Parameter reports: Whether the caller reports what is complete by then; else the track is due in the next frame.
  /// - Returns: Whether the track is at its target for good, when its motion is logically complete, and when the motion
  ///   ends.
  mutating func bring(
    _ index: Int, to time: Double, _ tracks: borrowing TrackStore, reports: Bool = false
  ) -> (isOver: Bool, logicalEnd: Double, end: Double) {
    markUnlike(index)
    var (from, until) = (-Double.infinity, Double.infinity)
    var (logicalEnd, end, isOver, isMoving) = (Double.infinity, Double.infinity, false, isOnSpring(index))
    forEachEffect(at: index) { effect, isLast in
      let (columns, element, start) = (effect.columns, effect.element, effect.start)
      end = effect.end
      logicalEnd = end
      // An effect before the last that ends at this very moment still has its final velocity, as in the model.
      isOver = isLast ? time >= end : time > end
      var (origin, rate, turn) = (start, 0.0, Float(0))
      let progress = effect.program?.progress
      if isOver {
        from = max(from, isLast ? end : end.nextUp)
      } else {
        until = min(until, isLast ? end.nextDown : end)
        if let progress, progress.form.isComputed {
          (from, until, isMoving) = (time, time, true)
          (origin, rate, turn) = Progress.clock(
            showing: progress.state(at: progress.local(time, since: start)), at: time)
        } else if let progress {
          let leg = progress.leg(at: time - start)
          let last = progress.lastMoment(of: leg, since: start)
          (from, until) = (max(from, time), min(until, last))
          (origin, turn) = (start + leg.zero, Float(leg.scale))
          if !leg.waits { rate = leg.rate * ClipTick.count / progress.clockLength }
          // The table shows the whole way a little behind the end.
          if leg.isOver { origin -= Self.ticksBehindEnd / rate }
          // Far from 0, the clock rounds times to more ticks than the tables have behind the end.
          let length = min(last, end) - origin
          if length < .infinity, length * rate > ClipTick.count + 1.5 * Self.ticksBehindEnd {
            rate = (ClipTick.count + (leg.isOver ? Self.ticksBehindEnd : 0)) / length
          }
        } else {
          from = max(from, start)
          // The columns of an effect that has not been over are as they were.
          if columns.rate[element] != 0 { return isMoving = true }
          (rate, turn) = (Self.rate(from: start, to: end), 1)
        }
      }
      isMoving = isMoving || rate != 0
      (columns.origin[element], columns.rate[element], columns.scale[element]) = (origin, rate, turn)
      if let progress { logicalEnd = start + progress.logicalEnd }
    }
    if !isOver, time < logicalEnd {
      until = min(until, logicalEnd.nextDown)
    } else if !isOver {
      from = max(from, logicalEnd)
      if !reports { until = time }
    } else if !reports {
      until = time.nextDown
    }
    (columns.from[index], columns.until[index]) = (from, until)
    tiles.setLane(index, isMoving: isMoving && !isOver, showsOwn: isOver, isPosed: false)
    return (isOver, logicalEnd, end)
  }
}

extension Progress {
  /// A clock and a direction with which kernels show a progress and its rate of change at a moment, along
  /// ``computedCurve``.
  ///
  /// They show 1 − s + s · c(x), where c(x) = 4x − 1 and s is the direction. Near the end s is small, so little of the
  /// rounding of c is left.
  fileprivate static func clock(
    showing state: (progress: Double, velocity: Double), at moment: Double
  ) -> (origin: Double, rate: Double, direction: Float) {
    let left = 1 - state.progress
    if state.velocity == 0, left >= 0 { return (moment, 0, Float(left / 2)) }
    let direction = Float(max(abs(left), 0x1p-12))
    let s = Double(direction)
    // With no rate, x would be 0.
    let pace = abs(state.velocity) < 1e-30 ? 1e-30 : state.velocity
    let rate = pace * ClipTick.count / (4 * s)
    return (moment - ClipTick.count * (2 - left / s) / 4 / rate, rate, direction)
  }

  /// The last moment on the batch's clock that belongs to a leg. The leg is found from the moment alone, so that every
  /// time has one leg, whatever a difference is rounded to.
  fileprivate func lastMoment(of leg: CurveLeg, since start: Double) -> Double {
    guard leg.until < .infinity else { return leg.until }
    func isWithin(_ moment: Double) -> Bool {
      let other = self.leg(at: moment - start)
      return other.zero == leg.zero && other.waits == leg.waits && other.isOver == leg.isOver
    }
    var moment = start + leg.until
    for _ in 0..<8 where !isWithin(moment) { moment = moment.nextDown }
    for _ in 0..<8 where isWithin(moment.nextUp) { moment = moment.nextUp }
    return moment
  }
}
