// SPDX-License-Identifier: MIT
import Kernels

// Calls that make tracks follow curves. A track that stands follows the curve alone. A track that moves adds the effect
// of the curve to its motion: to the spring or the slide that goes on under it, and to the curves before it.
extension Engine {
  /// Sends the track of a row to a goal along a curve, or with a modified curve or spring.
  mutating func follow(
    _ row: Int, _ motion: MotionRequest?, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) {
    if let way = way(along: motion, at: moment), follow(row, way, change, goal: goal) { return }
    if case .curve(let curve, let duration) = motion {
      add(Progress(curves.library.form(of: curve), duration: duration), to: row, at: moment, change, goal: goal)
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

  /// Makes the track of a row follow a curve that kernels evaluate.
  ///
  /// - Returns: Whether that is possible.
  private mutating func follow(_ row: Int, _ way: CurveWay, _ change: UInt32, goal: (Int) -> Float) -> Bool {
    guard startsAfresh(row, at: way.start) else { return add(way, to: row, change, goal: goal) }
    guard let shape = curves.library.shape(CollectionOfOne(way.place), over: .still), hasRoom(for: .curve(shape)) else {
      return false
    }
    var row = row
    if tracks.tiles.kind(ofRow: row) != .curve(shape) {
      row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: .curve(shape))
    }
    velocities.mark(row)
    tracks.columns.change[row] = change
    curves.begin(row, way, tracks, target: goal)
    return true
  }

  /// Adds the effect of a curve to what the track of a row does.
  private mutating func add(_ way: CurveWay, to row: Int, _ change: UInt32, goal: (Int) -> Float) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    guard kind == .spring || kind.isCurve else { return false }
    let old = kind.isCurve ? curves.shape(ofRow: row, tracks) : curves.shape(kind)
    // The model decides whether the new spring takes over from the old one.
    if old.isPlain, way.program?.mayMerge ?? false, curves.program(0, row)?.mayMerge ?? false { return false }
    if kind.isCurve, curves.makeVacancy(for: way, row, &tracks) {
      velocities.mark(row)
      tracks.columns.change[row] = change
      curves.fillVacancy(row, way, tracks, target: goal)
      return true
    }
    let first = kind.isCurve ? curves.firstInEffect(row, old, at: way.start) : 0
    guard old.curves.count - first < CurveMotions.layerLimit else { return false }
    let shape =
      kind.isCurve
      ? curves.library.shape(old, from: first, adding: way.place)
      : curves.library.shape(CollectionOfOne(way.place), over: kind)
    guard let shape, hasRoom(for: .curve(shape)) else { return false }
    let (slot, newRow) = (UInt32(tracks.slot(ofRow: row)), curves.takeRow(.curve(shape), &tracks))
    if kind == .spring || curves.library.shapes[shape].under != .still { springs.copyMotion(newRow, of: row, springs) }
    if kind == .spring {
      curves.setUnder(newRow) { tracks.columns.target[tracks.element(row, $0)] }
    } else {
      curves.copyLayers(from: first, of: row, old, to: newRow, tracks)
    }
    tracks.carry(slot, from: row, to: newRow)
    leave(row)
    velocities.mark(newRow)
    tracks.columns.change[newRow] = change
    curves.add(way, to: newRow, tracks, target: goal)
    return true
  }

  /// Makes room for a track of a kind, and returns whether there is room. Calls make room before they change anything;
  /// only steps of phases whose effects add up may need more.
  private mutating func hasRoom(for kind: MotionKind) -> Bool {
    guard kind.curve.map({ curves.makeRoom(for: $0) }) ?? true else { return false }
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
    let isStanding =
      tracks.tiles.stands(tile)
      || kind.isCurve && curves.shape(kind).isPlain && curves.standing(tile, at: way.start, tracks) == .max
    let moves =
      !isStanding && way.program == nil && tracks.tiles.moving[tile] == .max && springs.allMove(tile, since: way.start)
    if !isStanding, kind.isCurve { return add(way, toCurvesOf: tile, change, goals, at: index) }
    guard isStanding || moves else { return false }
    let under = isStanding ? MotionKind.still : kind
    guard let shape = curves.library.shape(CollectionOfOne(way.place), over: under) else { return false }
    curves.take(tile, shape, &tracks)
    if moves {
      curves.add(way, toTile: tile, curves.shape(kind), without: 0, tracks, goals, at: index)
    } else {
      curves.begin(tile: tile, way, tracks, goals, at: index)
    }
    velocities.markAll(ofTile: tile)
    (tracks.columns.change + row).update(repeating: change, count: laneCountOfTile)
    return true
  }

  /// Adds the effect of a curve to those of a full tile, towards the goals of consecutive tracks.
  ///
  /// - Returns: Whether that is possible. In particular, the same layers must have an effect in all lanes.
  private mutating func add(
    _ way: CurveWay, toCurvesOf tile: Int, _ change: UInt32, _ goals: InputValues, at index: Int
  ) -> Bool {
    let (kind, rows) = (tracks.tiles.kinds[tile], tile * laneCountOfTile..<(tile + 1) * laneCountOfTile)
    let old = curves.shape(kind)
    guard way.program == nil, curves.standing(tile, at: way.start, tracks) == 0 else { return false }
    let areAlike = curves.areAlike(tile, at: way.start, tracks)
    let first =
      areAlike
      ? curves.firstInEffect(tile: tile, at: way.start) : curves.firstInEffect(rows.lowerBound, old, at: way.start)
    guard
      areAlike
        || rows.allSatisfy({
          !curves.isVacant(old.curves.count - 1, $0) && curves.firstInEffect($0, old, at: way.start) == first
        })
    else { return false }
    if curves.modifiesNone, !old.isPlain || first == 0 {
      guard let (shape, dropped) = curves.longer(kind, by: way.place, gone: first) else { return false }
      curves.take(tile, shape, &tracks)
      curves.add(way, toTile: tile, old, without: dropped, tracks, goals, at: index)
    } else {
      guard let shape = curves.library.shape(old, from: first, adding: way.place), curves.makeRoom(for: shape) else {
        return false
      }
      if first > 0 || old.isPlain {
        for row in rows { curves.copyLayers(from: first, of: row, old, to: row, tracks) }
      }
      curves.take(tile, shape, &tracks)
      for (lane, row) in rows.enumerated() { curves.add(way, to: row, tracks) { goals[index + lane, $0] } }
    }
    velocities.markAll(ofTile: tile)
    (tracks.columns.change + rows.lowerBound).update(repeating: change, count: laneCountOfTile)
    return true
  }

  /// Whether a motion that begins at a moment is alone: the track stood until then.
  func startsAfresh(_ row: Int, at moment: Double) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].value.isFinished(at: moment) }
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
  /// over: the same sum as ``AnimationSum``, from the columns of the row. No memory comes from the heap, as steps of
  /// phases are many.
  func withStates(
    ofCurveRow row: Int, at moment: Double, _ body: (_ states: ConstantColumn<SIMD2<Double>>) -> Void
  ) {
    let shape = curves.shape(ofRow: row, tracks)
    let last = curves.layer(shape.curves.count - 1, row, shape)
    let span = CurveEntry(.progress(last.progress), start: last.start).span
    let restTime = last.progress.endsAtTarget ? span.end : span.end.nextUp
    let time = moment.underWay(until: span.end, isFinished: moment >= restTime)
    withTemporaryLines(of: 4 * dimensions) { lines in
      let states = lines.rebound(to: SIMD2<Double>.self)
      for dimension in 0..<dimensions { states[dimension] = SIMD2(Double(curves.under(row, dimension)), 0) }
      if shape.under != .still {
        let columns = springs.columns
        let basis = springs.coefficients(ofRow: row).basis(age: time - columns.start[row])
        for dimension in 0..<dimensions {
          let start = dimension * columns.startStride + row
          let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
          states[dimension] += SIMD2(Double(shown.value), Double(shown.velocity))
        }
      }
      for layer in shape.curves.indices {
        let (start, progress) = curves.layer(layer, row, shape)
        let local = CurveEntry(.progress(progress), start: start).span.local(time)
        let (covered, rate) = time < restTime ? progress.state(at: local) : (1, 0)
        for dimension in 0..<dimensions {
          let goal = Double(curves.goal(layer, row, shape, dimension, tracks))
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
    guard !curves.isOver(row) else {
      return CalledValue(AnimationSum(at: numbers { tracks.columns.target[tracks.element(row, $0)] }))
    }
    let shape = curves.shape(ofRow: row, tracks)
    let under = numbers { curves.under(row, $0) }
    var value =
      shape.under == .still ? CalledValue(AnimationSum(at: under)) : springValue(ofRow: row, to: under)
    for layer in shape.curves.indices {
      let (start, progress) = curves.layer(layer, row, shape)
      value.add(progress, to: numbers { curves.goal(layer, row, shape, $0, tracks) }, at: start)
    }
    return value
  }
}
