// SPDX-License-Identifier: MIT

/// State that lasts from frame to frame, so that frames need not allocate.
struct FrameState {
  /// The runs of a frame that threads share, and the running sums of their costs.
  var runs: [FrameTiles.Run] = []
  var costs: [Int] = []
  /// The tiles of springs in which a frame has found lanes that completed or came to rest.
  var marked: [(tile: Int32, mark: SpringWatch.Mark)] = []
  /// Whether the program reads the results of frames, or takes many of them over. So frames are stored for it.
  var resultsAreUsed = true
  /// See ``BatchWork/dueTracks``.
  var dueCount = 0
  /// See ``BatchWork/computedEnds``.
  var computedEndCount = 0
  var workers: WorkerPool?
  var parallelCost = ParallelCost()

  /// The least costs that are worth sharing among threads, in uniform tiles. Such a tile takes about 1.5 ns on Zen
  /// 5.
  struct ParallelCost {
    /// While the other threads watch for work, as they do if batches advance one after the other: some 20 µs on Zen 5.
    var watching = 12_000
    /// If the caller has to wake them first, which takes it longer than a short frame: some 90 µs on Zen 5.
    var asleep = 60_000
  }

  /// Threads that frames may use, the caller's included.
  var threadCount: Int {
    get { workers?.count ?? 1 }
    set { if min(max(1, newValue), 64) != threadCount { workers = .threads(newValue) } }
  }
}

extension WorkerPool {
  /// Threads for frames, the caller's included, clamped to 1…64; nil for the caller's alone.
  package static func threads(_ count: Int) -> WorkerPool? { count > 1 ? WorkerPool(count: min(count, 64)) : nil }
}

/// The clock of a batch, which sums with compensation, so that many small steps lose nothing.
package struct BatchClock: BitwiseCopyable {
  /// The time in seconds.
  package var time = 0.0
  /// The part of the sum of steps that was lost to rounding.
  private var lost = 0.0

  package init(time: Double = 0) { self.time = time }

  /// The clock after a number of seconds.
  ///
  /// - Throws: ``BatchError/invalidTime(_:)`` if they are not finite. The caller checks the new time.
  package func after(_ seconds: Double) throws(BatchError) -> BatchClock {
    guard seconds.isFinite else { throw .invalidTime(seconds) }
    let step = seconds - lost
    let sum = time + step
    // This difference is exact even if the step is longer than the time so far. Otherwise an advance by 0 might go back
    // by a rounding.
    let added = sum - time
    var next = BatchClock(time: sum)
    next.lost = (sum - added - time) + (added - step)
    return next
  }

  /// Begins another sum at the current time.
  mutating func forgetLoss() { lost = 0 }
}
