// SPDX-License-Identifier: MIT

/// The reason why batches refuse an animation.
package struct AnimationDefect: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

extension Animation {
  /// Checks that the animation is one that batches, clips and phases accept.
  ///
  /// Durations, delays, speeds, velocities and the points of curves must be finite numbers, and springs within
  /// ``BatchLimits``. Custom animations are not checked.
  package func check() throws(AnimationDefect) {
    switch structure {
    case .curve(let curve, let duration):
      try Self.check(curve, duration: duration)
    case .spring:
      if let spring = plainSpring { try Self.check(spring, blendDuration: blendDuration) }
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
  package static func check(_ curve: UnitCurve, duration: Double) throws(AnimationDefect) {
    try check(duration, "duration")
    switch curve.shape {
    case .identity, .named, .steps:
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

  /// Checks a spring that is not modified.
  package static func check(_ spring: Spring, blendDuration: Double) throws(AnimationDefect) {
    try check(spring)
    try check(blendDuration, "blend duration")
  }

  private static func check(_ spring: Spring) throws(AnimationDefect) {
    if let defect = BatchLimits.defect(of: spring) {
      throw AnimationDefect(reason: defect)
    }
  }
}
