// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// What is baked of clips is what playing shows, bit by bit.
struct KeyframeBakeTests {
  private func expect(
    _ baked: Baked, _ zoo: inout KeyframeZoo, _ indices: Range<Int>, times: [Double], dimension: Int
  ) throws {
    var faults = 0
    for (frame, time) in times.enumerated() {
      try zoo.batch.advance(to: time)
      let shown = try Baked(shown: &zoo.batch, dimension)
      for index in indices {
        let place = frame * indices.count + index - indices.lowerBound
        let isSame =
          baked.values[place].bitPattern == shown.values[index].bitPattern
          && baked.velocities[place].bitPattern == shown.velocities[index].bitPattern
        if !isSame { faults += 1 }
        if !isSame, faults < 5 {
          Issue.record(
            """
            index \(index), frame \(frame): \(baked.values[place]) for \(shown.values[index]), \
            \(baked.velocities[place]) for \(shown.velocities[index])
            """)
        }
      }
    }
    #expect(faults == 0)
  }

  @Test(arguments: KernelSet.available, [true, false])
  func framesAreThoseOfAdvance(_ set: KernelSet, _ variations: Bool) throws {
    var zoo = try KeyframeZoo.make(count: 400, variations: variations, kernels: set)
    let frames = BakeFrames(1..<202, perSecond: 47, start: zoo.batch.time)
    let times = frames.range.map { frames.time(of: $0) }
    let count = zoo.batch.indexCount
    for (indices, dimension) in [(0..<count, 0), (17..<count - 40, 1)] {
      let baked = try Baked(&zoo.batch, frames, indices, dimension: dimension)
      var other = try KeyframeZoo.make(count: 400, variations: variations, kernels: set)
      try expect(baked, &other, indices, times: times, dimension: dimension)
    }
    // The same once all of it was looked at, from a later time on.
    try zoo.batch.advance(to: times[90])
    let later = BakeFrames(100..<150, perSecond: 47, start: frames.start)
    let baked = try Baked(&zoo.batch, later, 0..<count)
    try expect(baked, &zoo, 0..<count, times: Array(times[99..<149]), dimension: 0)
  }

  @Test func timesInAnyOrderAreThoseOfAdvance() throws {
    var zoo = try KeyframeZoo.make(count: 300)
    let now = zoo.batch.time
    let indices = 0..<zoo.batch.indexCount
    for times in [[5, 0, 0.3, 2, 0.3, 11, 1e-9, 0.7], (0..<90).map { Double($0 * $0) * 1e-3 }] {
      let times = times.map { now + $0 }
      let baked = try Baked(&zoo.batch, at: times, indices, dimension: 1)
      try expect(baked, &zoo, indices, times: times, dimension: 1)
    }
  }

  /// Frame by frame of the clock at the ends of legs, where a frame belongs to the leg that ends.
  @Test func framesAtTheEndsOfLegsBelongToThem() throws {
    var batch = try KeyframeBatch(dimensions: 1)
    let clip = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [PieceTrack(components: [0], times: [0, 0.5], pieces: [[SIMD4(0, 2, 0, 0)]])])
    let id = try batch.load(clip)
    try batch.add(id, Playback(repetition: .count(3), holdsAfter: false))
    try batch.add(id, Playback(repetition: .forever, autoreverses: true))
    try batch.advance(to: 0)
    let baked = try Baked(&batch, BakeFrames(0..<9, perSecond: 4), 0..<2, order: .trackMajor)
    let expected: [Float] = [0, 0.5, 1, 0.5, 1, 0.5, 1, 0, 0, 0, 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0]
    #expect(zip(baked.values, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(baked.values)")
    #expect(baked.velocities[9...].elementsEqual([2, 2, 2, -2, -2, 2, 2, -2, -2]))
  }

  @Test(arguments: [1, 3, 15, 16, 17, 63, 64, 65, 240]) func bothOrdersHoldTheSameBits(_ frameCount: Int) throws {
    var zoo = try KeyframeZoo.make(count: 200)
    let frames = BakeFrames(1..<1 + frameCount, perSecond: 60, start: zoo.batch.time)
    for indices in [0..<zoo.batch.indexCount, 3..<4, 10..<27, 60..<130] {
      let rows = try Baked(&zoo.batch, frames, indices)
      let columns = try Baked(&zoo.batch, frames, indices, order: .trackMajor)
      #expect(rows.turned(columns: indices.count).bits == columns.bits, "\(indices)")
    }
  }

  /// Values alone are the same as those beside velocities; neighbours, threads and instruction sets change no bit.
  @Test func bitsDependOnTheInstanceAlone() throws {
    var zoo = try KeyframeZoo.make(count: 1_000)
    let frames = BakeFrames(1..<70, perSecond: 60, start: zoo.batch.time)
    let count = zoo.batch.indexCount
    let whole = try Baked(&zoo.batch, frames, 0..<count)
    for part in [0..<1, 1..<40, 100..<333, count - 5..<count] {
      let baked = try Baked(&zoo.batch, frames, part)
      for frame in 0..<69 {
        let expected = whole.values[frame * count + part.lowerBound..<frame * count + part.upperBound]
        #expect(baked.values[frame * part.count..<(frame + 1) * part.count].elementsEqual(expected), "\(part)")
      }
    }
    var values = [Float](repeating: .nan, count: 69 * count)
    var span = values.mutableSpan
    try zoo.batch.bake(frames, indices: 0..<count, dimension: 0, values: &span)
    #expect(values == whole.values)
    zoo.batch.threadCount = 3
    #expect(try Baked(&zoo.batch, frames, 0..<count).bits == whole.bits)
  }

  /// Output that is stored past the caches: rows that begin anywhere in a line, and nothing beside them.
  @Test func rowsOffLinesAreWhole() throws {
    var zoo = try KeyframeZoo.make(count: 1_000)
    let count = zoo.batch.indexCount
    // The frames of 1.1 s.
    let rows = streamedFrames(columns: count - 3)
    let frames = BakeFrames(0..<rows, perSecond: Double(rows) / 1.1, start: zoo.batch.time)
    zoo.batch.threadCount = 3
    for first in [0, 3] {
      try expectStreamedRows(first..<count, frames: rows) { indices, values in
        try zoo.batch.bake(frames, indices: indices, dimension: 0, values: &values)
      }
    }
  }

  /// What a bake leaves alone: the clock, what is shown, and what the next frames report.
  @Test func theBatchStaysAsItIs() throws {
    var zoo = try KeyframeZoo.make(count: 300)
    var other = try KeyframeZoo.make(count: 300)
    let time = zoo.batch.time
    _ = try Baked(&zoo.batch, BakeFrames(1..<100, perSecond: 10, start: time), 0..<zoo.batch.indexCount)
    #expect(zoo.batch.time == time)
    for step in 1..<30 {
      try zoo.batch.advance(to: time + Double(step) * 0.1)
      try other.batch.advance(to: time + Double(step) * 0.1)
      #expect(zoo.batch.completed.map(\.index) == other.batch.completed.map(\.index))
      #expect(zoo.batch.repeated.map(\.handle.index) == other.batch.repeated.map(\.handle.index))
      let (shown, expected) = (try Baked(shown: &zoo.batch), try Baked(shown: &other.batch))
      #expect(shown.values == expected.values && shown.velocities == expected.velocities)
    }
  }

  @Test func refusalsWriteNothing() throws {
    var zoo = try KeyframeZoo.make(count: 20)
    let count = zoo.batch.indexCount
    let time = zoo.batch.time
    let live = try #require((0..<count).first { zoo.batch.handle(atIndex: $0) != nil })
    try zoo.batch.trigger(zoo.batch.handle(atIndex: live)!, from: .beginning)
    let two = BakeFrames(0..<2, perSecond: 60, start: time)
    func refuses(
      _ error: BatchError, _ frames: BakeFrames, _ indices: Range<Int>, dimension: Int = 0, room: Int
    ) {
      var output = [Float](repeating: 7, count: room)
      var span = output.mutableSpan
      #expect(throws: error) { try zoo.batch.bake(frames, indices: indices, dimension: dimension, values: &span) }
      #expect(output == Array(repeating: 7, count: room))
    }
    refuses(.wrongCount(of: "values", expected: 2 * count, got: 7), two, 0..<count, room: 7)
    refuses(.dimensionOutOfRange(2, count: 2), two, 0..<count, dimension: 2, room: 2 * count)
    refuses(.trackOutOfRange(count, count: count), two, 0..<count + 1, room: 2 * count)
    refuses(.trackOutOfRange(-1, count: count), two, -1..<3, room: 8)
    refuses(.invalidFrameRate(0), BakeFrames(0..<2, perSecond: 0), 0..<1, room: 2)
    refuses(.invalidTime(2e10), BakeFrames(0..<2, perSecond: 60, start: 2e10), 0..<1, room: 2)
    let many = BakeFrames(0..<(.max / 2), perSecond: 1e300, start: time)
    refuses(.wrongCount(of: "values", expected: .max, got: 8), many, 0..<4, room: 8)
    let early = BakeFrames(0..<2, perSecond: 60, start: time - 1e-3)
    refuses(.timeBeforeStart(time: time - 1e-3, start: time), early, live..<live + 1, room: 2)
    let bad = [1, Double.nan]
    var output = [Float](repeating: 7, count: 2)
    var span = output.mutableSpan
    #expect(throws: BatchError.self) { try zoo.batch.bake(at: bad.span, indices: 0..<1, dimension: 0, values: &span) }
    #expect(output == [7, 7])
    #expect(try Baked(&zoo.batch, two, 5..<5).values.isEmpty)
    #expect(try Baked(&zoo.batch, BakeFrames(5..<5, perSecond: 60), 0..<count).values.isEmpty)
  }
}
