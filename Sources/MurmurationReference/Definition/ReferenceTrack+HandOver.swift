// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration

// How one motion hands over to the next.
extension ReferenceTrack {
  /// The track's state, from which a motion takes over.
  func shown(localTime time: Double) -> [MotionSample] {
    let samples = samples(localTime: max(time, changedAt))
    // An effect of this very moment is replaced, though a frame has shown it: it may begin with a jump.
    guard let found, found.time == time, isSum || !found.isOver else { return samples }
    guard found.mayBeOver || found.isOver else { return found.state }
    var state = found.state
    for dimension in state.indices { state[dimension].allow(samples[dimension]) }
    return state
  }

  /// Notes what a call finds.
  mutating func find(at time: Double) {
    // Whether a jump by a spring shows at its very moment is not said.
    if case .spring(let spring) = motion, spring.spring.duration == 0, spring.start >= time { isUndecided = true }
    found = Found(time: time, state: shown(localTime: time))
  }

  /// Ends a schedule and a pause, and takes the place of a waiting call.
  ///
  /// - Returns: The track's time.
  @discardableResult
  mutating func endOthers(at now: Double) -> Double {
    (schedule, waiting) = (nil, nil)
    // A paused clip stands until something takes its place, which finds the clip's velocity, or none.
    let time = clock.time(at: now)
    if isPaused, isClip {
      var state = shown(localTime: time)
      for dimension in state.indices { state[dimension].allow(state[dimension].standing) }
      changeClip { $0.clock.stand(at: time) }
      found = Found(time: time, state: state)
    }
    clock.resume(at: now)
    return time
  }

  /// Begins the motion of a change.
  mutating func begin(_ next: Motion, to goal: [MotionSample], localTime time: Double, _ change: Int) {
    find(at: time)
    if standing(localTime: time) != .moves { stoodAt = self.goal.map(\.value) }
    let ways = zip(goal, self.goal).map { (distance: abs($0.value - $1.value), error: $1.bound.value) }
    leadsNowhere = ways.allSatisfy { $0.distance == 0 }
    // A batch, whose target has an error, may head for it already.
    if !leadsNowhere, ways.allSatisfy({ $0.distance <= $0.error }) { isUndecided = true }
    (motion, self.goal, self.change, leader) = (next, goal, change, nil)
    changedAt = time
    (isLogicalReported, isSettledReported) = (false, false)
    (endOfRunIsUndecided, rested) = (false, false)
  }

  /// Leaves for a target with an animation or by a jump, or, if that is nil, with the spring that the track follows.
  mutating func leave(for target: [Float], with animation: Animation??, localTime time: Double, _ change: Int) {
    let goal = target.map { MotionSample($0) }
    if animation == nil, case .following = motion { return setGoal(target) }
    guard let animation = animation ?? Animation.spring(spring ?? Spring()) else {
      begin(.still(goal), to: goal, localTime: time, change)
      (found, isUndecided) = (nil, false)
      return
    }
    guard case .spring(let spring) = animation.structure else {
      return add(animation, to: goal, localTime: time, change)
    }
    // Of two calls at one moment, the second does not take over from what the first began.
    var last: SpringMotion?
    if case .spring(let motion) = motion, standing(localTime: time) == .moves, found?.time != time { last = motion }
    var shown = shown(localTime: time)
    // What comes after the velocity of a vertical curve is not said.
    if !shown.allSatisfy({ $0.velocity.isFinite }) { (shown, isUndecided) = (shown.map(\.standing), true) }
    let next = SpringMotion(spring, from: shown, to: goal.map(\.value), at: time, after: last)
    begin(.spring(next), to: goal, localTime: time, change)
  }

  /// Adds an animation to the current motion, or starts it where the track stands.
  private mutating func add(_ animation: Animation, to goal: [MotionSample], localTime time: Double, _ change: Int) {
    let shown = shown(localTime: time)
    let old = self.goal
    // A track that may or may not be at rest counts as moving, and as at its target from now on.
    let mayRest = standing(localTime: time) != .moves
    func continuing(_ other: any ReferenceMotion, mayEndAt end: Double) -> SumMotion {
      SumMotion(
        continuing: other, since: time.nextDown, to: old, mayEndAt: mayRest ? time : end, at: time,
        curveTolerance: curveTolerance)
    }
    var sum = SumMotion(at: shown.map(\.standing), curveTolerance: curveTolerance)
    switch motion {
    case .sum(let running):
      sum = running
      // Whether it adds to an effect of this very moment, or takes its place, unless that is the first and goes on.
      if running.latestStart == time, !running.stood || running.effectCount > 1 || running.isFinished(at: time) {
        isUndecided = true
      }
    case .spring(let spring) where !spring.stands(at: time):
      sum = continuing(spring, mayEndAt: spring.earliestModelRest)
      // Whether it adds to a spring of this very moment, or takes its place, depends on whether the track stood.
      isUndecided = isUndecided || spring.start == time
    case .slide(let slide) where !slide.stands:
      sum = continuing(slide, mayEndAt: .infinity)
      isUndecided = isUndecided || slide.start == time
    case .still, .clip, .spring, .slide, .following: break
    }
    isUndecided = isUndecided || mayHaveStoodAt == time
    if !sum.stood, standing(localTime: time) == .unknown { mayHaveStoodAt = time }
    let runs = sum.effectCount > 0 && !sum.isFinished(at: time)
    sum.animate(to: goal.map(\.value), with: animation, at: time)
    begin(.sum(sum), to: goal, localTime: time, change)
    // A track that stands at the target, up to its error, has no way to go.
    let isThere = zip(shown, goal).allSatisfy {
      abs($0.value - $1.value) <= $0.bound.value + ErrorBound.rounding(of: $1.value)
    }
    if sum.stood, sum.effectCount == 1, isThere { leadsNowhere = true }
    // Whether an effect to the same target changes a motion is not said.
    if leadsNowhere, !sum.stood || sum.effectCount > 1 || runs { isUndecided = true }
    // Nor what its events are where it leads back to where the track stood.
    let returns = zip(goal, stoodAt).allSatisfy { abs($0.value - $1) <= ErrorBound.rounding(of: $1) }
    if returns, !sum.stood || sum.effectCount > 1 || runs { endOfRunIsUndecided = true }
    // A motion that leads nowhere may be over with its call, and one that takes no time is.
    if leadsNowhere { found?.show(false) }
    if sum.isFinished(at: time) { found = nil } else if sum.isFinished(at: time + 8 * time.ulp) { isUndecided = true }
  }

  /// Notes that a run of phases is over: only the rest of its last step is still to come, if it had one.
  mutating func endSchedule(localTime time: Double) {
    guard let schedule, !isClip, schedule.playedAt == nil || standing(localTime: time) != .moves else { return }
    change = schedule.change
    isSettledReported = false
  }
}
