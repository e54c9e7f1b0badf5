// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a value that slows down does, as an animation without an end: other animations add their effects to it.
struct DecelerationAnimation: TimedAnimation {
  /// The share of the velocity that is lost, per second.
  let decayConstant: Double

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    value.scaled(by: -expm1(-decayConstant * max(0, time)))
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    value.scaled(by: decayConstant * exp(-decayConstant * max(0, time)))
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { .infinity }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { .infinity }
}

extension Animation {
  /// A motion that loses its velocity as a decay constant says, per second.
  package static func deceleration(decayConstant: Double) -> Animation {
    Animation(form: .deceleration(DecelerationAnimation(decayConstant: decayConstant)))
  }
}
