// SPDX-License-Identifier: MIT
import Kernels

// Calls that make tracks follow curves. In a track that stands the curve leads on from its value. A track that moves adds the
// effect of the curve to its motion: to the spring or the slide that goes on under it, and to the curves before it.
extension Engine {
  /// Sends the track of a row to a goal along a curve, or with a modified curve or spring.
  ///
  /// - Parameter adds: Whether the effect is added to what the track does, in any case.
  mutating func follow(
    _ row: Int, _ motion: MotionRequest, at moment: Double, _ change: UInt32, adds: Bool = false, goal: (Int) -> Float
  ) {
    follow(row, way(along: motion, at: moment), motion.animation, at: moment, change, adds: adds, goal: goal)
  }

  /// Sends the track of a row to a goal along a way from a moment on, or else with an animation.
  @inline(__always)
  private mutating func follow(
    _ row: Int, _ way: CurveWay?, _ animation: @autoclosure () -> Animation?, at moment: Double, _ change: UInt32,
    adds: Bool = false, goal: (Int) -> Float
  ) {
    let isAfresh = !adds && startsAfresh(row, at: moment)
    guard let way, isAfresh || tracks.tiles.kind(ofRow: row) != .called, curves.makeRoom(forEffects: 1) else {
      // The model adds it to a custom animation, and needs no memory for effects.
      if let animation = animation() { call(row, animation, at: moment, change, goal: goal) }
      return
    }
    if isAfresh { return begin(row, way, change, goal: goal) }
    if !adds, let program = way.program, takeOver(row, program, at: moment, change, goal: goal) { return }
    add(way, to: row, change, goal: goal)
  }

  /// Sends a track to a goal along a curve that is not modified, without a general request.
  ///
  /// - Returns: The number of the change; nil if the track heads for the goal already.
  mutating func send(
    _ handle: TrackHandle, to goal: InputValues, _ curve: UnitCurve, duration: Double
  ) throws(BatchError) -> UInt32? {
    try MotionRequest.check(curve, duration: duration)
    let row = try prepare(handle, for: goal, [.springs, .curves])
    guard let change = changeOf(row, heading: goal) else { return nil }
    let way = way(along: curve, duration: duration, at: time)
    follow(row, way, .timingCurve(curve, duration: duration), at: time, change) { goal[0, $0] }
    return change
  }

  /// A curve from a moment on; nil if there is no memory for the first that is computed track by track.
  private mutating func way(along curve: UnitCurve, duration: Double, at moment: Double) -> CurveWay? {
    let end = moment + duration
    guard duration >= CurveMotions.shortest, end > moment, let index = curves.library.index(of: curve) else {
      return way(along: CurveProgram(computing: .timingCurve(curve, duration: duration)), at: moment)
    }
    return CurveWay(curve: index, start: moment, end: end)
  }

  /// A modified animation from a moment on. One without a table is computed track by track.
  private mutating func way(along program: CurveProgram, at moment: Double) -> CurveWay? {
    let (end, progress) = (moment + program.progress.end, program.progress)
    let hasTable = end > moment && !progress.form.isComputed
    guard let index = hasTable ? curves.library.index(of: progress.form.base) : curves.library.indexOfComputed() else {
      return hasTable ? way(along: CurveProgram(computing: progress.animation), at: moment) : nil
    }
    return CurveWay(curve: index, start: moment, end: progress.endsAtTarget ? end : end.nextUp, program: program)
  }

  /// A curve, modified or not, from a moment on; nil also for other motions.
  private mutating func way(along motion: MotionRequest, at moment: Double) -> CurveWay? {
    switch motion {
    case .curve(let curve, let duration): way(along: curve, duration: duration, at: moment)
    case .program(let program): way(along: program, at: moment)
    default: nil
    }
  }

  /// Makes the track of a row follow a curve, and nothing else. There must be room.
  private mutating func begin(_ row: Int, _ way: CurveWay, _ change: UInt32, goal: (Int) -> Float) {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind != .curves {
      if kind == .spring { springs.stand(row, &tracks) } else if tracks.tiles.keeps(row) { stand(row) }
      curves.lead(row, &tracks)
    }
    velocities.mark(row)
    tracks.columns.change[row] = change
    changeEffects(TileStore.tile(row)) { $0.begin(row, way, $1, target: goal) }
    arrive(row, way)
  }

  /// Adds the effect of a curve to the spring, the slide or the curves of a row. There must be room.
  private mutating func add(_ way: CurveWay, to row: Int, _ change: UInt32, goal: (Int) -> Float) {
    if tracks.tiles.kind(ofRow: row) == .spring {
      springs.goOnUnwatched(row)
      curves.leadSpring(row, &tracks)
      if tracks.tiles.moving[TileStore.tile(row)] == 0 { springs.watch.sleep(TileStore.tile(row)) }
    }
    velocities.mark(row)
    tracks.columns.change[row] = change
    changeEffects(TileStore.tile(row)) { $0.add(way, to: row, $1, target: goal) }
    arrive(row, way)
  }

  /// Shows the target of a row at once if its last effect, which was added, takes no time.
  private mutating func arrive(_ row: Int, _ way: CurveWay) {
    guard way.end <= way.start else { return }
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      (tracks.columns.value[element], tracks.columns.velocity[element]) = (tracks.columns.target[element], 0)
    }
  }

  /// Lets a modified spring take over from one with the same modifiers, if that alone moves the track of a row: as in the
  /// model, it goes on from its value and velocity, on the clock of the run. A spring does that from now on, under an effect
  /// that shows nothing until it ends, and knows when that is. There must be room.
  ///
  /// - Returns: Whether it takes over.
  private mutating func takeOver(
    _ row: Int, _ program: CurveProgram, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) -> Bool {
    guard tracks.tiles.kind(ofRow: row) == .curves, let last = curves.onlyEffect(ofRow: row), let old = last.program,
      program.takesOver(from: old)
    else { return false }
    let (animation, form) = (program.progress.animation, old.progress.form)
    let elapsed = (form.elapsed ?? 0) + old.progress.local(moment, since: last.start)
    let clock = program.progress.form.isComputed ? Progress(animation, includesSprings: true) : program.progress
    let leg = clock?.leg(at: elapsed)
    if leg?.waits ?? (program.progress.state(at: elapsed) == (0, 0)) {
      // Nothing has shown yet: the run begins with this spring.
      if let way = way(along: program, at: last.start) { begin(row, way, change, goal: goal) }
      curves.latestStart = max(curves.latestStart, moment)
      return true
    }
    guard let clock, let leg, case .spring(let spring, _, _) = clock.form.base else {
      // Its clock stands still, or it jumps.
      if let way = way(along: program, at: moment) { begin(row, way, change, goal: goal) }
      return true
    }
    let columns = tracks.columns
    // The state of the model: kernels show the curve that was fitted to it.
    withStates(ofCurveRow: row, at: moment) { states in
      for dimension in 0..<dimensions {
        let element = tracks.element(row, dimension)
        columns.value[element] = Float(states[dimension].x)
        columns.velocity[element] = AmplitudeRule.shown(states[dimension].y)
      }
    }
    let way = TrackVector(count: dimensions) { Double(goal($0)) - Double(columns.value[tracks.element(row, $0)]) }
    let velocity = vector { columns.velocity[tracks.element(row, $0)] }.scaled(by: 1 / leg.rate)
    let ends = animation.endsOfSuccessor(at: leg.local(elapsed), way: way, velocity: velocity)
    let completion = ends.logicalEnd - elapsed
    // What the run has completed before this call is complete with it.
    let (logicalEnd, end) = (max(0, completion), max(0, ends.end - elapsed))
    let progress = Progress(continuing: animation, elapsed: elapsed, logicalEnd: logicalEnd, end: end)
    guard let wait = self.way(along: CurveProgram(progress), at: moment) else { return false }
    setOut(row, SpringCoefficients(accepted: spring.paced(by: leg.rate)), at: moment, change, target: goal)
    add(wait, to: row, change, goal: goal)
    return true
  }

  /// Changes the effects of a tile, and clears the springs that are under them no longer.
  @inline(__always)
  private mutating func changeEffects(_ tile: Int, _ change: (inout CurveMotions, borrowing TrackStore) -> Void) {
    let before = curves.onSprings[tile]
    change(&curves, tracks)
    (before & ~curves.onSprings[tile]).forEachLane { springs.clearStart(tile * laneCountOfTile + $0) }
  }

  /// Sends the picked tracks to goals along one curve, or with one modified animation.
  ///
  /// - Parameter motion: The motion of all.
  mutating func animatePickedByCurve(_ goals: InputValues, _ motion: MotionRequest) -> UInt32 {
    dropUnchanged(goals)
    endSchedulesOfPicked()
    let (change, moment) = (nextChange(), time)
    let way = way(along: motion, at: moment)
    forEachPick { engine, index in
      guard let way else { return false }
      return engine.follow(tileFrom: index, way, change, goals)
    } one: { engine, index in
      engine.prefetch(after: index)
      let row = engine.picks[index].row
      engine.follow(row, way, motion.animation, at: moment, change) { goals[index, $0] }
    }
    return change
  }

  /// Makes a tile follow a curve in place, if the picks from an index on fill the tile in order, and its tracks all
  /// stand, all move by springs, or all follow the same curves.
  ///
  /// - Returns: Whether the tile does.
  private mutating func follow(tileFrom index: Int, _ way: CurveWay, _ change: UInt32, _ goals: InputValues) -> Bool {
    guard let tile = picks.tileFilled(from: index, tracks) else { return false }
    let areLed = tracks.tiles.led[tile] == .max
    guard way.program == nil, curves.makeRoom(forEffects: 1) else { return false }
    let standing = areLed ? curves.standing(tile, at: way.start) : 0
    if standing == .max || tracks.tiles.stands(tile) {
      curves.lead(tile: tile, &tracks)
      changeEffects(tile) { $0.begin(tile: tile, way, $1, goals, at: index) }
    } else {
      guard areLed ? standing == 0 : allMove(tile, since: way.start) else { return false }
      if !areLed { putUnderCurves(tile) }
      changeEffects(tile) { $0.add(way, toTile: tile, $1, goals, at: index) }
    }
    velocities.markAll(ofTile: tile)
    (tracks.columns.change + tile * laneCountOfTile).update(repeating: change, count: laneCountOfTile)
    return true
  }

  /// Whether all tracks of a full tile move by springs that began before a moment.
  private func allMove(_ tile: Int, since moment: Double) -> Bool {
    tracks.tiles.moving[tile] == .max && springs.allMove(tile, since: moment)
  }

  /// Lets the springs of a full tile go on under the effects that are to come.
  private mutating func putUnderCurves(_ tile: Int) {
    springs.letLast(tile, .max)
    curves.leadSprings(tile, &tracks)
    springs.watch.sleep(tile)
  }

  /// Puts the target of the track of a row under the effects of its neighbours, if they have some: kernels of springs find the
  /// targets of such a tile there.
  @inline(__always)
  func putTargetUnder(_ row: Int) {
    if tracks.tiles.led[TileStore.tile(row)] != 0 { curves.putTargetUnder(row, tracks) }
  }

  /// Whether a motion that begins at a moment is alone: the track stood until then.
  func startsAfresh(_ row: Int, at moment: Double) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[row].value.hasArrived(at: moment) }
    if kind == .curves { return curves.isOver(row) || curves.begins(row, at: moment) }
    guard kind == .spring else { return true }
    if springs.columns.start[row] == moment { return springs.setOutFromRest(row) }
    return (0..<dimensions).allSatisfy { dimension in
      let element = tracks.element(row, dimension)
      let (value, target) = (tracks.columns.value[element], tracks.columns.target[element])
      return tracks.columns.velocity[element] == 0 && value == target
    }
  }

  /// Puts a track whose curve begins at this very moment back where it stood before, as the next motion replaces the
  /// curve: not even its velocity is taken over.
  mutating func putBackIfStarting(_ row: Int) {
    guard curves.begins(row, at: time) else { return }
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      (tracks.columns.value[element], tracks.columns.velocity[element]) = (curves.under(row, dimension), 0)
    }
    velocities.mark(row)
  }

  /// Lends the value and the velocity of each dimension of a row of curves at a moment at which another motion takes
  /// over: the same sum as in the model, from the columns of the row. No memory comes from the heap, as steps of phases are
  /// many.
  func withStates(
    ofCurveRow row: Int, at moment: Double, _ body: (_ states: ConstantColumn<SIMD2<Double>>) -> Void
  ) {
    let last = curves.lastEffect(ofRow: row)
    let progress = curves.progress(of: last)
    let end = last.start + progress.end
    let restTime = progress.endsAtTarget ? end : end.nextUp
    let time = moment.underWay(until: end, isFinished: moment >= restTime)
    withTemporaryLines(of: 4 * dimensions) { lines in
      let states = lines.rebound(to: SIMD2<Double>.self)
      for dimension in 0..<dimensions { states[dimension] = SIMD2(Double(curves.under(row, dimension)), 0) }
      if curves.isOnSpring(row) {
        let columns = springs.columns
        let basis = springs.coefficients(ofRow: row).basis(age: time - columns.start[row])
        for dimension in 0..<dimensions {
          let start = dimension * columns.startStride + row
          let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
          states[dimension] += SIMD2(Double(shown.value), Double(shown.velocity))
        }
      }
      curves.forEachEffect(ofRow: row) { effect, _ in
        let progress = curves.progress(of: effect)
        let local = progress.local(time, since: effect.start)
        let (covered, rate) = time < restTime ? progress.state(at: local) : (1, 0)
        for dimension in 0..<dimensions {
          let goal = Double(effect.goal(dimension))
          let (value, velocity) = (states[dimension].x, states[dimension].y)
          let way = goal - value
          states[dimension] = SIMD2(
            covered == 1 ? goal : value + way * covered, velocity * (1 - covered) + (way == 0 ? 0 : way * rate))
        }
      }
      body(states.constant)
    }
  }

  /// The motion of a row of curves, in Double.
  func value(ofCurveRow row: Int) -> CalledValue {
    guard !curves.isOver(row) else { return CalledValue(vector { tracks.columns.target[tracks.element(row, $0)] }) }
    let under = vector { curves.under(row, $0) }
    var value = curves.isOnSpring(row) ? springValue(ofRow: row, to: under) : CalledValue(under)
    curves.forEachEffect(ofRow: row) { effect, _ in
      let goal = vector { effect.goal($0) }
      // A spring shows the motion of a modified spring that took over.
      if effect.program?.progress.form.elapsed != nil { return }
      value.retarget(to: goal, with: curves.progress(of: effect).animation, at: effect.start)
    }
    return value
  }
}
