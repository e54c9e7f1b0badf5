// SPDX-License-Identifier: MIT

// Embedded builds have no durations.
#if !hasFeature(Embedded)
  extension Duration {
    /// The length in seconds, for every call that takes seconds: `batch.animate(dots, to: goals, delay: pause.seconds)`.
    ///
    /// A duration of whole nanoseconds below 104 days becomes the nearest `Double`, so that `.milliseconds(100)` is `0.1`.
    /// Any other is within 0.51 units in the last place.
    public var seconds: Double {
      let (seconds, attoseconds) = components
      let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      // With fewer seconds a Double holds the whole nanoseconds; with more, the rounding of attoseconds does not show.
      guard seconds.magnitude < 9_007_199 else { return Double(seconds) + Double(attoseconds) / 1e18 }
      let whole = Double(seconds * 1_000_000_000 + nanoseconds)
      let quotient = whole / 1e9
      // What the division rounded away is added with the rest, so that the sum is rounded once.
      return quotient + (whole.addingProduct(-quotient, 1e9) / 1e9 + Double(rest) / 1e18)
    }
  }

  // MARK: - Advancing

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
