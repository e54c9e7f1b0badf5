// SPDX-License-Identifier: MIT
// Threads, and the means to wait for each other. Embedded builds have no threads: there the caller does all work.

#if hasFeature(Embedded)
  /// No threads, as if the system refused them.
  struct Threads: ~Copyable, Sendable {
    let count = 0
    let areHere = true
    init(count: Int, _ body: ThreadBody) {}
    func join() {}
    static func yield() {}
  }

  /// A gate at which no thread waits, as there is only one.
  struct Gate: ~Copyable, Sendable {
    func sleep(while condition: () -> Bool) {}
    func change(_ change: () -> Void) { change() }
  }
#else
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Threads that all run the same body.
  @safe
  struct Threads: ~Copyable, @unchecked Sendable {
    /// The number of threads that the system gave.
    let count: Int
    private let threads: UnsafeMutableBufferPointer<pthread_t>
    /// The process that has the threads.
    private let process = getpid()

    /// Whether this process has the threads. A process that `fork` made has none but the one that called it.
    var areHere: Bool { getpid() == process }

    init(count wanted: Int, _ body: ThreadBody) {
      unsafe threads = .allocate(capacity: wanted)
      var started = 0
      for _ in 0..<wanted {
        let context = unsafe Unmanaged.passRetained(body)
        #if canImport(Darwin)
          var thread: pthread_t?
        #else
          var thread = pthread_t()
        #endif
        guard unsafe pthread_create(&thread, nil, { unsafe Threads.main($0) }, context.toOpaque()) == 0 else {
          unsafe context.release()
          break
        }
        #if canImport(Darwin)
          unsafe threads[started] = thread.unsafelyUnwrapped
        #else
          unsafe threads[started] = thread
        #endif
        started += 1
      }
      count = started
    }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      unsafe Unmanaged<ThreadBody>.fromOpaque(context.unsafelyUnwrapped).takeRetainedValue().run()
      return nil
    }

    /// Waits until the body has returned in every thread that is here.
    func join() {
      guard areHere else { return }
      for index in 0..<count { unsafe pthread_join(threads[index], nil) }
    }

    deinit { unsafe threads.deallocate() }

    /// Lets other threads have the processor.
    static func yield() { sched_yield() }
  }

  /// A gate at which threads sleep until a condition has changed.
  @safe
  struct Gate: ~Copyable, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

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

    /// Sleeps as long as a condition holds. The condition is evaluated again after each ``change(_:)``.
    func sleep(while condition: () -> Bool) {
      unsafe pthread_mutex_lock(mutex)
      while condition() { unsafe pthread_cond_wait(wake, mutex) }
      unsafe pthread_mutex_unlock(mutex)
    }

    /// Makes a change on which conditions depend, and wakes all sleeping threads.
    func change(_ change: () -> Void) {
      unsafe pthread_mutex_lock(mutex)
      change()
      unsafe pthread_cond_broadcast(wake)
      unsafe pthread_mutex_unlock(mutex)
    }
  }
#endif

/// The body of a thread.
class ThreadBody: @unchecked Sendable {
  func run() {}
}
