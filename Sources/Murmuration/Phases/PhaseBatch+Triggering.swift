// SPDX-License-Identifier: MIT

extension PhaseBatch {
  /// Has a track run through all phases once, from now on; it sets out with the next advance, at this moment.
  ///
  /// If it is under way it first returns to phase 0, with the animation to that phase; so does a looping track, and then
  /// loops again. A second trigger at the same moment changes nothing, and neither does one of a track that is paused, or
  /// whose sequence has fewer than two phases.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  /// - Complexity: O(1), amortised.
  public mutating func trigger(_ handle: TrackHandle) throws(BatchError) {
    trigger(slot: try slot(of: handle))
  }

  /// Triggers many tracks, as ``trigger(_:)-(TrackHandle)`` does each.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is triggered then.
  public mutating func trigger(_ handles: Span<TrackHandle>) throws(BatchError) {
    for index in handles.indices {
      _ = try slot(of: handles[index])
    }
    for index in handles.indices {
      trigger(slot: handles[index].index)
    }
  }

  private mutating func trigger(slot: Int) {
    let clock = clocks[slot]
    guard sequence.phaseCount > 1, !clock.isPaused, clock.next != time else { return }
    let isAtRest = playback == .triggered && !clock.isRunning
    clocks[slot].isRunning = true
    clocks[slot].returns = !isAtRest
    clocks[slot].isOnSchedule = false
    clocks[slot].cycle = 0
    clocks[slot].origin = time
    clocks[slot].next = time
    schedule.set(slot, time)
  }

  // MARK: - Pauses

  /// Stops a track where it is: its value stays, its velocity is 0, and time passes without it.
  ///
  /// A track that is paused stays so; steps that are due at this very moment are taken once it goes on.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public mutating func pause(_ handle: TrackHandle) throws(BatchError) {
    let slot = try slot(of: handle)
    guard !clocks[slot].isPaused else { return }
    clocks[slot].isPaused = true
    pauses[slot] = time
    // Steps wait by the clock's `next`, which stays; what does not wait is not looked at.
    schedule.set(slot, .infinity)
    if springSteps != nil {
      held[slot] = springs.hold(slot)
    } else {
      curves.pause(slot: slot)
    }
  }

  /// Lets a paused track go on from where it stopped, with the velocity that it had; one that is not paused does anyway.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public mutating func resume(_ handle: TrackHandle) throws(BatchError) {
    let slot = try slot(of: handle)
    guard clocks[slot].isPaused, let since = pauses.removeValue(forKey: slot) else { return }
    clocks[slot].isPaused = false
    clocks[slot].origin += time - since
    clocks[slot].next += time - since
    if springSteps == nil {
      curves.resume(slot: slot)
    } else if let motion = held.removeValue(forKey: slot) {
      springs.release(slot, motion)
    }
    schedule.set(slot, clocks[slot].next)
  }

  /// Whether a track is paused.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func isPaused(_ handle: TrackHandle) throws(BatchError) -> Bool { clocks[try slot(of: handle)].isPaused }

  // MARK: - Departures

  /// Removes a track: its handle goes stale, and its index is taken by the next track that comes.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(1).
  public mutating func remove(_ handle: TrackHandle) throws(BatchError) {
    let slot = try slot(of: handle)
    if springSteps != nil {
      try springs.remove(handle)
    } else {
      try curves.remove(handle)
    }
    forget(slot)
  }

  /// Removes tracks. One that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  public mutating func remove(_ handles: Span<TrackHandle>) throws(BatchError) {
    if springSteps != nil {
      try springs.remove(handles)
    } else {
      try curves.remove(handles)
    }
    for index in handles.indices {
      forget(handles[index].index)
    }
  }

  /// Removes every track; memory stays reserved.
  public mutating func removeAll() {
    springs.removeAll()
    curves.removeAll()
    for slot in clocks.indices {
      forget(slot)
    }
  }

  private mutating func forget(_ slot: Int) {
    clocks[slot] = PhaseClock(origin: 0, next: .infinity)
    schedule.set(slot, .infinity)
    held[slot] = nil
    pauses[slot] = nil
  }
}
