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

  @Test(arguments: [1, 16, 17, 700])
  func tilesAreDueOutsideOfTheirIntervals(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let kernels = KernelSet.available[0].table.intervals
    let memory = ColumnMemory(ColumnShape(wide: 2, narrow: 0), count: count * laneCountOfTile)
    let intervals = IntervalColumns(from: memory.wide(0), until: memory.wide(1))
    intervals.from.update(repeating: -.infinity, count: memory.capacity)
    intervals.until.update(repeating: .infinity, count: memory.capacity)
    let tracks = TrackStore(dimensions: 1, capacity: memory.capacity)
    var tiles = PlacedTiles()
    tiles.grow(to: count)
    var expected = [(from: Double, until: Double)](repeating: (-.infinity, .infinity), count: count)
    var found = 0
    for _ in 0..<300 {
      for _ in 0..<random.next() % 5 {
        let index = Int(random.next() % UInt64(memory.capacity))
        let tile = index / laneCountOfTile
        intervals.from[index] = Double(random.next() % 10)
        intervals.until[index] = intervals.from[index] + Double(random.next() % 10)
        let moves = random.next() % 8 > 0
        if moves { tiles.setLane(index, isMoving: true, showsOwn: false, isPosed: false) }
        let isKnown = tiles.moving[tile] != 0
        tiles.hold(index, intervals, tracks)
        let (from, until) = isKnown ? (intervals.from[index], intervals.until[index]) : (.infinity, -.infinity)
        expected[tile] = (max(expected[tile].from, from), min(expected[tile].until, until))
      }
      let time = Double(random.next() % 20)
      let due = tiles.findDue(before: count, at: time, kernels)
      let late = (0..<count).filter { expected[$0].from > time || expected[$0].until < time }
      #expect((0..<due).map { tiles.dueTile($0) } == late)
      found += due
      tiles.settleDue(0..<due, intervals, kernels)
      tiles.settleBlocks(kernels)
      for tile in late {
        let own = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
        expected[tile] = (own.map { intervals.from[$0] }.max() ?? 0, own.map { intervals.until[$0] }.min() ?? 0)
      }
    }
    #expect(found > 20)
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
