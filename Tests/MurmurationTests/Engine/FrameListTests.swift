// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The lists that a frame makes: its events, and the tiles that it places.
struct FrameListTests {
  @Test(arguments: [0, 1, 20, 33, 500, 6000])
  func eventsAreInTheOrderOfIndexAndMoment(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var indices = IndexTable()
    for _ in 0..<5000 { _ = indices.take() }
    var events = EventList()
    var expected: [(index: Int, moment: Double, change: UInt32)] = []
    for change in 0..<UInt32(count) {
      let (index, moment) = (Int(random.next() % 5000), Double(random.next() % 4))
      events.append(.settled, index: index, change, at: moment)
      expected.append((index, moment, change))
    }
    events.finish(indices)
    expected.sort { ($0.index, $0.moment, $0.change) < ($1.index, $1.moment, $1.change) }
    #expect(events.events.map(\.track) == expected.map { indices.handle(at: $0.index) })
    #expect(events.events.map(\.change.rawValue) == expected.map(\.change))
  }

  /// A run that reached the last tile went on over tiles that came later, which have no tracks and no numbers.
  @Test func aRunEndsBeforeTilesThatComeLater() {
    for count in [1, 63, 64, 65, 128] {
      var frame = FrameTiles()
      frame.grow(to: count)
      frame.setKind(count - 1, .pieces)
      for more in [count + 1, 2 * count + 70] {
        frame.grow(to: more)
        var runs: [Range<Int>] = []
        frame.forEachRun { runs.append($0.tiles) }
        #expect(runs == [count - 1..<count], "\(count), then \(more)")
        #expect(frame.runCount == 1)
      }
      frame.setKind(count, .pieces)
      frame.setKind(count, .still)
      frame.setKind(count - 1, .still)
      #expect(frame.runCount == 0)
    }
  }

  /// Two clips in turn, so that each track keeps its piece, up to the last index of all.
  @Test func clipsUpToTheLastIndexGoOnWhenRoomIsMade() throws {
    let clips = try [2.0, 5.0].map { goal in
      try Clip(initialValue: 0.0) { _ in
        SpringKeyframe(goal, spring: .bouncy)
        LinearKeyframe(-goal, duration: 2)
      }
    }
    var batch = try AnimationBatch<Float>(reservingCapacity: 1008)
    let ids = try clips.map { try batch.load($0) }
    let tracks = try batch.add(
      playing: (0..<1008).map { ids[$0 * 7 / 3 % 2] },
      (0..<1008).map { Playback(delay: 0.001 * Double($0), repetition: .forever) })
    for time in [0.5, 1, 1.01, 1.02] { try batch.advance(to: time) }
    try batch.reserve(4000)
    for frame in 1...200 { try batch.advance(to: 1.02 + 0.016 * Double(frame), velocities: frame % 2 == 0) }
    #expect(batch.checkInvariants() == nil && tracks.allSatisfy { batch[$0]?.isFinite == true })
  }
}
