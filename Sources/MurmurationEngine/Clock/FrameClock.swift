// SPDX-License-Identifier: MIT

// Embedded builds have no durations.
#if !hasFeature(Embedded)
  /// Turns the instants of a clock into the times of frames.
  ///
  /// ```swift
  /// var clock = try FrameClock(.fixed(.seconds(1) / 120, catchUp: 5), start: ContinuousClock.now)
  /// // Whenever the screen is drawn:
  /// for frame in clock.frames(until: .now) { try batch.advance(to: frame.time) }
  /// ```
  ///
  /// A frame clock reads no clock by itself, so that a test can give it any instants. ``FrameSequence`` waits for frames.
  public struct FrameClock<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// The distance between frames, and the limit of what is caught up.
    public let step: FrameStep
    /// The time of the last frame, in the time of the animation; zero before the first frame.
    public private(set) var time = Duration.zero
    /// The number of frames so far.
    public private(set) var count = 0
    /// The time that was dropped, because frames came late: the difference between the clock's time and the animation's.
    public private(set) var dropped = Duration.zero
    /// The instant at which the animation has its ``time``.
    private var now: Instant

    /// A clock whose animation is at time zero at `start`.
    ///
    /// - Throws: ``FrameClockError`` if a step is not within 1 µs…10⁶ s, or the number of frames to catch up is below 1.
    public init(_ step: FrameStep, start: Instant) throws(FrameClockError) {
      try step.check()
      (self.step, now) = (step, start)
    }

    /// The instant from which there is another frame: one step, or one interval, after the last one.
    public var next: Instant {
      switch step {
      case .fixed(let interval, _), .variable(let interval, _): now.advanced(by: interval)
      }
    }

    /// The frames that are due at an instant, in order. They count as shown.
    ///
    /// There are none before ``next`` with a fixed step, and none with either kind at an instant that is not after the
    /// last one.
    ///
    /// - Complexity: O(1).
    public mutating func frames(until instant: Instant) -> FrameRun {
      let passed = now.duration(to: instant)
      guard passed > .zero else { return FrameRun(first: count, count: 0, start: time, step: .zero) }
      let run: FrameRun
      let skipped: Duration
      switch step {
      case .variable(_, let longest):
        run = FrameRun(first: count, count: 1, start: time, step: min(passed, longest))
        skipped = max(passed - longest, .zero)
        now = instant
      case .fixed(let step, let catchUp):
        let steps = passed.steps(of: step)
        run = FrameRun(first: count, count: min(steps, catchUp), start: time, step: step)
        skipped = step * (steps - run.count)
        // The rest of a step stays, and belongs to the next frame.
        now = now.advanced(by: step * steps)
      }
      dropped += skipped
      time += run.step * run.count
      count += run.count
      return run
    }
  }

  /// The distance between the frames of a ``FrameClock``.
  public enum FrameStep: Hashable, Sendable {
    /// Frames at whole multiples of a step, however often the clock is read: for logic that has to go the same way each
    /// time.
    ///
    /// A reader that is late gets up to `catchUp` frames at once. The time of further frames is dropped, so that frames
    /// which take longer than their step do not pile up.
    case fixed(Duration, catchUp: Int)
    /// A frame for each reading, as far after the one before as time has passed, but at most `longest`: for animations,
    /// which show the same values however their frames lie.
    ///
    /// The first duration is the interval that a ``FrameSequence`` aims for. Time beyond `longest` is dropped, so that a
    /// program that was suspended goes on where it was.
    case variable(Duration, longest: Duration)

    /// Throws if a duration or the number of frames to catch up is out of range.
    fileprivate func check() throws(FrameClockError) {
      var steps: [Duration]
      switch self {
      case .fixed(let step, let catchUp):
        guard catchUp >= 1 else { throw .invalidCatchUp(catchUp) }
        steps = [step]
      case .variable(let interval, let longest): steps = [interval, longest]
      }
      for step in steps where step < .microseconds(1) || step > .seconds(1_000_000) { throw .invalidStep(step) }
    }
  }

  /// Why a ``FrameClock`` could not be made.
  public enum FrameClockError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A step, an interval or a longest step is not within 1 µs…10⁶ s.
    case invalidStep(Duration)
    /// The number of frames to catch up is below 1.
    case invalidCatchUp(Int)

    /// The reason, for people.
    public var description: String {
      switch self {
      case .invalidStep(let step): "a step of \(step) is not within 1 µs to 1 000 000 s"
      case .invalidCatchUp(let count): "\(count) frames to catch up: at least 1 are needed"
      }
    }
  }

  /// One frame of a ``FrameClock``.
  public struct AnimationFrame: Hashable, Sendable {
    /// The number of frames before it.
    public let index: Int
    /// The time since the start of the animation, for ``TrackBatch/advance(to:velocities:)``. Dropped time does not count.
    public let time: Duration
    /// The time since the frame before.
    public let step: Duration
  }

  /// The frames that are due at one instant, in order, with equal steps.
  public struct FrameRun: RandomAccessCollection, Hashable, Sendable {
    private let first: Int
    private let start: Duration
    fileprivate let step: Duration
    /// The position after the last frame.
    public let endIndex: Int
    /// The position of the first frame, which is 0.
    public var startIndex: Int { 0 }

    fileprivate init(first: Int, count: Int, start: Duration, step: Duration) {
      (self.first, endIndex, self.start, self.step) = (first, count, start, step)
    }

    /// The frame at a position in `0..<endIndex`.
    public subscript(position: Int) -> AnimationFrame {
      precondition(indices.contains(position), "the run has no such frame")
      return AnimationFrame(index: first + position, time: start + step * (position + 1), step: step)
    }
  }

  extension Duration {
    /// The number of whole steps in a positive duration, of at most 2⁵² steps.
    fileprivate func steps(of step: Duration) -> Int {
      // The quotient is rounded, so that it may be one off; products are exact.
      var steps = Int(min(self / step, 0x1p52).rounded(.down))
      while step * steps > self { steps -= 1 }
      while steps < 1 << 52, step * (steps + 1) <= self { steps += 1 }
      return steps
    }
  }

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

  // MARK: - Seconds

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
#endif
