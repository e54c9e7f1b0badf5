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

/// The end of a run by Ctrl-C or by the system: the run stops between two frames and cleans up.
enum Interruption {
  /// Notes the first SIGINT, SIGTERM or SIGHUP from now on; a second one ends the process as usual.
  static func watch() {
    // A handler may do no more than store a number, so the number must exist before the handler.
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
    // A process inherits the signals that its parent's thread blocks, and could then not be stopped.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whether such a signal has come.
  static var isNoted: Bool { received.load(ordering: .relaxed) != 0 }

  /// Throws if such a signal has come, with the exit status that shells give it.
  static func check() throws {
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    writeToStandardError("interrupted; nothing was written")
    throw ExitCode(128 + number)
  }
}
