// SPDX-License-Identifier: MIT

/// An event that a batch must report about a track.
package struct ReferenceEvent: Equatable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The motion of a change is over as far as people can tell.
    case logicallyComplete
    /// The motion of a change is at rest.
    case settled
    /// A clip begins an iteration, counted from 0. The one that a playback begins with is not reported.
    case iteration(Int)
    /// A schedule leaves for a phase.
    case phase(Int)
    /// A run through all phases is over.
    case phasesEnd
  }

  package let kind: Kind
  /// The number of the change, counted for each track.
  package let change: Int
  /// When it happens, on the batch's clock: from the first right moment to the last.
  package var moment: ClosedRange<Double>
}
