// SPDX-License-Identifier: MIT
import Kernels

// Calls that make tracks follow curves. A track that stands follows the curve alone. A track that moves adds the effect
// of the curve to its motion: to the spring or the slide that goes on under it, and to the curves before it.
extension Engine {
  /// Sends the track of a row to a goal along a curve, or with a modified curve or spring.
  ///
  /// - Parameter adds: Whether the effect is added to what the track does, in any case.
  mutating func follow(
    _ row: Int, _ motion: MotionRequest?, at moment: Double, _ change: UInt32, adds: Bool = false, goal: (Int) -> Float
  ) {
    if let way = way(along: motion, at: moment) {
      if adds || !startsAfresh(row, at: moment) {
        if add(way, to: row, change, goal: goal) { return }
      } else if begin(row, way, change, goal: goal) {
        return
      }
    }
    if case .curve(let curve, let duration) = motion {
      call(row, .timingCurve(curve, duration: duration), at: moment, change, goal: goal)
    } else if case .program(let program) = motion {
      call(row, program.progress.animation, at: moment, change, goal: goal)
    }
  }

  /// A curve, modified or not, from a moment on as kernels follow it; nil if it is too short, or too steep, and for other
  /// motions.
  private mutating func way(along motion: MotionRequest?, at moment: Double) -> CurveWay? {
    switch motion {
    case .curve(let curve, let duration):
      let end = moment + duration
      guard duration >= CurveMotions.shortest, end > moment, let place = curves.library.place(of: .curve(curve)) else {
        return nil
      }
      return CurveWay(place: place, start: moment, end: end)
    case .program(let program):
      let end = moment + program.progress.end
      guard end > moment, let place = curves.library.place(of: program.progress.form.base) else { return nil }
      return CurveWay(
        place: place, start: moment, end: program.progress.endsAtTarget ? end : end.nextUp, program: program)
    default: return nil
    }
  }

  /// Makes the track of a row follow a curve that kernels evaluate, and nothing else.
  ///
  /// - Returns: Whether there is room.
  private mutating func begin(_ row: Int, _ way: CurveWay, _ change: UInt32, goal: (Int) -> Float) -> Bool {
    let kind = MotionKind.curve(way.place)
    guard hasRoom(for: kind) else { return false }
    var row = row
    if tracks.tiles.kind(ofRow: row) != kind { row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: kind) }
    velocities.mark(row)
    tracks.columns.change[row] = change
    curves.begin(row, way, tracks, target: goal)
    return true
  }

  /// Adds the effect of a curve to what the track of a row does.
  private mutating func add(_ way: CurveWay, to row: Int, _ change: UInt32, goal: (Int) -> Float) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    guard kind == .spring || kind.isCurve else { return false }
    if kind.curve != nil, let program = way.program, let old = curves.program(ofRow: row), program.takesOver(from: old)
    {
      return false
    }
    // One block for the effect, and one for the single curve that it is added to.
    guard curves.effects.makeRoom(for: 2), kind == .sum || hasRoom(for: .sum) else { return false }
    let newRow = kind == .sum ? row : moveToSums(row, kind)
    velocities.mark(newRow)
    tracks.columns.change[newRow] = change
    curves.add(way, to: newRow, tracks, target: goal)
    return true
  }

  /// Gives the track of a row of a spring or of a single curve a row of sums, in which its motion goes on; there must be room.
  private mutating func moveToSums(_ row: Int, _ kind: MotionKind) -> Int {
    let (slot, newRow) = (UInt32(tracks.slot(ofRow: row)), curves.takeRow(.sum, &tracks))
    if kind == .spring { springs.copyMotion(newRow, of: row, springs) }
    curves.beginSum(newRow, of: row, kind, tracks)
    tracks.carry(slot, from: row, to: newRow)
    leave(row)
    return newRow
  }

  /// Makes room for a track of a kind, and returns whether there is room. Calls make room before they change anything;
  /// only steps of phases whose effects add up may need more.
  private mutating func hasRoom(for kind: MotionKind) -> Bool {
    guard !tracks.tiles.hasOpenLane(kind), let needed = tracks.rowsNeeded(forTiles: 1) else { return true }
    return (try? grow(toHold: needed, for: [])) != nil
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
      engine.begin(engine.picks.row(index, engine.tracks), motion, at: moment, change) { goals[index, $0] }
    }
    return change
  }

  /// Makes a tile follow a curve in place, if the picks from an index on fill the tile in order, and its tracks all
  /// stand, all move by springs, or all follow the same curves.
  ///
  /// - Returns: Whether the tile does.
  private mutating func follow(tileFrom index: Int, _ way: CurveWay, _ change: UInt32, _ goals: InputValues) -> Bool {
    guard let tile = picks.tileFilled(from: index, tracks) else { return false }
    let (kind, row) = (tracks.tiles.kinds[tile], tile * laneCountOfTile)
    if tracks.tiles.stands(tile)
      || kind.isCurve && curves.standing(tile, at: way.start, tracks) == .max
    {
      curves.take(tile, .curve(way.place), &tracks)
      curves.begin(tile: tile, way, tracks, goals, at: index)
    } else {
      guard canAdd(way, to: tile, kind), curves.effects.makeRoom(for: 2) else { return false }
      if kind != .sum { curves.takeForSums(tile, &tracks) }
      curves.add(way, toTile: tile, tracks, goals, at: index)
    }
    velocities.markAll(ofTile: tile)
    (tracks.columns.change + row).update(repeating: change, count: laneCountOfTile)
    return true
  }

  /// Whether the effect of a curve can be added to all lanes of a full tile at once: all of them move.
  private func canAdd(_ way: CurveWay, to tile: Int, _ kind: MotionKind) -> Bool {
    guard way.program == nil else { return false }
    if kind.isCurve {
      return (kind == .sum || curves.modifiesNone) && curves.standing(tile, at: way.start, tracks) == 0
    }
    return tracks.tiles.moving[tile] == .max && springs.allMove(tile, since: way.start)
  }

  /// Whether a motion that begins at a moment is alone: the track stood until then.
  func startsAfresh(_ row: Int, at moment: Double) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].value.hasArrived(at: moment) }
    if kind.isCurve { return curves.isOver(row) || curves.begins(row, at: moment, tracks) }
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
    guard curves.begins(row, at: time, tracks) else { return }
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
    let kind = tracks.tiles.kinds[row / laneCountOfTile]
    let last = curves.lastEffect(ofRow: row, kind)
    let progress = curves.progress(of: last)
    let end = last.start + progress.end
    let restTime = progress.endsAtTarget ? end : end.nextUp
    let time = moment.underWay(until: end, isFinished: moment >= restTime)
    withTemporaryLines(of: 4 * dimensions) { lines in
      let states = lines.rebound(to: SIMD2<Double>.self)
      for dimension in 0..<dimensions { states[dimension] = SIMD2(Double(curves.under(row, dimension)), 0) }
      if curves.isOnSpring(row, kind) {
        let columns = springs.columns
        let basis = springs.coefficients(ofRow: row).basis(age: time - columns.start[row])
        for dimension in 0..<dimensions {
          let start = dimension * columns.startStride + row
          let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
          states[dimension] += SIMD2(Double(shown.value), Double(shown.velocity))
        }
      }
      curves.forEachEffect(ofRow: row, kind) { effect, _ in
        let progress = curves.progress(of: effect)
        let local = progress.local(time, since: effect.start)
        let (covered, rate) = time < restTime ? progress.state(at: local) : (1, 0)
        for dimension in 0..<dimensions {
          let goal = Double(curves.goal(of: effect, row, kind, dimension, tracks))
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
    let kind = tracks.tiles.kinds[row / laneCountOfTile]
    let under = vector { curves.under(row, $0) }
    var value = curves.isOnSpring(row, kind) ? springValue(ofRow: row, to: under) : CalledValue(under)
    curves.forEachEffect(ofRow: row, kind) { effect, _ in
      let goal = vector { curves.goal(of: effect, row, kind, $0, tracks) }
      value.retarget(to: goal, with: curves.progress(of: effect).animation, at: effect.start)
    }
    return value
  }
}
