// SPDX-License-Identifier: MIT

/// An event that a batch must report about a track, or may.
package struct ReferenceEvent: Equatable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The motion of a change is over as far as people can tell.
    case logicallyComplete
    /// The motion of a change is at rest.
    case settled
    /// A clip begins an iteration, counted from 0. The one that a playback begins with is not reported, and of several
    /// on the way to one frame only the last is.
    case iteration(Int)
    /// A schedule leaves for a phase.
    case phase(Int)
    /// The goal of a track that follows is no number any more.
    case invalidGoal

    /// The events at the end of every motion.
    static let completion: Set<Kind> = [.logicallyComplete, .settled]
  }

  package let kind: Kind
  /// The number of the change that began the motion, or of the call that began the schedule.
  package let change: Int
  /// When it happens, on the batch's clock: from the first right moment to the last. A batch whose clock has passed the
  /// last must have reported it.
  package var moment: ClosedRange<Double>
}
