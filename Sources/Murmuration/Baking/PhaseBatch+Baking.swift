// SPDX-License-Identifier: MIT
import Kernels

extension PhaseBatch: BakedBatch {
  /// Computes one dimension of a range of tracks in a range of frames: their motions as they stand, and the steps that the
  /// sequence has them take.
  ///
  /// The clock, the tracks and what was reported stay as they are. A value is within the error bounds of ``SpringBatch``,
  /// as one that ``advance(to:)`` gives: springs follow from the start of each step's motion, or from the first frame of a
  /// block of 256 within it. Those of sequences that are not of springs alone have the bits of ``advance(to:)``; they are
  /// played, some tracks at a time, by the caller's thread. The same call gives the same bits on every instruction set and for
  /// any ``threadCount``.
  ///
  /// - Parameters:
  ///   - frames: Which frames; none before the start of a motion that is baked.
  ///   - indices: Which tracks. Those of indices without a track are 0.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: Whether the frames or the tracks are the rows.
  ///   - values: Gets the values; exactly as many as tracks times frames.
  /// - Throws: ``BatchError``: among others ``BatchError/timeBeforeStart(time:start:)``. Nothing is written then.
  /// - Complexity: O(tracks · frames + steps).
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

  /// Computes values at times of any order and distances, each from the start of its motion; otherwise as
  /// ``bake(_:indices:dimension:order:values:)``.
  ///
  /// - Parameters:
  ///   - times: Absolute seconds. Where one is before the step in front of it, steps are taken anew from now on.
  ///   - indices: The tracks.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: How the output is laid out.
  ///   - values: Gets times × tracks values.
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

  func bake(_ request: BakeRequest) throws(BatchError) {
    let (dimension, velocities) = (request.plan.dimension, request.wantsVelocities)
    guard let steps = springSteps else {
      let phases = CurveFrames.Phases(
        sequence: sequence, playback: playback, motions: motions, clocks: clocks, variations: variations)
      let source = try CurveFrames(
        curves.bakeOrigin, phases, dimensions: dimensions, tolerance: curves.curveTolerance, curves.kernels,
        dimension: dimension, velocities: velocities, request.moments.clock)
      return StagedBake(request, source, curves.table).run(on: nil)
    }
    let source = PhaseFrames(
      PhaseTracks(self, steps), springs.table, dimension: dimension, velocities: velocities,
      request.moments.clock(upTo: steps.map(\.coefficients.naturalFrequency).max() ?? 0))
    StagedBake(request, source, springs.table).run(on: springs.workers)
  }

  /// Checks that no track to bake began its motion after a time.
  func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
    guard springSteps != nil else {
      return try curves.check(time: first)
    }
    let latest = springs.latestStart(of: indices)
    guard first >= latest else {
      throw .timeBeforeStart(time: first, start: latest)
    }
  }
}
