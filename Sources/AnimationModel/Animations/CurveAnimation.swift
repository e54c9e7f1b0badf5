// SPDX-License-Identifier: MIT

/// A motion along a unit curve during a fixed time; a later one adds its effect.
struct CurveAnimation: TimedAnimation {
  let curve: UnitCurve
  /// Seconds; at or below zero, or not a number, the animation has finished before it starts.
  let duration: Double

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    guard duration > 0, time <= duration else { return nil }
    // The end value is exact.
    return time == duration ? value : value.scaled(by: curve.value(at: max(0, time) / duration))
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    guard duration > 0, time >= 0, time <= duration else { return .zero }
    return curve.velocity(of: value, at: time / duration, duration: duration)
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { max(0, duration) }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double { max(0, duration) }
}
