// SPDX-License-Identifier: MIT

/// The reason why batches refuse an animation.
struct AnimationDefect: Error {
  let reason: String
}

extension Animation {
  /// Checks that the animation is one that batches, clips and phases accept.
  ///
  /// Durations, delays, speeds, velocities and the points of curves must be finite numbers, and springs within
  /// ``BatchLimits``. Custom animations are not checked.
  func check() throws(AnimationDefect) {
    switch structure {
    case .curve(let curve, let duration):
      try Self.check(curve, duration: duration)
    case .spring:
      _ = try checkedSpring()
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

  /// Checks a plain curve: no value on it may be beyond ±10¹⁰. The longest way is 2 · 10¹⁵, so values stay within 2 · 10²⁵.
  static func check(_ curve: UnitCurve, duration: Double) throws(AnimationDefect) {
    try check(duration, "duration")
    switch curve.shape {
    case .identity, .circularIn, .circularOut, .circularInOut, .steps:
      return
    case .bezier(let bezier):
      try check(bezier.start.x, "control point")
      try check(bezier.start.y, "control point")
      try check(bezier.end.x, "control point")
      try check(bezier.end.y, "control point")
    case .piecewiseLinear(let line):
      for input in line.inputs {
        try check(input, "input of a point")
      }
      for output in line.outputs {
        try check(output, "output of a point")
      }
      // The line goes on before the first point and after the last.
      try check(line.value(at: 0), "value at the start of the curve")
      try check(line.value(at: 1), "value at the end of the curve")
    }
  }

  private static func check(_ number: Double, _ name: String) throws(AnimationDefect) {
    guard abs(number) <= BatchLimits.maximumTime else {
      throw AnimationDefect(reason: "the \(name) must be finite and within ±1e10, is \(number)")
    }
  }

  /// The spring, if the animation is one that is not modified; nil for any other animation.
  func checkedSpring() throws(AnimationDefect) -> Spring? {
    guard let spring = plainSpring else { return nil }
    try Self.check(spring)
    try Self.check(blendDuration, "blend duration")
    return spring
  }

  private static func check(_ spring: Spring) throws(AnimationDefect) {
    if let defect = BatchLimits.defect(of: spring) {
      throw AnimationDefect(reason: defect)
    }
  }

  /// The duration of a step of phases with this animation, in seconds: until its logical completion, or 0 if the step
  /// changes no value.
  func stepDuration(over difference: [Double]) throws(AnimationDefect) -> Double {
    try check()
    guard difference.contains(where: { $0 != 0 }) else { return 0 }
    if case .spring(let spring) = structure { return spring.duration }
    let duration = logicalEndTime(value: Components(difference), context: AnimationContext())
    guard duration >= 0 else {
      throw AnimationDefect(reason: "its logical completion must not be negative or not a number, is \(duration)")
    }
    return duration
  }

  /// When the effect of the animation has ended, in seconds from its start. It is 0 for a spring that takes over, as
  /// the next animation starts from its state.
  var endAfterStep: Double {
    if case .spring = structure { return 0 }
    return endTime(value: 1.0, context: AnimationContext())
  }
}
