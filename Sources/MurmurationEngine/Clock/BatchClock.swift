// SPDX-License-Identifier: MIT
import Kernels

/// The clock of a batch, which sums with compensation, so that many small steps lose nothing.
package struct BatchClock: BitwiseCopyable {
  /// The time in seconds.
  package var time = 0.0
  /// The part of the sum of steps that was lost to rounding.
  private var lost = 0.0

  package init(time: Double = 0) { self.time = time }

  /// The clock after a number of seconds.
  ///
  /// - Throws: ``BatchError/invalidTime(_:)`` if they are not finite. The caller checks the new time.
  package func after(_ seconds: Double) throws(BatchError) -> BatchClock {
    guard seconds.isFinite else { throw .invalidTime(seconds) }
    let step = seconds - lost
    let sum = time + step
    // This difference is exact even if the step is longer than the time so far. Otherwise an advance by 0 might go back
    // by a rounding.
    let added = sum - time
    var next = BatchClock(time: sum)
    next.lost = (sum - added - time) + (added - step)
    return next
  }

  /// Begins another sum at the current time.
  mutating func forgetLoss() { lost = 0 }
}

// The latest change of a motion or a schedule: the clock does not go back before it, and no bake begins before it.
extension Engine {
  /// No motion or schedule was changed after this.
  var latestChange: Double {
    // A step cannot be taken back.
    follows.count > 0
      ? time
      : max(
        max(springs.latestStart, clips.latestChange, curves.latestStart),
        max(called.latestChange, phases.latestStep, pauses.latest))
  }

  /// When the motion or the schedule of one of some live tracks was changed last; the earliest time if all of them stand.
  ///
  /// - Complexity: O(indices).
  func latestChange(of indices: Range<Int>) -> Double {
    indices.reduce(-BatchLimits.maximumTime) { max($0, latestChange(at: $1)) }
  }

  private func latestChange(at index: Int) -> Double {
    guard tracks.indices.isLive(index) else { return -BatchLimits.maximumTime }
    let kind = tracks.tiles.kind(at: index)
    var latest = pauses.isEmpty ? -BatchLimits.maximumTime : pauses[index]?.since ?? -BatchLimits.maximumTime
    if let track = phases.player(index) { latest = max(latest, track.latest) }
    if kind == .spring { return max(latest, springs.columns.start[index]) }
    if kind == .curves { return max(latest, curves.start(at: index)) }
    if kind == .following { return time }
    if kind.isClip { return max(latest, clips.columns.states[index].changed) }
    return kind == .called ? max(latest, called[index].changed) : latest
  }

  /// Notes that no live track was changed after a time: later changes were those of tracks that have changed again since
  /// or were removed.
  mutating func lowerLatestChanges(to latest: Double) {
    springs.latestStart = min(springs.latestStart, latest)
    clips.latestChange = min(clips.latestChange, latest)
    curves.latestStart = min(curves.latestStart, latest)
    phases.latestStep = min(phases.latestStep, latest)
    pauses.latest = min(pauses.latest, latest)
  }
}
