// SPDX-License-Identifier: MIT
import Kernels

// Calls that make tracks follow curves. In a track that stands the curve leads on from its value. A track that moves adds the
// effect of the curve to its motion: to the spring or the slide that goes on under it, and to the curves before it.
extension Engine {
  /// Sends a track to a goal along a curve, or with a modified curve or spring.
  ///
  /// - Parameter adds: Whether the effect is added to what the track does, in any case.
  mutating func follow(
    _ index: Int, _ motion: MotionRequest, at moment: Double, _ change: UInt32, adds: Bool = false, goal: (Int) -> Float
  ) {
    follow(index, way(along: motion, at: moment), motion.animation, at: moment, change, adds: adds, goal: goal)
  }

  /// Sends a track to a goal along a way from a moment on, or else with an animation.
  @inline(__always)
  private mutating func follow(
    _ index: Int, _ way: CurveWay?, _ animation: @autoclosure () -> Animation?, at moment: Double, _ change: UInt32,
    adds: Bool = false, goal: (Int) -> Float
  ) {
    let isAfresh = !adds && startsAfresh(index, at: moment)
    guard let way, isAfresh || tracks.tiles.kind(at: index) != .called, curves.makeRoom(forEffects: 1) else {
      // The model adds it to a custom animation, and needs no memory for effects.
      if let animation = animation() { call(index, animation, at: moment, change, goal: goal) }
      return
    }
    if isAfresh { return begin(index, way, change, goal: goal) }
    if !adds, let program = way.program, takeOver(index, program, at: moment, change, goal: goal) { return }
    add(way, to: index, change, goal: goal)
  }

  /// Sends a track to a goal along a curve that is not modified, without a general request.
  ///
  /// - Returns: The number of the change; nil if the track heads for the goal already.
  mutating func send(
    _ handle: TrackHandle, to goal: InputValues, _ curve: UnitCurve, duration: Double
  ) throws(BatchError) -> UInt32? {
    try MotionRequest.check(curve, duration: duration)
    let index = try prepare(handle, for: goal, [.springs, .curves])
    guard let change = changeOf(index, heading: goal) else { return nil }
    let way = way(along: curve, duration: duration, at: time)
    follow(index, way, .timingCurve(curve, duration: duration), at: time, change) { goal[0, $0] }
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

  /// Makes a track follow a curve, and nothing else. There must be room.
  private mutating func begin(_ index: Int, _ way: CurveWay, _ change: UInt32, goal: (Int) -> Float) {
    let kind = tracks.tiles.kind(at: index)
    if kind != .curves {
      if kind == .spring { springs.stand(index, &tracks) } else if tracks.tiles.keeps(index) { stand(index) }
      curves.lead(TileStore.bit(index), of: TileStore.tile(index), &tracks)
    }
    velocities.mark(index)
    tracks.columns.change[index] = change
    changeEffects(TileStore.tile(index)) { $0.begin(index, way, $1, target: goal) }
    arrive(index, way)
  }

  /// Adds the effect of a curve to the spring, the slide or the curves of a track. There must be room.
  private mutating func add(_ way: CurveWay, to index: Int, _ change: UInt32, goal: (Int) -> Float) {
    if tracks.tiles.kind(at: index) == .spring {
      springs.goOnUnwatched(index)
      curves.lead(TileStore.bit(index), of: TileStore.tile(index), onSprings: true, &tracks)
      if tracks.tiles.moving[TileStore.tile(index)] == 0 { springs.watch.sleep(TileStore.tile(index)) }
    }
    velocities.mark(index)
    tracks.columns.change[index] = change
    changeEffects(TileStore.tile(index)) { $0.add(way, to: index, $1, target: goal) }
    arrive(index, way)
  }

  /// Shows the target of a track at once if its last effect, which was added, takes no time.
  private mutating func arrive(_ index: Int, _ way: CurveWay) {
    guard way.end <= way.start else { return }
    tracks.show(index) { (tracks.columns.target[tracks.element(index, $0)], 0) }
  }

  /// Lets a modified spring take over from one with the same modifiers, if that alone moves a track: as in the
  /// model, it goes on from its value and velocity, on the clock of the run. A spring does that from now on, under an effect
  /// that shows nothing until it ends, and knows when that is. There must be room.
  ///
  /// - Returns: Whether it takes over.
  private mutating func takeOver(
    _ index: Int, _ program: CurveProgram, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) -> Bool {
    guard tracks.tiles.kind(at: index) == .curves, let last = curves.onlyEffect(at: index), let old = last.program,
      program.takesOver(from: old)
    else { return false }
    let (animation, form) = (program.progress.animation, old.progress.form)
    let elapsed = (form.elapsed ?? 0) + old.progress.local(moment, since: last.start)
    let clock = program.progress.form.isComputed ? Progress(animation, includesSprings: true) : program.progress
    let leg = clock?.leg(at: elapsed)
    if leg?.waits ?? (program.progress.state(at: elapsed) == (0, 0)) {
      // Nothing has shown yet: the run begins with this spring.
      if let way = way(along: program, at: last.start) { begin(index, way, change, goal: goal) }
      curves.latestStart = max(curves.latestStart, moment)
      return true
    }
    guard let clock, let leg, case .spring(let spring, _, _) = clock.form.base else {
      // Its clock stands still, or it jumps.
      if let way = way(along: program, at: moment) { begin(index, way, change, goal: goal) }
      return true
    }
    let columns = tracks.columns
    // The state of the model: kernels show the curve that was fitted to it.
    withStates(ofCurves: index, at: moment) { states in
      tracks.show(index) { (Float(states[$0].x), AmplitudeRule.shown(states[$0].y)) }
    }
    let way = TrackVector(count: dimensions) { Double(goal($0)) - Double(columns.value[tracks.element(index, $0)]) }
    let velocity = vector { columns.velocity[tracks.element(index, $0)] }.scaled(by: 1 / leg.rate)
    let ends = animation.endsOfSuccessor(at: leg.local(elapsed), way: way, velocity: velocity)
    let completion = ends.logicalEnd - elapsed
    // What the run has completed before this call is complete with it.
    let (logicalEnd, end) = (max(0, completion), max(0, ends.end - elapsed))
    let progress = Progress(continuing: animation, elapsed: elapsed, logicalEnd: logicalEnd, end: end)
    guard let wait = self.way(along: CurveProgram(progress), at: moment) else { return false }
    setOut(index, SpringCoefficients(accepted: spring.paced(by: leg.rate)), at: moment, change, target: goal)
    add(wait, to: index, change, goal: goal)
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
    endMotionsOfPicked()
    let (change, moment) = (nextChange(), time)
    let way = way(along: motion, at: moment)
    forEachPick { engine, position in
      guard let way else { return false }
      return engine.follow(tileFrom: position, way, change, goals)
    } one: { engine, position in
      engine.prefetch(after: position)
      let index = engine.picks[position].index
      engine.follow(index, way, motion.animation, at: moment, change) { goals[position, $0] }
    }
    return change
  }

  /// Makes a tile follow a curve in place, if the picks from a position on fill the tile in order, and its tracks all
  /// stand, all move by springs, or all follow the same curves.
  ///
  /// - Returns: Whether the tile does.
  private mutating func follow(tileFrom position: Int, _ way: CurveWay, _ change: UInt32, _ goals: InputValues) -> Bool
  {
    guard let tile = picks.tileFilled(from: position, tracks) else { return false }
    let areLed = tracks.tiles.led[tile] == .max
    guard way.program == nil, curves.makeRoom(forEffects: 1) else { return false }
    let standing = areLed ? curves.standing(tile, at: way.start) : 0
    if standing == .max || tracks.tiles.stands(tile) {
      curves.lead(.max, of: tile, &tracks)
      changeEffects(tile) { $0.begin(tile: tile, way, $1, goals, at: position) }
    } else {
      guard areLed ? standing == 0 : allMove(tile, since: way.start) else { return false }
      if !areLed { putUnderCurves(tile) }
      changeEffects(tile) { $0.add(way, toTile: tile, $1, goals, at: position) }
    }
    velocities.mark(.max, of: tile)
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
    curves.lead(.max, of: tile, onSprings: true, &tracks)
    springs.watch.sleep(tile)
  }

  /// Puts the target of a track under the effects of its neighbours, if they have some: kernels of springs find the
  /// targets of such a tile there.
  @inline(__always)
  func putTargetUnder(_ index: Int) {
    if tracks.tiles.led[TileStore.tile(index)] != 0 { curves.putTargetUnder(index, tracks) }
  }

  /// Whether a motion that begins at a moment is alone: the track stood until then.
  func startsAfresh(_ index: Int, at moment: Double) -> Bool {
    let kind = tracks.tiles.kind(at: index)
    if kind == .called { return called[index].value.hasArrived(at: moment) }
    if kind == .curves { return curves.isOver(index) || curves.begins(index, at: moment) }
    guard kind == .spring else { return true }
    if springs.columns.start[index] == moment { return springs.setOutFromRest(index) }
    return (0..<dimensions).allSatisfy { dimension in
      let element = tracks.element(index, dimension)
      let (value, target) = (tracks.columns.value[element], tracks.columns.target[element])
      return tracks.columns.velocity[element] == 0 && value == target
    }
  }

  /// Puts a track whose curve begins at this very moment back where it stood before, as the next motion replaces the
  /// curve: not even its velocity is taken over.
  mutating func putBackIfStarting(_ index: Int) {
    guard tracks.tiles.kind(at: index) == .curves, curves.begins(index, at: time) else { return }
    tracks.show(index) { (curves.under(index, $0), 0) }
    velocities.mark(index)
  }

  /// The value at which a track stood before a curve that begins at this very moment, or that was paused at its beginning; nil
  /// for other tracks. The next motion replaces the curve.
  @inline(__always)
  package func valueBeforeCurve(_ index: Int, _ dimension: Int) -> Float? {
    // Mostly no curve begins now, and no track is paused.
    curves.latestStart == time || !pauses.isEmpty ? foundValueBeforeCurve(index, dimension) : nil
  }

  @inline(never)
  private func foundValueBeforeCurve(_ index: Int, _ dimension: Int) -> Float? {
    if tracks.tiles.kind(at: index) == .curves {
      return curves.begins(index, at: time) ? curves.under(index, dimension) : nil
    }
    guard let pause = pauses[index], case .curves(let held)? = pause.motion, !held.areOnSpring,
      held.effects.count == 1, held.effects[0].start == pause.since
    else { return nil }
    return held.under[dimension]
  }

  /// Lends the value and the velocity of each dimension of a track with curves at a moment at which another motion takes
  /// over: the same sum as in the model, from the columns of the track. No memory comes from the heap, as steps of phases are
  /// many.
  func withStates(
    ofCurves index: Int, at moment: Double, _ body: (_ states: ConstantColumn<SIMD2<Double>>) -> Void
  ) {
    let last = curves.lastEffect(at: index)
    let progress = curves.progress(of: last)
    let end = last.start + progress.end
    let restTime = progress.endsAtTarget ? end : end.nextUp
    let time = moment.underWay(until: end, isFinished: moment >= restTime)
    withTemporaryLines(of: 4 * dimensions) { lines in
      let states = lines.rebound(to: SIMD2<Double>.self)
      for dimension in 0..<dimensions { states[dimension] = SIMD2(Double(curves.under(index, dimension)), 0) }
      if curves.isOnSpring(index) {
        let columns = springs.columns
        let basis = springs.coefficients(at: index).basis(age: time - columns.start[index])
        for dimension in 0..<dimensions {
          let start = dimension * columns.startStride + index
          let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
          states[dimension] += SIMD2(Double(shown.value), Double(shown.velocity))
        }
      }
      curves.forEachEffect(at: index) { effect, _ in
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

  /// The motion of a track with curves, in Double.
  func value(ofCurves index: Int) -> CalledValue {
    guard !curves.isOver(index) else { return CalledValue(vector { tracks.columns.target[tracks.element(index, $0)] }) }
    let under = vector { curves.under(index, $0) }
    var value = curves.isOnSpring(index) ? springValue(at: index, to: under) : CalledValue(under)
    curves.forEachEffect(at: index) { effect, _ in
      let goal = vector { effect.goal($0) }
      // A spring shows the motion of a modified spring that took over.
      if effect.program?.progress.form.elapsed != nil { return }
      value.retarget(to: goal, with: curves.progress(of: effect).animation, at: effect.start)
    }
    return value
  }
}
