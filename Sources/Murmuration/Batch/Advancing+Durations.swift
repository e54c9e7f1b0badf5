// SPDX-License-Identifier: MIT

// Embedded builds have no durations.
#if !hasFeature(Embedded)
  extension AnimationBatch {
    /// Evaluates every track at a time since the batch's time 0: see ``advance(to:velocities:)``.
    ///
    /// - Throws: As for the same time in seconds.
    public mutating func advance(to time: Duration) throws(BatchError) {
      try advance(to: time.seconds)
    }

    /// Moves the clock by a duration, and evaluates every track: see ``advance(by:velocities:)``.
    ///
    /// - Throws: As for the same number of seconds.
    public mutating func advance(by step: Duration) throws(BatchError) {
      try advance(by: step.seconds)
    }
  }

  extension Particles {
    /// Evaluates every property of every particle at a time since time 0: see ``advance(to:velocities:)``.
    ///
    /// - Throws: As for the same time in seconds.
    public mutating func advance(to time: Duration) throws(BatchError) {
      try advance(to: time.seconds)
    }

    /// Moves the clock by a duration, and evaluates every property: see ``advance(by:velocities:)``.
    ///
    /// - Throws: As for the same number of seconds.
    public mutating func advance(by step: Duration) throws(BatchError) {
      try advance(by: step.seconds)
    }
  }
#endif
