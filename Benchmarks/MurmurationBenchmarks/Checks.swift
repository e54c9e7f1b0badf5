// SPDX-License-Identifier: MIT
import Benchmark
import Foundation

// `Benchmark.error(_:)`, and so an error thrown from a benchmark, leaves the exit status at 0: a run with wrong results
// would pass. These functions end the process instead, which the plugin reports as a failure.

/// Ends the run with a message.
func endRun(_ name: String, _ complaint: String) -> Never {
  FileHandle.standardError.write(Data("\(name): \(complaint)\n".utf8))
  exit(1)
}

/// The result of `body`; ends the run if it throws.
func orExit<T>(_ name: String, _ body: () throws -> T) -> T {
  do {
    return try body()
  } catch {
    endRun(name, "\(error)")
  }
}

extension Benchmark {
  /// Ends the run if a benchmark's result is wrong.
  func check(_ isRight: Bool, _ complaint: @autoclosure () -> String) {
    if !isRight {
      endRun(name, complaint())
    }
  }
}
