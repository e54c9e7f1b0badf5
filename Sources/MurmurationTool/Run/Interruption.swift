// SPDX-License-Identifier: MIT
import ArgumentParser
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signal that asked the process to end, or 0.
private let received = Atomic<Int32>(0)

/// A user who stops a run with Ctrl-C, or a system that ends it: the run stops between two frames and cleans up.
enum Interruption {
  /// From now on the first SIGINT, SIGTERM or SIGHUP is noted; a second one ends the process as ever.
  static func watch() {
    // A handler may do nothing but store a number: so the number exists before there is a handler.
    received.store(0, ordering: .relaxed)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      sigaddset(&signals, number)
      signal(number) { number in
        received.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
    // A process that was started from a thread without signals inherits that; it could not be stopped.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Throws when such a signal came, with the exit status that shells give to it.
  static func check() throws {
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    writeToStandardError("interrupted; nothing was written")
    throw ExitCode(128 + number)
  }
}
