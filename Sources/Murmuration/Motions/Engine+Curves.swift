// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// Calls that have tracks follow curves. What stands follows a curve by itself, which a kernel evaluates; where a track moves,
// the effect of a curve adds to that.
extension Engine {
  /// Sends the track of a row to a goal along a curve.
  mutating func follow(
    _ row: Int, _ curve: UnitCurve, duration: Double, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) {
    let end = moment + duration
    guard duration >= CurveMotions.shortest, end > moment, stands(row, at: moment),
      let place = curves.library.place(of: curve)
    else {
      let slot = tracks.slot(ofRow: row)
      add(Progress(curves.library.form(of: curve), duration: duration), to: row, at: moment, change, goal: goal)
      // What takes no time is over before the next frame.
      if duration <= 0 { called.show(slot, at: moment, tracks) }
      return
    }
    var row = row
    if tracks.tiles.kind(ofRow: row) != .curve(place) {
      row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: .curve(place))
    }
    velocities.mark(row)
    unsafe tracks.columns.change[row] = change
    curves.begin(row, from: moment, to: end, tracks, target: goal)
  }

  /// Sends the picked tracks to goals along one curve.
  mutating func animatePicked(_ goals: InputValues, _ curve: UnitCurve, duration: Double) -> UInt32 {
    dropUnchanged(goals)
    endSchedulesOfPicked()
    let (change, moment) = (nextChange(), time)
    let end = moment + duration
    let place = duration >= CurveMotions.shortest && end > moment ? curves.library.place(of: curve) : nil
    var index = 0
    while index < picks.count {
      if let place, let tile = standingTile(from: index, at: moment) {
        curves.take(tile, place, &tracks)
        curves.begin(tile: tile, from: moment, to: end, tracks, goals, at: index)
        let row = tile * laneCountOfTile
        velocities.markAll(ofTile: tile)
        unsafe (tracks.columns.change + row).update(repeating: change, count: laneCountOfTile)
        index += laneCountOfTile
      } else {
        if picks[index].row != Pick.noRow {
          picks.prefetch(after: index, tracks)
          follow(picks.row(index, tracks), curve, duration: duration, at: moment, change) { goals[index, $0] }
        }
        index += 1
      }
    }
    return change
  }

  /// The full tile that the picks from an index on fill in order, if all of its tracks stand and it can change its kind.
  private func standingTile(from index: Int, at moment: Double) -> Int? {
    guard let tile = picks.tileFilled(from: index, tracks), tracks.tiles.live[tile] == .max else { return nil }
    let kind = tracks.tiles.kinds[tile]
    return kind == .still || kind.isCurve && curves.standing(tile, at: moment) == .max ? tile : nil
  }

  /// Whether a track stands at a moment, which its columns show: nothing that began before moves it.
  private func stands(_ row: Int, at moment: Double) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].value.isFinished(at: moment) }
    if kind.isCurve { return curves.isOver(row) || curves.start(ofRow: row) == moment }
    guard kind.isSpring else { return true }
    return (0..<dimensions).allSatisfy { dimension in
      let element = tracks.element(row, dimension)
      let (value, target) = unsafe (tracks.columns.value[element], tracks.columns.target[element])
      return unsafe tracks.columns.velocity[element] == 0 && value == target
    }
  }

  /// Has a track whose curve begins at this very moment stand where it stood before: what comes now replaces the curve.
  mutating func putBackIfStarting(_ row: Int) {
    guard curves.start(ofRow: row) == time else { return }
    for dimension in 0..<dimensions {
      unsafe tracks.columns.value[tracks.element(row, dimension)] = curves.origin(ofRow: row, dimension)
    }
  }

  /// What the track of a row of curves does, as something to which effects can be added.
  func sum(ofCurve row: Int) -> AnimationSum {
    let target = (0..<dimensions).map { unsafe Double(tracks.columns.target[tracks.element(row, $0)]) }
    guard !curves.isOver(row), let place = tracks.tiles.kind(ofRow: row).curve else { return AnimationSum(at: target) }
    let start = curves.start(ofRow: row)
    var sum = AnimationSum(at: (0..<dimensions).map { Double(curves.origin(ofRow: row, $0)) })
    let duration = curves.end(ofRow: row) - start
    sum.add(Progress(curves.library.form(at: place), duration: duration), to: target, at: start)
    return sum
  }
}
