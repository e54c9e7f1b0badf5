// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// How tracks are evaluated: by a kernel where one curve leads from the origin to the target, else on their own.
extension CurveBatch {
  /// The shortest duration of a curve that lanes follow, seconds: their clocks count in parts of it.
  private static var shortestLane: Double { 1e-6 }
  /// Legs shorter than this are an instant each, seconds.
  private static var shortestLeg: Double { 0x1p-60 }

  /// Has a track be evaluated as its entries say, from a change on.
  mutating func begin(_ slot: Int) {
    tracks[slot].reportedLogical = false
    tracks[slot].reportedSettled = false
    follow(slot)
  }

  /// Has a track be evaluated as its entries say.
  mutating func follow(_ slot: Int) {
    if !called.isEmpty, let called = called[slot] {
      tracks[slot].logicalEnd = called.logicalEndTime
      tracks[slot].restTime = .infinity
      enter(slot, .called)
      return
    }
    guard let span = tracks[slot].lastSpan, let motion = tracks[slot].lastMotion else {
      rest(slot)
      return
    }
    switch motion {
    case .progress(let progress):
      tracks[slot].logicalEnd = span.start + progress.logicalEnd
      tracks[slot].restTime = progress.endsAtTarget ? span.end : span.end.nextUp
      if tracks[slot].earlier.isEmpty, let kind = laneKind(of: progress, slot) {
        enter(slot, .lane)
        moveRow(slot, to: kind)
        planLane(slot, progress, from: span.start)
        return
      }
    case .spring(let start):
      tracks[slot].logicalEnd = span.start + min(start.spring.duration, start.end)
      tracks[slot].restTime = span.end.nextUp
    }
    enter(slot, .chain)
    expect(slot)
  }

  /// The kind of tile in which a track finds a lane for a curve: that of its row if it follows the curve there already.
  /// Nil if there is none.
  private mutating func laneKind(of progress: Progress, _ slot: Int) -> Int32? {
    let own = tiles.kind(ofRow: slots.row(of: slot))
    if tables.isKind(own, of: progress.form), progress.duration >= Self.shortestLane { return own }
    guard case .curve(let curve, let duration) = progress.base, duration >= Self.shortestLane,
      let kind = tables.kind(of: curve, progress.form, &tiles), kind == own || tiles.hasRoom(kind)
    else { return nil }
    return kind
  }

  /// Puts a track among those of a kind.
  mutating func enter(_ slot: Int, _ kind: CurveTrack.Kind) {
    tracks[slot].kind = kind
    let isSingle = kind == .chain || kind == .called
    let place = tracks[slot].place
    if isSingle, place < 0 {
      tracks[slot].place = singles.count
      singles.append(UInt32(slot))
    } else if !isSingle, place >= 0 {
      let last = singles.removeLast()
      if Int(last) != slot {
        singles[place] = last
        tracks[Int(last)].place = place
      }
      tracks[slot].place = -1
    }
    if kind != .lane {
      if kind != .rests {
        moveRow(slot, to: CurveTiles.own)
      }
      tiles.setMoving(slots.row(of: slot), false)
    }
  }

  /// Gives a track a row in a tile of a kind, with what it shows.
  private mutating func moveRow(_ slot: Int, to kind: Int32) {
    let row = slots.row(of: slot)
    guard tiles.kind(ofRow: row) != kind else { return }
    tiles.vacate(row)
    let newRow = tiles.takeLane(kind)
    slots.move(UInt32(slot), to: newRow)
    unsafe storage.track[newRow] = UInt32(slot)
    rowEnd = max(rowEnd, newRow + 1)
    let columns = storage.columns
    for dimension in 0..<dimensions {
      let offset = dimension * columns.dimensionStride
      unsafe columns.value[offset + newRow] = columns.value[offset + row]
      unsafe columns.velocity[offset + newRow] = columns.velocity[offset + row]
    }
  }

  /// Writes the columns of a lane for the leg that it is in.
  ///
  /// The lane is at the start of its curve where the leg begins and at the end where it ends, on the batch's clock, to
  /// which both are rounded: so it never leaves the curve, however short the leg is beside the digits of the clock.
  private mutating func planLane(_ slot: Int, _ progress: Progress, from start: Double) {
    let local = max(0, time - start)
    let leg = progress.leg(at: local)
    let (low, high) = (start + leg.zero, start + (leg.until < .infinity ? leg.until : progress.end))
    // Where the rounding of the clock has the leg begin later or end earlier, this moment is its start or its end.
    let (origin, end) = (min(low, time), max(high, time))
    let row = slots.row(of: slot)
    tiles.setMoving(row, true)
    if leg.waits {
      write(row, slot, scale: leg.scale, offset: leg.offset)
    } else if leg.standsAtEnd || end - origin < Self.shortestLeg {
      let covered = leg.standsAtEnd ? leg.offset + leg.scale : progress.state(at: local).progress
      write(row, slot, scale: 0, offset: covered)
    } else {
      write(row, slot, scale: leg.scale, offset: leg.offset, origin: origin, rate: ClipTick.count / (end - origin))
    }
    guard leg.waits || low <= time && time <= high && !leg.standsAtEnd else {
      expect(slot, legEnd: time.nextUp)
      return
    }
    // From a few roundings before the leg's end on each moment is asked for its own, so that what comes before it makes no
    // difference.
    expect(slot, legEnd: leg.until < .infinity ? high - 16 * max(start.magnitude, high.magnitude).ulp : .infinity)
  }

  /// Writes the columns of a lane: at its origin it is at the start of the curve, times the scale, plus the offset.
  private func write(
    _ row: Int, _ slot: Int, scale: Double, offset: Double, origin: Double = 0, rate: Double = 0
  ) {
    let columns = storage.columns
    unsafe columns.origin[row] = origin
    unsafe columns.rate[row] = rate
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let from = Double(origins[slot * dimensions + dimension])
      let way = Double(targets[slot * dimensions + dimension]) - from
      unsafe columns.scale.unsafelyUnwrapped[element] = Float(way * scale)
      unsafe columns.offset.unsafelyUnwrapped[element] =
        scale == 0 && offset == 1 ? targets[slot * dimensions + dimension] : Float(from + way * offset)
    }
  }

  /// Has a track be looked at when something is due.
  private mutating func expect(_ slot: Int, legEnd: Double = .infinity) {
    var next = max(legEnd, time.nextUp)
    if !tracks[slot].reportedLogical { next = min(next, tracks[slot].logicalEnd) }
    next = min(next, tracks[slot].restTime)
    looks[slot] = next
    schedule.set(slot, next)
  }

  /// Has a track show its target from now on.
  mutating func rest(_ slot: Int) {
    forget(slot)
    showTarget(slot)
  }

  /// Forgets the motion of a track, which rests from then on.
  mutating func forget(_ slot: Int) {
    forgetMotions(slot)
    tracks[slot].reportedLogical = true
    tracks[slot].reportedSettled = true
    tracks[slot].pauseTime = .nan
    enter(slot, .rests)
    schedule.set(slot, .infinity)
  }

  /// Forgets what has moved a track, before it begins something else.
  mutating func forgetMotions(_ slot: Int) {
    if !called.isEmpty {
      called[slot] = nil
    }
    if !finishedCalls.isEmpty {
      finishedCalls[slot] = nil
    }
    if !tracks[slot].earlier.isEmpty {
      tracks[slot].earlier.removeAll()
    }
    tracks[slot].last = nil
  }

  /// Writes the target of a track that does not move into the columns.
  func showTarget(_ slot: Int) {
    let (first, targets) = (slot * dimensions, targets)
    hold(slot) { targets[first + $0] }
  }

  /// Has the row of a track show values that stand still, whether its tile is evaluated or not.
  func hold(_ slot: Int, _ value: (Int) -> Float) {
    let row = slots.row(of: slot)
    let columns = storage.columns
    unsafe columns.rate[row] = 0
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let value = value(dimension)
      unsafe columns.scale.unsafelyUnwrapped[element] = 0
      unsafe columns.offset.unsafelyUnwrapped[element] = value
      unsafe columns.value[element] = value
      unsafe columns.velocity[element] = 0
    }
  }

  // MARK: - When something is due

  /// Looks at a track whose time has come: reports what is complete, and goes on with its next leg.
  mutating func look(at slot: Int) {
    let restTime = tracks[slot].restTime
    if !tracks[slot].reportedLogical, time >= tracks[slot].logicalEnd || time >= restTime {
      tracks[slot].reportedLogical = true
      logicallyComplete.append(slots.handle(ofSlot: slot))
    }
    if time >= restTime {
      if !tracks[slot].reportedSettled {
        tracks[slot].reportedSettled = true
        settled.append(slots.handle(ofSlot: slot))
      }
      // Its entry stays, in case the clock goes back.
      enter(slot, .rests)
      showTarget(slot)
      schedule.set(slot, .infinity)
      return
    }
    plan(slot)
  }

  /// Writes what evaluates a track at the current time, of a motion that is under way.
  mutating func plan(_ slot: Int) {
    guard let span = tracks[slot].lastSpan else { return }
    if tracks[slot].kind == .lane, case .progress(let progress)? = tracks[slot].lastMotion {
      planLane(slot, progress, from: span.start)
    } else {
      expect(slot)
    }
  }
}
