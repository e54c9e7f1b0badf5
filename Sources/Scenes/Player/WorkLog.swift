// SPDX-License-Identifier: MIT
package import Murmuration

/// The work of a player's frames, advance by advance, which is kept for estimates alone: to count it takes longer than some
/// frames.
package struct WorkLog {
  var isKept = false
  private(set) var advances: [BatchWork] = []

  /// Keeps the work of the advance that a batch has just made.
  mutating func note(_ work: @autoclosure () -> BatchWork) { if isKept { advances.append(work()) } }

  /// The work since the last call.
  mutating func take() -> [BatchWork] {
    defer { advances.removeAll(keepingCapacity: true) }
    return advances
  }
}

extension ScenePlayer {
  /// Keeps the work of each advance from now on.
  package mutating func keepWork() { for index in groupRange { withLog(ofGroup: index) { $0.isKept = true } } }

  /// The work of each advance of the batch of a group since the last call.
  package mutating func takeWork(ofGroup group: Int) -> [BatchWork] { withLog(ofGroup: group) { $0.take() } }
}
