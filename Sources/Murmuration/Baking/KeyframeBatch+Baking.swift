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
    let plan = try checkBake(frames, indices: indices, dimension: dimension, got: values.count)
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe bake(plan, order, values.baseAddress, nil) { BakeClock(frames) }
    }
  }

  /// Computes values and velocities; otherwise as ``bake(_:indices:dimension:order:values:)``.
  public func bake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    let plan = try checkBake(frames, indices: indices, dimension: dimension, got: values.count)
    try plan.check(velocities: velocities.count)
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe velocities.withUnsafeMutableBufferPointer { velocities in
        unsafe bake(plan, order, values.baseAddress, velocities.baseAddress) { BakeClock(frames) }
      }
    }
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
    let plan = try checkBake(at: times, indices: indices, dimension: dimension, got: values.count)
    unsafe times.withUnsafeBufferPointer { times in
      unsafe values.withUnsafeMutableBufferPointer { values in
        unsafe bake(plan, order, values.baseAddress, nil) { unsafe BakeClock(times) }
      }
    }
  }

  /// Computes values and velocities at times of any order; otherwise as ``bake(at:indices:dimension:order:values:)``.
  public func bake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    let plan = try checkBake(at: times, indices: indices, dimension: dimension, got: values.count)
    try plan.check(velocities: velocities.count)
    unsafe times.withUnsafeBufferPointer { times in
      unsafe values.withUnsafeMutableBufferPointer { values in
        unsafe velocities.withUnsafeMutableBufferPointer { velocities in
          unsafe bake(plan, order, values.baseAddress, velocities.baseAddress) { unsafe BakeClock(times) }
        }
      }
    }
  }

  // MARK: - Work

  private func bake(
    _ plan: BakePlan, _ order: BakeOrder, _ values: UnsafeMutablePointer<Float>?,
    _ velocities: UnsafeMutablePointer<Float>?, _ clock: () -> BakeClock
  ) {
    guard plan.count > 0, let values = unsafe values else {
      return
    }
    let source = unsafe ClipFrames(
      storage, slots, tiles, library, table, dimension: plan.dimension, velocities: velocities != nil, clock())
    let bake = unsafe StagedBake(
      plan, order, source, table, streamedBytes: streamedBakeBytes, values: values, velocities: velocities)
    bake.run(on: workers)
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
