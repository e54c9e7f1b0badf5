// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The motion of a value that slows down, as an animation without an end. Other animations add their effects to it.
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
  /// A motion whose velocity decays at the rate `decayConstant`, in 1/s.
  package static func deceleration(decayConstant: Double) -> Animation {
    Animation(form: .deceleration(DecelerationAnimation(decayConstant: decayConstant)))
  }
}
