// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
  /// The frames of a clock, each at its time, for `for await`.
  ///
  /// ```swift
  /// for await frame in try FrameSequence(.variable(.seconds(1) / 60, longest: .milliseconds(100))) {
  ///   try batch.advance(to: frame.time)
  ///   draw(batch)
  /// }
  /// ```
  ///
  /// The first frame comes one step after the first call of `next()`. The sequence ends when its task is cancelled. On
  /// screens that call at each refresh, use a ``FrameClock`` with these calls instead.
  public struct FrameSequence<Source: Clock>: AsyncSequence, Sendable where Source.Duration == Duration {
    public typealias Element = AnimationFrame
    public typealias Failure = Never

    private let clock: Source
    private let step: FrameStep

    /// The frames of a clock, which begins when the iteration does.
    ///
    /// - Throws: ``FrameClockError`` if a step is not within 1 µs…10⁶ s, or the number of frames to catch up is below 1.
    public init(_ step: FrameStep, clock: Source = ContinuousClock()) throws(FrameClockError) {
      _ = try FrameClock(step, start: clock.now)
      (self.step, self.clock) = (step, clock)
    }

    /// Begins an iteration of its own.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(clock: clock, step: step) }

    /// One iteration: a ``FrameClock`` and the frames that are due already.
    public struct AsyncIterator: AsyncIteratorProtocol {
      public typealias Failure = Never

      fileprivate let clock: Source
      fileprivate let step: FrameStep
      private var frames: FrameClock<Source.Instant>?
      private var due: Slice<FrameRun>?

      fileprivate init(clock: Source, step: FrameStep) { (self.clock, self.step) = (clock, step) }

      /// The next frame, once it is due; nil after its task was cancelled.
      public mutating func next() async -> AnimationFrame? {
        guard !Task.isCancelled else { return nil }
        if let frame = due?.popFirst() { return frame }
        // The initialiser of the sequence has checked the step.
        guard var frames = self.frames ?? (try? FrameClock(step, start: clock.now)) else { return nil }
        while true {
          do { try await clock.sleep(until: frames.next, tolerance: nil) } catch { return nil }
          var run = frames.frames(until: clock.now)[...]
          // A clock may wake early.
          guard let frame = run.popFirst() else { continue }
          (self.frames, due) = (frames, run)
          return frame
        }
      }
    }
  }
#endif
