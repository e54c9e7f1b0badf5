// SPDX-License-Identifier: MIT
package import Murmuration

/// The rules for all tracks of a batch.
package struct ReferenceRules: Sendable {
  /// The tolerances of rest.
  package var restTolerance: RestTolerances
  /// The tolerance with which curves are fitted, as a share of their way.
  package var curveTolerance = 0x1p-16
  /// The behaviour of a track whose value a hand sets.
  package enum Hands: Sendable {
    /// The track stays there until the next call, with the given velocity.
    case hold
    /// The track stays there, at rest.
    case place
    /// The track goes on to its target from there.
    case release
  }

  package var hands = Hands.hold
  /// Whether springs that take over are evaluated as sums are, by the model.
  package var springsJoinSums = false
  /// Whether a track that follows no spring keeps the last one that it followed; otherwise it has `Spring()`.
  package var keepsSprings = true

  package init(restTolerance: RestTolerances) { self.restTolerance = restTolerance }
}
