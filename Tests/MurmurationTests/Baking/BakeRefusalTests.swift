// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// What a bake refuses, before it writes anything.
struct BakeRefusalTests {
  private func batch() throws -> SpringBatch {
    var batch = try SpringBatch()
    let (values, targets): ([Float], [Float]) = ([1, 2, 3, 4], [0, 0, 0, 0])
    try batch.add(.bouncy, values: values.span, targets: targets.span)
    return batch
  }

  private func refuses(
    _ error: BatchError, _ batch: inout SpringBatch, _ frames: BakeFrames, _ indices: Range<Int> = 0..<4,
    dimension: Int = 0, room: Int = 8
  ) {
    var output = [Float](repeating: 7, count: room)
    var span = output.mutableSpan
    #expect(throws: error) { try batch.bake(frames, indices: indices, dimension: dimension, values: &span) }
    #expect(output == Array(repeating: 7, count: room))
  }

  private let two = BakeFrames(0..<2, perSecond: 60)

  @Test func shapesThatDoNotFit() throws {
    var batch = try batch()
    refuses(.wrongCount(of: "values", expected: 8, got: 7), &batch, two, room: 7)
    refuses(.wrongCount(of: "values", expected: 8, got: 9), &batch, two, room: 9)
    refuses(.dimensionOutOfRange(1, count: 1), &batch, two, dimension: 1)
    refuses(.dimensionOutOfRange(-1, count: 1), &batch, two, dimension: -1)
    refuses(.trackOutOfRange(4, count: 4), &batch, two, 3..<5)
    refuses(.trackOutOfRange(-1, count: 4), &batch, two, -1..<3)
    let much = BakeFrames(0..<(.max / 2), perSecond: 1e300)
    refuses(.wrongCount(of: "values", expected: .max, got: 8), &batch, much)
    refuses(.wrongCount(of: "values", expected: .max, got: 8), &batch, BakeFrames(.min ..< .max, perSecond: 60))
    let (values, few) = ([Float](repeating: 7, count: 8), [Float](repeating: 7, count: 7))
    var (a, b) = (values, few)
    var aSpan = a.mutableSpan
    var bSpan = b.mutableSpan
    #expect(throws: BatchError.wrongCount(of: "velocities", expected: 8, got: 7)) {
      try batch.bake(two, indices: 0..<4, dimension: 0, values: &aSpan, velocities: &bSpan)
    }
    #expect(a == values && b == few)
  }

  @Test func timesThatCannotBe() throws {
    var batch = try batch()
    try batch.advance(to: 1)
    try batch.retarget(batch.handle(atIndex: 2)!, to: Float(5))
    for rate in [0, -1, Double.nan, .infinity] {
      var output = [Float](repeating: 7, count: 8)
      var span = output.mutableSpan
      let frames = BakeFrames(0..<2, perSecond: rate)
      #expect(throws: BatchError.self) { try batch.bake(frames, indices: 0..<4, dimension: 0, values: &span) }
      #expect(output == Array(repeating: 7, count: 8))
    }
    refuses(.timeBeforeStart(time: 0, start: 1), &batch, two)
    refuses(.timeBeforeStart(time: 59.0 / 60, start: 1), &batch, BakeFrames(59..<61, perSecond: 60))
    refuses(.invalidTime(2e10), &batch, BakeFrames(0..<2, perSecond: 60, start: 2e10))
    refuses(.invalidTime(0x1p40), &batch, BakeFrames(0..<2, perSecond: 0x1p-40))
    // Only the motions that are baked count.
    var output = [Float](repeating: .nan, count: 4)
    var span = output.mutableSpan
    try batch.bake(two, indices: 0..<2, dimension: 0, values: &span)
    #expect(output[0] == 1 && output[1] == 2)
    for bad in [[1, .nan], [1, -.infinity], [2, 0.5], [1e11]] as [[Double]] {
      var output = [Float](repeating: 7, count: 4 * bad.count)
      var span = output.mutableSpan
      #expect(throws: BatchError.self) { try batch.bake(at: bad.span, indices: 0..<4, dimension: 0, values: &span) }
      #expect(output.allSatisfy { $0 == 7 })
    }
  }

  @Test func retargetsThatWaitAreNotLookedPast() throws {
    var batch = try batch()
    let handles = [batch.handle(atIndex: 1)!, batch.handle(atIndex: 3)!]
    let (targets, delays): ([Float], [Double]) = ([5, 6], [0.5, 0.75])
    try batch.retarget(handles.span, to: targets.span, delays: delays.span)
    let second = BakeFrames(0..<61, perSecond: 60)
    refuses(.retargetWaiting(handles[0], time: 0.5), &batch, second, room: 4 * 61)
    refuses(.retargetWaiting(handles[1], time: 0.75), &batch, second, 2..<4, room: 2 * 61)
    // Others, and frames before the moment, are baked; so is a track whose order was cancelled.
    _ = try Baked(&batch, second, 2..<3)
    _ = try Baked(&batch, BakeFrames(0..<30, perSecond: 60), 0..<4)
    refuses(.retargetWaiting(handles[0], time: 0.5), &batch, BakeFrames(0..<31, perSecond: 60), room: 4 * 31)
    for handle in handles { try batch.remove(handle) }
    _ = try Baked(&batch, second, 0..<4)
  }

  @Test func nothingIsBakedIntoNothing() throws {
    var batch = try batch()
    for (frames, indices) in [(two, 0..<0), (two, 4..<4), (BakeFrames(5..<5, perSecond: 60), 0..<4)] {
      #expect(try Baked(&batch, frames, indices).values.isEmpty)
    }
    #expect(try Baked(&batch, at: [], 0..<4).values.isEmpty)
    var empty = try SpringBatch()
    #expect(try Baked(&empty, two, 0..<0).values.isEmpty)
    // One frame, at a rate that no second one could have.
    let one = try Baked(&batch, BakeFrames(0..<1, perSecond: 1e-300, start: 0.25), 0..<4)
    let same = try Baked(&batch, BakeFrames(15..<16, perSecond: 60), 0..<4)
    #expect(one.bits == same.bits)
  }
}
