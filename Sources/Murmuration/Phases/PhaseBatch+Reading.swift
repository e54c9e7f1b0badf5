// SPDX-License-Identifier: MIT

extension PhaseBatch: TrackBatch {
  /// The phase that a track shows or heads for.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func phase(of handle: TrackHandle) throws(BatchError) -> Int { Int(clocks[try slot(of: handle)].phase) }

  /// When a track takes its next step, on the batch's clock: infinite if none is to come, as at the end of a triggered run,
  /// in a pause, or under an animation that never is complete.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func nextStepTime(of handle: TrackHandle) throws(BatchError) -> Double {
    let clock = clocks[try slot(of: handle)]
    // Back at phase 0 a triggered run has its end to come, but no step.
    let ends = playback == .triggered && clock.phase == 0 && clock.cycle > 0 && !clock.returns
    return clock.isPaused || ends ? .infinity : clock.next
  }

  /// Where the tracks stand, and what they show.
  public var columns: TrackColumns { springSteps != nil ? springs.columns : curves.columns }

  /// Computes the velocities of the current time, where ``computesVelocities`` left them out.
  public mutating func refreshVelocities() {
    if springSteps != nil {
      springs.refreshVelocities()
    } else {
      curves.refreshVelocities()
    }
  }
}
