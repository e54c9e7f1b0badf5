// SPDX-License-Identifier: MIT
import Murmuration

/// The state of a track of a group.
package enum TrackState {
  /// The track is not born yet, or dead.
  case absent
  /// The track moves.
  case moving
  /// The track is exactly at its target, with velocity 0.
  case atRest
}

/// Plays a group of springs.
protocol KernelGroupPlayer: BatchGroupPlayer {
  /// Whether tracks may be absent.
  var hasAbsentTracks: Bool { get }
  /// The work of the kernels and of the calls.
  var clock: KernelClock { get }

  /// Plays to `time`: every change until then happens at its own moment. Ends early once `isStopped` says so.
  func advance(to time: Double, unless isStopped: () -> Bool) throws(BatchError)

  /// Begins to note the changes of some tracks, whose indices ascend.
  func watch(_ tracks: [Int])
  /// The notes since the last call, in the order in which they were made.
  func takeNotes() -> [RetargetNote]
  /// The state of a track.
  func state(of track: Int) -> TrackState
}
