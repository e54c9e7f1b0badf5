// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// The events of springs, case by case; the random programs of `RandomProgramTests` cover unforeseen cases.
struct CompletionTests {
  private let spring = Spring(duration: 0.5, bounce: 0.2)

  private func add(_ batch: inout AnimationBatch<Float>, _ count: Int) throws -> [TrackHandle] {
    try batch.add([Float](repeating: 100, count: count), to: [Float](repeating: 0, count: count), spring)
  }

  /// The age of rest is a Float: as one, a thirtieth of a second is longer than the Double.
  @Test(arguments: [1, 16]) func noEventIsLaterThanItsFrame(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add(
      [Float](repeating: 1e-5, count: count), to: [Float](repeating: 0, count: count), spring)
    try batch.advance(to: 1 / 30)
    #expect(batch.settled == handles && batch.events.allSatisfy { $0.moment <= 1 / 30 })
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
    #expect(([alone, many[2], many[7]].map { batch[$0] }) == [3, 5, 4])
  }
}
