// SPDX-License-Identifier: MIT

/// What the clips or the phases of a run took: measured around the calls of a batch alone.
package struct PlaybackClock: Equatable, Sendable {
  /// The seconds spent in `advance`.
  package internal(set) var seconds = 0.0
  /// The tracks of the batch, summed over its advances.
  package internal(set) var evaluations = 0
  /// The seconds spent in changes: tracks taken, let go and triggered.
  package internal(set) var changeSeconds = 0.0
  /// These changes of a track.
  package internal(set) var changes = 0
  /// The playbacks and runs of phases that ended.
  package internal(set) var completions = 0
  /// The times that a playback began again, or a track left for another phase.
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
///
/// A class only because arrays hold no noncopyable values: each has one owner, its `ScenePlayer`.
protocol PlaybackGroupPlayer: AnyObject {
  /// The number of tracks.
  var count: Int { get }
  /// What the batch took, and what happened.
  var clock: PlaybackClock { get }

  /// Plays to `time`: every change until then happens at its own moment. Ends early when it is stopped.
  func advance(to time: Double, unless isStopped: () -> Bool) throws

  /// Lends the values of one component, track after track.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R
  /// Lends the velocities of one component, track after track.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R
}
