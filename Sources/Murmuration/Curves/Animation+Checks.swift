// SPDX-License-Identifier: MIT
import AnimationModel

/// Why batches do not accept an animation.
struct AnimationDefect: Error {
  let reason: String
}

extension Animation {
  /// Checks that the animation is one that batches accept.
  ///
  /// Durations, delays, speeds and velocities must be numbers, and finite ones, and springs those of ``BatchLimits``. A
  /// custom animation is the caller's own matter.
  func check() throws(AnimationDefect) {
    switch structure {
    case .curve(let curve, let duration):
      try Self.check(duration, "duration")
      if case .bezier(let bezier) = curve.shape {
        for number in [bezier.start.x, bezier.start.y, bezier.end.x, bezier.end.y] {
          try Self.check(number, "control point")
        }
      }
      guard curve.value(at: 0.5).isFinite else {
        throw AnimationDefect(reason: "the curve has a point that is not a number")
      }
    case .spring(let spring):
      try Self.check(spring)
    case .interpolatingSpring(let spring, let velocity):
      try Self.check(spring)
      try Self.check(velocity, "initial velocity")
    case .delay(let base, let seconds):
      try Self.check(seconds, "delay")
      try base.check()
    case .speed(let base, let speed):
      try Self.check(speed, "speed")
      try base.check()
    case .repeat(let base, _, _):
      try base.check()
    case .logicallyComplete(let base, let seconds):
      guard !seconds.isNaN else { throw AnimationDefect(reason: "the time of its logical completion is not a number") }
      try base.check()
    case .custom:
      break
    }
  }

  private static func check(_ number: Double, _ name: String) throws(AnimationDefect) {
    guard abs(number) <= BatchLimits.maximumTime else {
      throw AnimationDefect(reason: "the \(name) must be finite and within ±1e10, is \(number)")
    }
  }

  private static func check(_ spring: Spring) throws(AnimationDefect) {
    if let defect = BatchLimits.defect(of: spring) {
      throw AnimationDefect(reason: defect)
    }
  }

  /// Seconds that a step of phases with this animation lasts: until its logical completion, nothing if the values are the
  /// same before and after.
  func stepDuration(over difference: [Double]) throws(AnimationDefect) -> Double {
    try check()
    guard difference.contains(where: { $0 != 0 }) else { return 0 }
    switch structure {
    case .spring(let spring): return spring.duration
    default: break
    }
    let duration = logicalEndTime(value: Components(difference), context: AnimationContext())
    guard duration >= 0 else {
      throw AnimationDefect(reason: "its logical completion must not be negative or not a number, is \(duration)")
    }
    return duration
  }

  /// When the effect of the animation has ended, in seconds from its start; 0 for a spring that takes over, as the next
  /// animation starts from where it is.
  var endAfterStep: Double {
    if case .spring = structure { return 0 }
    return endTime(value: 1.0, context: AnimationContext())
  }
}
