// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch: BakedBatch {
  /// Computes one dimension of a range of instances in a range of frames, as their playbacks stand.
  ///
  /// The clock, the playbacks and what was reported stay as they are. The bits are those that ``advance(to:)`` gives frame by
  /// frame, on every instruction set and for any ``threadCount``: of legs that begin and end on the way, before a start,
  /// after an end, of instances' own values.
  ///
  /// - Parameters:
  ///   - frames: Which frames; none before the last change of an instance that is baked.
  ///   - indices: Which instances. Those of indices without one are 0.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: Whether the frames or the instances are the rows.
  ///   - values: Gets the values; exactly as many as instances times frames.
  /// - Throws: ``BatchError``: among others ``BatchError/timeBeforeStart(time:start:)``. Nothing is written then.
  /// - Complexity: O(instances · frames), and some 20 ns for each leg that begins. It takes memory for the times of the
  ///   frames.
  public func bake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    try bake(.frames(frames), indices, dimension: dimension, order, values: &values)
  }

  /// Computes values and velocities; otherwise as ``bake(_:indices:dimension:order:values:)``.
  public func bake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    try bake(.frames(frames), indices, dimension: dimension, order, values: &values, velocities: &velocities)
  }

  /// Computes values at times of any order and distances; otherwise as ``bake(_:indices:dimension:order:values:)``.
  ///
  /// - Parameters:
  ///   - times: Absolute seconds. Where they ascend, as many of a leg as there are are found at once.
  ///   - indices: The instances.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: How the output is laid out.
  ///   - values: Gets times × instances values.
  public func bake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(.times(times), indices, dimension: dimension, order, values: &values)
    }
  }

  /// Computes values and velocities at times of any order; otherwise as ``bake(at:indices:dimension:order:values:)``.
  public func bake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(.times(times), indices, dimension: dimension, order, values: &values, velocities: &velocities)
    }
  }

  // MARK: - Work

  func bake(_ request: BakeRequest) {
    let source = ClipFrames(
      storage, slots, tiles, library, table, dimension: request.plan.dimension, velocities: request.wantsVelocities,
      request.moments.clock)
    StagedBake(request, source, table).run(on: workers)
  }

  /// Checks that no call changed an instance to bake after a time.
  func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
    guard first < latestChange else { return }
    var latest = -BatchLimits.maximumTime
    for index in indices where slots.isLive(index) {
      latest = unsafe max(latest, storage.states[slots.row(of: index)].changed)
    }
    guard first >= latest else {
      throw .timeBeforeStart(time: first, start: latest)
    }
  }
}
