// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Threads that ``advance(to:)`` may use, the caller's included: 1…64, others are taken for the nearest. Default 1: no
  /// thread is started unasked.
  ///
  /// The bits do not depend on it. A frame too short to gain from it is evaluated by the caller alone: below some 100 µs of
  /// work where the threads sleep, 20 µs where they still watch for work after another frame.
  public var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      let count = min(max(1, newValue), 64)
      if count != threadCount {
        workers = count > 1 ? WorkerPool(count: count) : nil
      }
    }
  }

  /// Enough for a worker that wakes late to take its share of what is left, and few enough for runs of many tiles.
  private static let partsPerWorker = 16

  /// The least costs, in tiles of a cohort, that are worth being shared among threads. Such a tile takes 1.6 ns.
  struct ParallelCost {
    /// While the others watch for work, as those of batches that advance one after the other do: 20 µs.
    var watching = 12_000
    /// Where they have to be woken first, which was measured to cost the caller 30 µs: 100 µs.
    var asleep = 60_000
  }

  /// Runs the kernels of the last frame again, and nothing else: what a benchmark compares a whole frame with.
  package mutating func runKernels() { run(velocities: computesVelocities) }

  /// Runs the kernels that the plan says.
  mutating func run(velocities: Bool) { execute(frame(velocities: velocities)) }

  /// Runs them for a new time: looks at the mixed tiles that are due as well, and writes the velocities of what falls asleep.
  mutating func runAndLook(sharedFellAsleep: Bool) {
    var frame = frame(velocities: computesVelocities)
    frame.sharedVelocities = sharedFellAsleep
    let workers = workersWorthWaking(for: frame)
    tiles.withWatch { watch in
      frame.watch = watch
      Self.execute(&frame, workers)
    }
  }

  private mutating func frame(velocities: Bool) -> Frame {
    Frame.sumCosts(of: plan.steps, cohorts, into: &costs)
    return unsafe Frame(
      table: table, columns: storage.columns, track: storage.track, steps: plan.steps, costs: costs,
      cohorts: cohorts, time: time, velocities: velocities,
      stores: .init(touching: bytesPerFrame(velocities: velocities)),
      tolerance: tolerance.kernel)
  }

  private func execute(_ frame: consuming Frame) {
    Self.execute(&frame, workersWorthWaking(for: frame))
  }

  private func workersWorthWaking(for frame: Frame) -> WorkerPool? {
    guard let workers else {
      return nil
    }
    let least = workers.areAsleep ? parallelCost.asleep : parallelCost.watching
    return frame.cost * dimensions >= least ? workers : nil
  }

  private static func execute(_ frame: inout Frame, _ workers: WorkerPool?) {
    guard frame.cost > 0 else {
      return
    }
    guard let workers else {
      frame.evaluate(part: 0, of: 1)
      return
    }
    unsafe withUnsafeMutablePointer(to: &frame) { frame in
      unsafe workers.run(frame, parts: partsPerWorker * workers.count) { frame, index, count in
        unsafe frame.assumingMemoryBound(to: Frame.self).pointee.evaluate(part: index, of: count)
      }
    }
  }
}
