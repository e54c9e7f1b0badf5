// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

extension Engine {
  // MARK: - Changes

  /// Sends the track of a row to a goal with an animation that is computed track by track.
  mutating func call(_ row: Int, _ animation: Animation, at moment: Double, _ change: UInt32, goal: (Int) -> Float) {
    call(row, at: moment, change, goal: goal) { $0.retarget(to: $1, with: animation, at: moment) }
  }

  /// Adds the effect of a motion to what the track of a row does.
  mutating func add(_ progress: Progress, to row: Int, at moment: Double, _ change: UInt32, goal: (Int) -> Float) {
    call(row, at: moment, change, goal: goal) { $0.add(progress, to: $1, at: moment) }
  }

  private mutating func call(
    _ row: Int, at moment: Double, _ change: UInt32, goal: (Int) -> Float,
    _ retarget: (inout CalledValue, _ goal: [Double]) -> Void
  ) {
    let slot = tracks.slot(ofRow: row)
    var motion = CalledMotions.Motion(value: value(ofRow: row), changed: moment, change: change)
    retarget(&motion.value, numbers { goal($0) + 0 })
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

  /// What a row does, as something that an animation can add its effect to.
  private func value(ofRow row: Int) -> CalledValue {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].value }
    if kind.isCurve { return .sum(sum(ofCurve: row)) }
    let target = numbers { unsafe tracks.columns.target[tracks.element(row, $0)] }
    if kind.isClip { return .sum(AnimationSum(at: numbers { unsafe tracks.columns.value[tracks.element(row, $0)] })) }
    guard kind.isSpring, !springs.isAtRest(row, tracks) else { return .sum(AnimationSum(at: target)) }
    let columns = springs.columns
    let coefficients = springs.coefficients(ofRow: row, tracks)
    let start: Double
    if let cohort = springs.cohort(ofRow: row, tracks) {
      start = springs.cohorts[cohort].start
    } else {
      start = unsafe columns.start[row]
    }
    let displacement = numbers { unsafe columns.displacement[$0 * columns.startStride + row] }
    let amplitude = numbers { unsafe columns.amplitude[$0 * columns.startStride + row] }
    if coefficients.isDeceleration {
      // From the amplitude, v/κ: far from zero the displacement has fewer digits than the velocity that it started with.
      var value = AnimatedValue(Components(zip(target, amplitude).map { $0 - $1 }))
      value.retarget(
        to: Components(target), with: Animation(DecelerationAnimation(decayConstant: coefficients.κ)), at: start)
      return .model(value)
    }
    guard let spring = Spring(coefficients) else { return .sum(AnimationSum(at: target)) }
    let origin = zip(target, displacement).map { $0 + $1 }
    let velocity = zip(amplitude, displacement).map { $0 * coefficients.κ - $1 * coefficients.α }
    return .sum(AnimationSum(from: origin, velocity, to: target, spring, at: start))
  }

  private func numbers(_ number: (Int) -> Float) -> [Double] { (0..<dimensions).map { Double(number($0)) } }
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
