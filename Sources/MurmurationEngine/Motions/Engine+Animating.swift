// SPDX-License-Identifier: MIT
import Kernels

// Every call that sends tracks to goals arrives here. Each track is handed to the motion that serves the request.
extension Engine {
  /// Sends a track to a goal.
  ///
  /// - Parameter animation: How it gets there; nil to jump.
  package mutating func animate(
    _ handle: TrackHandle, to goal: InputValues, _ animation: Animation?
  ) throws(BatchError) -> UInt32 {
    let change: UInt32?
    if let spring = try springs.latest.coefficients(animation) {
      change = try send(handle, to: goal, spring)
    } else if let (curve, duration) = animation?.plainCurve {
      change = try send(handle, to: goal, curve, duration: duration)
    } else {
      change = try send(handle, to: goal, MotionRequest(animation))
    }
    record { BatchCall(.animate, $0.name(handle), goals: $0.numbers(goal), animations: [animation]) }
    return change ?? tracks.columns.change[handle.index]
  }

  /// Sends a track to a goal with the spring that it follows.
  ///
  /// - Returns: The number of the change, or of the change before it if the track heads for the goal already.
  mutating func retarget(_ handle: TrackHandle, to goal: InputValues) throws(BatchError) -> UInt32 {
    let change = try send(handle, to: goal, nil)
    record { BatchCall(.retarget, $0.name(handle), goals: $0.numbers(goal)) }
    return change ?? tracks.columns.change[handle.index]
  }

  /// Sends a track to a goal, from what it shows.
  ///
  /// - Parameter motion: The motion; nil to keep the spring of the track.
  /// - Returns: The number of the change; nil if the track heads for the goal already.
  @inline(__always)
  mutating func send(
    _ handle: TrackHandle, to goal: InputValues, _ motion: MotionRequest?
  ) throws(BatchError) -> UInt32? {
    if case .spring(let spring) = motion { return try send(handle, to: goal, spring) }
    let index = try prepare(handle, for: goal, motion?.columns ?? .springs)
    guard let change = changeOf(index, heading: goal, jumps: motion?.jumps ?? false) else { return nil }
    begin(index, motion, at: time, change) { goal[0, $0] }
    return change
  }

  // Springs, without a general request: these are the most frequent calls. Their fewer instructions let the processor
  // begin the next call while it waits for the memory of this one.

  /// Sends a track to a goal with a spring.
  private mutating func send(
    _ handle: TrackHandle, to goal: InputValues, _ spring: SpringCoefficients
  ) throws(BatchError) -> UInt32? {
    let index = try prepare(handle, for: goal)
    guard let change = changeOf(index, heading: goal) else { return nil }
    setOut(index, spring, at: time, change) { goal[0, $0] }
    return change
  }

  /// Ends the schedules of a track, and returns the number of a new change; nil if the track heads for the goal
  /// already. A jump ends the motion to the same goal.
  @inline(__always)
  mutating func changeOf(_ index: Int, heading goal: InputValues, jumps: Bool = false) -> UInt32? {
    let isThere = !jumps && headsFor(index) { goal[0, $0] }
    if haveSchedules { endSchedules(at: index) }
    guard !isThere else { return nil }
    if curves.latestStart == time { putBackIfStarting(index) }
    return nextChange()
  }

  /// Sends the picked tracks to goals, with a motion each.
  mutating func animatePicked(_ goals: InputValues, _ motions: (Int) -> MotionRequest?) -> UInt32 {
    dropUnchanged(goals) { !(motions($0)?.jumps ?? false) }
    endMotionsOfPicked()
    let change = nextChange()
    for position in 0..<picks.count where !picks[position].isDropped {
      prefetch(after: position)
      begin(picks[position].index, motions(position), at: time, change) { goals[position, $0] }
    }
    return change
  }

  /// Prefetches the lines that the motion of a later pick reads and writes: picked tracks are often in no order.
  @inline(__always)
  func prefetch(after position: Int) {
    guard let index = picks.prefetch(after: position, tracks) else { return }
    springs.prefetchStart(index)
    if tracks.tiles.led[TileStore.tile(index)] != 0 { curves.prefetch(index, tracks) }
  }

  /// Begins a motion of a track at a moment. The columns of the track must show the state at that moment.
  @inline(__always)
  mutating func begin(
    _ index: Int, _ motion: MotionRequest?, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) {
    switch motion {
    case .jump: jump(index, change, goal: goal)
    case .spring(let coefficients): setOut(index, coefficients, at: moment, change, target: goal)
    case .curve(let curve, let duration):
      follow(index, .curve(curve, duration: duration), at: moment, change, goal: goal)
    case .program(let program): follow(index, .program(program), at: moment, change, goal: goal)
    case .called(let animation): call(index, animation, at: moment, change, goal: goal)
    case nil where tracks.tiles.kind(at: index) == .following: setGoal(at: index, goal)
    case nil: setOut(index, coefficientsToKeep(at: index), at: moment, change, target: goal)
    }
  }

  /// Puts a track at a goal, at rest.
  private mutating func jump(_ index: Int, _ change: UInt32, goal: (Int) -> Float) {
    stand(index)
    tracks.columns.change[index] = change
    stand(index, at: goal)
  }

  /// Puts a track that stands at a value, at rest.
  mutating func stand(_ index: Int, at value: (Int) -> Float) {
    velocities.mark(index)
    tracks.stand(index, value)
    putTargetUnder(index)
  }

  /// Ends the motion of a track, which stands from now on; its target must be set.
  mutating func stand(_ index: Int) {
    let kind = tracks.tiles.kind(at: index)
    if kind != .still || tracks.tiles.keeps(index) {
      if kind == .curves { curves.leave(index, &tracks) }
      if tracks.tiles.keeps(index) { endKept(index) }
      springs.stand(index, &tracks)
    }
    putTargetUnder(index)
  }

  /// Lets a track that stands, or that has left its motion, go on showing its value and velocity until the next
  /// motion begins.
  mutating func keep(_ index: Int) {
    let tile = TileStore.tile(index)
    tracks.tiles.keep(TileStore.bit(index), of: tile)
    if tracks.tiles.moving[tile] == 0 { springs.watch.sleep(tile) }
  }
}
