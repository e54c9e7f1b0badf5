// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch: BakedBatch {
  /// Computes one dimension of a range of tracks in a range of frames, as their motions stand.
  ///
  /// The clock, the motions and what was reported stay as they are. The bits are those that ``advance(to:)`` gives frame by
  /// frame: the tracks are played, some at a time, in a batch that is made for it, by the caller's thread.
  ///
  /// - Parameters:
  ///   - frames: Which frames; none before the latest change.
  ///   - indices: Which tracks. Those of indices without a track are 0.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: Whether the frames or the tracks are the rows.
  ///   - values: Gets the values; exactly as many as tracks times frames.
  /// - Throws: ``BatchError``: among others ``BatchError/timeBeforeStart(time:start:)``. Nothing is written then.
  /// - Complexity: That of as many frames.
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

  // MARK: - Work

  func bake(_ request: BakeRequest) throws(BatchError) {
    let source = try CurveFrames(
      bakeOrigin, nil, dimensions: dimensions, tolerance: curveTolerance, kernels, dimension: request.plan.dimension,
      velocities: request.wantsVelocities, request.moments.clock)
    StagedBake(request, source, table).run(on: nil)
  }

  /// What a bake looks at.
  var bakeOrigin: CurveFrames.Origin {
    CurveFrames.Origin(
      tracks: tracks, origins: origins, targets: targets, called: called.merging(finishedCalls) { $1 }, slots: slots,
      columns: storage.columns)
  }

  /// Checks that no change comes after a time.
  func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
    try check(time: first)
  }
}
