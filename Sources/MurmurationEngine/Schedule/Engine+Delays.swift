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
    for position in delays.indices {
      // False for NaN too.
      guard delays[position] >= 0, time + delays[position] <= BatchLimits.maximumTime else {
        throw .invalidDelay(index: position, seconds: delays[position])
      }
    }
    try waiting.makeRoom(for: tracks.indices.count)
    let change = nextChange()
    var (motion, isKept) = (nil as UInt32?, false)
    for position in 0..<picks.count where !picks[position].isDropped {
      if position + laneCountOfTile < picks.count { waiting.prefetch(picks[position + laneCountOfTile].index) }
      let index = picks[position].index
      if !isKept { (motion, isKept) = (waiting.keep(motions(position)), areAlike) }
      waiting.add(index, at: time + delays[position], motion, change: change) { goals[position, $0] }
      putOff(index)
    }
    return change
  }

  /// Starts the calls that were found to be due, each at its moment.
  mutating func startWaiting(until seconds: Double) {
    let count = waiting.schedule.due.count
    if count > 0 { watched.mayHaveEnded = true }
    var bases = InlineArray<16, MotionBasis>(repeating: .rest)
    for position in 0..<count {
      prefetchDue(after: position, of: count, due: { waiting.schedule.due[$0] }) { waiting.prefetch($0) }
      if position % laneCountOfTile == 0 { bases = basesOfDue(position..<min(position + laneCountOfTile, count)) }
      let index = waiting.schedule.due[position]
      // Steps of phases change the spring.
      let basis = phases.isPlaying(index) ? nil : bases[position % laneCountOfTile]
      let (motion, order) = (waiting.motion(of: index), waiting.take(index))
      // Steps of phases that come before the call are taken before it.
      let setOutBefore = takeSteps(of: index, until: order.time)
      let (targets, first) = (waiting.targets.column, index * dimensions)
      let jumps = motion?.jumps ?? false
      func goal(_ dimension: Int) -> Float { targets[first + dimension] }
      let isThere = !jumps && (areRotations ? headsForRotation(index, goal) : headsFor(index, goal))
      phases.end(index)
      guard !isThere else {
        watched.complete(order.change, index, nil)
        continue
      }
      if motion == nil, tracks.tiles.kind(at: index) == .following {
        retargetFollower(index, at: order.time, until: seconds, goal: goal)
        watched.complete(order.change, index, nil)
        continue
      }
      conclude(index, at: order.time, columnsAreOld: setOutBefore, basis)
      if jumps { watched.complete(order.change, index, nil) }
      if areRotations {
        beginRotation(index, motion, at: order.time, order.change, goal: goal)
      } else {
        begin(index, motion, at: order.time, order.change, goal: goal)
      }
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
      for position in due {
        let (index, lane) = (waiting.schedule.due[position], position - due.lowerBound)
        guard tracks.tiles.moves(index) else { continue }
        let spring = springs.coefficients(at: index)
        numbers[lane] = springs.columns.start[index] - waiting.orders[index].time
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
    _ index: Int, at moment: Double, columnsAreOld: Bool = false, _ basis: MotionBasis? = nil
  ) {
    let kind = tracks.tiles.kind(at: index)
    if kind == .spring {
      showSpring(index, at: moment, basis)
    } else if kind == .curves {
      if moment == time, !columnsAreOld {
        computeVelocity(at: index)
        putBackIfStarting(index)
      } else {
        showCurve(index, at: moment)
      }
    } else if kind == .called {
      called.report(index, until: moment, tracks, &events)
      // At the moment of the last frame the columns show the motion, and nothing that has begun since.
      if moment != time || columnsAreOld { called.conclude(index, at: moment, tracks) }
    } else if kind.isClip {
      showClip(index, at: moment)
    } else if kind == .following {
      showFollower(index, at: moment)
    }
    velocities.mark(index)
  }

  /// Makes the columns of a track with curves show its motion at a moment, and reports the completions until then.
  private mutating func showCurve(_ index: Int, at moment: Double) {
    let wasOver = curves.isOver(index)
    curves.place(index, at: moment, tracks, &events)
    let isOver = curves.isOver(index)
    withStates(ofCurves: index, at: moment) { states in
      tracks.show(index) { dimension in
        let (target, state) = (tracks.columns.target[tracks.element(index, dimension)], states[dimension])
        return (wasOver || isOver ? target : Float(state.x), wasOver ? 0 : Float(state.y))
      }
    }
  }

  /// Makes the columns of a track show its clip at a moment, and reports what has happened to its playback until then.
  private mutating func showClip(_ index: Int, at moment: Double) {
    let shown = clips.shown(of: index, at: moment)
    clips.place(index, at: moment, tracks, &events)
    tracks.show(index) { dimension in
      guard let shown else { return (tracks.columns.target[tracks.element(index, dimension)], 0) }
      let (scale, offset) = clips.variation(at: index, dimension)
      return (
        Float(shown.values[dimension] * scale + offset), AmplitudeRule.shown(shown.velocities[dimension] * scale)
      )
    }
  }

  /// When the spring of a track is logically complete and when it is at rest.
  mutating func completion(at index: Int) -> (logicalTime: Double, restTime: Double) {
    let (tile, moments) = (index / laneCountOfTile, springs.completion(at: index))
    letUnwatchedLast(tile)
    return moments
  }

  /// Makes the springs of a tile that go on under effects, or after a pause, never complete and never rest, after the ages of
  /// the tile were computed.
  func letUnwatchedLast(_ tile: Int) {
    let (led, kept) = (tracks.tiles.led[tile], tracks.tiles.kept[tile])
    if led | kept != 0 { springs.letLast(tile, (led == 0 ? 0 : curves.onSprings[tile]) | kept) }
  }

  /// Makes the columns of a track with a spring show its motion at a moment, and reports the completions until then.
  private mutating func showSpring(_ index: Int, at moment: Double, _ basis: MotionBasis?) {
    let age = moment - springs.columns.start[index]
    var rests = springs.isAtRest(index)
    // Before its deadline, no lane of a tile completes or comes to rest.
    if moment >= springs.watch.deadlines[index / laneCountOfTile] {
      let (logicalTime, restTime) = completion(at: index)
      var reported = springs.watch.reported(at: index)
      events.complete(
        &reported, index: index, tracks.columns.change[index], isOver: moment >= restTime,
        logicalEnd: logicalTime, end: restTime, until: moment)
      rests = Float(age) >= springs.columns.restAge[index]
    }
    springs.show(index, rests ? .rest : basis ?? springs.coefficients(at: index).basis(age: age))
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
