// SPDX-License-Identifier: MIT
import Murmuration

/// What a track of a group shows.
enum TrackState {
  /// Nothing: it is not born yet, or dead.
  case absent
  /// A motion.
  case moving
  /// Exactly its target, and no velocity.
  case atRest
}

/// Plays a group of springs through a batch of its own.
///
/// A class only because arrays hold no noncopyable values: each has one owner, its `ScenePlayer`.
protocol KernelGroupPlayer: AnyObject {
  /// The number of tracks.
  var count: Int { get }
  /// Whether tracks may be absent.
  var hasAbsentTracks: Bool { get }
  /// What the kernels took, and what happened.
  var clock: KernelClock { get }
  /// What the batch takes for rest.
  var restTolerance: RestTolerances { get }

  /// Plays to `time`: every change until then happens at its own moment. Ends early when it is stopped.
  func advance(to time: Double, unless isStopped: () -> Bool) throws(BatchError)

  /// Notes from now on what becomes of some tracks, whose numbers ascend.
  func watch(_ tracks: [Int])
  /// What was noted since the last call, in the order in which it happened.
  func takeNotes() -> [RetargetNote]
  /// What a track shows.
  func state(of track: Int) throws(BatchError) -> TrackState

  /// Lends the values of one component, track after track; those of absent tracks are NaN.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R
  /// Lends the velocities of one component, track after track; those of absent tracks are NaN.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R
}
