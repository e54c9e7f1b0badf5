// SPDX-License-Identifier: MIT
import Murmuration

// How one motion hands over to the next.
extension ReferenceTrack {
  /// The track's state, from which a motion takes over.
  func shown(at time: Double) -> [MotionSample] {
    let samples = samples(at: max(time, changedAt))
    // An effect of this very moment is replaced, though a frame has shown it: it may begin with a jump.
    guard let found, found.time == time, sum != nil || !found.isOver else { return samples }
    return found.mayBeOver || found.isOver ? found.state.allowing(samples) : found.state
  }

  /// Notes what a call finds.
  mutating func find(at time: Double) {
    // Whether a jump by a spring shows at its very moment is not said.
    if let spring = motion as? SpringMotion, spring.spring.duration == 0, spring.start >= time { isUndecided = true }
    found = Found(time: time, state: shown(at: time))
  }

  /// Ends a schedule and a pause, and takes the place of a waiting call. A paused clip stands until then.
  mutating func endOthers() {
    // After a pause a batch may have begun the waiting call, or not yet.
    if isAtStep, clock.wasPaused { isUndecided = true }
    (schedule, waiting) = (nil, nil)
    endPause { $0.stand(at: $1) }
  }

  /// Ends a pause. What follows finds a paused clip with its velocity, or without.
  ///
  /// - Parameter change: How the clock of a paused clip goes on from now.
  mutating func endPause(_ change: (inout PlaybackClock, Double) -> Void) {
    let time = clock.time
    if isPaused, var clip {
      let state = shown(at: time)
      found = Found(time: time, state: state.allowing(state.map(\.standing)))
      change(&clip.clock, time)
      motion = clip
    }
    clock.resume()
  }

  /// Begins the motion of a change.
  mutating func begin(_ next: any ReferenceMotion, to goal: [MotionSample], at time: Double, _ change: Int) {
    find(at: time)
    if standing(at: time) != .moves { stoodAt = self.goal.map(\.value) }
    let ways = zip(goal, self.goal).map { (distance: abs($0.value - $1.value), error: $1.bound.value) }
    leadsNowhere = ways.allSatisfy { $0.distance == 0 }
    // A batch, whose target has an error, may head for it already.
    if !leadsNowhere, ways.allSatisfy({ $0.distance <= $0.error }) { isUndecided = true }
    (motion, self.goal, self.change, changedAt, leader) = (next, goal, change, time, nil)
    (reported, endOfRunIsUndecided, rested) = ([], false, false)
  }

  /// Leaves for the target of a call.
  mutating func leave(_ call: Call) {
    let (goal, time) = (MotionSample.exact(call.target), call.moment)
    if call.animation == nil, follower != nil { return setGoal(goal) }
    guard let animation = call.animation ?? Animation.spring(motion.successor ?? Spring()) else {
      begin(StillMotion(states: goal), to: goal, at: time, call.change)
      (found, isUndecided) = (nil, false)
      return
    }
    guard case .spring(let spring) = animation.structure else { return add(animation, to: goal, at: time, call.change) }
    // Of two calls at one moment, the second does not take over from what the first began.
    let isUnderWay = !rested && standing(at: time) == .moves && found?.time != time
    var shown = shown(at: time)
    // What comes after the velocity of a vertical curve is not said.
    if !shown.allSatisfy({ $0.velocity.isFinite }) { (shown, isUndecided) = (shown.map(\.standing), true) }
    let last = isUnderWay ? motion as? SpringMotion : nil
    let next = SpringMotion(spring, from: shown, to: goal.map(\.value), at: time, after: last)
    begin(next, to: goal, at: time, call.change)
  }

  /// Adds an animation to the current motion, or starts it where the track stands.
  private mutating func add(_ animation: Animation, to goal: [MotionSample], at time: Double, _ change: Int) {
    let shown = shown(at: time)
    let before = sum
    // What an effect adds to a slide within bounds is not said.
    if motion is BoundedMotion, standing(at: time) != .stands { isUndecided = true }
    var sum = before ?? SumMotion(at: shown, curveTolerance: curveTolerance)
    if let other = motion as? any RestingMotion,
      !other.stands(at: time) || standing(at: time) == .unknown && other.mayDrift
    {
      // A track that may or may not be at rest counts as moving, and as at its target from now on.
      let end = standing(at: time) == .moves ? other.earliestModelRest : time
      sum = SumMotion(continuing: other, mayEndAt: end, at: time, curveTolerance: curveTolerance)
    }
    // After a pause, what began a rounding before it may count as what begins now.
    let begins = clock.moments(of: changedAt...changedAt).upperBound >= clock.moment(of: time)
    // Whether it adds to a motion, or takes its place, may depend on whether the track stood.
    if !sum.stood, begins || rested || sum.mayBeTakenOver(by: animation) { isUndecided = true }
    if before != nil, begins, changedAt < time || sum.entries.count > 1 { isUndecided = true }
    // Nor whether it takes over from a motion that leads nowhere, or that ends now: that may be over already.
    if before != nil, leadsNowhere || begins && sum.value.isFinished(at: time) { isUndecided = true }
    let runs = !sum.entries.isEmpty && !sum.value.isFinished(at: time)
    let endsNow = !sum.entries.isEmpty && abs(time - sum.value.endTime) <= 8 * time.ulp
    sum.animate(to: goal.map(\.value), with: animation, at: time)
    begin(sum, to: goal, at: time, change)
    // A track that stands at the target, up to its error, has no way to go.
    let isThere = zip(shown, goal).allSatisfy {
      abs($0.value - $1.value) <= $0.bound.value + ErrorBound.rounding(of: $1.value)
    }
    let isFirst = sum.stood && sum.entries.count == 1
    if isFirst, isThere { leadsNowhere = true }
    // Whether what replaces a curve at this very moment finds the velocity of before is not said.
    if isFirst { found?.state = shown.allowing(shown.map(\.standing)) }
    // Where a motion ends at this very moment, perhaps with a jump, the way may lead from before it or after it.
    if endsNow { found?.state = shown.map(\.unbounded) }
    // Whether an effect to the same target changes a motion is not said.
    if leadsNowhere, !isFirst || runs { isUndecided = true }
    // Nor what its events are where it leads back to where the track stood.
    let returns = zip(goal, stoodAt).allSatisfy { abs($0.value - $1) <= ErrorBound.rounding(of: $1) }
    if returns, !isFirst || runs { endOfRunIsUndecided = true }
    // A motion that leads nowhere may be over with its call, and one that takes no time is.
    if leadsNowhere { found?.show(false) }
    let hasArrived = sum.value.hasArrived(at: time)
    if hasArrived { found = nil }
    if !hasArrived, sum.value.isFinished(at: time + 8 * max(time.ulp, 1.0.ulp)) { isUndecided = true }
  }
}
