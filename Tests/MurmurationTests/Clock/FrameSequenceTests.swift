// SPDX-License-Identifier: MIT
import Murmuration
import Synchronization
import Testing

/// Frames that are waited for, with a clock that is set by hand.
struct FrameSequenceTests {
  /// A clock that stands until it is slept on, and is then `lateness` after the wanted instant.
  private final class ManualClock: Clock, Sendable {
    private let state: Mutex<(now: ContinuousClock.Instant, lateness: [Duration], asked: [ContinuousClock.Instant])>
    let start = ContinuousClock.now
    var minimumResolution: Duration { .zero }
    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var asked: [ContinuousClock.Instant] { state.withLock { $0.asked } }

    init(lateness: [Duration] = []) { state = Mutex((start, lateness, [])) }

    func pass(_ time: Duration) { state.withLock { $0.now += time } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try Task.checkCancellation()
      state.withLock { state in
        state.asked.append(deadline)
        let late = state.lateness.isEmpty ? .zero : state.lateness.removeFirst()
        state.now = max(state.now, deadline + late)
      }
    }
  }

  @Test func eachFrameComesWhenItIsDue() async throws {
    let clock = ManualClock()
    let step = Duration.milliseconds(10)
    var times: [Duration] = []
    for await frame in try FrameSequence(.fixed(step, catchUp: 4), clock: clock).prefix(5) { times.append(frame.time) }
    #expect(times == (1...5).map { step * $0 })
    #expect(clock.asked == (1...5).map { clock.start + step * $0 })
  }

  @Test func aSlowReaderCatchesUpWithoutSleeping() async throws {
    let clock = ManualClock()
    var iterator = try FrameSequence(.fixed(.milliseconds(10), catchUp: 3), clock: clock).makeAsyncIterator()
    #expect(await iterator.next()?.index == 0)
    clock.pass(.milliseconds(65))
    var times: [Duration] = []
    for _ in 0..<4 { times.append(try #require(await iterator.next()).time) }
    // Three at once, three dropped, and the next when it is due.
    #expect(times == [.milliseconds(20), .milliseconds(30), .milliseconds(40), .milliseconds(50)])
    #expect(clock.asked.count == 3 && clock.asked.last == clock.start + .milliseconds(80))
  }

  @Test func variableFramesFollowTheClock() async throws {
    let clock = ManualClock(lateness: [.zero, .milliseconds(5), .seconds(3)])
    var steps: [Duration] = []
    let frames = try FrameSequence(.variable(.milliseconds(10), longest: .milliseconds(40)), clock: clock)
    for await frame in frames.prefix(4) { steps.append(frame.step) }
    #expect(steps == [.milliseconds(10), .milliseconds(15), .milliseconds(40), .milliseconds(10)])
  }

  @Test func aClockThatWakesEarlyIsAskedAgain() async throws {
    let clock = ManualClock(lateness: [.milliseconds(-6), .milliseconds(-1)])
    var iterator = try FrameSequence(.fixed(.milliseconds(10), catchUp: 1), clock: clock).makeAsyncIterator()
    #expect(await iterator.next()?.time == .milliseconds(10))
    #expect(clock.asked.count == 3)
  }

  @Test func cancellationEndsIt() async throws {
    let frames = try FrameSequence(.variable(.seconds(1000), longest: .seconds(1000)))
    let task = Task {
      var count = 0
      for await _ in frames { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }
}
