// SPDX-License-Identifier: MIT

/// A spring that takes over whatever was moving: the `.spring` family.
///
/// It is the closed form of the spring, exact at any time. The context keeps the position and velocity at the last
/// change.
struct SpringAnimation: TimedAnimation {
  let spring: Spring
  /// Kept so that animations made by different calls differ; it changes nothing, see the table of deviations.
  let blendDuration: Double

  /// The share of a motion's scale within which the spring counts as at rest; see `Spring.relativeRestTime`.
  ///
  /// SwiftUI has absolute tolerances instead: its half-second smooth spring ends after 0.83 s over a distance of 1, and
  /// after 1.27 s over 100. This one ends after 0.94 s over any.
  static let restTolerance = 0.0001

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    let start = context.springStart
    if time - start.time >= spring.duration { context.isLogicallyComplete = true }
    guard !isOver(at: time, value: value, context: context) else { return nil }
    return start.offset
      + spring.value(
        target: value - start.offset, initialVelocity: start.velocity, time: max(0, time - start.time))
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    // On a clock that runs backwards it stands at its start. (A clock whose pace was changed may round to just before that.)
    guard time >= 0, !isOver(at: time, value: value, context: context) else { return .zero }
    let start = context.springStart
    return spring.velocity(
      target: value - start.offset, initialVelocity: start.velocity, time: max(0, time - start.time))
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    let velocity = previous.velocity(value: value, time: time, context: context)
    let offset = previous.animate(value: value, time: time, context: &context)
    context.state.springStart = SpringStart(time: time, offset: offset ?? value, velocity: velocity ?? .zero)
    context.isLogicallyComplete = false
    return true
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    // From rest, all ways take the same time. A way of zero does too: it may be that of an effect for a moment only, while
    // earlier effects move.
    guard value != .zero || context.state.springStart != nil else {
      return spring.relativeRestTime(target: 1.0, initialVelocity: 0.0)
    }
    let start = context.springStart
    return start.time + spring.relativeRestTime(target: value - start.offset, initialVelocity: start.velocity)
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    let end = context.springStart.time + spring.duration
    return isOver(at: end, value: value, context: context) ? min(end, endTime(value: value, context: context)) : end
  }

  /// Whether the motion has ended before a time. A spring of no duration is over before it starts.
  private func isOver<V: VectorArithmetic>(at time: Double, value: V, context: AnimationContext<V>) -> Bool {
    guard !spring.jumps else { return true }
    let start = context.springStart
    let (target, elapsed) = (value - start.offset, time - start.time)
    // The end is found by a search; one moment is looked at in closed form.
    if elapsed >= 0, spring.isOutsideRest(target: target, initialVelocity: start.velocity, time: elapsed) {
      return false
    }
    // A time that is not a number is after the end.
    return !(time <= endTime(value: value, context: context))
  }
}

/// Where and how fast a spring started, in seconds from the start of the run and units of the value.
package struct SpringStart<V: VectorArithmetic>: Sendable {
  package var time: Double
  package var offset: V
  package var velocity: V

  package init(time: Double, offset: V, velocity: V) {
    (self.time, self.offset, self.velocity) = (time, offset, velocity)
  }
}

extension AnimationContext {
  /// The start of the current spring: at rest at the start of the run, unless the spring took over a motion.
  fileprivate var springStart: SpringStart<Value> {
    state.springStart ?? SpringStart(time: 0, offset: .zero, velocity: .zero)
  }
}

extension Animation {
  /// When a modified spring that takes over from its like is logically complete, and when it ends, in seconds from the start
  /// of the run.
  ///
  /// - Parameters:
  ///   - time: When it takes over, in seconds of the spring's own clock.
  ///   - way: From the value then to the target.
  ///   - velocity: The velocity then, in units per second of the spring's own clock.
  package func endsOfSuccessor<V: VectorArithmetic>(
    at time: Double, way: V, velocity: V
  ) -> (logicalEnd: Double, end: Double) {
    var context = AnimationContext<V>()
    context.state.springStart = SpringStart(time: time, offset: .zero, velocity: velocity)
    return (logicalEndTime(value: way, context: context), endTime(value: way, context: context))
  }
}

extension Spring {
  /// The time in seconds after which value and velocity stay within a share of the scale of the motion.
  ///
  /// The scale is max(|target|, |initialVelocity|/ω₀) in value and ω₀ times that in velocity, so that the time does not
  /// depend on the unit. It is zero when nothing moves, and infinite when the motion never ends.
  package func relativeRestTime<V: VectorArithmetic>(target: V, initialVelocity: V) -> Double {
    guard let tolerance = relativeTolerance(target, initialVelocity) else { return 0 }
    if initialVelocity.magnitude == 0 {
      // From rest, any distance takes as long as a distance of 1.
      let tolerance = SpringAnimation.restTolerance
      return restTime(tolerance: tolerance, velocityTolerance: tolerance * naturalFrequency)
    }
    return restTime(
      target: target, initialVelocity: initialVelocity, tolerance: tolerance,
      velocityTolerance: tolerance * naturalFrequency)
  }

  /// Whether value or velocity are outside of the tolerances of `relativeRestTime` at a time, which is then before it.
  fileprivate func isOutsideRest<V: VectorArithmetic>(target: V, initialVelocity: V, time: Double) -> Bool {
    guard let tolerance = relativeTolerance(target, initialVelocity) else { return false }
    let basis = basis(at: time)
    let distance =
      initialVelocity.scaled(by: basis.valueFromVelocity) - target.scaled(by: basis.valueFromDisplacement)
    if distance.magnitude > tolerance { return true }
    let velocity =
      initialVelocity.scaled(by: basis.velocityFromVelocity) - target.scaled(by: basis.velocityFromDisplacement)
    return velocity.magnitude > tolerance * naturalFrequency
  }

  /// The share of a motion's scale that counts as at rest; nil for a motion without a scale.
  private func relativeTolerance<V: VectorArithmetic>(_ target: V, _ initialVelocity: V) -> Double? {
    let scale = max(target.magnitude, initialVelocity.magnitude / naturalFrequency)
    return scale > 0 && scale < .infinity && !jumps ? SpringAnimation.restTolerance * scale : nil
  }
}
