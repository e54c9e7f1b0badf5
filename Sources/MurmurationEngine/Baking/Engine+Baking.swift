// SPDX-License-Identifier: MIT
import Kernels
import Synchronization

// Bakes: a request is checked, and then computed in parts.
extension Engine {
  /// Frames that are baked at a time, so that their bases stay in the second cache. They are cut at multiples
  /// of this number, so that no bit depends on where a bake begins.
  static let bakedFramesAtOnce = 4096

  // MARK: - Checks

  /// Checks a request.
  ///
  /// - Parameter got: Elements to write to; nil if parts are lent to the caller.
  func plan(
    _ request: BakeRequest, _ times: BakeTimes, got: Int?, velocities: Int? = nil
  ) throws(BatchError) -> BakePlan {
    let components = request.components ?? 0..<dimensions
    let shape = (indices: tracks.indexCount, dimensions: dimensions)
    return try BakePlan(times, request.indices, components, of: shape, got: got, velocities: velocities) {
      first, last throws(BatchError) in
      try checkBake(from: first, to: last, request.indices)
    }
  }

  /// Checks that no call changes some tracks between two times.
  private func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError) {
    if first < latestChange {
      let latest = latestChange(of: indices)
      guard first >= latest else { throw .timeBeforeStart(time: first, start: latest) }
    }
    if waiting.count > 0, let next = waiting.first(of: indices, until: last) {
      throw .changeWaiting(tracks.indices.handle(at: next.index), time: next.time)
    }
  }

  // MARK: - Work

  /// Computes many frames into memory of the caller.
  ///
  /// - Parameter velocities: Gets one velocity for each value; nil for none.
  /// - Throws: ``BatchError``. Nothing is written then, except where there is no memory to play or to interleave
  ///   tracks (``BatchError/capacityExceeded(_:)``): some numbers are written then.
  package func bake(
    _ request: BakeRequest, into values: UnsafeMutableBufferPointer<Float>,
    velocities: UnsafeMutableBufferPointer<Float>? = nil
  ) throws(BatchError) {
    try request.withTimes { times throws(BatchError) in
      let plan = try plan(request, times, got: values.count, velocities: unsafe velocities?.count)
      guard plan.count > 0, let values = unsafe values.column else { return }
      try bake(0..<times.count, of: plan, request.order, values, unsafe velocities?.column)
    }
  }

  /// Bakes some frames at a time.
  ///
  /// - Parameter body: Returns whether to go on.
  package func bake(
    _ request: BakeRequest, framesAtOnce wanted: Int, velocities: Bool,
    _ body: (Range<Int>, Span<Float>, Span<Float>) -> Bool
  ) throws(BatchError) {
    try request.withTimes { times throws(BatchError) in
      let plan = try plan(request, times, got: nil)
      guard plan.count > 0 else { return }
      let frameCount = max(1, min(wanted, times.count))
      let numbers = plan.count / times.count * frameCount
      let shape = ColumnShape(narrow: velocities ? 2 : 1)
      guard numbers <= BatchLimits.maximumBytes / 4, ColumnMemory.hasRoom(shape, count: numbers) else {
        throw .capacityExceeded(numbers)
      }
      let memory = ColumnMemory(shape, count: numbers, isZeroed: false)
      let (values, speeds) = (memory.narrow(0), velocities ? memory.narrow(1) : nil)
      for first in stride(from: 0, to: times.count, by: frameCount) {
        let frames = first..<min(times.count, first + frameCount)
        let count = numbers / frameCount * frames.count
        try bake(frames, of: plan, request.order, values, speeds)
        let goesOn = unsafe body(
          frames, UnsafeBufferPointer(start: values.address, count: count).span,
          UnsafeBufferPointer(start: speeds?.address, count: speeds == nil ? 0 : count).span)
        if !goesOn { return }
      }
    }
  }

  /// Bakes some of the frames of a plan into memory.
  func bake(
    _ frames: Range<Int>, of plan: BakePlan, _ order: BakeOrder, _ values: Column<Float>, _ velocities: Column<Float>?
  ) throws(BatchError) {
    let target = BakeTarget(
      values, velocities, order, plan.indices.count, components: plan.components.count, frames: frames.count)
    let failure = BakeFailure()
    unsafe withUnsafePointer(to: self) { engine in
      let framesAtOnce = target.isInterleaved ? interleavedFrames(of: plan) : Self.bakedFramesAtOnce
      plan.times.forEachPart(of: frames, every: framesAtOnce) { part in
        let first = part.lowerBound - frames.lowerBound
        if target.isInterleaved {
          unsafe interleave(part, first: first, of: plan, engine, to: target, failure)
        } else {
          run(unsafe TrackBake(engine, plan, part, plan.indices, to: target, firstFrame: first, failure))
        }
      }
    }
    try failure.check()
  }

  /// The frames that are baked at a time if they are interleaved: fewer where a block of tracks has many components.
  private func interleavedFrames(of plan: BakePlan) -> Int {
    var frames = Self.bakedFramesAtOnce
    while frames > groupOfBake, frames * laneCountOfBake * plan.components.count > BakeTarget.interleavedAtOnce {
      frames /= 2
    }
    return frames
  }

  /// Bakes a part for some tracks at a time, and interleaves the components.
  private func interleave(
    _ part: Range<Int>, first: Int, of plan: BakePlan, _ engine: UnsafePointer<Engine>, to target: BakeTarget,
    _ failure: BakeFailure
  ) {
    let (components, hasVelocities) = (plan.components.count, target.first.velocities != nil)
    let fitting = BakeTarget.interleavedAtOnce / (part.count * components)
    let trackCount = min(plan.indices.count, max(laneCountOfTile, fitting / laneCountOfBake * laneCountOfBake))
    let (shape, size) = (ColumnShape(narrow: hasVelocities ? 2 : 1), part.count * components * trackCount)
    guard ColumnMemory.hasRoom(shape, count: size) else { return failure.note(.capacityExceeded(trackCount)) }
    let memory = ColumnMemory(shape, count: size, isZeroed: false)
    let (values, velocities) = (memory.narrow(0), hasVelocities ? memory.narrow(1) : nil)
    for lower in stride(from: plan.indices.lowerBound, to: plan.indices.upperBound, by: trackCount) {
      let indices = lower..<min(plan.indices.upperBound, lower + trackCount)
      let planar = BakeTarget(
        values, velocities, .timeMajor, indices.count, components: components, frames: part.count)
      run(unsafe TrackBake(engine, plan, part, indices, to: planar, firstFrame: 0, failure))
      for frame in 0..<part.count {
        let from = frame * indices.count * components
        let to = ((first + frame) * plan.indices.count + lower - plan.indices.lowerBound) * components
        table.interleave(
          (values + from).constant, indices.count, components, indices.count, target.first.values + to, components)
        if let velocities, let speeds = target.first.velocities {
          table.interleave(
            (velocities + from).constant, indices.count, components, indices.count, speeds + to, components)
        }
      }
    }
  }

  private func run(_ job: TrackBake) {
    let blocks = job.indices.count / laneCountOfBake
    guard let workers = frames.workers, blocks > 1, blocks * job.frames.count >= BakeLimits.parallelBlocks,
      workers.claim()
    else { return job.bake(part: 0, of: 1) }
    defer { workers.giveBack() }
    var job = job
    unsafe withUnsafeMutablePointer(to: &job) { job in
      unsafe workers.run(job, parts: min(blocks, 4 * workers.count)) { job, index, count in
        unsafe job.assumingMemoryBound(to: TrackBake.self).pointee.bake(part: index, of: count)
      }
    }
  }
}

/// The first error of a bake. Its parts may run on several threads; they go on, and the bake throws when all are done.
final class BakeFailure: Sendable {
  private let error = Locked<BatchError?>(nil)

  /// Notes an error, unless there is one already.
  func note(_ error: BatchError) { self.error.withLock { $0 = $0 ?? error } }

  /// Throws the error that was noted, if there is one.
  func check() throws(BatchError) {
    if let error = error.withLock({ $0 }) { throw error }
  }
}
