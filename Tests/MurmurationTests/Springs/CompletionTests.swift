// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// The events of springs, case by case; the random programs of `RandomProgramTests` cover unforeseen cases.
struct CompletionTests {
  private let spring = Spring(duration: 0.5, bounce: 0.2)

  private func add(_ batch: inout AnimationBatch<Float>, _ count: Int) throws -> [TrackHandle] {
    try batch.add([Float](repeating: 100, count: count), to: [Float](repeating: 0, count: count), spring)
  }

  /// One track alone, few and many.
  @Test(arguments: [0, 1, 5, 16, 40]) func aMotionIsReportedOnceInEachList(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let handles = count > 0 ? try add(&batch, count) : [try batch.add(100, to: 0, spring)]
    let rest = batch.restTime(of: handles[0]) ?? .nan
    #expect(rest > 0.5)
    var (complete, settled): ([Int], [Int]) = ([], [])
    for frame in 1...300 {
      try batch.advance(to: Double(frame) / 60)
      let (now, ended) = (batch.logicallyComplete, batch.settled)
      #expect((now.isEmpty || now == handles) && (ended.isEmpty || ended == handles))
      complete += now.isEmpty ? [] : [frame]
      settled += ended.isEmpty ? [] : [frame]
    }
    // Frame 30 is at the perceptual duration, which counts.
    #expect(complete == [30] && settled == [Int((rest * 60).rounded(.up))])
  }

  @Test func oneLongStepReportsBothAndAnEmptyOneNothing() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try add(&batch, 20)
    try batch.advance(to: 100)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    #expect(complete == handles && settled == handles)
    try batch.advance(to: 100)
    let isQuiet = batch.events.isEmpty
    #expect(isQuiet)
    // A call that throws leaves the events as they are.
    try batch.retarget(handles[3], to: 1)
    try batch.advance(by: 100)
    #expect(throws: BatchError.self) { try batch.advance(to: .nan) }
    #expect(throws: BatchError.self) { try batch.advance(to: 50) }
    let kept = batch.settled
    #expect(kept == [handles[3]])
  }

  @Test("Whatever moves them, tracks are reported in the order of their indices")
  func reportsComeInTheOrderOfIndices() throws {
    var batch = try AnimationBatch<Float>()
    var handles = [try batch.add(0, to: 1, .bouncy)]
    for (count, bounce) in [(3, -0.3), (17, 0), (2, 0.4), (30, 0.1)] {
      handles += try add(&batch, count)
      handles.append(try batch.add(0, to: 1, Spring(duration: 0.3, bounce: bounce)))
    }
    try batch.advance(to: 100)
    let (complete, settled, events) = (batch.logicallyComplete, batch.settled, batch.events)
    #expect(complete == handles && settled == handles)
    #expect(events.map(\.track.index) == events.map(\.track.index).sorted())
  }

  @Test(arguments: [1, 40]) func aRetargetInMidRunIsAnotherMotion(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let handles = try add(&batch, count)
    let goals = [Float](repeating: 50, count: count)
    var (complete, settled) = (0, 0)
    func advance(_ batch: inout AnimationBatch<Float>, to time: Double) throws {
      try batch.advance(to: time)
      complete += batch.logicallyComplete.count
      settled += batch.settled.count
    }
    // Sent elsewhere before it is complete, so the first motion never is.
    try advance(&batch, to: 0.4)
    try batch.retarget(handles, to: goals)
    try advance(&batch, to: 0.6)
    #expect(complete == 0)
    try advance(&batch, to: 0.95)
    #expect(complete == count && settled == 0)
    // Sent elsewhere between the two, so the second motion is complete and never settled.
    try batch.retarget(handles, to: goals.map { $0 + 10 })
    try advance(&batch, to: 50)
    #expect(complete == 2 * count && settled == count)
  }

  @Test func aTrackThatIsRemovedReportsNothing() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try add(&batch, 20) + add(&batch, 3) + [try batch.add(0, to: 1, .bouncy)]
    try batch.advance(to: 0.1)
    let gone = [handles[0], handles[7], handles[21], handles[23]]
    try batch.remove(gone)
    // Others take their indices, and report for themselves.
    let heirs = Set(try add(&batch, gone.count))
    try batch.advance(to: 100)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    let live = Set(handles).subtracting(gone).union(heirs)
    #expect(Set(complete) == live && Set(settled) == live && complete.count == live.count)
    try batch.remove(handles[1])
    let (listed, holds) = (batch.settled.contains(handles[1]), batch.contains(handles[1]))
    #expect(listed && !holds)
  }

  @Test(arguments: [1, 5, 40]) func goingBackAndForthReportsNothingTwice(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let handles = try add(&batch, count) + [try batch.add(100, to: 0, spring)]
    var (complete, settled): ([TrackHandle], [TrackHandle]) = ([], [])
    for time in [0.2, 0.7, 0.1, 0.8, 100, 0.3, 0.6, 50, 0, 200] {
      try batch.advance(to: time)
      complete += batch.logicallyComplete
      settled += batch.settled
    }
    #expect(complete == handles && settled == handles)
  }

  /// The clock comes back to the very start of motions that were reported.
  @Test(arguments: [1, 5, 40]) func aMotionFromAStartThatTheClockCameBackToIsReported(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: 2)
    let handles = try add(&batch, count)
    try batch.advance(to: 100)
    try batch.advance(to: 2)
    let part = Array(handles.prefix(max(1, count / 2)))
    try batch.retarget(part, to: [Float](repeating: 50, count: part.count))
    try batch.advance(to: 100)
    let (complete, settled, value) = (batch.logicallyComplete, batch.settled, batch[handles[0]])
    #expect(complete == part && settled == part && value == 50)
  }

  /// A motion without length sleeps soon, and must wake at its start.
  @Test func whatSleptAtItsStartMovesWhenItIsSentElsewhereThen() throws {
    var batch = try AnimationBatch<Float>()
    let fives = [Float](repeating: 5, count: 20)
    let handles = try batch.add(fives, to: fives, spring)
    try batch.advance(to: 1)
    try batch.advance(to: 0)
    try batch.retarget(handles, to: [Float](repeating: 7, count: 20))
    try batch.advance(to: 0.1)
    let values = try batch.values()
    #expect(values.allSatisfy { $0 > 5 && $0 < 7 })
  }
}
