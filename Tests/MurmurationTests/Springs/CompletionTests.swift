// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// What advances report, case by case; `CompletionProgramTests` has what no one thought of.
struct CompletionTests {
  private let spring = Spring(duration: 0.5, bounce: 0.2)

  private func add(_ batch: inout SpringBatch, _ count: Int) throws -> [TrackHandle] {
    let (values, targets) = ([Float](repeating: 100, count: count), [Float](repeating: 0, count: count))
    return try batch.add(spring, values: values.span, targets: targets.span)
  }

  /// One track alone, a small cohort, a large one.
  @Test(arguments: [1, 5, 16, 40]) func aMotionIsReportedOnceInEachList(_ count: Int) throws {
    for inCohort in [false, true] where inCohort || count == 1 {
      var batch = try SpringBatch()
      let handles =
        inCohort ? try add(&batch, count) : [try batch.add(spring, value: Float(100), target: 0)]
      let rest = try batch.restTime(of: handles[0])
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
  }

  @Test func oneLongStepReportsBothAndAnEmptyOneNothing() throws {
    var batch = try SpringBatch()
    let handles = try add(&batch, 20)
    try batch.advance(to: 100)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    #expect(complete == handles && settled == handles)
    try batch.advance(to: 100)
    let isQuiet = batch.logicallyComplete.isEmpty && batch.settled.isEmpty
    #expect(isQuiet)
    // A call that throws leaves the lists as they are.
    try batch.retarget(handles[3], to: Float(1))
    try batch.advance(by: 100)
    #expect(throws: BatchError.self) { try batch.advance(to: .nan) }
    #expect(throws: BatchError.self) { try batch.advance(to: 50) }
    let kept = batch.settled
    #expect(kept == [handles[3]])
  }

  @Test func largeCohortsComeFirstThenSmallOnesThenTracksThatMoveAlone() throws {
    var batch = try SpringBatch()
    let alone = try batch.add(.bouncy, value: Float(0), target: 1)
    let firstSmall = try add(&batch, 3)
    let firstLarge = try add(&batch, 17)
    let creeping = try batch.add(Spring(duration: 0.3, bounce: -0.3), value: Float(0), target: 1)
    let secondSmall = try add(&batch, 2)
    let secondLarge = try add(&batch, 30)
    let late = try batch.add(.smooth, value: Float(0), target: 1)
    try batch.advance(to: 100)
    let expected = firstLarge + secondLarge + firstSmall + secondSmall + [alone, late, creeping]
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    // Oscillating tracks and overdamped ones stand in tiles of their own, here in that order.
    #expect(complete == expected && settled == expected)
  }

  @Test(arguments: [1, 40]) func aRetargetInMidRunIsAnotherMotion(_ count: Int) throws {
    var batch = try SpringBatch()
    let handles = try add(&batch, count)
    let targets = [Float](repeating: 50, count: count)
    var (complete, settled) = (0, 0)
    func tally(_ batch: borrowing SpringBatch) {
      complete += batch.logicallyComplete.count
      settled += batch.settled.count
    }
    // Sent elsewhere before it is complete, so the first motion never is.
    try batch.advance(to: 0.4)
    tally(batch)
    try batch.retarget(handles.span, to: targets.span)
    try batch.advance(to: 0.6)
    tally(batch)
    #expect(complete == 0)
    try batch.advance(to: 0.95)
    tally(batch)
    #expect(complete == count && settled == 0)
    // Sent elsewhere between the two, so the second motion is complete and never settled.
    try batch.retarget(handles.span, to: targets.span)
    try batch.advance(to: 50)
    tally(batch)
    #expect(complete == 2 * count && settled == count)
  }

  @Test func aTrackThatIsRemovedReportsNothing() throws {
    var batch = try SpringBatch()
    let handles = try add(&batch, 20) + add(&batch, 3) + [try batch.add(.bouncy, value: Float(0), target: 1)]
    try batch.advance(to: 0.1)
    let gone = Set([handles[0], handles[7], handles[21], handles[23]])
    for handle in gone {
      try batch.remove(handle)
    }
    // Others take their indices, and report for themselves.
    let heirs = Set(try add(&batch, gone.count))
    try batch.advance(to: 100)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    let live = Set(handles).subtracting(gone).union(heirs)
    #expect(Set(complete) == live && Set(settled) == live && complete.count == live.count)
    try batch.remove(handles[1])
    let listed = batch.settled.contains(handles[1])
    let holds = batch.contains(handles[1])
    #expect(listed && !holds)
  }

  @Test(arguments: [1, 5, 40]) func goingBackAndForthReportsNothingTwice(_ count: Int) throws {
    var batch = try SpringBatch()
    let handles = try add(&batch, count) + [try batch.add(spring, value: Float(100), target: 0)]
    var (complete, settled): ([TrackHandle], [TrackHandle]) = ([], [])
    for time in [0.2, 0.7, 0.1, 0.8, 100, 0.3, 0.6, 50, 0, 200] {
      try batch.advance(to: time)
      complete += batch.logicallyComplete
      settled += batch.settled
    }
    #expect(complete == handles && settled == handles)
  }

  /// The clock comes back to the very start of a cohort whose tracks were reported.
  @Test(arguments: [1, 5, 40]) func aMotionFromAStartThatTheClockCameBackToIsReported(_ count: Int) throws {
    var batch = try SpringBatch()
    try batch.advance(to: 2)
    let handles = try add(&batch, count)
    try batch.advance(to: 100)
    try batch.advance(to: 2)
    let part = Array(handles.prefix(max(1, count / 2)))
    let targets = [Float](repeating: 50, count: part.count)
    try batch.retarget(part.span, to: targets.span)
    try batch.advance(to: 100)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    #expect(complete == part && settled == part)
    let value: Float = try batch.value(of: handles[0])
    #expect(value == 50)
  }

  /// A motion without length sleeps at its start, and must wake there.
  @Test func aCohortThatSleptAtItsStartMovesWhenItIsSentElsewhereThen() throws {
    var batch = try SpringBatch()
    let fives = [Float](repeating: 5, count: 20)
    let handles = try batch.add(spring, values: fives.span, targets: fives.span)
    try batch.advance(to: 1)
    try batch.advance(to: 0)
    let sevens = [Float](repeating: 7, count: 20)
    try batch.retarget(handles.span, to: sevens.span)
    try batch.advance(to: 0.1)
    let values = try batch.values()
    #expect(values.allSatisfy { $0 > 5 && $0 < 7 })
  }
}
