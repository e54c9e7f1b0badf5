// SPDX-License-Identifier: MIT
public import AnimationModel
import Kernels

// A deceleration is a motion as a spring's is: the same formula with no stiffness, towards its projected end.
extension SpringBatch {
  /// Lets a track slide from its current value, ever more slowly, to its projected end; it moves alone from now on.
  ///
  /// A slide leads to its projected end only: a later call that sends the track elsewhere, or puts it elsewhere, without a
  /// spring makes it follow the critically damped spring of ω₀ = k, the decay constant.
  ///
  /// - Parameters:
  ///   - handle: The track.
  ///   - velocity: What it starts with, per second, such as that of a drag; nil for the track's own.
  ///   - deceleration: How fast the velocity decays; its rate within (0, 1), its decay constant in 10⁻⁵…10⁶ per second.
  /// - Returns: The projected end, which is the track's target from now on: value + velocity/k. See `Deceleration`.
  /// - Throws: ``BatchError``, also if the end lies beyond ±10¹⁵; the old motion continues then.
  /// - Complexity: O(dimensions).
  @discardableResult
  public mutating func decelerate<V: TrackValue>(
    _ handle: TrackHandle, velocity: V? = nil, by deceleration: Deceleration = .normal
  ) throws(BatchError) -> V {
    try checkDimensions(V.dimensions, of: "velocity")
    try check(deceleration)
    if let velocity {
      try check(velocity, of: "velocity")
    }
    let row = try prepare(handle)
    let coefficients = SpringCoefficients(accepted: deceleration)
    let speed = velocity ?? V { unsafe columnVelocity(row, $0).pointee }
    let end = V { unsafe projectedEnd(columnValue(row, $0).pointee, speed.component($0), coefficients) }
    try check(end, of: "projected end")
    waiting.cancel(handle.index)
    for dimension in 0..<dimensions {
      unsafe columnVelocity(row, dimension).pointee = speed.component(dimension)
    }
    setOut(row, coefficients, start: time) { end.component($0) }
    return end
  }

  /// Lets tracks slide to their projected ends, as one cohort; otherwise as
  /// ``decelerate(_:velocity:by:)``.
  ///
  /// - Parameters:
  ///   - handles: The tracks. If one is named twice, the last velocity counts.
  ///   - velocities: What they start with, per second, component-major; empty for the tracks' own.
  ///   - deceleration: How fast the velocities decay.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks · dimensions); no allocation while there is room.
  public mutating func decelerate(
    _ handles: Span<TrackHandle>, velocities: Span<Float> = Span(), by deceleration: Deceleration = .normal
  ) throws(BatchError) {
    try check(deceleration)
    if !velocities.isEmpty { try checkCount(handles.count * dimensions, velocities.count, of: "velocities") }
    try check(velocities, of: "velocity")
    try pick(handles)
    let coefficients = SpringCoefficients(accepted: deceleration)
    ends.removeAll(keepingCapacity: true)
    for dimension in 0..<dimensions {
      for index in handles.indices {
        let row = slots.row(of: handles[index].index)
        let speed =
          velocities.isEmpty
          ? unsafe columnVelocity(row, dimension).pointee : velocities[dimension * handles.count + index]
        ends.append(unsafe projectedEnd(columnValue(row, dimension).pointee, speed, coefficients))
      }
    }
    try check(ends.span, of: "projected end")
    if !velocities.isEmpty {
      for dimension in 0..<dimensions {
        for index in handles.indices {
          let row = slots.row(of: handles[index].index)
          unsafe columnVelocity(row, dimension).pointee = velocities[dimension * handles.count + index]
        }
      }
    }
    // Taken out for the time, as the batch changes while they are read.
    var ends: [Float] = []
    swap(&ends, &self.ends)
    restartPicked(ends.span, coefficients)
    swap(&ends, &self.ends)
  }

  private func projectedEnd(_ value: Float, _ velocity: Float, _ coefficients: SpringCoefficients) -> Float {
    Float(Double(value) + Double(velocity) / coefficients.κ)
  }

  private func check(_ deceleration: Deceleration) throws(BatchError) {
    guard deceleration.rate < 1, BatchLimits.decelerationConstants ~= deceleration.decayConstant else {
      throw .invalidDeceleration(rate: deceleration.rate)
    }
  }
}
