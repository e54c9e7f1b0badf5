// SPDX-License-Identifier: MIT

/// What an animation is made of, for those who plan many of them together.
package enum AnimationStructure: Sendable {
  /// Along a curve during so many seconds; a later one adds its effect.
  case curve(UnitCurve, duration: Double)
  /// A spring that takes over what was moving.
  case spring(Spring)
  /// A spring that goes its own way, underdamped or critical; a later one adds its effect.
  case interpolatingSpring(Spring, initialVelocity: Double)
  /// Another animation after a pause.
  case delay(Animation, seconds: Double)
  /// Another animation on a clock of its own.
  case speed(Animation, Double)
  /// Another animation again and again; a count of nil is without end.
  case `repeat`(Animation, count: Int?, autoreverses: Bool)
  /// Another animation that is logically complete after some seconds at the latest.
  case logicallyComplete(Animation, after: Double)
  /// A motion that is not one of ours.
  case custom
}

extension AnimationStructure {
  /// What a motion that is neither a curve nor a spring is made of.
  init(_ base: any CustomAnimation) {
    switch base {
    case let base as InterpolatingSpringAnimation:
      self = .interpolatingSpring(base.spring, initialVelocity: base.initialVelocity)
    case let base as DelayAnimation: self = .delay(base.base, seconds: base.delay)
    case let base as SpeedAnimation: self = .speed(base.base, base.speed)
    case let base as RepeatAnimation: self = .repeat(base.base, count: base.count, autoreverses: base.autoreverses)
    case let base as LogicallyCompleteAnimation: self = .logicallyComplete(base.base, after: base.seconds)
    default: self = .custom
    }
  }
}
