// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

extension Engine {
  // MARK: - Changes

  /// Sends the track of a row to a goal with an animation that the model computes.
  mutating func call(_ row: Int, _ animation: Animation, at moment: Double, _ change: UInt32, goal: (Int) -> Float) {
    let slot = tracks.slot(ofRow: row)
    var motion = CalledMotions.Motion(value: animatedValue(ofRow: row), changed: moment, change: change)
    motion.value.retarget(to: Components((0..<dimensions).map { Double(goal($0)) }), with: animation, at: moment)
    var row = row
    if tracks.tiles.kind(ofRow: row) == .called {
      called[slot] = motion
    } else {
      row = move(UInt32(slot), from: row, to: .called)
      called.begin(slot, motion)
    }
    velocities.mark(row)
    for dimension in 0..<dimensions {
      unsafe tracks.columns.target[tracks.element(row, dimension)] = goal(dimension) + 0
    }
  }

  /// What a row does, as the model has it: a value on its way, to which an animation can add its effect.
  private func animatedValue(ofRow row: Int) -> AnimatedValue<Components> {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].value }
    let target = components { unsafe tracks.columns.target[tracks.element(row, $0)] }
    if kind.isClip {
      return AnimatedValue(components { unsafe tracks.columns.value[tracks.element(row, $0)] })
    }
    guard kind.isSpring, !springs.isAtRest(row, tracks) else { return AnimatedValue(target) }
    let columns = springs.columns
    let coefficients = springs.coefficients(ofRow: row, tracks)
    let start: Double
    if let cohort = springs.cohort(ofRow: row, tracks) {
      start = springs.cohorts[cohort].start
    } else {
      start = unsafe columns.start[row]
    }
    let displacement = components { unsafe columns.displacement[$0 * columns.startStride + row] }
    let amplitude = components { unsafe columns.amplitude[$0 * columns.startStride + row] }
    if coefficients.isDeceleration {
      // From the amplitude, v/κ: far from zero the displacement has fewer digits than the velocity that it started with.
      var value = AnimatedValue(target - amplitude)
      value.retarget(
        to: target, with: Animation(DecelerationAnimation(decayConstant: coefficients.κ)), at: start)
      return value
    }
    guard let spring = Spring(coefficients) else { return AnimatedValue(target) }
    let velocity = amplitude.scaled(by: coefficients.κ) - displacement.scaled(by: coefficients.α)
    return AnimatedValue(target + displacement, velocity: velocity, target: target, with: spring, at: start)
  }

  private func components(_ number: (Int) -> Float) -> Components {
    Components((0..<dimensions).map { Double(number($0)) })
  }

  // MARK: - A frame

  /// Shows the tracks that the model computes at the current time, and reports what they completed.
  mutating func showCalled() {
    for slot in called.slots {
      let slot = Int(slot)
      var motion = called[slot]
      motion.value.advance(to: time)
      let isOver = motion.value.isFinished(at: time)
      // At rest it goes on showing its target, and only going back has it move again.
      if !isOver || !motion.isOver { show(motion.value, slot, at: time) }
      motion.isOver = isOver
      motion.report(until: time, slot, &events)
      called[slot] = motion
    }
  }

  /// Reports what the motion of a track completes until it ends at a moment.
  mutating func reportCompletion(ofCalled slot: Int, until end: Double) {
    var motion = called[slot]
    motion.report(until: end, slot, &events)
    called[slot] = motion
  }

  /// Makes the columns of a track show what the model computes for it at a moment.
  func show(_ motion: AnimatedValue<Components>, _ slot: Int, at time: Double) {
    let row = tracks.slots.row(of: slot)
    let (value, velocity) = (motion.value(at: time), motion.velocity(at: time))
    let largest = Double(AmplitudeRule.largestVelocity)
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      unsafe tracks.columns.value[element] = Float(value[dimension])
      unsafe tracks.columns.velocity[element] = Float(max(-largest, min(largest, velocity[dimension]))) + 0
    }
  }
}

extension CalledMotions.Motion {
  /// Reports what it has completed at a time, once.
  fileprivate mutating func report(until time: Double, _ slot: Int, _ events: inout EventList) {
    let isOver = value.isFinished(at: time)
    let end = min(value.endTime, time)
    if !isLogicalReported, isOver || time >= value.logicalEndTime {
      isLogicalReported = true
      events.append(.logicallyComplete, slot: slot, change, at: min(value.logicalEndTime, end))
    }
    if !isRestReported, isOver {
      isRestReported = true
      events.append(.settled, slot: slot, change, at: end)
    }
  }
}

extension Spring {
  /// The spring of coefficients that are neither a jump's nor a deceleration's; nil for these.
  fileprivate init?(_ coefficients: SpringCoefficients) {
    guard !coefficients.isJump, !coefficients.isDeceleration else { return nil }
    let decay = coefficients.isOverdamped ? coefficients.α + coefficients.κ / 2 : coefficients.α
    self.init(
      naturalFrequency: coefficients.naturalFrequency, decayConstant: decay,
      angularFrequency: coefficients.isOverdamped ? -coefficients.κ / 2 : coefficients.κ, mass: 1)
  }
}
