// SPDX-License-Identifier: MIT
import Murmuration
import Synchronization
import Testing

/// The times of frames, for any instants.
struct FrameClockTests {
  private let start = ContinuousClock.now

  private func clock(_ step: FrameStep) throws -> FrameClock<ContinuousClock.Instant> {
    try FrameClock(step, start: start)
  }

  @Test func fixedStepsStandAtMultiplesHoweverTheClockIsRead() throws {
    let step = Duration.seconds(1) / 60
    var often = try clock(.fixed(step, catchUp: 100))
    var seldom = often
    var frames: [AnimationFrame] = []
    for millisecond in 1...1000 { frames += often.frames(until: start + .milliseconds(millisecond)) }
    // A sixtieth of a second is cut off after 18 digits, so 60 of them fit into a second.
    #expect(frames.map(\.index) == Array(0..<60) && frames.map(\.time) == (1...60).map { step * $0 })
    #expect(frames.allSatisfy { $0.step == step })
    #expect(Array(seldom.frames(until: start + .seconds(1))) == frames)
    #expect(often.time == step * 60 && often.count == 60 && often.dropped == .zero)
    #expect(often.next == start + step * 61)
  }

  @Test func stepsStayExactForAWeek() throws {
    let step = Duration.seconds(1) / 240
    var clock = try clock(.fixed(step, catchUp: .max))
    let week = Duration.seconds(7 * 86_400)
    let frames = clock.frames(until: start + week)
    #expect(frames.count == 7 * 86_400 * 240 && frames.last?.time == step * frames.count)
    #expect(clock.frames(until: start + week).isEmpty)
  }

  @Test func aLateReaderGetsALimitedNumberOfFramesAndTheRestIsDropped() throws {
    var clock = try clock(.fixed(.milliseconds(10), catchUp: 3))
    let late = clock.frames(until: start + .milliseconds(57))
    #expect(late.map(\.time) == [.milliseconds(10), .milliseconds(20), .milliseconds(30)])
    #expect(clock.dropped == .milliseconds(20))
    // Seven milliseconds of a step stay.
    #expect(clock.frames(until: start + .milliseconds(59)).isEmpty)
    let next = clock.frames(until: start + .milliseconds(60))
    #expect(next.map(\.time) == [.milliseconds(40)] && next.map(\.index) == [3])
    #expect(clock.dropped == .milliseconds(20))
  }

  @Test func variableStepsAreTheTimeThatPassedUpToTheLongest() throws {
    var clock = try clock(.variable(.seconds(1) / 60, longest: .milliseconds(100)))
    #expect(clock.next == start + .seconds(1) / 60)
    var times: [Duration] = []
    for moment in [16, 34, 34, 2034, 2044] { times += clock.frames(until: start + .milliseconds(moment)).map(\.time) }
    #expect(times == [.milliseconds(16), .milliseconds(34), .milliseconds(134), .milliseconds(144)])
    #expect(clock.dropped == .milliseconds(1900) && clock.count == 4)
  }

  @Test(arguments: [
    FrameStep.fixed(.milliseconds(10), catchUp: 2), .variable(.milliseconds(10), longest: .milliseconds(20)),
  ])
  func anEarlierInstantShowsNothingAndAVeryLateOneDoesNotTrap(_ step: FrameStep) throws {
    var clock = try clock(step)
    #expect(clock.frames(until: start).isEmpty)
    #expect(clock.frames(until: start - .seconds(5)).isEmpty && clock.time == .zero)
    #expect(clock.frames(until: start + .seconds(1e10)).last?.time == .milliseconds(20))
    #expect(clock.time + clock.dropped == .seconds(1e10))
    #expect(!clock.frames(until: start + .seconds(1e10) + .milliseconds(10)).isEmpty)
  }

  @Test func stepsOutOfRangeAreRefused() throws {
    for step in [Duration.zero, .nanoseconds(999), .seconds(-1), .seconds(1_000_001)] {
      #expect(throws: FrameClockError.invalidStep(step)) { try clock(.fixed(step, catchUp: 1)) }
      #expect(throws: FrameClockError.invalidStep(step)) { try clock(.variable(step, longest: .seconds(1))) }
      #expect(throws: FrameClockError.invalidStep(step)) { try clock(.variable(.seconds(1), longest: step)) }
      #expect(throws: FrameClockError.invalidStep(step)) { try FrameSequence(.fixed(step, catchUp: 1)) }
    }
    for count in [0, -1, .min] {
      #expect(throws: FrameClockError.invalidCatchUp(count)) { try clock(.fixed(.seconds(1), catchUp: count)) }
    }
    #expect(try clock(.fixed(.microseconds(1), catchUp: 1)).step == .fixed(.microseconds(1), catchUp: 1))
    #expect("\(FrameClockError.invalidCatchUp(0))".contains("0 frames"))
    #expect("\(FrameClockError.invalidStep(.zero))".contains("not within"))
  }

  // MARK: - Frames that are waited for

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
