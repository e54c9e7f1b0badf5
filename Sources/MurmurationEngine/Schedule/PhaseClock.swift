// SPDX-License-Identifier: MIT

/// The position of one track in its sequence.
struct PhaseClock {
  /// When the run began, with its first step from phase 0.
  var origin: Double
  /// When the next step begins, or when a run that is back at phase 0 is complete; infinite if nothing is to come.
  var next: Double
  /// Whole rounds since the origin.
  var cycle: Int64 = 0
  /// The phase that is shown or headed for.
  var phase: Int32 = 0
  /// Whether the motion under way began with a step of this run, so that its age at the next step is known.
  var isOnSchedule = false
  /// Whether the next step leads back to phase 0, as a run was triggered again before its end.
  var returns = false
  /// Whether a triggered run is under way.
  var isRunning = false
  /// Whether the clock stands still, as its track is paused.
  var isPaused = false
}
