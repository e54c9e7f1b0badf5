// SPDX-License-Identifier: MIT
import CProcessor
import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Threads that wait for parts of a frame, and do them without allocating: `concurrentPerform` of Dispatch allocates with
/// each call.
///
/// The caller is one of the workers, and takes parts from the first on; the others take them from the last on, so that
/// each tends to get the same tiles frame after frame. Nobody waits for a worker that has not woken yet: what it might have
/// done is done by those that are there. After a job the others watch for the next one for 20 to 30 µs, as frames of several
/// batches follow each other closely, and then sleep until they are woken.
@safe
final class WorkerPool: Sendable {
  /// Part `index` of `count` of a job; the pointer is the job's own.
  typealias Part = @Sendable (UnsafeMutableRawPointer, _ index: Int, _ count: Int) -> Void

  /// Workers, the caller included.
  let count: Int

  private let shared: Shared
  private nonisolated(unsafe) let threads: UnsafeMutableBufferPointer<pthread_t>

  /// What the threads see.
  @safe
  private final class Shared: Sendable {
    /// The job and the parts that nobody has taken.
    let ticket = Atomic<UInt64>(0)
    /// Parts of the job that are done.
    let finished = Atomic<Int>(0)
    let sleepers = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    // Written by the caller between jobs only, and read by those only who took a part.
    nonisolated(unsafe) var count = 1
    nonisolated(unsafe) var part: Part?
    nonisolated(unsafe) var context: UnsafeMutableRawPointer?
    nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    nonisolated(unsafe) let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
      unsafe pthread_mutex_init(mutex, nil)
      unsafe pthread_cond_init(wake, nil)
    }

    deinit {
      unsafe pthread_cond_destroy(wake)
      unsafe pthread_mutex_destroy(mutex)
      unsafe wake.deallocate()
      unsafe mutex.deallocate()
    }
  }

  /// A job's number, and the range of parts that nobody has taken, in one word that changes as a whole.
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

  /// A pool of `count` workers, at least one. Threads that the system refuses are done without.
  init(count: Int) {
    let wanted = max(1, count) - 1
    unsafe threads = .allocate(capacity: wanted)
    var started = 0
    let shared = Shared()
    for _ in 0..<wanted {
      let start = unsafe Unmanaged.passRetained(shared)
      var attributes = pthread_attr_t()
      unsafe pthread_attr_init(&attributes)
      let context = unsafe start.toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        let status = unsafe pthread_create(&thread, &attributes, { unsafe WorkerPool.main($0) }, context)
      #else
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, &attributes, { unsafe WorkerPool.main($0!) }, context)
      #endif
      unsafe pthread_attr_destroy(&attributes)
      guard status == 0 else {
        unsafe start.release()
        break
      }
      #if canImport(Darwin)
        unsafe threads[started] = thread.unsafelyUnwrapped
      #else
        unsafe threads[started] = thread
      #endif
      started += 1
    }
    self.shared = shared
    self.count = started + 1
  }

  deinit {
    unsafe pthread_mutex_lock(shared.mutex)
    shared.isOver.store(true, ordering: .releasing)
    unsafe pthread_cond_broadcast(shared.wake)
    unsafe pthread_mutex_unlock(shared.mutex)
    for index in 0..<count - 1 {
      unsafe pthread_join(threads[index], nil)
    }
    unsafe threads.deallocate()
  }

  /// Whether a worker would have to be woken, which takes the caller longer than a small job.
  var areAsleep: Bool { shared.sleepers.load(ordering: .relaxed) > 0 }

  /// Does all parts of a job, and returns when they are done. Never called from two threads at once, as its owner is a
  /// batch, which has one.
  ///
  /// - Parameter parts: How many there are, fewer than 2²⁰; several for each worker, so that a late one finds something.
  func run(_ context: UnsafeMutableRawPointer, parts: Int, _ part: @escaping Part) {
    unsafe shared.part = part
    unsafe shared.context = context
    unsafe shared.count = parts
    shared.finished.store(0, ordering: .relaxed)
    let job = Ticket(shared.ticket.load(ordering: .relaxed)).job + 1
    shared.ticket.store(
      Ticket(job: job & 0xFF_FFFF, first: 0, end: parts).word, ordering: .sequentiallyConsistent)
    if shared.sleepers.load(ordering: .sequentiallyConsistent) > 0 {
      unsafe pthread_mutex_lock(shared.mutex)
      unsafe pthread_cond_broadcast(shared.wake)
      unsafe pthread_mutex_unlock(shared.mutex)
    }
    Self.work(shared, fromFirst: true)
    var turns = 0
    while shared.finished.load(ordering: .acquiring) < parts {
      turns += 1
      if turns > 1000 {
        sched_yield()
      }
    }
  }

  /// Takes parts of the job and does them until none is left.
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
      // The caller stays with a job until every part that was taken is done; so what it wrote is there.
      if let part = unsafe shared.part, let context = unsafe shared.context {
        unsafe part(context, index, shared.count)
      }
      shared.finished.wrappingAdd(1, ordering: .releasing)
      word = shared.ticket.load(ordering: .acquiring)
    }
  }

  /// Turns of watching, each with a pause that lets the other half of a core work: 25 µs as measured on Zen 5; a
  /// pause is longer on some processors.
  private static let watchfulTurns = 1000

  private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let shared = unsafe Unmanaged<Shared>.fromOpaque(argument).takeRetainedValue()
    let job = { Ticket(shared.ticket.load(ordering: .sequentiallyConsistent)).job }
    var done: UInt64 = 0
    while true {
      var turns = 0
      while job() == done, turns < watchfulTurns {
        turns += 1
        processor_relax()
      }
      if job() == done {
        unsafe pthread_mutex_lock(shared.mutex)
        shared.sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        while job() == done, !shared.isOver.load(ordering: .acquiring) {
          unsafe pthread_cond_wait(shared.wake, shared.mutex)
        }
        shared.sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        unsafe pthread_mutex_unlock(shared.mutex)
      }
      if shared.isOver.load(ordering: .acquiring) {
        return nil
      }
      done = job()
      work(shared, fromFirst: false)
    }
  }
}
