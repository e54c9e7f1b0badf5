// SPDX-License-Identifier: MIT
public import AnimationModel
import Kernels

extension SpringBatch {
  /// Sends a track to a new target from its current value and velocity; it moves alone from now on.
  ///
  /// - Parameters:
  ///   - handle: The track.
  ///   - target: Where it heads from now on.
  ///   - spring: The spring to follow; nil to keep the track's.
  /// - Throws: ``BatchError``; the old motion continues then.
  /// - Complexity: O(dimensions).
  public mutating func retarget<V: TrackValue>(
    _ handle: TrackHandle, to target: V, spring: Spring? = nil
  ) throws(BatchError) {
    try checkDimensions(V.dimensions, of: "target")
    try check(target, of: "target")
    if let spring {
      try check(spring, index: 0)
    }
    let row = try prepare(handle)
    waiting.cancel(handle.index)
    let coefficients = spring.map(SpringCoefficients.init(accepted:)) ?? coefficients(ofRow: row).toAnyTarget
    setOut(row, coefficients, start: time) { target.component($0) }
  }

  /// Sends tracks to new targets from their current values and velocities.
  ///
  /// With a spring they become one cohort. Without, each keeps its spring: tracks that moved alone still do, and those
  /// of one cohort form a new one. If a track is named twice, the last target counts.
  ///
  /// - Parameters:
  ///   - handles: The tracks.
  ///   - targets: Component-major: dimension 0 of all, then dimension 1, …
  ///   - spring: The spring to follow; nil to keep each track's.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks · dimensions); no allocation while there is room.
  public mutating func retarget(
    _ handles: Span<TrackHandle>, to targets: Span<Float>, spring: Spring? = nil
  ) throws(BatchError) {
    try checkRetarget(count: handles.count, targets: targets, spring: spring)
    try pick(handles)
    retargetPicked(targets, spring)
  }

  /// Sends the tracks of a range of indices to new targets; otherwise as
  /// ``retarget(_:to:spring:)-(Span<TrackHandle>,_,_)``.
  ///
  /// - Parameters:
  ///   - indices: Within 0..<``indexCount``. Those without a track are passed over.
  ///   - targets: Component-major, one for each index of the range and dimension.
  ///   - spring: The spring that all then follow as one cohort; nil to keep each track's.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(indices · dimensions); no allocation while there is room.
  public mutating func retarget(
    _ indices: Range<Int>, to targets: Span<Float>, spring: Spring? = nil
  ) throws(BatchError) {
    guard indices.lowerBound >= 0, indices.upperBound <= indexCount else {
      throw .wrongCount(
        of: "indices", expected: indexCount, got: indices.lowerBound < 0 ? indices.lowerBound : indices.upperBound)
    }
    try checkRetarget(count: indices.count, targets: targets, spring: spring)
    try pick(indices)
    retargetPicked(targets, spring)
  }

  /// Sends tracks to new targets with a spring each; they move alone from now on.
  ///
  /// - Parameters:
  ///   - handles: The tracks. If one is named twice, the last target and spring count.
  ///   - targets: Component-major: dimension 0 of all, then dimension 1, …
  ///   - springs: One for each handle.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks · dimensions).
  public mutating func retarget(
    _ handles: Span<TrackHandle>, to targets: Span<Float>, springs: Span<Spring>
  ) throws(BatchError) {
    try checkRetarget(count: handles.count, targets: targets, spring: nil)
    try checkCount(handles.count, springs.count, of: "springs")
    for index in springs.indices {
      try check(springs[index], index: index)
    }
    try pick(handles)
    cancelPicked()
    for index in handles.indices {
      setOut(slots.row(of: handles[index].index), SpringCoefficients(accepted: springs[index]), start: time) {
        targets[$0 * handles.count + index]
      }
    }
  }

  /// Sends every live track to a new target; otherwise as ``retarget(_:to:spring:)-(Span<TrackHandle>,_,_)``.
  ///
  /// - Parameters:
  ///   - targets: Component-major, by index: ``indexCount`` values a dimension. Those of indices without a track are
  ///     passed over.
  ///   - spring: The spring that all then follow as one cohort; nil to keep each track's.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks · dimensions); no allocation.
  public mutating func retargetAll(to targets: Span<Float>, spring: Spring? = nil) throws(BatchError) {
    try checkRetarget(count: indexCount, targets: targets, spring: spring)
    refreshVelocities()
    guard count > 0 else {
      return
    }
    waiting.removeAll()
    restartEverything(targets, spring.map(SpringCoefficients.init(accepted:)))
  }

  /// Puts a track at a value with a velocity; it goes on to its target with its spring, and moves alone.
  ///
  /// - Parameters:
  ///   - handle: The track.
  ///   - value: Where it is from now on.
  ///   - velocity: How fast, per second.
  /// - Throws: ``BatchError``; the old motion continues then.
  /// - Complexity: O(dimensions).
  public mutating func set<V: TrackValue>(_ handle: TrackHandle, value: V, velocity: V) throws(BatchError) {
    try checkDimensions(V.dimensions, of: "value")
    try check(value, of: "value")
    try check(velocity, of: "velocity")
    let row = try prepare(handle)
    waiting.cancel(handle.index)
    for dimension in 0..<dimensions {
      unsafe columnValue(row, dimension).pointee = value.component(dimension)
      unsafe columnVelocity(row, dimension).pointee = velocity.component(dimension)
    }
    setOutToOldTarget(row)
  }

  /// Puts tracks at values with velocities, as a hand does that drags them; each goes on to its target with its spring,
  /// and moves alone.
  ///
  /// - Parameters:
  ///   - handles: The tracks. If one is named twice, the last value counts.
  ///   - values: Where they are from now on, component-major.
  ///   - velocities: How fast, per second, component-major.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks · dimensions).
  public mutating func set(
    _ handles: Span<TrackHandle>, values: Span<Float>, velocities: Span<Float>
  ) throws(BatchError) {
    try checkRetarget(count: handles.count, targets: values, spring: nil)
    try checkRetarget(count: handles.count, targets: velocities, spring: nil)
    try pick(handles)
    cancelPicked()
    for index in handles.indices {
      let row = slots.row(of: handles[index].index)
      for dimension in 0..<dimensions {
        let element = dimension * handles.count + index
        unsafe columnValue(row, dimension).pointee = values[element]
        unsafe columnVelocity(row, dimension).pointee = velocities[element]
      }
      setOutToOldTarget(row)
    }
  }

  // MARK: - One track

  /// Makes ready to change the motion of a track, and returns its row.
  mutating func prepare(_ handle: TrackHandle) throws(BatchError) -> Int {
    _ = try slots.row(of: handle)
    try reserveTiles(1)
    refreshVelocities()
    return slots.row(of: handle.index)
  }

  /// Starts the track of a row alone, towards a target.
  mutating func setOut(
    _ row: Int, _ coefficients: SpringCoefficients, start begin: Double, target: (Int) -> Float
  ) {
    let row = setAlone(row, coefficients, start: begin)
    let rule = AmplitudeRule(coefficients)
    for dimension in 0..<dimensions {
      start(row, dimension, target: target(dimension), rule)
    }
  }

  private mutating func setOutToOldTarget(_ row: Int) {
    // The row of the new motion may be another one, so the target is read first.
    let old = unsafe storage.columns.target + row
    let stride = storage.columns.dimensionStride
    setOut(row, coefficients(ofRow: row).toAnyTarget, start: time) { unsafe old[$0 * stride] }
  }

  func checkRetarget(count: Int, targets: Span<Float>, spring: Spring?) throws(BatchError) {
    try checkCount(count * dimensions, targets.count, of: "targets")
    try check(targets, of: "target")
    if let spring {
      try check(spring, index: 0)
    }
  }
}
