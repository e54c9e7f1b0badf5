// SPDX-License-Identifier: MIT
public import AnimationModel

// One property of particles. Each call is that of `SpringBatch`, where it is described, and throws
// `BatchError.propertyOutOfRange` besides.
extension ParticleBatch {
  /// Sends one property of particles to new targets, as one cohort if there is a spring: see
  /// ``SpringBatch/retarget(_:to:spring:)-(Span<TrackHandle>,_,_)``.
  public mutating func retarget(
    _ property: Int, _ handles: Span<TrackHandle>, to targets: Span<Float>, spring: Spring? = nil
  ) throws(BatchError) {
    try box(property).batch.retarget(handles, to: targets, spring: spring)
  }

  /// Sends one property of particles to new targets, each after a delay: see
  /// ``SpringBatch/retarget(_:to:spring:delays:)``.
  public mutating func retarget(
    _ property: Int, _ handles: Span<TrackHandle>, to targets: Span<Float>, spring: Spring? = nil,
    delays: Span<Double>
  ) throws(BatchError) {
    try box(property).batch.retarget(handles, to: targets, spring: spring, delays: delays)
  }

  /// Sends one property of a particle to a new target: see ``SpringBatch/retarget(_:to:spring:)-(TrackHandle,_,_)``.
  public mutating func retarget<V: TrackValue>(
    _ property: Int, _ handle: TrackHandle, to target: V, spring: Spring? = nil
  ) throws(BatchError) {
    try box(property).batch.retarget(handle, to: target, spring: spring)
  }

  /// Puts one property of particles at values with velocities: see ``SpringBatch/set(_:values:velocities:)``.
  public mutating func set(
    _ property: Int, _ handles: Span<TrackHandle>, values: Span<Float>, velocities: Span<Float>
  ) throws(BatchError) {
    try box(property).batch.set(handles, values: values, velocities: velocities)
  }

  /// Lets one property of particles slide to its projected end: see ``SpringBatch/decelerate(_:velocities:by:)``.
  public mutating func decelerate(
    _ property: Int, _ handles: Span<TrackHandle>, velocities: Span<Float> = Span(),
    by deceleration: Deceleration = .normal
  ) throws(BatchError) {
    try box(property).batch.decelerate(handles, velocities: velocities, by: deceleration)
  }

  // MARK: - Reading

  /// One property of a particle at the current time.
  public func value<V: TrackValue>(
    _ property: Int, of handle: TrackHandle, as type: V.Type = V.self
  ) throws(BatchError) -> V {
    try box(property).batch.value(of: handle)
  }

  /// The velocity of one property of a particle at the current time, per second.
  public mutating func velocity<V: TrackValue>(
    _ property: Int, of handle: TrackHandle, as type: V.Type = V.self
  ) throws(BatchError) -> V {
    try box(property).batch.velocity(of: handle)
  }

  /// Copies one dimension of a property, by index: see ``TrackBatch/copyValues(dimension:into:)``.
  public func copyValues(
    _ property: Int, dimension: Int, into output: inout MutableSpan<Float>
  ) throws(BatchError) {
    try box(property).batch.copyValues(dimension: dimension, into: &output)
  }

  // MARK: - Completion

  /// The particles of which one property became logically complete with the last advance: see
  /// ``SpringBatch/logicallyComplete``.
  public func logicallyComplete(_ property: Int) throws(BatchError) -> [TrackHandle] {
    try box(property).batch.logicallyComplete
  }

  /// The particles of which one property came to rest with the last advance: see ``SpringBatch/settled``.
  public func settled(_ property: Int) throws(BatchError) -> [TrackHandle] {
    try box(property).batch.settled
  }

  /// When one property of a particle is at rest: see ``SpringBatch/restTime(of:)``.
  public mutating func restTime(_ property: Int, of handle: TrackHandle) throws(BatchError) -> Double {
    try box(property).batch.restTime(of: handle)
  }

  /// Whether all properties of a particle are at rest.
  public func isAtRest(_ handle: TrackHandle) throws(BatchError) -> Bool {
    for property in properties.indices {
      guard try box(property).batch.isAtRest(handle) else {
        return false
      }
    }
    return true
  }
}
