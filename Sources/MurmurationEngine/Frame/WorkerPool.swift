// SPDX-License-Identifier: MIT
import CProcessor
import Synchronization

/// Threads that wait for parts of a frame, and do them without allocating: `concurrentPerform` of Dispatch allocates with
/// each call.
///
/// The caller is one of the workers, and takes parts from the first on; the others take them from the last on, so that
/// each tends to get the same tiles frame after frame. No thread waits for a worker that has not woken yet: the others
/// do its parts. After a job the others watch for the next one for a short time, as frames of several batches follow
/// each other closely. Then they sleep until they are woken.
///
/// A process that `fork` made has a copy of the pool and none of its threads. There the caller is the only worker.
@safe
package final class WorkerPool: Sendable {
  /// Does part `index` of `count` of a job, whose context the pointer names.
  package typealias Part = @Sendable (UnsafeMutableRawPointer, _ index: Int, _ count: Int) -> Void

  /// The number of workers, the caller included.
  package var count: Int { threads.areHere ? threads.count + 1 : 1 }

  private let shared: Shared
  private let threads: Threads

  /// The state that all threads see.
  @safe
  private final class Shared: ThreadBody, @unchecked Sendable {
    /// The number of the job, and its parts that no worker has taken: a ``Ticket`` as one word.
    let ticket = Atomic<UInt64>(0)
    /// The number of parts of the job that are done.
    let finished = Atomic<Int>(0)
    let sleepers = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    let isClaimed = Atomic<Bool>(false)
    // The caller writes these only between jobs, and only workers that took a part read them.
    nonisolated(unsafe) var count = 1
    nonisolated(unsafe) var part: Part?
    nonisolated(unsafe) var context: UnsafeMutableRawPointer?
    let gate = Gate()

    /// Watches for jobs, and does their parts, until the pool is over.
    override func run() { WorkerPool.watch(self) }
  }

  /// The number of a job, and the range of parts that no worker has taken, in one word that changes as a whole.
  private struct Ticket {
    var job: UInt64
    var first: Int
    var end: Int

    static let partBits: UInt64 = 20

    init(job: UInt64, first: Int, end: Int) { (self.job, self.first, self.end) = (job, first, end) }

    init(_ word: UInt64) {
      let mask = UInt64(1) << Self.partBits - 1
      job = word >> (2 * Self.partBits)
      first = Int(word >> Self.partBits & mask)
      end = Int(word & mask)
    }

    var word: UInt64 { job << (2 * Self.partBits) | UInt64(first) << Self.partBits | UInt64(end) }
  }

  /// A pool of `count` workers, at least one. It has fewer if the system refuses threads.
  package init(count: Int) {
    shared = Shared()
    threads = Threads(count: max(1, count) - 1, shared)
  }

  deinit {
    // A lock that another thread held during `fork` is never released in the new process.
    guard threads.areHere else { return }
    shared.gate.change { shared.isOver.store(true, ordering: .releasing) }
    threads.join()
  }

  /// Claims the workers for a caller, as several threads may want them: they may bake one batch at the same time.
  ///
  /// - Returns: Whether they were free; ``giveBack()`` must follow then.
  func claim() -> Bool { !shared.isClaimed.exchange(true, ordering: .acquiring) }

  /// Gives up the claim, so that other callers can have the workers.
  func giveBack() { shared.isClaimed.store(false, ordering: .releasing) }

  /// Whether a worker would have to be woken, which takes the caller longer than a small job.
  var areAsleep: Bool { shared.sleepers.load(ordering: .relaxed) > 0 }

  /// Does all parts of a job, and returns when they are done. It must not be called from two threads at once: a caller
  /// owns the batch of the pool, or has claimed the workers.
  ///
  /// - Parameter parts: The number of parts, less than 2²⁰: several for each worker, so that a worker that wakes late
  ///   finds one.
  package func run(_ context: UnsafeMutableRawPointer, parts: Int, _ part: @escaping Part) {
    guard threads.areHere else {
      for index in 0..<parts { unsafe part(context, index, parts) }
      return
    }
    unsafe shared.part = part
    unsafe shared.context = context
    unsafe shared.count = parts
    shared.finished.store(0, ordering: .relaxed)
    let job = Ticket(shared.ticket.load(ordering: .relaxed)).job + 1
    shared.ticket.store(
      Ticket(job: job & 0xFF_FFFF, first: 0, end: parts).word, ordering: .sequentiallyConsistent)
    if shared.sleepers.load(ordering: .sequentiallyConsistent) > 0 {
      shared.gate.change {}
    }
    Self.work(shared, fromFirst: true)
    var turns = 0
    while shared.finished.load(ordering: .acquiring) < parts {
      turns += 1
      if turns > 1000 {
        Threads.yield()
      }
    }
  }

  /// Takes parts of the job and does them until no part is left.
  private static func work(_ shared: Shared, fromFirst: Bool) {
    var word = shared.ticket.load(ordering: .acquiring)
    while true {
      var ticket = Ticket(word)
      guard ticket.first < ticket.end else {
        return
      }
      let index = fromFirst ? ticket.first : ticket.end - 1
      if fromFirst {
        ticket.first += 1
      } else {
        ticket.end -= 1
      }
      let (isTaken, original) = shared.ticket.compareExchange(
        expected: word, desired: ticket.word, ordering: .acquiringAndReleasing)
      guard isTaken else {
        word = original
        continue
      }
      // The caller stays with a job until every part that was taken is done, so what it wrote is still there.
      if let part = unsafe shared.part, let context = unsafe shared.context {
        unsafe part(context, index, shared.count)
      }
      shared.finished.wrappingAdd(1, ordering: .releasing)
      word = shared.ticket.load(ordering: .acquiring)
    }
  }

  /// The number of turns of watching, each with a pause that lets the other thread of a core work. They take 25 µs on
  /// Zen 5; a pause is longer on some processors.
  private static let watchfulTurns = 1000

  private static func watch(_ shared: Shared) {
    let job = { Ticket(shared.ticket.load(ordering: .sequentiallyConsistent)).job }
    var done: UInt64 = 0
    while true {
      var turns = 0
      while job() == done, turns < watchfulTurns {
        turns += 1
        processor_relax()
      }
      if job() == done {
        shared.sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        shared.gate.sleep { job() == done && !shared.isOver.load(ordering: .acquiring) }
        shared.sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      }
      if shared.isOver.load(ordering: .acquiring) {
        return
      }
      done = job()
      work(shared, fromFirst: false)
    }
  }
}

extension WorkerPool {
  /// Threads for frames, the caller's included, clamped to 1…64; nil for the caller's alone.
  package static func threads(_ count: Int) -> WorkerPool? { count > 1 ? WorkerPool(count: min(count, 64)) : nil }
}
