// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Placing: at the end of its curves a row stands at its target. It moves again if the clock goes back.
extension CurveMotions: PlacedMotions {
  /// Ticks behind the end of a curve at which its table shows the whole way: within the margin of tables.
  static let ticksBehindEnd = Double(ClipTick.margin) / 2

  var intervals: IntervalColumns { IntervalColumns(from: columns.from, until: columns.until) }

  func askForTile(_ tile: Int) {}

  /// Places tiles at once whose lanes have the same layers, until the last of these ends.
  mutating func placeTogether(
    _ range: Range<Int>, at time: Double, _ tracks: borrowing TrackStore, _ events: borrowing EventList
  ) {
    for index in range where tiles.dueLanes[index - range.lowerBound] == .max {
      let tile = tiles.dueTile(index)
      if bring(tile: tile, to: time) { tiles.dueLanes[index - range.lowerBound] = 0 }
    }
  }

  /// Gives all rows of a tile with the same layers the columns for a time, as ``bring(_:to:_:reports:)`` gives them to each.
  ///
  /// - Returns: Whether it did. It does not where the last layer has ended, or there is only one.
  private mutating func bring(tile: Int, to time: Double) -> Bool {
    let last = ends[tile].count - 1
    guard last > 0, time < ends[tile][last] else { return false }
    let (columns, row) = (columns, tile * laneCountOfTile)
    let (old, new) = (Int(gone[tile]), firstInEffect(tile: tile, at: time))
    for layer in old..<max(old, new) { setClock(layer, tile, rate: 0, turn: 0) }
    for layer in new..<max(old, new) {
      // The clock went back.
      setClock(layer, tile, rate: Self.rate(from: columns.start(layer)[row], to: ends[tile][layer]), turn: 1)
    }
    gone[tile] = UInt8(new)
    // Layers are in the order in which they began.
    let from = max(columns.start(last)[row], new > 0 ? ends[tile][new - 1].nextUp : -.infinity)
    (columns.from + row).update(repeating: from, count: laneCountOfTile)
    (columns.until + row).update(repeating: until(tile), count: laneCountOfTile)
    tiles.moveAll(ofTile: tile)
    return true
  }

  /// The last moment for which the columns of a tile with the same layers hold.
  func until(_ tile: Int) -> Double {
    let ends = ends[tile]
    var until = ends[ends.count - 1].nextDown
    for layer in Int(gone[tile])..<ends.count - 1 { until = min(until, ends[layer]) }
    return until
  }

  /// Sets the rate and the direction of a layer of all rows of a tile, whose origin is its start.
  private func setClock(_ layer: Int, _ tile: Int, rate: Double, turn: Float) {
    let (columns, row, count) = (columns, tile * laneCountOfTile, laneCountOfTile)
    (columns.rate(layer) + row).update(repeating: rate, count: count)
    (columns.scale(layer) + row).update(repeating: turn, count: count)
  }

  func askForRow(_ row: Int) {
    columns.origin(0).prefetch(row)
    columns.rate(0).prefetch(row)
    columns.start(0).prefetch(row)
    columns.end(0).prefetch(row)
  }

  /// Prefetches what a curve of a row writes when it begins.
  func prefetch(_ row: Int) {
    askForRow(row)
    columns.from.prefetch(row)
    columns.until.prefetch(row)
    for dimension in 0..<dimensions {
      let element = dimension * columns.stride(0) + row
      columns.scale(0).prefetch(element)
      columns.offset(0).prefetch(element)
      columns.under.prefetch(element)
    }
  }

  mutating func place(_ row: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    let (isOver, logicalEnd, end) = bring(row, to: time, tracks, reports: true)
    var known = reported(ofRow: row)
    guard !known.settled, isOver || !known.logical && time >= logicalEnd else { return }
    events.complete(
      &known, slot: tracks.slot(ofRow: row), tracks.columns.change[row], isOver: isOver, logicalEnd: logicalEnd,
      end: end, until: time)
    setReported(row, known)
  }

  /// Gives a row the columns for a time.
  ///
  /// - Parameter reports: Whether the caller reports what is complete by then; else the row is due in the next frame.
  /// - Returns: Whether the row is at its target for good, when its motion is logically complete, and when the motion
  ///   ends.
  mutating func bring(
    _ row: Int, to time: Double, _ tracks: borrowing TrackStore, reports: Bool = false
  ) -> (isOver: Bool, logicalEnd: Double, end: Double) {
    if !ends[row / laneCountOfTile].isEmpty { noteOneByOne(row) }
    let (columns, shape) = (columns, shape(ofRow: row, tracks))
    var (from, until) = (-Double.infinity, Double.infinity)
    var (logicalEnd, end, isOver, isMoving) = (Double.infinity, Double.infinity, false, !shape.isPlain)
    for layer in shape.curves.indices {
      let start = columns.start(layer)[row]
      end = columns.end(layer)[row]
      logicalEnd = end
      // A layer before the last that ends at this very moment still has its final velocity, as in the model.
      let isLast = layer == shape.curves.count - 1
      isOver = isLast ? time >= end : time > end
      var (origin, rate, turn) = (start, 0.0, Float(0))
      let progress = program(layer, row)?.progress
      if isOver {
        from = max(from, isLast ? end : end.nextUp)
      } else {
        until = min(until, isLast ? end.nextDown : end)
        if let progress {
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
          if !shape.isPlain, columns.rate(layer)[row] != 0 {
            // Its columns are as they were.
            isMoving = true
            continue
          }
          (rate, turn) = (Self.rate(from: start, to: end), 1)
        }
      }
      if let progress { logicalEnd = start + progress.logicalEnd }
      if !isOver { isMoving = isMoving || rate != 0 }
      (columns.origin(layer)[row], columns.rate(layer)[row]) = (origin, rate)
      if !shape.isPlain {
        columns.scale(layer)[row] = turn
      } else if progress != nil, !isOver {
        turnPlain(row, isReversed: turn < 0, tracks)
      }
    }
    if !isOver, time < logicalEnd {
      until = min(until, logicalEnd.nextDown)
    } else if !isOver {
      from = max(from, logicalEnd)
      if !reports { until = time }
    }
    (columns.from[row], columns.until[row]) = (from, until)
    tiles.setLane(row, isMoving: isMoving && !isOver, showsOwn: isOver, isPosed: false)
    return (isOver, logicalEnd, end)
  }

  /// Makes the single curve of a row lead from where its track stood to the target, or back.
  private func turnPlain(_ row: Int, isReversed: Bool, _ tracks: borrowing TrackStore) {
    let columns = columns
    for dimension in 0..<dimensions {
      let element = dimension * columns.stride(0) + row
      let (target, value) = (
        tracks.columns.target[tracks.element(row, dimension)], columns.under[element]
      )
      let way = Float(Double(target) - Double(value))
      columns.scale(0)[element] = isReversed ? -way : way
      columns.offset(0)[element] = isReversed ? target : value
    }
  }
}

extension Progress {
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
