// SPDX-License-Identifier: MIT
import Synchronization

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
