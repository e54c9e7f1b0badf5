// SPDX-License-Identifier: MIT
import Kernels

// Where every call that sends tracks to goals arrives: each track is handed to the motion that serves the request.
extension Engine {
  /// Sends a track to a goal, from what it shows.
  ///
  /// - Parameter motion: What it follows; nil to keep its spring.
  /// - Returns: The number of the call, or that of the call before if the track heads there already.
  mutating func animate(
    _ handle: TrackHandle, to goal: InputValues, _ motion: MotionRequest?
  ) throws(BatchError) -> UInt32 {
    try goal.check("goal")
    let row = try prepare(handle, for: motion?.columns ?? .springs)
    if motion != nil, headsFor(row, goal, 0) { return change(ofRow: row) }
    endSchedules(ofSlot: handle.index)
    let change = nextChange()
    begin(row, motion, at: time, change) { goal[0, $0] }
    return change
  }

  /// Sends the picked tracks to goals, with one motion for all: those with a spring are one cohort.
  ///
  /// - Parameter motion: Nil to keep the spring that each follows.
  mutating func animatePicked(_ goals: InputValues, _ motion: MotionRequest?) -> UInt32 {
    switch motion {
    case nil: return animatePicked(goals, coefficients: nil)
    case .spring(let coefficients): return animatePicked(goals, coefficients: coefficients)
    case .curve(let curve, let duration): return animatePicked(goals, curve, duration: duration)
    case .some(let motion): return animatePicked(goals) { _ in motion }
    }
  }

  /// Sends the picked tracks to goals, with a motion each.
  mutating func animatePicked(_ goals: InputValues, _ motions: (Int) -> MotionRequest) -> UInt32 {
    dropUnchanged(goals)
    endSchedulesOfPicked()
    let change = nextChange()
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      picks.prefetch(after: index, tracks)
      begin(picks.row(index, tracks), motions(index), at: time, change) { goals[index, $0] }
    }
    return change
  }

  /// Has the track of a row do something from a moment on, at which its columns show what it did until then.
  mutating func begin(
    _ row: Int, _ motion: MotionRequest?, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) {
    switch motion {
    case .jump: jump(row, change, goal: goal)
    case .spring(let coefficients): setOut(row, coefficients, at: moment, change, target: goal)
    case .curve(let curve, let duration):
      follow(row, curve, duration: duration, at: moment, change, goal: goal)
    case .called(let animation): call(row, animation, at: moment, change, goal: goal)
    case nil: setOut(row, coefficientsToKeep(ofRow: row), at: moment, change, target: goal)
    }
  }

  /// Has the track of a row stand at a goal.
  private mutating func jump(_ row: Int, _ change: UInt32, goal: (Int) -> Float) {
    var row = row
    if tracks.tiles.kind(ofRow: row) != .still {
      row = move(UInt32(tracks.slot(ofRow: row)), from: row, to: .still)
    }
    unsafe tracks.columns.change[row] = change
    velocities.mark(row)
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      let goal = goal(dimension) + 0
      unsafe tracks.columns.value[element] = goal
      unsafe tracks.columns.velocity[element] = 0
      unsafe tracks.columns.target[element] = goal
    }
  }

  /// The number of the call that the motion of a row began with.
  func change(ofRow row: Int) -> UInt32 {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].change }
    return kind.isSpring ? springs.change(ofRow: row, tracks) : unsafe tracks.columns.change[row]
  }
}
