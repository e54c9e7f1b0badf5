// SPDX-License-Identifier: MIT

/// The time that the animations, the clips or the phases of a run took, measured around the calls of a batch alone.
package struct PlaybackClock: Equatable, Sendable {
  /// The seconds spent in `advance`.
  package internal(set) var seconds = 0.0
  /// The number of the batch's tracks, summed over its advances.
  package internal(set) var evaluations = 0
  /// The seconds spent in changes: tracks sent to targets, taken, let go and triggered.
  package internal(set) var changeSeconds = 0.0
  /// The number of these changes of a track.
  package internal(set) var changes = 0
  /// The number of animations, playbacks and runs of phases that ended.
  package internal(set) var completions = 0
  /// The number of times that a playback began again, or a track set out for another phase.
  package internal(set) var turns = 0

  /// A clock that has measured nothing.
  package init() {}

  static func + (left: PlaybackClock, right: PlaybackClock) -> PlaybackClock {
    var sum = left
    sum.seconds += right.seconds
    sum.evaluations += right.evaluations
    sum.changeSeconds += right.changeSeconds
    sum.changes += right.changes
    sum.completions += right.completions
    sum.turns += right.turns
    return sum
  }
}

/// Plays a group of tracks that move by themselves.
protocol PlaybackGroupPlayer: BakingGroupPlayer {
  /// The work of the batch and of the calls.
  var clock: PlaybackClock { get }

  /// Plays to `time`: every change until then happens at its own moment. Ends early once `isStopped` says so.
  func advance(to time: Double, unless isStopped: () -> Bool) throws
}
