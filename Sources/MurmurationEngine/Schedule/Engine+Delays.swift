// SPDX-License-Identifier: MIT
import Kernels

// Calls that wait: a track keeps its motion until its delay is over. The new motion takes over from the state at that
// very moment, whatever frames are shown.
extension Engine {
  /// Sends the picked tracks to goals, each after a delay.
  ///
  /// - Parameters:
  ///   - motions: The motion of each pick; nil to keep the spring that the track follows then.
  ///   - areAlike: Whether all picks have the same motion.
  mutating func animatePicked(
    _ goals: InputValues, delays: Span<Double>, areAlike: Bool = false, _ motions: (Int) -> MotionRequest?
  ) throws(BatchError) -> UInt32 {
    try BatchError.check(delays.count, of: "delays", expected: picks.count)
    for index in delays.indices {
      // False for NaN too.
      guard delays[index] >= 0, time + delays[index] <= BatchLimits.maximumTime else {
        throw .invalidDelay(index: index, seconds: delays[index])
      }
    }
    try waiting.makeRoom(for: tracks.rows.count)
    let change = nextChange()
    var (motion, isKept) = (nil as UInt32?, false)
    for index in 0..<picks.count where !picks[index].isDropped {
      if index + laneCountOfTile < picks.count { waiting.prefetch(picks[index + laneCountOfTile].row) }
      let row = picks[index].row
      if !isKept { (motion, isKept) = (waiting.keep(motions(index)), areAlike) }
      waiting.add(row, at: time + delays[index], motion, change: change) { goals[index, $0] }
      putOff(row)
    }
    return change
  }

  /// Starts the calls that were found to be due, each at its moment.
  mutating func startWaiting(until seconds: Double) {
    let count = waiting.schedule.due.count
    if count > 0 { watched.mayHaveEnded = true }
    var bases = InlineArray<16, MotionBasis>(repeating: .rest)
    for index in 0..<count {
      prefetchDue(after: index, of: count, due: { waiting.schedule.due[$0] }) { waiting.prefetch($0) }
      if index % laneCountOfTile == 0 { bases = basesOfDue(index..<min(index + laneCountOfTile, count)) }
      let row = waiting.schedule.due[index]
      // Steps of phases change the spring.
      let basis = phases.isPlaying(row) ? nil : bases[index % laneCountOfTile]
      let (motion, order) = (waiting.motion(of: row), waiting.take(row))
      // Steps of phases that come before the call are taken before it.
      let setOutBefore = takeSteps(of: row, until: order.time)
      let (targets, first) = (waiting.targets.column, row * dimensions)
      let jumps = motion?.jumps ?? false
      let isThere = !jumps && headsFor(row) { targets[first + $0] }
      phases.end(row)
      guard !isThere else {
        watched.complete(order.change, row, nil)
        continue
      }
      if motion == nil, tracks.tiles.kind(ofRow: row) == .following {
        retargetFollower(row, at: order.time, until: seconds) { targets[first + $0] }
        continue
      }
      conclude(row, at: order.time, columnsAreOld: setOutBefore, basis)
      begin(row, motion, at: order.time, order.change) { targets[first + $0] }
    }
    waiting.schedule.forgetDue()
  }

  /// The bases of the springs of up to sixteen tracks whose calls are due, each at the moment of its call: a vector takes as
  /// long as one of them. Those of other tracks mean nothing.
  private func basesOfDue(_ due: Range<Int>) -> InlineArray<16, MotionBasis> {
    guard due.contains(where: { tracks.tiles.moves(waiting.schedule.due[$0]) }) else {
      return InlineArray(repeating: .rest)
    }
    return withTemporaryLines(of: 12 * laneCountOfTile) { lines in
      let numbers = lines.rebound(to: Double.self)
      let bases = (lines + 8 * laneCountOfTile).rebound(to: MotionBasis.self)
      numbers.update(repeating: 0, count: 4 * laneCountOfTile)
      for index in due {
        let (row, lane) = (waiting.schedule.due[index], index - due.lowerBound)
        guard tracks.tiles.moves(row) else { continue }
        let spring = springs.coefficients(ofRow: row)
        numbers[lane] = springs.columns.start[row] - waiting.orders[row].time
        numbers[laneCountOfTile + lane] = spring.rate
        numbers[2 * laneCountOfTile + lane] = spring.α
        numbers[3 * laneCountOfTile + lane] = spring.κ
      }
      let columns = BasisColumns(
        start: numbers.constant, rate: (numbers + laneCountOfTile).constant,
        α: (numbers + 2 * laneCountOfTile).constant, κ: (numbers + 3 * laneCountOfTile).constant)
      table.evaluateBases(columns, laneCountOfTile, 0, bases)
      return InlineArray { bases[$0] }
    }
  }

  /// Makes the columns of a track show its motion at a moment at which another motion takes over, and reports the
  /// completions until then.
  ///
  /// - Parameters:
  ///   - columnsAreOld: Whether the motion has begun since the last frame, at an earlier moment.
  ///   - basis: The basis of the spring at the moment, if it is known.
  mutating func conclude(
    _ row: Int, at moment: Double, columnsAreOld: Bool = false, _ basis: MotionBasis? = nil
  ) {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .spring {
      showSpring(row, at: moment, basis)
    } else if kind == .curves {
      if moment == time, !columnsAreOld {
        computeVelocity(ofRow: row)
        putBackIfStarting(row)
      } else {
        showCurve(row, at: moment)
      }
    } else if kind == .called {
      called.report(row, until: moment, tracks, &events)
      // At the moment of the last frame the columns show the motion, and nothing that has begun since.
      if moment != time || columnsAreOld { called.conclude(row, at: moment, tracks) }
    } else if kind.isClip {
      showClip(row, at: moment)
    } else if kind == .following {
      showFollower(row, at: moment)
    }
    velocities.mark(row)
  }

  /// Makes the columns of a row of curves show its motion at a moment, and reports the completions until then.
  private mutating func showCurve(_ row: Int, at moment: Double) {
    let wasOver = curves.isOver(row)
    curves.place(row, at: moment, tracks, &events)
    let isOver = curves.isOver(row)
    withStates(ofCurveRow: row, at: moment) { states in
      for dimension in 0..<dimensions {
        let element = tracks.element(row, dimension)
        let (target, state) = (tracks.columns.target[element], states[dimension])
        tracks.columns.value[element] = wasOver || isOver ? target : Float(state.x)
        tracks.columns.velocity[element] = wasOver ? 0 : Float(state.y)
      }
    }
  }

  /// Makes the columns of a row show its clip at a moment, and reports what has happened to its playback until then.
  private mutating func showClip(_ row: Int, at moment: Double) {
    let shown = clips.shown(ofRow: row, at: moment)
    clips.place(row, at: moment, tracks, &events)
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      guard let shown else {
        tracks.columns.value[element] = tracks.columns.target[element]
        tracks.columns.velocity[element] = 0
        continue
      }
      let (scale, offset) = clips.variation(ofRow: row, dimension)
      tracks.columns.value[element] = Float(shown.values[dimension] * scale + offset)
      tracks.columns.velocity[element] = AmplitudeRule.shown(shown.velocities[dimension] * scale)
    }
  }

  /// When the spring of a row is logically complete and when it is at rest.
  mutating func completion(ofRow row: Int) -> (logicalTime: Double, restTime: Double) {
    let (tile, moments) = (row / laneCountOfTile, springs.completion(ofRow: row))
    letUnwatchedLast(tile)
    return moments
  }

  /// Makes the springs of a tile that go on under effects, or after a pause, never complete and never rest, after the ages of
  /// the tile were computed.
  func letUnwatchedLast(_ tile: Int) {
    let (led, kept) = (tracks.tiles.led[tile], tracks.tiles.kept[tile])
    if led | kept != 0 { springs.letLast(tile, (led == 0 ? 0 : curves.onSprings[tile]) | kept) }
  }

  /// Makes the columns of a row of springs show its motion at a moment, and reports the completions until then.
  private mutating func showSpring(_ row: Int, at moment: Double, _ basis: MotionBasis?) {
    let age = moment - springs.columns.start[row]
    var rests = springs.isAtRest(row)
    // Before its deadline, no lane of a tile completes or comes to rest.
    if moment >= springs.watch.deadlines[row / laneCountOfTile] {
      let (logicalTime, restTime) = completion(ofRow: row)
      var reported = springs.watch.reported(ofRow: row)
      events.complete(
        &reported, row: row, tracks.columns.change[row], isOver: moment >= restTime,
        logicalEnd: logicalTime, end: restTime, until: moment)
      rests = Float(age) >= springs.columns.restAge[row]
    }
    springs.show(row, rests ? .rest : basis ?? springs.coefficients(ofRow: row).basis(age: age))
  }
}

extension Double {
  /// This moment; if it is the end of a motion up to rounding, the last moment before the end. So a spring takes over the
  /// velocity with which a curve ends, however the moment was summed up.
  func underWay(until end: Double, isFinished: Bool) -> Double {
    let rounding = 4 * max(1, abs(self)).ulp
    return isFinished && self - end <= rounding ? end - rounding : self
  }
}
