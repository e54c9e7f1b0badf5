// SPDX-License-Identifier: MIT

/// The structure of an animation, for code that plans many animations together.
package enum AnimationStructure: Sendable {
  /// A motion along a curve that lasts `duration` seconds; a later animation adds its effect.
  case curve(UnitCurve, duration: Double)
  /// A spring that takes over the motion under way.
  case spring(Spring)
  /// A spring of its own, underdamped or critical; a later animation adds its effect.
  case interpolatingSpring(Spring, initialVelocity: Double)
  /// Another animation after a pause.
  case delay(Animation, seconds: Double)
  /// Another animation on a clock of its own.
  case speed(Animation, Double)
  /// Another animation, repeated; a count of nil means without end.
  case `repeat`(Animation, count: Int?, autoreverses: Bool)
  /// Another animation that is logically complete after some seconds at the latest.
  case logicallyComplete(Animation, after: Double)
  /// Any other motion.
  case custom
}

extension Animation {
  /// The spring, if the animation is one that is not modified. It is found without a copy of the animation.
  package var plainSpring: Spring? {
    if case .spring(let base) = form { base.spring } else { nil }
  }

  /// The curve and the duration in seconds, if the animation is a curve that is not modified. It is found without a copy of
  /// the animation.
  package var plainCurve: (curve: UnitCurve, duration: Double)? {
    if case .curve(let base) = form { (base.curve, base.duration) } else { nil }
  }

  /// The blend duration of a spring that is not modified, which changes nothing; 0 for any other animation.
  package var blendDuration: Double {
    if case .spring(let base) = form { base.blendDuration } else { 0 }
  }

  /// The structure of the animation.
  package var structure: AnimationStructure {
    switch form {
    case .curve(let base): .curve(base.curve, duration: base.duration)
    case .spring(let base): .spring(base.spring)
    case .interpolatingSpring(let base): .interpolatingSpring(base.spring, initialVelocity: base.initialVelocity)
    case .delay(let base): .delay(base.base, seconds: base.delay)
    case .speed(let base): .speed(base.base, base.speed)
    case .repeat(let base): .repeat(base.base, count: base.count, autoreverses: base.autoreverses)
    case .logicallyComplete(let base): .logicallyComplete(base.base, after: base.seconds)
    case .deceleration, .combined, .custom: .custom
    }
  }

  /// The slide, if the animation is one that is not modified: the share of the velocity that is lost, per second, and its
  /// components and when all are at rest, if it has bounds.
  package var slide: (decayConstant: Double, bounded: (components: [BoundedSlide], end: Double)?)? {
    guard case .deceleration(let slide) = form else { return nil }
    return (slide.decayConstant, slide.bounded.map { ($0.components, $0.end) })
  }

  /// A slide within bounds.
  package static func slide(decayConstant: Double, _ components: [BoundedSlide], end: Double) -> Animation {
    let bounded = DecelerationAnimation.Bounded(components: components, end: end)
    return Animation(form: .deceleration(DecelerationAnimation(decayConstant: decayConstant, bounded: bounded)))
  }

  /// The animations whose effects add up, and the seconds from the start of the run to each; nil for any other animation.
  package var summands: [(animation: Animation, start: Double)]? {
    if case .combined(let sum) = form { sum.entries.map { ($0.animation, $0.start) } } else { nil }
  }

  /// Animations whose effects add up.
  package static func sum(_ summands: [(animation: Animation, start: Double)]) -> Animation {
    Animation(
      form: .combined(CombinedAnimation(entries: summands.map { .init(animation: $0.animation, start: $0.start) })))
  }

  /// Whether it is a custom animation, modified or not.
  package var isCustom: Bool {
    switch structure {
    case .curve, .spring, .interpolatingSpring: false
    case .delay(let base, _), .speed(let base, _), .repeat(let base, _, _), .logicallyComplete(let base, _):
      base.isCustom
    case .custom: true
    }
  }
}
