// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration

/// However a frame is cut, its parts cover every tile that is awake exactly once, and no other.
struct FramePartTests {
  /// A batch of many short steps: kinds in turn, some asleep, some tiles given back.
  private func fill(_ batch: inout SpringBatch, _ random: inout SplitMix64) throws {
    var handles: [TrackHandle] = []
    for _ in 0..<12 {
      let count = Int(random.next() % 120) + 1
      let values = (0..<count * batch.dimensions).map { _ in Float(random.uniform(-9...9)) }
      let zeros = [Float](repeating: 0, count: values.count)
      let spring = Spring(
        duration: random.next() & 1 == 0 ? 0.001 : random.uniform(1...3), bounce: random.uniform(-0.8...0.8))
      switch random.next() % 3 {
      case 0: handles += try batch.add(spring, values: values.span, targets: zeros.span)
      case 1:
        let springs = [Spring](repeating: spring, count: count)
        handles += try batch.add(springs.span, values: values.span, targets: zeros.span)
      default:
        for first in 0..<count / 7 {
          let part = Array(values[first * batch.dimensions..<(first + 7) * batch.dimensions])
          handles += try batch.add(spring, values: part.span, targets: Array(zeros[..<part.count]).span)
        }
      }
    }
    let gone = handles.filter { _ in random.next() % 3 == 0 }
    try batch.remove(gone.span)
    try batch.advance(to: 0.5)
    try batch.advance(to: 0.51)
  }

  private func frame(of batch: borrowing SpringBatch, velocities: Bool) -> Frame {
    var costs: [Int] = []
    Frame.sumCosts(of: batch.plan.steps, batch.cohorts, into: &costs)
    return Frame(
      table: batch.table, columns: batch.storage.columns, track: batch.storage.track, steps: batch.plan.steps,
      costs: costs, cohorts: batch.cohorts, time: batch.time, velocities: velocities, stores: .ordinary,
      tolerance: batch.tolerance.kernel)
  }

  private func poison(_ batch: borrowing SpringBatch) {
    let columns = batch.storage.columns
    for row in 0..<batch.storage.capacity {
      for dimension in 0..<batch.dimensions {
        let element = dimension * columns.dimensionStride + row
        (columns.value[element], columns.velocity[element]) = (.nan, .nan)
      }
    }
  }

  /// The tiles whose columns lost their poison, which is renewed. Complains of tiles that were written in part.
  private func writtenTiles(of batch: borrowing SpringBatch, velocities: Bool) -> [Int] {
    let columns = batch.storage.columns
    var tiles: [Int] = []
    for tile in 0..<batch.storage.capacity / laneCountOfTile {
      var (values, speeds) = (0, 0)
      for dimension in 0..<batch.dimensions {
        for lane in 0..<laneCountOfTile {
          let element = dimension * columns.dimensionStride + tile * laneCountOfTile + lane
          values += columns.value[element].isNaN ? 0 : 1
          speeds += columns.velocity[element].isNaN ? 0 : 1
          (columns.value[element], columns.velocity[element]) = (.nan, .nan)
        }
      }
      let all = laneCountOfTile * batch.dimensions
      #expect(values == 0 || values == all, "tile \(tile)")
      #expect(speeds == (velocities ? values : 0), "tile \(tile)")
      if values > 0 {
        tiles.append(tile)
      }
    }
    return tiles
  }

  @Test(arguments: [1, 3], [true, false]) func partsCoverEachTileOnce(_ dimensions: Int, _ velocities: Bool) throws {
    var random = SplitMix64(seed: 61)
    var asleep = 0
    for _ in 0..<8 {
      var batch = try SpringBatch(dimensions: dimensions)
      try fill(&batch, &random)
      let frame = frame(of: batch, velocities: velocities)
      poison(batch)
      let awake = frame.steps.filter { Frame.cost($0, frame.cohorts) > 0 }.flatMap(\.tiles).sorted()
      asleep += frame.steps.count { Frame.cost($0, frame.cohorts) == 0 }
      #expect(Set(awake).count == awake.count && awake.count > 4 && frame.steps.count > 4)
      for count in [1, 2, 3, 4, 5, 7, 16, 64, frame.cost - 1, frame.cost, frame.cost + 1, 3 * frame.cost] {
        var written: [Int] = []
        var largest = 0
        for part in 0..<count {
          frame.evaluate(part: part, of: count)
          let own = writtenTiles(of: batch, velocities: velocities)
          written += own
          largest = max(largest, own.count)
        }
        #expect(written.sorted() == awake, "\(count) parts")
        // A share of cost, of which a tile has one at least, and one tile that begins in it.
        #expect(largest <= frame.cost / count + 2, "\(count) parts")
      }
    }
    #expect(asleep > 0)
  }

  @Test func aBatchWithoutTracksHasNothingToShare() throws {
    var batch = try SpringBatch()
    batch.threadCount = 8
    try batch.advance(to: 1)
    let frame = frame(of: batch, velocities: true)
    frame.evaluate(part: 3, of: 8)
    #expect(frame.cost == 0)
  }
}
