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
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    for dimension in 0..<dimensions {
      try check(target.component(dimension), index: dimension)
    }
    if let spring {
      try check(spring, index: 0)
    }
    refreshVelocities()
    place(row, in: Basis(alone: spring.map(SpringCoefficients.init(accepted:)) ?? coefficients(of: row)))
    for dimension in 0..<dimensions {
      start(row, dimension, target: target.component(dimension))
    }
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
  /// - Complexity: O(tracks · dimensions).
  public mutating func retarget(
    _ handles: Span<TrackHandle>, to targets: Span<Float>, spring: Spring? = nil
  ) throws(BatchError) {
    for index in handles.indices {
      _ = try row(of: handles[index])
    }
    try checkRetarget(count: handles.count, targets: targets, spring: spring)
    refreshVelocities()
    var successors = Successors(shared: handles.isEmpty ? nil : spring.map { openCohort(.init(accepted: $0)) })
    for index in handles.indices {
      let row = Int(handles[index].row)
      successors.place(row, in: &self)
      for dimension in 0..<dimensions {
        start(row, dimension, target: targets[dimension * handles.count + index])
      }
    }
  }

  /// Sends every live track to a new target, in the order of rows; otherwise as
  /// ``retarget(_:to:spring:)-(Span<TrackHandle>,_,_)``.
  ///
  /// - Parameters:
  ///   - targets: Component-major, ``count`` values a dimension.
  ///   - spring: The spring that all then follow as one cohort; nil to keep each track's.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(rows · dimensions).
  public mutating func retargetAll(to targets: Span<Float>, spring: Spring? = nil) throws(BatchError) {
    try checkRetarget(count: count, targets: targets, spring: spring)
    refreshVelocities()
    if count == rowCount {
      retargetEveryRow(to: targets, coefficients: spring.map(SpringCoefficients.init(accepted:)))
      return
    }
    var successors = Successors(shared: count == 0 ? nil : spring.map { openCohort(.init(accepted: $0)) })
    var index = 0
    for row in 0..<rowCount where unsafe storage.columns.group[row] != LaneGroup.free {
      successors.place(row, in: &self)
      for dimension in 0..<dimensions {
        start(row, dimension, target: targets[dimension * count + index])
      }
      index += 1
    }
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
    try checkDimensions(V.dimensions)
    let row = try row(of: handle)
    for dimension in 0..<dimensions {
      try check(value.component(dimension), index: dimension)
      try check(velocity.component(dimension), index: dimension)
    }
    refreshVelocities()
    place(row, in: Basis(alone: coefficients(of: row)))
    for dimension in 0..<dimensions {
      unsafe columnValue(row, dimension).pointee = value.component(dimension)
      unsafe columnVelocity(row, dimension).pointee = velocity.component(dimension)
      let target = unsafe storage.columns.target[dimension * storage.columns.dimensionStride + row]
      start(row, dimension, target: target)
    }
  }

  private func checkRetarget(count: Int, targets: Span<Float>, spring: Spring?) throws(BatchError) {
    guard targets.count == count * dimensions else {
      throw .wrongCount(expected: count * dimensions, got: targets.count)
    }
    try check(targets)
    if let spring {
      try check(spring, index: 0)
    }
  }
}

/// The bases that tracks follow after a bulk retarget: a shared one, or one for each cohort that they come from.
private struct Successors {
  private let shared: Basis?
  private var cohorts: [Int32: Basis] = [:]
  /// The last cohort met, as neighbours tend to be of one.
  private var last: (group: Int32, basis: Basis)?

  init(shared: Basis?) { self.shared = shared }

  mutating func place(_ row: Int, in batch: inout SpringBatch) {
    batch.place(row, in: basis(of: row, in: &batch))
  }

  private mutating func basis(of row: Int, in batch: inout SpringBatch) -> Basis {
    if let shared {
      return shared
    }
    let group = unsafe batch.storage.columns.group[row]
    if group < LaneGroup.firstCohort {
      return Basis(alone: batch.coefficients(of: row))
    }
    if batch.cohorts[group].start == batch.time {
      // A cohort of this very moment is its own successor; a row that is named twice comes here too.
      return Basis(group: group, coefficients: batch.cohorts[group].coefficients)
    }
    if let last, last.group == group {
      return last.basis
    }
    let basis = cohorts[group] ?? batch.openCohort(batch.cohorts[group].coefficients)
    cohorts[group] = basis
    last = (group, basis)
    return basis
  }
}
