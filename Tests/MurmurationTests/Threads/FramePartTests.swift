// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The parts of a frame cover every tile that is awake exactly once, and no other tile, however it is cut.
struct FramePartTests {
  private typealias Batch = AnimationBatch<Components>

  /// A batch of many short runs: kinds in turn, some asleep, some tiles given back.
  private func fill(_ batch: inout Batch, _ random: inout SplitMix64) throws {
    var handles: [TrackHandle] = []
    let dimensions = batch.dimensions
    func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count * dimensions) }
    for _ in 0..<16 {
      let count = Int(random.next() % 120) + 1
      let values = (0..<count * dimensions).map { _ in Float(random.uniform(-9...9)) }
      let spring = Spring(
        duration: random.next() & 1 == 0 ? 0.001 : random.uniform(1...3), bounce: random.uniform(-0.8...0.8))
      switch random.next() % 4 {
      case 0: handles += try batch.add(planar: values, toPlanar: zeros(count), spring)
      case 1:
        let springs = [Spring](repeating: spring, count: count)
        handles += try batch.add(planar: values, toPlanar: zeros(count), springs: springs)
      case 2:
        let tracks = try batch.add(planar: values)
        try batch.animate(tracks, toPlanar: zeros(count), .easeIn(duration: 2))
        handles += tracks
      default:
        for first in 0..<count / 7 {
          let part = Array(values[first * dimensions..<(first + 7) * dimensions])
          handles += try batch.add(planar: part, toPlanar: zeros(7), spring)
        }
      }
    }
    try batch.remove(handles.filter { _ in random.next() % 3 == 0 })
    try batch.advance(to: 0.5)
    try batch.advance(to: 0.51)
    // A tile that falls asleep stays in the plan until there are many.
    try batch.add(planar: zeros(16).map { $0 + 1 }, toPlanar: zeros(16), Spring(duration: 0.001))
    try batch.advance(to: 0.6)
  }

  private func poison(_ batch: borrowing Batch) {
    let columns = batch.engine.tracks.columns
    for dimension in 0..<batch.dimensions {
      for index in 0..<batch.engine.tracks.tiles.end * laneCountOfTile {
        let element = batch.engine.tracks.element(index, dimension)
        (columns.value[element], columns.velocity[element]) = (.nan, .nan)
      }
    }
  }

  /// The tiles whose columns lost their poison, which is then renewed. Fails for tiles that were written in part.
  private func writtenTiles(of batch: borrowing Batch, velocities: Bool) -> [Int] {
    let columns = batch.engine.tracks.columns
    var tiles: [Int] = []
    for tile in 0..<batch.engine.tracks.tiles.end {
      var (values, speeds) = (0, 0)
      for dimension in 0..<batch.dimensions {
        for lane in 0..<laneCountOfTile {
          let element = batch.engine.tracks.element(tile * laneCountOfTile + lane, dimension)
          values += columns.value[element].isNaN ? 0 : 1
          speeds += columns.velocity[element].isNaN ? 0 : 1
          (columns.value[element], columns.velocity[element]) = (.nan, .nan)
        }
      }
      let all = laneCountOfTile * batch.dimensions
      if values != 0 && values != all || speeds != (velocities ? values : 0) { Issue.record("tile \(tile)") }
      if values > 0 { tiles.append(tile) }
    }
    return tiles
  }

  @Test(arguments: [1, 3], [true, false]) func partsCoverEachTileOnce(_ dimensions: Int, _ velocities: Bool) throws {
    var random = SplitMix64(seed: 61)
    var asleep = 0
    for _ in 0..<3 {
      var batch = try Batch(dimensions: dimensions)
      try fill(&batch, &random)
      batch.engine.sumCosts()
      var work = batch.engine.work(velocities: velocities, timePassed: false)
      work.watch = batch.engine.springs.watch.loan(batch.engine.tracks.tiles)
      let runs = batch.engine.frames.runs
      let planned = runs.flatMap { run in run.tiles.map { (tile: $0, isSpring: run.kind == .spring) } }
      let awake = planned.filter { !($0.isSpring && batch.engine.springs.watch.isAsleep($0.tile)) }.map(\.tile).sorted()
      asleep += planned.count - awake.count
      #expect(Set(awake).count == awake.count && awake.count > 4 && runs.count > 2)
      poison(batch)
      for count in [1, 2, 5, 16, work.cost - 1, work.cost + 1] {
        var written: [Int] = []
        var largest = 0
        for part in 0..<count {
          work.evaluate(part: part, of: count)
          let own = writtenTiles(of: batch, velocities: velocities)
          written += own
          largest = max(largest, own.count)
        }
        #expect(written.sorted() == awake, "\(count) parts")
        // A part gets its share of the cost, rounded up, and one tile that begins in it; each tile costs at least 1.
        #expect(largest <= work.cost / count + 2, "\(count) parts")
      }
    }
    #expect(asleep > 0)
  }

  @Test func aBatchWithoutTracksHasNothingToShare() throws {
    var batch = try AnimationBatch<Float>()
    batch.threadCount = 8
    try batch.advance(to: 1)
    let work = batch.engine.work(velocities: true)
    work.evaluate(part: 3, of: 8)
    #expect(work.cost == 0)
  }
}
