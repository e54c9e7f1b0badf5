// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Computes one dimension of a range of tracks in a range of frames, as its motions stand.
  ///
  /// The clock, the motions and what was reported stay as they are. A value is within the batch's error bound, as one that
  /// ``advance(to:)`` gives, and rest is shown from the same frame on. Those of cohorts have the same bits as with
  /// ``advance(to:)``; those of tracks that move alone do not, since they follow from anchors every few frames (see
  /// <doc:Baking>). The same call gives the same bits on every instruction set and for any ``threadCount``, whatever else
  /// is in the batch and whichever other tracks are baked.
  ///
  /// - Parameters:
  ///   - frames: Which frames; none before the start of a motion that is baked.
  ///   - indices: Which tracks. Those of indices without a track are 0.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: Whether the frames or the tracks are the rows.
  ///   - values: Gets the values; exactly as many as tracks times frames.
  /// - Throws: ``BatchError``: among others ``BatchError/timeBeforeStart(time:start:)``, and
  ///   ``BatchError/retargetWaiting(_:time:)`` where a delayed retarget of one of the tracks is due before the last frame
  ///   or at it. Nothing is written then.
  /// - Complexity: O(tracks · frames), and O(tiles) after motions began.
  public mutating func bake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    planRests()
    try bake(.frames(frames), indices, dimension: dimension, order, values: &values)
  }

  /// Computes values and velocities; otherwise as ``bake(_:indices:dimension:order:values:)``.
  public mutating func bake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    planRests()
    try bake(.frames(frames), indices, dimension: dimension, order, values: &values, velocities: &velocities)
  }

  /// Computes values at times of any order and distances, each from the start of its motion: slower than
  /// ``bake(_:indices:dimension:order:values:)``, and otherwise the same.
  ///
  /// - Parameters:
  ///   - times: Absolute seconds.
  ///   - indices: The tracks.
  ///   - dimension: 0..<``dimensions``.
  ///   - order: How the output is laid out.
  ///   - values: Gets times × tracks values.
  public mutating func bake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    planRests()
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(.times(times), indices, dimension: dimension, order, values: &values)
    }
  }

  /// Computes values and velocities at times of any order; otherwise as ``bake(at:indices:dimension:order:values:)``.
  public mutating func bake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, order: BakeOrder = .timeMajor,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    planRests()
    try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
      try unsafe bake(.times(times), indices, dimension: dimension, order, values: &values, velocities: &velocities)
    }
  }

  // MARK: - Work

  func bake(_ request: BakeRequest) {
    let plan = request.plan
    let output = BakeOutput(request)
    // A block of frames after the other, so that what is kept of each stays small.
    for first in stride(from: 0, to: plan.frameCount, by: BakeJob.framesAtOnce) {
      let part = first..<min(plan.frameCount, first + BakeJob.framesAtOnce)
      run(
        BakeJob(
          table: table, columns: storage.columns, slots: slots, tiles: tiles, cohorts: cohorts,
          dimension: plan.dimension, indices: plan.indices, times: request.moments.times(part), memory: bakeMemory,
          output: output.from(lane: 0, frame: first)))
    }
  }

  private func run(_ job: BakeJob) {
    let blocks = job.indices.count / laneCountOfBake
    guard let workers, blocks > 1, blocks * job.times.count >= BakeLimits.parallelBlocks else {
      bakeMemory.reserve(parts: 1)
      return job.bake(part: 0, of: 1)
    }
    let parts = min(blocks, 4 * workers.count)
    bakeMemory.reserve(parts: parts)
    var job = job
    unsafe withUnsafeMutablePointer(to: &job) { job in
      unsafe workers.run(job, parts: parts) { job, index, count in
        unsafe job.assumingMemoryBound(to: BakeJob.self).pointee.bake(part: index, of: count)
      }
    }
  }

  /// Makes it known when every motion comes to rest: no less true if a bake is refused then.
  private mutating func planRests() {
    for place in cohorts.indices where cohorts[place].trackCount > 0 {
      _ = cohorts[place].computeRest(tolerance.kernel, dimensions: dimensions)
    }
    var tile = 0
    while tile < tiles.end {
      let first = tile
      let kind = tiles.kinds[first]
      while tile < tiles.end, TileKind.isMixed(kind), tiles.kinds[tile] == kind, tiles.deadlines[tile] == -.infinity {
        tile += 1
      }
      if tile > first {
        computeRest(first..<tile)
        for tile in first..<tile { tiles.deadlines[tile] = TileTable.passed }
      } else {
        tile += 1
      }
    }
  }
}
