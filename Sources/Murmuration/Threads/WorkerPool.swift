// SPDX-License-Identifier: MIT
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
/// The caller is one of the workers. The others watch for work for some microseconds after each job, as frames of several
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
    /// Raised with each job: a worker that sees another number than its last one has a part to do.
    let job = Atomic<Int>(0)
    /// Workers that have not finished their part.
    let busy = Atomic<Int>(0)
    let sleepers = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    // Written by the caller between jobs only, and published by `job`.
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

  /// One thread's start: what it shares, and which worker it is.
  private final class Start: Sendable {
    let shared: Shared
    let index: Int
    init(_ shared: Shared, _ index: Int) { (self.shared, self.index) = (shared, index) }
  }

  /// A pool of `count` workers, at least one. Threads that the system refuses are done without.
  init(count: Int) {
    let wanted = max(1, count) - 1
    unsafe threads = .allocate(capacity: wanted)
    var started = 0
    let shared = Shared()
    for index in 0..<wanted {
      let start = unsafe Unmanaged.passRetained(Start(shared, index + 1))
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
    unsafe shared.count = started + 1
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

  /// Does all parts of a job, and returns when they are done. Never called from two threads at once, as its owner is a
  /// batch, which has one.
  func run(_ context: UnsafeMutableRawPointer, _ part: @escaping Part) {
    unsafe shared.part = part
    unsafe shared.context = context
    shared.busy.store(count - 1, ordering: .relaxed)
    shared.job.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if shared.sleepers.load(ordering: .sequentiallyConsistent) > 0 {
      unsafe pthread_mutex_lock(shared.mutex)
      unsafe pthread_cond_broadcast(shared.wake)
      unsafe pthread_mutex_unlock(shared.mutex)
    }
    unsafe part(context, 0, count)
    var turns = 0
    while shared.busy.load(ordering: .acquiring) > 0 {
      turns += 1
      if turns > 1000 {
        sched_yield()
      }
    }
  }

  private static let watchfulTurns = 4000

  private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    let shared = start.shared
    var done = 0
    while true {
      var turns = 0
      while shared.job.load(ordering: .acquiring) == done, turns < watchfulTurns {
        turns += 1
      }
      if shared.job.load(ordering: .acquiring) == done {
        unsafe pthread_mutex_lock(shared.mutex)
        shared.sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        while shared.job.load(ordering: .sequentiallyConsistent) == done, !shared.isOver.load(ordering: .acquiring) {
          unsafe pthread_cond_wait(shared.wake, shared.mutex)
        }
        shared.sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        unsafe pthread_mutex_unlock(shared.mutex)
      }
      if shared.isOver.load(ordering: .acquiring) {
        return nil
      }
      done += 1
      if let part = unsafe shared.part, let context = unsafe shared.context {
        unsafe part(context, start.index, shared.count)
      }
      shared.busy.wrappingSubtract(1, ordering: .releasing)
    }
  }
}
