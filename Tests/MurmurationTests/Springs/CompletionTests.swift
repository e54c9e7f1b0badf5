// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// The events of springs, case by case; the random programs of `RandomProgramTests` cover unforeseen cases.
struct CompletionTests {
  private let spring = Spring(duration: 0.5, bounce: 0.2)

  private func add(_ batch: inout AnimationBatch<Float>, _ count: Int) throws -> [TrackHandle] {
    try batch.add([Float](repeating: 100, count: count), to: [Float](repeating: 0, count: count), spring)
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

  /// The completions of a track before and after a delay come in the order of their moments, with the number of their
  /// calls.
  @Test func reportsOfOneFrameComeInTheOrderOfTheMoments() throws {
    var batch = try AnimationBatch<Float>()
    let short = Spring(duration: 0.01, bounce: 0)
    let alone = try batch.add(1, to: 0, short)
    let many = try batch.add([Float](repeating: 1, count: 20), to: [Float](repeating: 0, count: 20), short)
    let first = batch.latestChange
    try batch.retarget([many[7], many[2]], to: [5, 5], delays: [0.5, 0.3])
    // Sent again for the same moment: the later call counts.
    let second = try batch.retarget([many[7], alone], to: [4, 3], delays: [0.5, 0.6])
    try batch.advance(to: 1)
    let events = batch.events.filter { $0.track == many[7] }
    #expect(events.map(\.kind) == [.logicallyComplete, .settled, .logicallyComplete, .settled])
    #expect(events.map(\.change) == [first, first, second, second])
    #expect(events.map(\.moment) == events.map(\.moment).sorted() && events[1].moment < 0.5 && events[2].moment > 0.5)
    let indices = batch.events.map(\.track.index)
    #expect(indices == indices.sorted() && indices.count == 2 * (21 + 3))
    let ends = [alone, many[2], many[7]].map { batch[$0] }
    #expect(ends == [3, 5, 4])
  }
}
